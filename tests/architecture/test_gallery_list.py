"""The manual's gallery is made from the entries, and leaves none out."""

import functools
import inspect
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from kempe.gallery import MECHANISMS

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 56_000  # bytes of a picture in the manual


# As MkDocs loads it.
LIST = SimpleNamespace(**runpy.run_path(str(ROOT / "docs" / "gallery_list.py")))


@functools.cache
def page() -> str:
    return str(LIST.on_page_markdown((ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", MECHANISMS)
def test_an_entry_has_a_card_and_a_page_with_all_it_says_and_takes(name: str) -> None:
    assert f'href="gallery/{name}.html"' in page()
    own = LIST.entry_page(name)
    for line in (inspect.getdoc(MECHANISMS[name]) or "").splitlines():
        assert line.removeprefix("Examples:").strip() in own
    for dimension in inspect.signature(MECHANISMS[name]).parameters:
        assert f"`{dimension}`" in own
    assert f"kempe.gallery.{name}()" in own
    assert "As a file" in own or "no model file" in own


def test_every_button_of_the_gallery_shows_some_cards_and_hides_some() -> None:
    shown = [LIST.kinds(name) for name in MECHANISMS]
    for kind in LIST.KINDS:
        assert 0 < sum(kind in kinds for kinds in shown) < len(shown), kind


@pytest.mark.parametrize("picture", sorted(LIST.PICTURES.glob("*.svg")), ids=lambda p: p.stem)
def test_a_picture_is_small_and_of_an_entry(picture: Path) -> None:
    assert picture.stem in MECHANISMS
    assert picture.stat().st_size <= LARGEST

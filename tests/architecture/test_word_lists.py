"""The manual's lists of words are made from the classes, and leave none out."""

import inspect
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]


# As MkDocs loads it.
LIST = SimpleNamespace(**runpy.run_path(str(ROOT / "docs" / "word_list.py")))
PAGES = [page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "howto").glob("*.md")]


@pytest.mark.parametrize("room", LIST.ROOMS)
def test_a_page_lists_every_word_of_a_family_with_its_sentence(room: str) -> None:
    (page,) = [text for text in PAGES if f"<!-- words: {room} -->" in text]
    finished = LIST.on_page_markdown(page)
    kinds = LIST.members(room)
    assert len(kinds) > 5
    for kind in kinds:
        assert f"**{kind.__name__}**" in finished
        sentence = (inspect.getdoc(kind) or "").split("\n\n")[0]
        assert LIST.cell(sentence).replace("|", "&#124;") in finished


@pytest.mark.parametrize("room", LIST.ROOMS)
def test_a_row_of_the_list_stays_in_its_three_cells(room: str) -> None:
    for kind in LIST.members(room):
        line = LIST.row(kind)
        outside_code = "".join(line.split("`")[::2])
        assert outside_code.count("|") == 4, line
        assert "\n" not in line


def test_the_build_of_the_manual_asks_for_the_lists() -> None:
    assert "docs/word_list.py" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")

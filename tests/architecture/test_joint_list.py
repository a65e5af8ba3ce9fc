"""The manual's list of joints is made from the classes, and leaves none out."""

import inspect
import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from kempe.draw import SYMBOLS
from kempe.joints import AbstractJoint

ROOT = Path(__file__).resolve().parents[2]
SYMBOL_PATHS = {"solid", "stroke", "span", "rail"}  # classes of what only a joint's symbol draws


# As MkDocs loads it.
LIST = SimpleNamespace(**runpy.run_path(str(ROOT / "docs" / "joint_list.py")))
JOINTS = LIST.joints()


def sections() -> dict[str, str]:
    """The finished page below each heading of the second level."""
    page = (ROOT / "docs" / "joints.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", LIST.on_page_markdown(page), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


PAGE = sections()


def test_the_page_lists_every_exported_joint() -> None:
    import kempe.joints

    exported = {
        name
        for name in kempe.joints.__all__
        if inspect.isclass(kind := getattr(kempe.joints, name))
        and issubclass(kind, AbstractJoint)
        and not name.startswith("Abstract")
    }
    assert "Revolute" in exported
    assert set(PAGE) == exported


def test_the_build_of_the_manual_asks_for_the_list() -> None:
    assert "docs/joint_list.py" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", JOINTS, ids=lambda k: k.__name__)
def test_a_joint_stands_there_with_its_equation_and_its_measures(kind: type[AbstractJoint]) -> None:
    text = PAGE[kind.__name__]
    for line in (inspect.getdoc(kind) or "").splitlines():
        assert line in text
    assert SYMBOLS[kind.symbol].says in text
    for measure in LIST.freedom(kind):
        assert f"`{measure.word}` ({measure.unit})" in text


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
@pytest.mark.parametrize("kind", JOINTS, ids=lambda k: k.__name__)
def test_a_joint_is_drawn_in_the_plane_and_in_space(kind: type[AbstractJoint], plane: bool) -> None:
    picture = ElementTree.fromstring(LIST.symbol_picture(kind, plane=plane))
    size = tuple(float(number) for number in picture.get("viewBox", "").split()[2:])
    kinds = {path.get("class", "").split()[0] for path in picture.iter() if path.get("d")}
    assert size == LIST.SHOWN
    assert kinds & SYMBOL_PATHS, f"only {sorted(kinds)} are drawn"

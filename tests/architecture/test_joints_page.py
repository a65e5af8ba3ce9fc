"""docs/joints.md has every joint, with the equation, the measures and the symbol of its class."""

import inspect
import re
from pathlib import Path

import pytest

import kempe.joints
from kempe.draw import SYMBOLS
from kempe.joints import AbstractJoint

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "joints.md"
JOINTS = [
    kind
    for name in kempe.joints.__all__
    if isinstance(kind := getattr(kempe.joints, name), type)
    and issubclass(kind, AbstractJoint)
    and kind is not AbstractJoint
]


def sections() -> dict[str, str]:
    """Text of the page below each heading of the second level."""
    parts = re.split(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name.strip(): text for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def equation(kind: type[AbstractJoint]) -> str | None:
    """The line 'phi = ...' of the class's docstring."""
    found = re.search(r"^phi = .*$", inspect.getdoc(kind) or "", flags=re.MULTILINE)
    return found.group() if found else None


def test_the_page_lists_exactly_the_exported_joints() -> None:
    assert set(sections()) == {kind.__name__ for kind in JOINTS}


@pytest.mark.parametrize("kind", JOINTS, ids=lambda k: k.__name__)
def test_a_joint_stands_there_with_its_own_equation(kind: type[AbstractJoint]) -> None:
    written = equation(kind)
    assert written is None or written in sections()[kind.__name__]


@pytest.mark.parametrize("kind", JOINTS, ids=lambda k: k.__name__)
def test_a_joint_names_its_symbol_and_what_can_be_driven(kind: type[AbstractJoint]) -> None:
    text = sections()[kind.__name__]
    assert kind.symbol in SYMBOLS
    assert f"`{kind.symbol}`" in text
    for measure in kind.freedom:
        assert f"`{measure.word}`" in text


@pytest.mark.parametrize("kind", JOINTS, ids=lambda k: k.__name__)
def test_a_joint_has_a_picture(kind: type[AbstractJoint]) -> None:
    picture = f"pictures/joint_{kind.__name__.lower()}.svg"
    assert picture in sections()[kind.__name__]
    assert (PAGE.parent / picture).is_file()

"""The examples in docstrings give what they say."""

import doctest
import importlib
from pathlib import Path

import pytest

import kempe

SOURCE = Path(kempe.__file__).parent
MODULES = [
    ".".join(("kempe", *file.relative_to(SOURCE).with_suffix("").parts))
    for file in sorted(SOURCE.rglob("*.py"))
    if ">>> " in file.read_text(encoding="utf-8")
]


def test_there_are_examples() -> None:
    assert "kempe.front.builder" in MODULES


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_give_what_they_say(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0

"""Every work the code leans on is named in docs/sources.md, and in one way only."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "sources.md"
CODE = sorted(
    file
    for folder, endings in (("src", (".py", ".js")), ("core", (".hpp", ".cpp", ".inc")))
    for file in (ROOT / folder).rglob("*")
    if file.suffix in endings
)

KEY = r"[A-Z][A-Za-z]+(?:\d{4})?"
# "Source:" or "Own:" (which may lean on others too) up to the end of its paragraph.
CREDIT = re.compile(
    r"(?:Source|Own|The scheme):(.*?)(?:\n\W*\n|\"\"\"|\n[^\n\w]*\w+:|\Z)", re.DOTALL
)
ENTRY = re.compile(rf"^\[({KEY})\]", re.MULTILINE)


def cited(file: Path) -> set[str]:
    text = file.read_text(encoding="utf-8")
    return {key for credit in CREDIT.findall(text) for key in re.findall(rf"\[({KEY})\]", credit)}


def listed() -> list[str]:
    return ENTRY.findall(PAGE.read_text(encoding="utf-8"))


CITING = [file for file in CODE if cited(file)]


def test_there_are_files_that_cite_something() -> None:
    folders = {file.relative_to(ROOT).parts[0] for file in CITING}
    assert folders == {"src", "core"}


@pytest.mark.parametrize("file", CITING, ids=lambda f: f.relative_to(ROOT).as_posix())
def test_a_cited_work_stands_in_the_list(file: Path) -> None:
    assert cited(file) <= set(listed())


def test_a_key_stands_for_one_work() -> None:
    assert sorted(set(listed())) == sorted(listed())


def test_a_chapter_of_the_list_is_in_alphabetical_order() -> None:
    chapters = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    keys = [ENTRY.findall(chapter) for chapter in chapters]
    assert keys == [sorted(chapter, key=str.lower) for chapter in keys]

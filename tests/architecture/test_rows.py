"""Every row of the five sources has a command, a picture and tests, or says what is open."""

import runpy
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer.main

from kempe.cli.main import app_of
from kempe.gallery import MECHANISMS

ROOT = Path(__file__).resolve().parents[2]
LIST = SimpleNamespace(**runpy.run_path(str(ROOT / "docs" / "row_list.py")))
ROWS = [row for _, rows in LIST.groups().values() for row in rows]
EXPECTED = {"A": 7, "B": 10, "C": 11, "D": 11, "E": 7}
MARKED = LIST.marked()
GROUP: Any = typer.main.get_command(app_of())


def test_all_rows_of_all_five_are_there():
    assert {letter: len(rows) for letter, (_, rows) in LIST.groups().items()} == EXPECTED


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_is_shown_by_a_test_or_says_what_is_open(row):
    assert MARKED.get(row.name) or row.open
    assert row.command or row.open or MARKED.get(row.name)
    assert row.what.endswith(".")


@pytest.mark.parametrize("name", MARKED)
def test_a_mark_is_that_of_a_row(name):
    assert name in {row.name for row in ROWS}


@pytest.mark.parametrize("row", [r for r in ROWS if r.command], ids=lambda row: row.name)
def test_a_command_of_a_row_is_one_that_kempe_understands(row):
    name, *words = shlex.split(row.command)[1:]
    command = GROUP.commands[name]
    if "--help" not in words:
        command.make_context(name, list(words))
    entries = [word for word in words if word in MECHANISMS]
    files = [word for word in words if word.startswith("examples/")]
    assert all((ROOT / file).is_file() for file in files)
    assert entries or files or name in ("doctor", "frames", "gallery", "bench")


@pytest.mark.parametrize("row", [r for r in ROWS if r.picture], ids=lambda row: row.name)
def test_a_picture_of_a_row_is_one_of_the_gallery(row):
    assert row.picture in MECHANISMS
    assert (ROOT / "docs" / "pictures" / "gallery" / f"{row.picture}.svg").is_file()
    assert f"gallery/{row.picture}.svg" in LIST.tables()

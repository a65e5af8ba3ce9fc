"""What a command imports before it answers: half of what it once did, and only what it uses."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import kempe
from kempe.cli.main import COMMANDS
from kempe.on_demand import OnDemand

SOURCE = Path(kempe.__file__).parent
#: Half of the 1522 modules that `kempe check four_bar` had imported when it brought everything in.
MOST_MODULES = 1522 // 2
COUNTED = """
import contextlib, io, sys
from kempe.cli import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    assert main(sys.argv[1:]) == 0
print(*sys.modules)
"""


def imported(*words: str) -> set[str]:
    """The modules that are there once a command has answered."""
    ended = subprocess.run(
        [sys.executable, "-c", COUNTED, *words], capture_output=True, check=True, text=True
    )
    return set(ended.stdout.split())


def test_a_check_imports_half_of_what_it_once_did():
    modules = imported("check", "four_bar")
    assert len(modules) <= MOST_MODULES
    rooms = {".".join(name.split(".")[:2]) for name in modules}
    assert not rooms & {"kempe.dynamics", "kempe.draw", "kempe.motion", "kempe.export"}
    assert "scipy" not in modules
    files = {name for name in modules if name.startswith("kempe.gallery.")}
    assert "kempe.gallery.four_bars" in files
    assert "kempe.gallery.escapement" not in files


@pytest.mark.parametrize("words", [("--help",), ("version",), ("run", "--help")], ids=" ".join)
def test_help_imports_no_mechanics(words):
    modules = imported(*words)
    assert not modules & {"numpy", "scipy", "kempe.front", "kempe.gallery", "kempe.model"}


def test_a_command_imports_no_other_one():
    modules = imported("version")
    assert "kempe.cli.version" in modules
    assert not modules & {f"kempe.cli.{name}" for name in COMMANDS if name != "version"}


def rooms_on_demand() -> list[str]:
    """Rooms whose names are imported when they are asked for."""
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("__init__.py")}
    found = [path.parent for path, text in texts.items() if "= OnDemand(" in text]
    return [".".join(("kempe", *folder.relative_to(SOURCE).parts)) for folder in found]


@pytest.mark.parametrize("name", rooms_on_demand())
def test_what_a_room_gives_on_demand_is_what_editors_are_told(name):
    room = __import__(name, fromlist=["__getattr__"])
    demand = room.__getattr__
    assert isinstance(demand, OnDemand)
    body = ast.parse(Path(room.__file__).read_text(encoding="utf-8")).body
    told = {
        alias.asname: line.module
        for block in body
        if isinstance(block, ast.If)
        for line in block.body
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
        if alias.asname
    }
    assert told == demand.where
    for word, module in demand.where.items():
        assert getattr(room, word) is getattr(sys.modules[module], word)
    with pytest.raises(AttributeError, match="nothing_like_it"):
        room.nothing_like_it  # noqa: B018

"""The map of the code: its picture, its tables and its four paths are those of the tree."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "kempe"
MAP = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "reference" / "rooms.md").read_text(encoding="utf-8")
MOST = 25  # files of Python that one should have to open to follow a path
ROOMS = sorted(
    path.parent.relative_to(SOURCE).as_posix()
    for path in SOURCE.rglob("__init__.py")
    if path.parent != SOURCE
)
CORE = sorted({p.parent.relative_to(ROOT).as_posix() for p in (ROOT / "core").rglob("*.cpp")})


def script(path: str) -> ModuleType:
    """A script of the project as a module."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


PATHS = script("tools/paths.py")
STORIES = MAP.split("## Four paths")[1].split("\n## ")[0]
TOLD = re.split(r"^\*\*.+?\*\* ", STORIES, flags=re.MULTILINE)[1:]


def test_the_picture_shows_the_rooms_as_they_are() -> None:
    drawn = (ROOT / "docs" / "pictures" / "rooms.svg").read_text(encoding="utf-8")
    assert drawn == script("docs/pictures/rooms.py").rooms_svg(), "run docs/pictures/rooms.py"


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_stands_in_the_map_and_in_the_reference(room: str) -> None:
    assert f"`{room}`" in MAP
    names = {f"::: kempe.{'.'.join(room.split('/')[:depth])}" for depth in (2, len(room))}
    assert names & set(REFERENCE.splitlines())


@pytest.mark.parametrize("folder", [f for f in CORE if f != "core"])
def test_a_folder_of_the_core_stands_in_the_map(folder: str) -> None:
    assert f"`{folder}/`" in MAP


@pytest.mark.parametrize("k", range(len(PATHS.PATHS)), ids=lambda k: PATHS.PATHS[k].__name__)
def test_a_path_names_few_files_and_they_all_run(k: int) -> None:
    question, named = PATHS.PATHS[k], set(re.findall(r"`([\w/]+\.py)`", TOLD[k]))
    assert 3 <= len(named) <= MOST
    ran = set(PATHS.passed(question).files) | set(PATHS.passed(question).files)
    assert named <= ran

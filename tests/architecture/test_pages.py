"""Every path, module, command and count that a page of the manual mentions is there."""

import importlib
import importlib.util
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from kempe.cli.main import app_of

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TRACKED = subprocess.run(
    ["git", "ls-files", "-co", "--exclude-standard"],
    cwd=ROOT,
    capture_output=True,
    text=True,
    check=True,
).stdout.split()
FILE_NAMES = {Path(file).name for file in TRACKED}
FOLDERS = (ROOT, ROOT / "src" / "kempe", ROOT / "core", ROOT / "docs")

CODE = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")
SOURCE_FILE = re.compile(r"[\w./-]+\.(?:py|pyi|hpp|cpp|inc|js)")
FOLDER = re.compile(r"[\w.-]+(?:/[\w.-]+)*/")
DOTTED = re.compile(r"kempe(?:\.\w+)+")
SHOWN = re.compile(r"^::: (kempe[\w.]*)", re.MULTILINE)
IMPORTED = re.compile(
    r"^\s*(?:>>> )?from (kempe[\w.]*) import (?:\(([^)]*)\)|([^\n#]*))", re.MULTILINE
)
COMMAND = re.compile(r"kempe ([a-z]+)(?: .*)?")

COMMANDS = {
    command.name or command.callback.__name__
    for command in app_of().registered_commands
    if command.callback is not None
}

#: a file of the reader's own, a folder that a command makes
OF_THE_READER = {"site/", "dist/", "my_joints.py"}


def ids(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    """The page without its blocks of code."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def is_there(path: str, page: Path) -> bool:
    """Whether a path leads somewhere from the root, a folder of sources, or the page."""
    if "/" not in path:
        return path in FILE_NAMES
    return any((folder / path).exists() for folder in (*FOLDERS, page.parent))


def resolves(name: str) -> bool:
    """Whether a dotted name is a module, or something that a module holds."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            thing = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            if not hasattr(thing, part):
                return False
            thing = getattr(thing, part)
        return True
    return False


def names_of(page: Path) -> Iterator[str]:
    """The dotted names of a page: in its sentences, its reference, and its examples' imports."""
    text = page.read_text(encoding="utf-8")
    yield from (word for word in CODE.findall(prose(page)) if DOTTED.fullmatch(word))
    yield from SHOWN.findall(text)
    for room, *names in IMPORTED.findall(text):
        listed = "".join(names).split(",")
        yield from (f"{room}.{name.split()[0]}" for name in listed if name.strip())


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_a_file_or_folder_that_a_page_mentions_exists(page: Path) -> None:
    words = {
        word
        for word in CODE.findall(prose(page))
        if SOURCE_FILE.fullmatch(word) or FOLDER.fullmatch(word)
    }
    assert not [w for w in sorted(words - OF_THE_READER) if not is_there(w, page)]


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_a_link_of_a_page_leads_to_a_file(page: Path) -> None:
    assert not [link for link in LINK.findall(prose(page)) if not (page.parent / link).exists()]


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_a_dotted_name_that_a_page_mentions_exists(page: Path) -> None:
    assert not [name for name in names_of(page) if not resolves(name)]


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_a_command_that_a_page_mentions_exists(page: Path) -> None:
    commands = {m[1] for word in CODE.findall(prose(page)) if (m := COMMAND.fullmatch(word))}
    assert commands <= COMMANDS


def test_the_readme_counts_the_joints_that_there_are() -> None:
    path = ROOT / "docs" / "joint_list.py"
    spec = importlib.util.spec_from_file_location("joint_list", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    said = re.search(r"There are (\d+) joints", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert said is not None
    assert int(said[1]) == len(module.joints())


def test_a_name_that_is_not_there_is_found_out() -> None:
    assert resolves("kempe.geometry.Pose")
    assert resolves("kempe.draw.formats.gif")
    assert not resolves("kempe.geometry.Pos")
    assert not resolves("kempe.nowhere.Pose")
    assert not is_there("front/nowhere.py", ROOT / "README.md")

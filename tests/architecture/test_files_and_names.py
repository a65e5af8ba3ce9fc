"""What keeps the source readable: short files, named things, and words for every public name."""

import ast
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import kempe

SOURCE = Path(kempe.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
MOST_LINES = 400
FRONT_DOOR = 40  # names
MEANINGLESS = {"utils", "util", "helpers", "helper", "common", "misc", "tools"}
EMPTY_VERBS = ("get_", "compute_", "calc_", "do_", "handle_")


def shown(path):
    return path.relative_to(SOURCE).as_posix()


@pytest.mark.parametrize("path", FILES, ids=shown)
def test_no_file_is_too_long(path):
    assert len(path.read_text().splitlines()) <= MOST_LINES


@pytest.mark.parametrize("path", FILES, ids=shown)
def test_every_file_says_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text()))


@pytest.mark.parametrize("path", FILES, ids=shown)
def test_no_file_or_function_has_an_empty_name(path):
    assert path.stem not in MEANINGLESS
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert not node.name.startswith(EMPTY_VERBS), node.name


def modules():
    found = [name for _, name, _ in pkgutil.walk_packages([str(SOURCE)], prefix="kempe.")]
    return [name for name in found if not name.endswith(("._core", ".__main__"))]


def public_things(module):
    """Classes and functions a module defines and shows."""
    for name, thing in vars(module).items():
        own = getattr(thing, "__module__", None) == module.__name__
        if (
            own
            and not name.startswith("_")
            and (inspect.isclass(thing) or inspect.isfunction(thing))
        ):
            yield name, thing


def protocols():
    """Every protocol of the package: what a class may fill in without naming it."""
    found = (importlib.import_module(name) for name in modules())
    things = (thing for module in found for _, thing in public_things(module))
    return [thing for thing in things if getattr(thing, "_is_protocol", False)]


def inherits_its_words(kind, name):
    """Whether a method only fills in one that an ancestor or a protocol documents."""
    return any(
        name in vars(base) and inspect.getdoc(vars(base)[name])
        for base in (*kind.__mro__[1:], *protocols())
    )


@pytest.mark.parametrize("name", modules())
def test_every_public_name_is_documented(name):
    module = importlib.import_module(name)
    silent = []
    for word, thing in public_things(module):
        if not thing.__doc__:
            silent.append(word)
        if inspect.isclass(thing):
            for part, member in vars(thing).items():
                code = member.fget if isinstance(member, property) else member
                if part.startswith("_") or not inspect.isfunction(code):
                    continue
                is_protocol = getattr(thing, "_is_protocol", False)
                if not code.__doc__ and not is_protocol and not inherits_its_words(thing, part):
                    silent.append(f"{word}.{part}")
    assert not silent


@pytest.mark.parametrize("name", modules())
def test_what_a_room_exports_is_there(name):
    module = importlib.import_module(name)
    for word in getattr(module, "__all__", ()):
        assert hasattr(module, word)


@pytest.mark.parametrize("name", modules())
def test_every_class_is_abstract_or_final(name):
    module = importlib.import_module(name)
    for word, thing in public_things(module):
        if not inspect.isclass(thing) or issubclass(thing, BaseException):
            continue
        if getattr(thing, "_is_protocol", False):
            continue
        is_abstract = word.startswith("Abstract")
        assert is_abstract != bool(getattr(thing, "__final__", False)), word


def test_the_front_door_has_few_names_and_they_all_open():
    assert len(kempe.__all__) <= FRONT_DOOR
    assert sorted(kempe.__all__) == dir(kempe)
    for name in kempe.__all__:
        assert getattr(kempe, name) is not None


def test_a_name_that_is_not_there_says_so():
    with pytest.raises(AttributeError, match="kempe has no 'Bilder'"):
        kempe.Bilder  # noqa: B018

"""What keeps the source readable: short files, named things, and words for every public name."""

import ast
import functools
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import kempe
from kempe.names import exported
from kempe.results.state import State

SOURCE = Path(kempe.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
FRONT_DOOR = 41  # names
MEANINGLESS = {"utils", "util", "helpers", "helper", "common", "misc", "tools"}
#: participles and riddles: a file is named after what is inside
BANNED = {
    *("given", "recalled", "observed", "facts", "still", "placed", "coupled", "derived", "told"),
    *("passing", "swept", "sampled", "released", "prepared", "places", "bends", "proved_again"),
    *("riders", "outside", "sight"),
}
#: names that once meant several things: each is a class or a function of one file now
DOUBLE_MEANINGS = (
    *("Assembly", "Block", "Chart", "Effort", "Motion", "Place", "Quantity", "Row", "Unknown"),
    *("Wish", "choose_rows", "swept"),
)
#: words of the trade that two families share: a joint and coordinates, a row and a measure, a
#: curve and its picture, a joint that keeps two curves together and a force where they touch; a
#: model file and a scene tell them apart by the place where they stand
SHARED_WORDS = {"Cylindrical", "Spherical", "Distance", "Polyline"}
ROOT = Path(__file__).resolve().parents[2]
EMPTY_VERBS = ("get_", "compute_", "calc_", "do_", "handle_")


@functools.cache
def trees():
    return {path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text()) for path in FILES}


def test_every_file_says_what_it_is_for():
    assert not [name for name, tree in trees().items() if not ast.get_docstring(tree)]


def test_no_file_or_function_has_an_empty_name():
    functions = [
        f"{name}: {node.name}"
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.name.startswith(EMPTY_VERBS)
    ]
    assert not functions
    assert not [name for name in trees() if Path(name).stem in MEANINGLESS]


def test_no_file_has_a_name_that_does_not_say_what_is_inside():
    files = [
        path.relative_to(ROOT).as_posix()
        for folder in ("src", "core", "tests", "tools", "benchmarks", "examples", "docs")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".cpp", ".hpp", ".inc", ".js"}
    ]
    assert not [file for file in files if Path(file).stem.removeprefix("test_") in BANNED]


@functools.cache
def modules():
    found = [name for _, name, _ in pkgutil.walk_packages([str(SOURCE)], prefix="kempe.")]
    shown = [name for name in found if not name.endswith(("._core", ".__main__"))]
    return [importlib.import_module(name) for name in shown]


def public_things(module):
    """Classes and functions a module defines and shows, by their full names."""
    for name, thing in vars(module).items():
        own = getattr(thing, "__module__", None) == module.__name__
        if (
            own
            and not name.startswith("_")
            and (inspect.isclass(thing) or inspect.isfunction(thing))
        ):
            yield f"{module.__name__}.{name}", thing


@functools.cache
def things():
    return [pair for module in modules() for pair in public_things(module)]


@functools.cache
def protocols():
    return [thing for _, thing in things() if getattr(thing, "_is_protocol", False)]


def inherits_its_words(kind, name):
    """Whether a method only fills in one that an ancestor or a protocol documents."""
    return any(
        name in vars(base) and inspect.getdoc(vars(base)[name])
        for base in (*kind.__mro__[1:], *protocols())
    )


def undocumented(name, thing):
    """A class or function, and the methods of a class, that say nothing."""
    if not thing.__doc__:
        yield name
    if not inspect.isclass(thing) or getattr(thing, "_is_protocol", False):
        return
    for part, member in vars(thing).items():
        code = member.fget if isinstance(member, property) else member
        is_shown = inspect.isfunction(code) and not part.startswith("_")
        if is_shown and not code.__doc__ and not inherits_its_words(thing, part):
            yield f"{name}.{part}"


def test_every_public_name_is_documented():
    assert not [word for name, thing in things() for word in undocumented(name, thing)]


def taking(name, thing):
    """Functions, and methods of a class that say something themselves, by their full names."""
    if not inspect.isclass(thing):
        yield name, thing
        return
    for part, member in vars(thing).items():
        code = inspect.unwrap(getattr(member, "__func__", member))
        if inspect.isfunction(code) and not part.startswith("_") and code.__doc__:
            yield f"{name}.{part}", code


#: families whose members people use and write
FAMILIES = ("joints", "couplers", "drives", "forces", "constraints", "measures")
FRONT_DOORS = [getattr(kempe, name) for name in kempe.__all__]


def is_spoken(name, thing):
    """Whether people call it: families, classes of the front, functions at the front door."""
    room, *inside = name.split(".")[1:]
    is_face = room == "front" and inside[0] != "requests" and inspect.isclass(thing)
    return room in FAMILIES or is_face or (room == "front" and thing in FRONT_DOORS)


def test_what_people_call_says_what_it_takes():
    """Every parameter stands in the docstring between back quotes, with its unit or frame."""
    unsaid = [
        f"{word}: {parameter}"
        for name, thing in things()
        if is_spoken(name, thing)
        for word, code in taking(name, thing)
        for parameter in inspect.signature(code).parameters
        if parameter not in ("self", "cls", "more")
        and not parameter.startswith("_")
        and f"`{parameter}" not in (code.__doc__ or "")
    ]
    assert not unsaid


def test_every_docstring_reads_on_its_own():
    """A tooltip shows one alone: nothing in it may point at the line above."""
    leaning = [
        f"{file}: {said.splitlines()[0]}"
        for file, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        and (said := ast.get_docstring(node))
        and said.startswith(("The same", "Same as", "See ", "As above", "Likewise"))
    ]
    assert not leaning


def test_every_class_is_abstract_or_final():
    undecided = [
        name
        for name, thing in things()
        if inspect.isclass(thing)
        and not issubclass(thing, BaseException)
        and not getattr(thing, "_is_protocol", False)
        and not hasattr(thing, "model_fields")  # records of a schema, bases of generated ones
        and not issubclass(thing, State)  # states, with ever more of what is known there
        and thing.__name__.startswith("Abstract") == bool(getattr(thing, "__final__", False))
    ]
    assert not undecided


def test_what_a_room_exports_is_there():
    missing = [
        f"{module.__name__}.{name}"
        for module in modules()
        for name in getattr(module, "__all__", ())
        if not hasattr(module, name)
    ]
    assert not missing


def test_a_room_exports_what_its_init_imports_from_its_own_files():
    """Read off the text, as the reference page does, and compared with what Python lists."""
    packages = [module for module in modules() if hasattr(module, "__path__")]
    rooms = [room for room in packages if getattr(room, "exported", None) is exported]
    assert len(rooms) > 10
    for room in rooms:
        imports = [
            n for n in ast.parse(inspect.getsource(room)).body if isinstance(n, ast.ImportFrom)
        ]
        own = [line for line in imports if line.module.startswith(f"{room.__name__}.")]
        assert sorted(name.asname for line in own for name in line.names) == room.__all__


def test_no_two_rooms_export_one_name_for_two_things():
    meanings = {}
    for module in [kempe, *modules()]:
        if hasattr(module, "__path__"):
            for name in getattr(module, "__all__", ()):
                meanings.setdefault(name, set()).add(id(getattr(module, name)))
    assert {name for name, things in meanings.items() if len(things) > 1} == SHARED_WORDS


@pytest.mark.parametrize("name", DOUBLE_MEANINGS)
def test_a_name_that_had_several_meanings_has_one(name):
    kinds = (ast.ClassDef, ast.FunctionDef)
    defining = [
        file
        for file, tree in trees().items()
        if any(isinstance(node, kinds) and node.name == name for node in tree.body)
    ]
    assert len(defining) <= 1


def test_the_front_door_has_few_names_and_they_all_open():
    assert len(kempe.__all__) <= FRONT_DOOR
    assert sorted(kempe.__all__) == dir(kempe)
    for name in kempe.__all__:
        assert getattr(kempe, name) is not None


def test_type_checkers_see_the_names_that_the_front_door_opens():
    """They read the imports that never run; Python looks names up when they are first used."""
    shown = [
        name.asname
        for node in ast.walk(trees()["__init__.py"])
        if isinstance(node, ast.If)
        for line in node.body
        if isinstance(line, ast.ImportFrom)
        for name in line.names
    ]
    assert sorted([*shown, "__version__"]) == sorted(kempe.__all__)


def test_a_name_that_is_not_there_says_so():
    with pytest.raises(AttributeError, match="kempe has no 'Bilder'"):
        kempe.Bilder  # noqa: B018

"""What kempe says it needs is what it imports, and every pin is one file by its hash."""

import ast
import functools
import importlib.metadata
import importlib.util
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OPTIONAL = PROJECT["optional-dependencies"]
EXTRAS = [name for name in OPTIONAL if name != "all"]
PINS = sorted(ROOT.glob("requirements-*.txt"))

#: functions whose first argument is the name of a module that they import
IMPORTERS = ("extra", "import_module", "find_spec")
#: extras for a machine with a graphics card or a large framework: neither in `all`, nor installed
#: where tests run
APART = {
    "gpu": {"cupy": "cupy-cuda13x"},
    "jax": {"jax": "jax"},
    "torch": {"torch": "torch"},
}
MODULES_APART = {module: name for found in APART.values() for module, name in found.items()}
#: the compiled core loads it, no Python file does
LOADED_BY_THE_CORE = "nanobind-backend"


def distribution(requirement: str) -> str:
    """The name at the start of a requirement, as package indexes compare names."""
    found = re.match(r"[\w.-]+", requirement)
    assert found, requirement
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def distributions(requirements: Iterable[str]) -> set[str]:
    return {distribution(requirement) for requirement in requirements}


def is_for_types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in (
        "TYPE_CHECKING",
        "typing.TYPE_CHECKING",
    )


def parts_that_run(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all below it, but nothing under `if TYPE_CHECKING`."""
    yield node
    below = node.orelse if is_for_types_only(node) else ast.iter_child_nodes(node)  # type: ignore[attr-defined]
    for child in below:
        yield from parts_that_run(child)


def modules(tree: ast.AST) -> Iterator[str]:
    """The modules that the code imports, at the top or when first needed."""
    for node in parts_that_run(tree):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom(module=str(name), level=0):
                yield name
            case ast.Call(args=[ast.Constant(value=str(name)), *_]) if (
                ast.unparse(node.func).rpartition(".")[2] in IMPORTERS
            ):
                yield name


def calls_of_extra(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """(module, extra) of every `extra(module, extra, purpose)`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Name(id="extra"),
                args=[ast.Constant(value=str(module)), ast.Constant(value=str(name)), *_],
            ):
                yield module, name


@functools.cache
def trees() -> list[ast.Module]:
    files = sorted((ROOT / "src").rglob("*.py"))
    return [ast.parse(file.read_text(encoding="utf-8")) for file in files]


HOLDERS = importlib.metadata.packages_distributions()


def holders(module: str) -> set[str]:
    """The distributions that may have brought the module."""
    top = module.partition(".")[0]
    return distributions(HOLDERS.get(top, [MODULES_APART.get(top, top)]))


@functools.cache
def foreign() -> list[str]:
    """The modules of others that the source imports."""
    tops = {module.partition(".")[0] for tree in trees() for module in modules(tree)}
    return sorted(tops - sys.stdlib_module_names - {"kempe"})


def imported() -> set[str]:
    return {name for module in foreign() for name in holders(module)}


def brought_along(requirement: str) -> set[str]:
    """What a distribution pins to one version: the other half of itself."""
    needed = importlib.metadata.requires(distribution(requirement)) or []
    return distributions(line for line in needed if "==" in line.partition(";")[0])


def test_an_import_is_found_wherever_it_stands_unless_it_is_for_types_only() -> None:
    text = """
import a.b
if TYPE_CHECKING:
    import c
else:
    import d
def f():
    from e.g import h
    from . import i
    extra("j.k", "plot", "a plot")
    importlib.import_module("l")
"""
    assert set(modules(ast.parse(text))) == {"a.b", "d", "e.g", "j.k", "l"}


@pytest.mark.parametrize("name", EXTRAS)
def test_every_package_of_an_extra_is_imported_somewhere(name: str) -> None:
    assert distributions(OPTIONAL[name]) <= imported()


def test_every_dependency_is_imported_somewhere() -> None:
    assert distributions(PROJECT["dependencies"]) - imported() == {LOADED_BY_THE_CORE}


def test_every_imported_package_comes_with_kempe_or_with_an_extra() -> None:
    wanted = [*PROJECT["dependencies"], *(line for name in EXTRAS for line in OPTIONAL[name])]
    halves = (brought_along(line) for line in PROJECT["dependencies"])
    known = distributions(wanted).union(*halves)
    assert not [module for module in foreign() if not holders(module) & known]


def test_an_error_about_a_missing_package_names_the_extra_that_brings_it() -> None:
    calls = {call for tree in trees() for call in calls_of_extra(tree)}
    assert {name for _, name in calls} == set(EXTRAS)
    for module, name in calls:
        assert holders(module) & distributions(OPTIONAL[name]), (module, name)


def test_the_extra_all_is_every_other_extra() -> None:
    others = [name for name in EXTRAS if name not in APART]
    assert OPTIONAL["all"] == [f"kempe[{','.join(others)}]"]


@pytest.mark.parametrize(
    ("heading", "wanted"),
    [
        ("run", PROJECT["dependencies"]),
        (
            "extras that the tests exercise",
            [line for name in EXTRAS if name not in APART for line in OPTIONAL[name]],
        ),
    ],
)
def test_the_tests_run_with_all_that_kempe_may_need(heading: str, wanted: list[str]) -> None:
    text = (ROOT / "requirements-dev.in").read_text(encoding="utf-8")
    (chapter,) = (part for part in text.split("# ") if part.startswith(f"{heading}\n"))
    assert sorted(chapter.split("\n", 1)[1].split()) == sorted(wanted)


@pytest.mark.parametrize("file", PINS, ids=lambda file: file.name)
def test_a_pin_is_one_version_with_its_hashes_and_no_address(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    assert lines
    for line in lines:
        assert re.fullmatch(
            r"[\w.-]+==[\w.+!]+( ; [^:\\]+?)?(\s+--hash=sha256:[0-9a-f]{64})+", line
        ), line[:200]


def test_every_list_of_requirements_is_pinned() -> None:
    assert [file.stem for file in PINS] == sorted(
        file.stem for file in ROOT.glob("requirements-*.in")
    )


def test_every_extra_is_tried_in_an_environment_of_its_own() -> None:
    spec = importlib.util.spec_from_file_location("extras", ROOT / "tools" / "extras.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert sorted(tool.TRIALS) == sorted(EXTRAS)
    assert set(tool.APART) == set(APART)


def test_wheels_are_built_once_for_every_python_that_is_promised() -> None:
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    oldest = PROJECT["requires-python"].removeprefix(">=")
    tag = "cp" + oldest.replace(".", "")
    assert whole["tool"]["scikit-build"]["wheel"]["py-api"] == tag
    assert whole["tool"]["cibuildwheel"]["build"] == f"{tag}-*"
    assert set(whole["tool"]["cibuildwheel"]["test-extras"]) <= set(EXTRAS)

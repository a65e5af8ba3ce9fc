"""The core takes and gives types: a reader sees the fields, and so does mypy."""

import ast
from pathlib import Path

import pytest

from kempe.algebra.native import core

STUBS = Path(core.__file__).parent / "_core.pyi"  # the build writes it beside the module
UNTYPED = {"dict", "Dict", "object", "Any"}


def untyped_answers(stubs: str) -> list[str]:
    """Names of functions, methods and fields whose answer does not say what is in it."""
    found = []
    for node in ast.walk(ast.parse(stubs)):
        if not isinstance(node, ast.FunctionDef):
            continue
        if node.returns is None or _is_untyped(node.returns):
            found.append(node.name)
    return found


def _is_untyped(answer: ast.expr) -> bool:
    if isinstance(answer, ast.Subscript):
        name = ast.unparse(answer.value)
        if name == "Annotated":  # the type comes first; after it the shapes of arrays
            assert isinstance(answer.slice, ast.Tuple)
            return _is_untyped(answer.slice.elts[0])
        parts = answer.slice.elts if isinstance(answer.slice, ast.Tuple) else [answer.slice]
        return name in UNTYPED or any(_is_untyped(part) for part in parts)
    if isinstance(answer, ast.BinOp):
        return _is_untyped(answer.left) or _is_untyped(answer.right)
    return isinstance(answer, ast.Name) and answer.id in {*UNTYPED, "tuple", "list"}


def test_every_answer_of_the_core_has_a_type():
    assert untyped_answers(STUBS.read_text(encoding="utf-8")) == []


def test_no_argument_of_the_core_is_a_dictionary():
    arguments = [
        f"{function.name}({argument.arg})"
        for function in ast.walk(ast.parse(STUBS.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
        for argument in [*function.args.args, *function.args.kwonlyargs]
        if argument.annotation is not None
        and ast.unparse(argument.annotation).split("[")[0] in {"dict", "Dict", "Mapping"}
    ]
    assert arguments == []


@pytest.mark.parametrize(
    "answer",
    [
        "dict",
        "dict[str, int]",
        "list[dict]",
        "list",
        "object",
        "object | None",
        "tuple",
        "tuple[dict, int]",
        "Annotated[object, dict(shape=(None,))]",
    ],
)
def test_an_answer_without_a_type_is_found(answer):
    assert untyped_answers(f"class A:\n    def f(self, x: dict) -> {answer}: ...") == ["f"]


@pytest.mark.parametrize(
    "answer",
    [
        "None",
        "SweepEnd",
        "list[int]",
        "int | None",
        "tuple[int, float]",
        "Annotated[NDArray[numpy.float64], dict(shape=(None, None))]",
    ],
)
def test_an_answer_with_a_type_is_let_through(answer):
    assert untyped_answers(f"def f(settings: dict) -> {answer}: ...") == []

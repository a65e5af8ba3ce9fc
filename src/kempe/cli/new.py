"""`kempe new`."""

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kempe.cli.motion import named_values
from kempe.cli.options import AsJson, Entry, output_option
from kempe.cli.terminal import answer
from kempe.errors import FileError, KempeError, ModelError, UnknownName, nearest_name

if TYPE_CHECKING:
    from kempe.front import Mechanism

EXAMPLE = "crank=0.3"
TRACED = "coupler.P"  # the point whose path is drawn, where there is one


def new(
    name: Entry,
    *,
    output: Annotated[
        Path | None, output_option("The .yaml or .json to write; NAME.yaml if omitted.")
    ] = None,
    dimension: Annotated[
        list[str] | None,
        typer.Option("-d", "--dimension", help=f"A dimension of the entry, such as {EXAMPLE}."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Write a mechanism of the gallery to a model file, to be edited: bodies, joints, drives.

    Example: kempe new four_bar -d crank=30 -d coupler=90 -d rocker=70 -d ground=100 -d units=mm
    """
    from kempe.files.documents.writer import write_model

    target = output or Path(f"{name}.yaml")
    mechanism = _made(name, dimension)
    if target.exists():
        raise FileError("this file is there already: name another with -o.", path=str(target))
    path = write_model(mechanism.model, target, _run(name, mechanism))
    after = [
        f"Edit it, then: kempe check {path}",
        f"               kempe animate {path} -o {path.stem}.html",
    ]
    return answer({"written": str(path)}, "", as_json=as_json, written=[path], after=after)


def _made(name: str, texts: list[str] | None) -> "Mechanism":
    """The entry of the gallery with these dimensions; one line says what is wrong with them."""
    from kempe.gallery import MECHANISMS

    if name not in MECHANISMS:
        raise UnknownName(f"the gallery has no {name!r}.{nearest_name(name, MECHANISMS)}")
    make = MECHANISMS[name]
    known = inspect.signature(make).parameters
    values: dict[str, Any] = {}
    for word, text in named_values(texts, "--dimension", EXAMPLE).items():
        if word not in known:
            raise UnknownName(f"{name} has no dimension {word!r}.{nearest_name(word, known)}")
        values[word] = _number(text)
    try:
        return make(**values)
    except KempeError:
        raise
    except (TypeError, ValueError, ArithmeticError) as mistake:
        raise ModelError(f"{name} cannot be made of {', '.join(texts or ())}: {mistake}.") from None


def _number(text: str) -> Any:
    """What a dimension is: a whole number, a number, True or False, or text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text.lower(), text)


def _run(name: str, mechanism: "Mechanism") -> dict[str, Any]:
    """What the file asks for: as the gallery shows the entry."""
    from kempe.gallery import COURSES

    if name in COURSES:
        course = COURSES[name]
        run: dict[str, Any] = {"analysis": "dynamics", "until": course.until}
        return run | ({"trace": list(course.trace)} if course.trace else {})
    body, _, point = TRACED.partition(".")
    bodies = {b.name: b for b in mechanism.model.bodies}
    traced = body in bodies and point in bodies[body].points
    return {"until": 1.0, **({"trace": [TRACED]} if traced else {})}

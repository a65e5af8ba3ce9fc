"""`kempe assemble`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kempe.cli.angles import refuse_bare_degrees
from kempe.cli.motion import cannot, mechanism_of, named_values, pose_facts
from kempe.cli.options import AsJson, Model, output_option
from kempe.cli.terminal import answer
from kempe.endings import PICTURES, refuse_unwritable
from kempe.errors import AssemblyError, BadNumber

if TYPE_CHECKING:
    from kempe.front.position import Assembly


def assemble(
    what: Model,
    *,
    near: Annotated[
        list[str] | None,
        typer.Option(help="Where a body should be, 'coupler=1, 2, 30 deg', or a coordinate."),
    ] = None,
    hold: Annotated[
        list[str] | None,
        typer.Option("--hold", "--held", help="A measure to meet exactly: 'crank.angle=60 deg'."),
    ] = None,
    lock: Annotated[
        list[str] | None, typer.Option(help="A body or measure that stays where it is.")
    ] = None,
    weight: Annotated[
        list[str] | None, typer.Option(help="How reluctantly a body moves: 'coupler=10'.")
    ] = None,
    at: Annotated[
        str | None, typer.Option(help="Hold the drives as at this time; else they are let go.")
    ] = None,
    output: Annotated[Path | None, output_option("Draw it: .svg, .png or .pdf.")] = None,
    as_json: AsJson = False,
) -> int:
    """Put a mechanism together as near as possible to where its bodies are wished.

    Example: kempe assemble four_bar --hold "crank.angle=60 deg" --near "rocker.angle=-100 deg"
    """
    refuse_unwritable(output, PICTURES, "a picture")
    mechanism = mechanism_of(what)
    places = {
        name: text if "." in name else tuple(part.strip() for part in text.split(","))
        for name, text in named_values(near, "--near", "'coupler=1, 2, 30 deg'").items()
    }
    held = named_values(hold, "--hold", "'crank.angle=60 deg'")
    for name, text in held.items():
        refuse_bare_degrees(mechanism, name, "--hold", text)
    weights = named_values(weight, "--weight", "coupler=10")
    try:
        found = mechanism.assemble(
            places,
            values=held,
            locked=lock or [],
            weights={name: _weight(name, text) for name, text in weights.items()},
            at=at,
        )
    except AssemblyError as refused:
        return cannot(refused, as_json=as_json)
    if output is not None:
        from kempe.export.svg_pages import write_picture

        write_picture(output, found.svg())
    return answer(_facts(found), _table(found), as_json=as_json)


def _weight(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadNumber(f"the weight of {name!r} is a number, not {text!r}.") from None


def _facts(found: "Assembly") -> dict[str, object]:
    return {
        "assembles": True,
        "residual": found.residual,
        "freedom": found.freedom,
        "notes": list(found.notes),
        "bodies": {
            body: {**pose_facts(X_WB), "moved": list(found.moved[body])}
            for body, X_WB in found.poses.items()
        },
    }


def _table(found: "Assembly") -> str:
    lines = [f"{'body':<16}{'x':>14}{'y':>14}{'z':>14}{'moved':>14}{'turned':>14}"]
    for body, X_WB in found.poses.items():
        way, turn = found.moved[body]
        numbers = [*(float(c) for c in X_WB.position), way, turn]
        lines.append(f"{body:<16}" + "".join(f"{_plain(c):>14}" for c in numbers))
    lines += [f"Note: {note}." for note in found.notes]
    lines.append("Lengths in m, turns in rad, both from where it was wished or first guessed.")
    return "\n".join(lines)


def _plain(number: float) -> str:
    return f"{0.0 if abs(number) < 5e-12 else number:.6g}"

"""`kempe assemblies`."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kempe.cli.motion import as_far_as_it_got, mechanism_of, refuse_idle
from kempe.cli.options import AsJson, Model, output_option
from kempe.cli.solving import Search, facts, is_whole
from kempe.cli.terminal import ProgressLine, answer, listed
from kempe.endings import PICTURES, refuse_unwritable

if TYPE_CHECKING:
    from kempe.front import Mechanism
    from kempe.results.maps.assemblies import Assemblies


def assemblies(
    what: Model,
    *,
    search: Search,
    at: Annotated[
        str | None, typer.Option("--at", help="The time at which the drives hold their measures.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", help="Draw all of them over each other: .svg, .png or .pdf."),
    ] = None,
    each: Annotated[
        bool, typer.Option("--each", help="Draw every one in a small picture of its own.")
    ] = False,
    output: Annotated[
        Path | None, output_option("Save the list with its certificate, for kempe verify: .npz.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """List every way to put a mechanism together while measures are held, certified to be all.

    Without --held the drives hold their measures as at the start. Example: kempe assemblies
    four_bar --held "crank.angle=60 deg" --json
    """
    refuse_unwritable(picture, PICTURES, "a picture of assemblies")
    if picture is None:
        refuse_idle({"each": each or None}, "nothing is drawn", "Add --picture FILE.")
    mechanism = mechanism_of(what)
    with ProgressLine(is_wanted=not as_json) as line:
        asked = search.asked(mechanism, line)
        when = at if at is not None or asked["held"] else "0 s"
        found = as_far_as_it_got(mechanism.assemblies, at=when, **asked)
    if output is not None:
        found.save(output)
    if picture is not None:
        pictures = mechanism.pictures(found)
        pictures.write(picture, pictures.each() if each else pictures.placements())
    told = (
        {**facts(found), "form": found.form, "states": list(_states(mechanism, found))}
        if as_json
        else {}
    )
    words = "" if as_json else _words(mechanism, found)
    return answer(told, words, as_json=as_json, is_yes=is_whole(found))


def _states(mechanism: "Mechanism", found: "Assemblies") -> list[dict[str, Any]]:
    bodies, own = found.readings.bodies, mechanism.layout.coordinates
    return [
        {
            "q": state.q.tolist(),
            "radius": state.radius,
            "bodies": dict(zip(bodies, own.q_by_body(state.q).tolist(), strict=True)),
        }
        for state in found
    ]


def _words(mechanism: "Mechanism", found: "Assemblies") -> str:
    lines = [str(found)]
    if not mechanism.layout.model.plane:
        lines += _words_in_space(mechanism, found)
        return "\n".join(listed(lines, "--json"))
    for number, state in enumerate(found):
        angles = state.q[mechanism.layout.coordinates.angles]
        each = zip(found.readings.bodies, angles, strict=True)
        told = ", ".join(f"{body} {math.degrees(angle):.4f} deg" for body, angle in each)
        lines.append(f"  {number + 1}: {told}")
    return "\n".join(listed(lines, "--json"))


def _words_in_space(mechanism: "Mechanism", found: "Assemblies") -> list[str]:
    """Where every body is and about which axis it is turned, a line each."""
    lines = [f"  unknowns: {found.form}"] * bool(found.form)
    for number, state in enumerate(found):
        for body, q in zip(
            found.readings.bodies, mechanism.layout.coordinates.q_by_body(state.q), strict=True
        ):
            turn = 2.0 * math.degrees(math.atan2(math.hypot(*q[4:]), q[3]))
            unit = q[4:] / (math.hypot(*q[4:]) or 1.0)
            place, axis = (", ".join(f"{round(c, 9) + 0.0:.4g}" for c in x) for x in (q[:3], unit))
            about = f" about ({axis})" if turn > 1e-6 else ""
            lines.append(f"  {number + 1}: {body} at ({place}) m, {turn:.4f} deg{about}")
    return lines

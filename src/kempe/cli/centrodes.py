"""`kempe centrodes`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kempe.cli.motion import answer_of_motion, motion_of
from kempe.cli.options import AsJson, Model, Steps, Until, output_option
from kempe.endings import PICTURES, refuse_unwritable

if TYPE_CHECKING:
    from kempe.front import Trajectory


def centrodes(
    what: Model,
    body: Annotated[str, typer.Argument(help="The body that rolls, such as coupler.")],
    *,
    base: Annotated[str, typer.Option(help="The body it rolls on.")] = "ground",
    output: Annotated[Path | None, output_option("The .svg, .png or .pdf to write.")] = None,
    until: Until = None,
    steps: Steps = None,
    as_json: AsJson = False,
) -> int:
    """Say about which point or line a body turns, and draw the curves that roll on each other.

    Example: kempe centrodes elliptic_trammel bar -o rolling.svg
    """
    from kempe.pictures.rolling_curves import rolling_svg

    refuse_unwritable(output, PICTURES, "a picture of centrodes")
    trajectory, _ = motion_of(what, until, steps, None)
    picture = rolling_svg(trajectory, body, base)
    facts = _facts(trajectory, body, base)
    if output is not None:
        from kempe.export.svg_pages import write_picture

        write_picture(output, picture)
    words, written = _words(facts), str(output or "")
    return answer_of_motion(trajectory, facts, words, written, as_json=as_json)


def _facts(trajectory: "Trajectory", body: str, base: str) -> dict[str, Any]:
    """The first centre or screw axis, and how often there is none (SI)."""
    relative, n = trajectory.relative(body, base), len(trajectory)
    facts: dict[str, Any] = {"body": body, "base": base, "samples": n}
    if trajectory.subject.plane:
        centre = relative.instant_centre
        facts["point"] = centre.point[0].tolist() if centre.is_finite[0] else None
        facts["at_infinity"] = int((~centre.is_finite).sum())
        return facts
    axis = relative.screw_axis
    finite = axis.pitch[abs(axis.pitch) < float("inf")]
    facts["point"], facts["direction"] = axis.point[0].tolist(), axis.direction[0].tolist()
    facts["pitch"] = [float(finite.min()), float(finite.max())] if len(finite) else None
    facts["at_infinity"] = n - len(finite)
    return facts


def _words(facts: dict[str, Any]) -> str:
    pair, n = f"{facts['body']} against {facts['base']}", facts["samples"]
    far = facts["at_infinity"]
    often = f"in {far} of {n} positions" if far else "in none"
    if "direction" not in facts:
        at = facts["point"]
        where = "at infinity" if at is None else f"at ({at[0]:.4g}, {at[1]:.4g}) m"
        return (
            f"{pair}: it turns about its instant centre, which starts {where};"
            f" {often} it only slides."
        )
    x, y, z = facts["direction"]
    pitch = facts["pitch"]
    span = "it only slides" if pitch is None else f"pitch {pitch[0]:.4g} to {pitch[1]:.4g} m/rad"
    return f"{pair}: it screws about an axis along ({x:.4g}, {y:.4g}, {z:.4g}) at first; {span}."

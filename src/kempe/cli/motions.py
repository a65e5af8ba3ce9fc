"""`kempe motions`."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, final

import typer

from kempe.cli.motion import as_far_as_it_got, mechanism_of, refuse_idle
from kempe.cli.options import AsJson, Model, output_option
from kempe.cli.solving import Search, facts, is_whole
from kempe.cli.surface_words import draw_surfaces, refuse_of_curves, tell, three_axes
from kempe.cli.terminal import ProgressLine, answer, listed
from kempe.endings import PICTURES, refuse_unwritable
from kempe.errors import BadNumber, ModelError

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism
    from kempe.results.maps.component import Component
    from kempe.results.maps.motion_map import MotionMap

PLACEMENTS = 60


def motions(
    what: Model,
    *,
    search: Search,
    step: Annotated[
        float | None, typer.Option("--step", help="Also list positions this far apart (JSON).")
    ] = None,
    output: Annotated[
        Path | None,
        output_option("Save the map to an .npz file, or the mesh of a surface to .obj."),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture",
            help="Draw it: .svg, .png, .pdf, or a component as .html, .gif, .mp4, .webm, .glb.",
        ),
    ] = None,
    path_of: Annotated[
        str | None, typer.Option("--path", help="The point whose paths to draw.")
    ] = None,
    plot: Annotated[
        tuple[str, str] | None,
        typer.Option("--plot", help="A measure, and another to plot against."),
    ] = None,
    shown: Annotated[
        int | None, typer.Option("--component", min=1, help="The one to draw, from 1 (the first).")
    ] = None,
    placements: Annotated[
        int | None, typer.Option("--placements", min=1, help="How many to draw (60).")
    ] = None,
    each: Annotated[
        bool, typer.Option("--each", help="Draw every component in a small picture of its own.")
    ] = False,
    axes: Annotated[
        str | None,
        typer.Option("--axes", help="Three readings to draw a surface in, such as A.x,A.y,B.x."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """List every way a mechanism can move: loops and arcs, certified to be all of them.

    With two freedoms these are surfaces, and --path draws where a point can be; with more, hold
    some with --held.

    Example: kempe motions four_bar --picture paths.svg --path coupler.P
    """
    from kempe.results.maps.surface_map import SurfaceMap

    refuse_unwritable(output, (".npz", ".obj"), "a motion map")
    drawing = _Drawing(picture, path_of, plot, shown, placements, each)
    drawing.refuse()
    _refuse_step(step, as_json=as_json)
    mechanism = mechanism_of(what)
    with ProgressLine(is_wanted=not as_json) as line:
        found = as_far_as_it_got(mechanism.motions, **search.asked(mechanism, line))
    if isinstance(found, SurfaceMap):
        refuse_of_curves(step=step, plot=plot, placements=placements)
        draw_surfaces(mechanism, found, picture, path_of, shown, three_axes(axes))
        return tell(found, output, shown, three_axes(axes), as_json=as_json)
    refuse_idle({"axes": axes}, "its motions are curves", "Leave it out.")
    if output is not None:
        found.save(output)
    drawing.draw(mechanism, found)
    told = {}
    if as_json:
        components = [_told(c, step) for c in found.components]
        told = {**facts(found), "form": found.form, "components": components}
    return answer(told, _words(found), as_json=as_json, is_yes=is_whole(found))


def _words(found: "MotionMap") -> str:
    lines = [str(found), *([f"  unknowns: {found.form}"] * bool(found.form))]
    for component in found.components:
        ends = " to ".join(e.limit or e.kind for e in component.ends)
        kind = "loop" if component.closed else f"arc from {ends}"
        lines.append(f"  {component.number + 1}: {kind}, length {component.length:.4g}")
    lines += [f"  {place}" for place in found.singular]
    return "\n".join(listed(lines, "--json"))


@final
@dataclass(frozen=True, slots=True)
class _Drawing:
    """What is to be drawn, and where."""

    picture: Path | None
    path: str | None
    plot: tuple[str, str] | None
    component: int | None
    placements: int | None
    each: bool

    def refuse(self) -> None:
        """A ModelError for a file that cannot be drawn, and for options that would do nothing."""
        from kempe.pictures.animation import MOVING

        some = {"component": self.component, "placements": self.placements}
        each = {"each": self.each or None}
        if self.picture is None:
            idle = {"path": self.path, "plot": self.plot, **some, **each}
            return refuse_idle(idle, "nothing is drawn", "Add --picture FILE, or leave it out.")
        refuse_unwritable(self.picture, (*PICTURES, *MOVING), "a picture of motions")
        if self.picture.suffix.lower() in MOVING:
            idle = {"plot": self.plot, "placements": self.placements, **each}
            return refuse_idle(idle, "an animation plays one component")
        if self.each:
            return refuse_idle({"plot": self.plot, **some}, "--each draws all components")
        if self.path is not None:
            return refuse_idle({"plot": self.plot, **some}, "--path draws those of all components")
        if self.plot is not None:
            return refuse_idle(some, "--plot draws all components")
        return None

    def draw(self, mechanism: "Mechanism", found: "MotionMap") -> None:
        """Write the picture, if there is to be one."""
        from kempe.pictures.animation import MOVING

        if self.picture is None:
            return
        shown, count = self.component or 1, len(found.components)
        if shown > count:
            raise ModelError(f"there is no component {shown} to draw: it has {count}, from 1 on.")
        pictures = mechanism.pictures(found)
        if self.picture.suffix.lower() in MOVING:
            pictures.animate(self.picture, shown - 1, trace=self.path)
        elif self.each:
            pictures.write(self.picture, pictures.each(self.path))
        elif self.path is not None:
            pictures.write(self.picture, pictures.path(self.path))
        elif self.plot is not None:
            pictures.write(self.picture, pictures.plot(self.plot[0], against=self.plot[1]))
        else:
            drawn = pictures.placements(shown - 1, self.placements or PLACEMENTS)
            pictures.write(self.picture, drawn)


def _refuse_step(step: float | None, *, as_json: bool) -> None:
    """A mistake where positions are asked for and not listed, or a step is none."""
    if step is None:
        return
    if not as_json:
        refuse_idle({"step": step}, "no positions are listed", "Add --json, or leave it out.")
    if not 0.0 < step < math.inf:
        raise BadNumber(f"--step must be positive, it is {step:g}.")


def _told(component: "Component", step: float | None) -> dict[str, Any]:
    told: dict[str, Any] = {
        "closed": component.closed,
        "length": component.length,
        "charts": len(component.charts["h"]),
        "ends": [
            {"kind": e.kind, "limit": e.limit, "place": e.place, "q": e.q.tolist()}
            for e in component.ends
        ],
    }
    if step is not None:
        samples = component.sample(step)
        told["samples"] = {"q": samples.q.tolist(), "radius": samples.radius.tolist()}
    return told

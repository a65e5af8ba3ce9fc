"""What `kempe motions` says of a mechanism with two freedoms: its surfaces of positions."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from kempe.cli.motion import refuse_idle
from kempe.cli.solving import facts, is_whole
from kempe.cli.terminal import answer
from kempe.endings import PICTURES, refuse_unwritable
from kempe.errors import ModelError

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism
    from kempe.front.surface_pictures import Axes
    from kempe.results.maps.surface import Surface
    from kempe.results.maps.surface_map import SurfaceMap

TWO = "two freedoms make surfaces, not curves"


def three_axes(words: str | None) -> "Axes | None":
    """Three readings from "A.x,A.y,B.x"; a ModelError where there are not three."""
    if words is None:
        return None
    names = [name.strip() for name in words.split(",")]
    if len(names) != 3 or not all(names):
        raise ModelError(f"--axes {words} names no three readings, such as A.x,A.y,B.x.")
    return names[0], names[1], names[2]


def draw_surfaces(
    mechanism: "Mechanism",
    found: "SurfaceMap",
    picture: Path | None,
    point: str | None,
    shown: int | None,
    axes: "Axes | None",
) -> None:
    """Draw surfaces, or where a point can be, where a picture is asked for."""
    if picture is None:
        return
    refuse_unwritable(picture, PICTURES, "a picture of surfaces")
    pictures = mechanism.pictures(found)
    if point is not None:
        refuse_idle({"component": shown, "axes": axes}, "--path draws all surfaces", "")
        drawn = pictures.workspace(point)
    elif shown is None:
        drawn = pictures.each(axes)
    else:
        drawn = pictures.surface(chosen(found, shown).number, axes)
    pictures.write(picture, drawn)


def tell(
    found: "SurfaceMap",
    output: Path | None,
    shown: int | None,
    axes: "Axes | None",
    *,
    as_json: bool,
) -> int:
    """Save the map, or the mesh of one surface, where asked; and say what all are like."""
    if output is not None and output.suffix.lower() == ".npz":
        refuse_idle({"component": shown, "axes": axes}, "an .npz keeps the whole map", "")
        found.save(output)
    elif output is not None:
        chosen(found, shown).mesh().save(output, axes)
    told = {}
    if as_json:
        surfaces = [_told(surface) for surface in found.components]
        told = {**facts(found), "form": found.form, "surfaces": surfaces}
    return answer(told, _words(found), as_json=as_json, is_yes=is_whole(found))


def chosen(found: "SurfaceMap", shown: int | None) -> "Surface":
    """The surface of a number, from 1 on; a ModelError where there is none."""
    number, count = shown or 1, len(found.components)
    if number > count:
        raise ModelError(f"there is no surface {number}: it has {count}, from 1 on.")
    return found.components[number - 1]


def refuse_of_curves(**options: object) -> None:
    """A mistake where something is asked that only curves have."""
    refuse_idle(options, TWO, "Leave it out, or hold one more measure with --held.")


def _words(found: "SurfaceMap") -> str:
    lines = [str(found), *([f"  unknowns: {found.form}"] * bool(found.form))]
    for surface in found.components:
        euler = "not proved" if surface.euler is None else str(surface.euler)
        count = len(surface.mesh().triangles)
        lines.append(
            f"  {surface.number + 1}: {surface}, Euler characteristic {euler}, {count} triangles"
        )
    return "\n".join([*lines, *(f"  {place}" for place in found.singular)])


def _told(surface: "Surface") -> dict[str, Any]:
    return {
        "euler": surface.euler,
        "genus": surface.genus,
        "rims": surface.rims,
        "closed": surface.closed,
        "orientable": surface.orientable,
        "charts": len(surface.charts["h"]),
        "triangles": len(surface.mesh().triangles),
        "area": surface.mesh().area,
    }

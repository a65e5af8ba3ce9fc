"""What `kempe motions` says of a mechanism with two freedoms: its surfaces of positions."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from kempe.cli.motion import refuse_idle
from kempe.cli.solving import facts, is_whole
from kempe.cli.terminal import answer
from kempe.errors import ModelError

if TYPE_CHECKING:
    from kempe.results.maps.surface import Surface
    from kempe.results.maps.surface_map import SurfaceMap

TWO = "two freedoms make surfaces, not curves"


def tell(found: "SurfaceMap", output: Path | None, shown: int | None, *, as_json: bool) -> int:
    """Save the mesh of one surface where an output is given, and say what all are like."""
    if output is not None:
        chosen(found, shown).mesh().save(output)
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
        count = len(surface.charts["triangles"])
        lines.append(
            f"  {surface.number + 1}: {surface}, Euler characteristic {euler}, {count} triangles"
        )
    return "\n".join([*lines, *(f"  {place}" for place in found.singular)])


def _told(surface: "Surface") -> dict[str, Any]:
    return {
        "euler": surface.euler,
        "genus": surface.genus,
        "closed": surface.closed,
        "orientable": surface.orientable,
        "charts": len(surface.charts["h"]),
        "triangles": len(surface.charts["triangles"]),
        "area": surface.mesh().area,
    }

"""Pictures of all positions of a mechanism with two freedoms: surfaces, and where a point is."""

from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.draw import Curve, MeshShown, Panel, SheetAxes, panels_svg, sheet_svg
from kempe.errors import BadNumber
from kempe.export.svg_pages import write_picture
from kempe.front.surfaces import Workspace, workspace
from kempe.pictures.positions import length_unit
from kempe.results.maps.contours import LINES, Coverage
from kempe.results.maps.surface import Surface
from kempe.results.maps.surface_map import SurfaceMap

FloatArray = NDArray[np.float64]
Axes = tuple[str, str, str]

ROWS = 256  # of the ground that is drawn as covered


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SurfacePictures:
    """What the positions of a mechanism with two freedoms look like, each as the text of an SVG.

    Surfaces are drawn in three readings, such as ("A.x", "A.y", "B.x"), or without `axes` in those
    three directions among the unknowns in which they are largest.
    """

    layout: Layout
    found: SurfaceMap

    def surface(self, number: int = 0, axes: Axes | None = None) -> str:
        """The surface of a `number` (from 0), shaded, in three readings `axes`."""
        if not 0 <= number < len(self.found.components):
            raise BadNumber(
                f"there is no surface {number}: {self.found.name!r} has"
                f" {len(self.found.components)}, counted from 0."
            )
        return self._page([self.found.components[number]], axes)

    def each(self, axes: Axes | None = None) -> str:
        """All surfaces side by side at one scale, in their colours, in three readings `axes`."""
        return self._page(self.found.components, axes)

    def workspace(self, point: str, seen: tuple[str, str] = ("x", "y")) -> str:
        """Where `point` can be, in the coordinates `seen`: its rim, and where drives fail.

        Along those lines the point cannot be moved at will.
        """
        told = workspace(self.layout, self.found.components, point, seen)
        unit, scale = length_unit(self.layout)
        curves = [Curve(scale * covered_ground(told.coverage), 0, "ground")]
        curves += [Curve(scale * line, None, "line") for line in told.folds]
        curves += [Curve(scale * line, 0) for line in told.rim]
        axes = SheetAxes(f"{seen[0]} of {point} ({unit})", f"{seen[1]} ({unit})")
        return sheet_svg(curves, axes, title=_area_words(self.found, told, unit, scale))

    def write(self, path: str | Path, picture: str) -> Path:
        """Write a `picture`, the text of an SVG, to `path`: .svg, .png or .pdf."""
        return write_picture(path, picture)

    def _repr_html_(self) -> str:
        return f"<div>{self.each()}</div>"

    def __repr__(self) -> str:
        return f"Pictures of {self.found!r}: .surface(), .each(), .workspace(point)"

    def _page(self, surfaces: "tuple[Surface, ...] | list[Surface]", axes: Axes | None) -> str:
        panels = []
        for surface in surfaces:
            mesh = surface.mesh()
            shown = MeshShown(mesh.seen(axes), mesh.triangles, surface.number, axes or ())
            panels.append(Panel(f"{surface.number + 1}: {surface}", meshes=[shown]))
        return panels_svg(panels, title=f"{self.found.name}: {self.found.outcome}")


def covered_ground(covered: Coverage) -> FloatArray:
    """Corners (k, 2), four to a strip, of strips that cover what is covered."""
    every = max(1, LINES // ROWS)
    used = covered.line % every == every // 2
    line, start, stop = covered.line[used], covered.start[used], covered.stop[used]
    y = covered.low + covered.step * line
    half = 0.5 * every * covered.step
    corners = [(start, y - half), (stop, y - half), (stop, y + half), (start, y + half)]
    strips = np.array([np.column_stack(pair) for pair in corners]).transpose(1, 0, 2)
    placed: FloatArray = strips.reshape(-1, 2)
    return placed


def _area_words(found: SurfaceMap, told: Workspace, unit: str, scale: float) -> str:
    area = told.area * scale * scale
    return f"{found.name}: where {told.point} can be, {area:.4g} {unit}\N{SUPERSCRIPT TWO}"

"""Solids on a picture: the faces that look at the reader, shaded, and the edges that show.

The browser's ``solids.js`` draws them alike.
"""

import numpy as np
from numpy.typing import NDArray

from kempe.draw.scene.parts import BodyPose
from kempe.draw.scene.shapes import FloatArray, Solid
from kempe.draw.view import pen
from kempe.draw.view.camera import Camera
from kempe.draw.view.item import Item
from kempe.draw.view.theme import SHADES
from kempe.geometry.solids.polygons import hull

LIGHT = np.array([-0.40, 0.62, 0.675])  # towards it, as right, up, near: over the left shoulder
DIM = 0.1  # the share of light that a face turned away from it still has
FACING = 1e-6  # sine of the angle to the line of sight below which a face is seen from its side


def solid_items(camera: Camera, solid: Solid, at: BodyPose, tone: str) -> list[Item]:
    """The paths of one solid: each face with its own nearness, and its edges upon it."""
    looks = solid.looks
    seen = camera.project(at.carry(solid.corners))
    out = looks.normals @ (camera.rows @ at.R).T  # right, up, near
    is_front = out[:, 2] > FACING
    drawn = _drawn_edges(solid, is_front)
    items = []
    for f in np.flatnonzero(is_front).tolist():
        corners = seen[list(solid.faces[f])]
        near = float(corners[:, 2].mean())
        d = pen.polyline(corners, closed=True)
        items.append(Item("bodies", f"facet {tone} s{shade(out[f])}", d, near=near))
        if f in drawn:
            lines = "".join(pen.polyline(seen[[a, b]]) for a, b in drawn[f])
            items.append(Item("bodies", f"crease {tone}", lines, near=near))
    return items


def shade(out: FloatArray) -> int:
    """How bright a face is that looks `out` (right, up, near): 0 to SHADES - 1."""
    light = DIM + (1.0 - DIM) * max(0.0, float(out @ LIGHT))
    return min(SHADES - 1, int(light * SHADES))


def _drawn_edges(solid: Solid, is_front: NDArray[np.bool_]) -> dict[int, list[tuple[int, int]]]:
    """The edges to draw, by each of their faces that is seen: sharp ones, and the silhouette."""
    drawn: dict[int, list[tuple[int, int]]] = {}
    looks = solid.looks
    for (a, b, f, g), is_sharp in zip(looks.edges, looks.sharp, strict=True):
        front = [k for k in (f, g) if k >= 0 and is_front[k]]
        if front and (is_sharp or len(front) == 1):
            for k in front:
                drawn.setdefault(k, []).append((a, b))
    return drawn


def sharp_lines(solid: Solid) -> list[FloatArray]:
    """The sharp edges (2, 3) of a solid in its body's frame: enough for a faint copy."""
    corners, looks = solid.corners, solid.looks
    pairs = zip(looks.edges, looks.sharp, strict=True)
    return [corners[[a, b]] for (a, b, _, _), is_sharp in pairs if is_sharp]


def shadow_of(camera: Camera, solid: Solid, at: BodyPose) -> str:
    """The outline of its shadow on the floor."""
    flat = at.carry(solid.corners)
    flat[:, 2] = camera.floor
    return pen.polyline(hull(camera.project(flat)[:, :2]), closed=True)

"""Triangles on a picture: a curved surface, shaded, far parts first."""

import math

import numpy as np
from numpy.typing import NDArray

from kempe.draw.scene.shapes import FloatArray
from kempe.draw.view import pen
from kempe.draw.view.facets import shade
from kempe.draw.view.item import Item
from kempe.draw.view.theme import tone_class

IntArray = NDArray[np.int64]

MOST_FACETS = 6000  # of one picture: beyond, neighbouring corners are drawn as one
FINEST, COARSER = 160.0, 0.87  # cells along a surface's longest side, and from trial to trial


def thinned(
    points: FloatArray, triangles: IntArray, most: int = MOST_FACETS
) -> tuple[FloatArray, IntArray]:
    """The surface with at most so many triangles: corners (v, 3) of one cell become their mean."""
    cells = FINEST
    low = points.min(axis=0, initial=math.inf)
    reach = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
    made, kept = points, triangles
    while len(kept) > most and reach > 0.0:
        number = np.floor((points - low) * (cells / reach)).astype(np.int64)
        _, of = np.unique(number, axis=0, return_inverse=True)
        of = np.asarray(of).reshape(-1)
        count = np.bincount(of)
        made = np.column_stack([np.bincount(of, points[:, k]) / count for k in range(3)])
        corners = of[triangles]
        a, b, c = corners.T
        corners = corners[(a != b) & (b != c) & (c != a)]
        _, first = np.unique(np.sort(corners, axis=1), axis=0, return_index=True)
        kept = corners[np.sort(first)]
        cells *= COARSER
    return made, kept


def mesh_items(seen: FloatArray, triangles: IntArray, colour: int | None) -> list[Item]:
    """The paths of triangles with corners (v, 3) on the paper: x right, y down, near; all in px."""
    a, b, c = (seen[triangles[:, k]] for k in range(3))
    out = np.cross(b - a, c - a) * np.array([1.0, -1.0, 1.0])  # right, up, near
    size = np.linalg.norm(out, axis=1)
    tone, items = tone_class(colour), []
    near = seen[:, 2][triangles].mean(axis=1)
    for k in np.argsort(near, kind="stable").tolist():
        if size[k] == 0.0:
            continue
        facing = out[k] / size[k]
        level = shade(facing if facing[2] >= 0.0 else -facing)
        d = pen.polyline(seen[triangles[k], :2], closed=True)
        items.append(Item("bodies", f"facet {tone} s{level}", d, near=float(near[k])))
    return items

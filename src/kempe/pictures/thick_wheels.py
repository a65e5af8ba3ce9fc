"""Wheels, gears, rings and racks in space: what is flat in the plane has a thickness there."""

import math

import numpy as np
from numpy.typing import NDArray

from kempe.draw import Disc, Polygon, Shape, Solid
from kempe.draw.view.solids import flat_facets
from kempe.geometry.solids.facets import Facets, prism

FloatArray = NDArray[np.float64]
THICK = 0.2  # of a wheel's radius
THICK_PLATE = 0.08  # of a plate's extent
CORNERS = 48  # of a smooth rim
HOLES, HOLE_AT, HOLE = 5, 0.58, 0.2  # of a smooth wheel: how many, where and how large, in radii
HOLE_CORNERS = 16


def thick(shape: Shape) -> Shape:
    """A wheel or plate as a solid; lines and bars as they are.

    A smooth wheel has holes, so that its turning is seen.
    """
    if isinstance(shape, Disc):
        half = 0.5 * THICK * shape.radius
        return _solid(_wheel(shape, half))
    if isinstance(shape, Polygon) and not shape.rim:
        extent = float(np.ptp(shape.corners, axis=0).max())
        return _solid(flat_facets(shape, THICK_PLATE * extent))
    return shape


def _wheel(disc: Disc, half: float) -> Facets:
    origin, axis = np.array(disc.centre, dtype=float), np.array(disc.axis, dtype=float)
    x = disc.rim(np.array([1.0]), np.array([0.0]))[0] - origin
    R = np.column_stack([x, np.cross(axis, x), axis])
    if disc.teeth:
        flat = ((disc.outline - origin) @ R)[:, :2]
        return prism(flat, -half, half).moved(R, origin)
    middles = _circle(HOLE_AT * disc.radius, HOLES, disc.phase)
    holes = [middle + _circle(HOLE * disc.radius, HOLE_CORNERS) for middle in middles]
    return prism(_circle(disc.radius, CORNERS), -half, half, holes).moved(R, origin)


def _circle(radius: float, count: int, phase: float = 0.0) -> FloatArray:
    angles = phase + math.tau * np.arange(count) / count
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def _solid(made: Facets) -> Solid:
    return Solid(made.points.tolist(), made.faces)

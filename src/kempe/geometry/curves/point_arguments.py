"""Points and directions as curves are given them: two or three finite numbers each."""

import math
from collections.abc import Sequence

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry.rotation import Rotation
from kempe.geometry.vector import Vector
from kempe.units import Metres, Ratio

Place = tuple[Metres, ...]
Places = tuple[Place, ...]
Direction = tuple[Ratio, ...]
Numbers = tuple[Ratio, ...]


def place(given: Sequence[float], what: str) -> tuple[float, float, float]:
    """A point (m) with z = 0 where it has two coordinates."""
    numbers = tuple(float(x) for x in given)
    if len(numbers) not in (2, 3):
        raise BadNumber(f"{what} has {len(numbers)} coordinates: 2 or 3 are wanted.")
    if not all(math.isfinite(x) for x in numbers):
        raise BadNumber(f"{what} lies at {numbers}: every coordinate must be finite.")
    x, y, z = (*numbers, 0.0)[:3]
    return x, y, z


def places(given: Sequence[Sequence[float]], fewest: int) -> tuple[tuple[float, float, float], ...]:
    """Points of which there must be some, and not all in one place."""
    points = tuple(place(p, f"point {k + 1}") for k, p in enumerate(given))
    if len(points) < fewest:
        raise BadNumber(f"the curve needs {fewest} points or more, it has {len(points)}.")
    if all(p == points[0] for p in points):
        raise BadNumber(
            f"all {len(points)} points of the curve lie in one place, {points[0]}: a curve needs"
            " points that differ."
        )
    return points


def across(normal: Sequence[float]) -> tuple[Vector, Vector, Vector]:
    """Unit vectors x, y, z with z along the normal; those of the world for (0, 0, 1)."""
    n = place(normal, "a normal")
    if n[:2] == (0.0, 0.0) and n[2] > 0.0:
        return Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0)
    if not any(n):
        raise BadNumber("a normal of length 0 has no direction.")
    R = Rotation.with_z(np.array(n))
    return R.x, R.y, R.z

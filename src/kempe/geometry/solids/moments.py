"""Volume, height and inertia of an outline that is turned about z."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.geometry.number import Floats

# Four points integrate polynomials of degree 7 exactly; along an edge they have degree 5 at most.
NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)


@final
@dataclass(frozen=True, slots=True, eq=False)
class TurnedMoments:
    """Of a solid of revolution about z, of one material."""

    volume: float  # m^3
    height: float  # of its centroid, m
    gyration: Floats  # (3, 3), m^2: its inertia tensor about the centroid for a mass of 1


def turned_moments(outline: Floats) -> TurnedMoments:
    """Those of the outline (n, 2) of (radius, height) in m, turned about z; either way round.

    int r^a z^b dA = closed int r^(a+1) z^b dz / (a + 1)

    Source: Green's theorem, over each edge by Gauss.
    """
    a, b = outline, np.roll(outline, -1, axis=0)
    share = 0.5 * (1.0 + NODES)
    points = a[:, None] + share[None, :, None] * (b - a)[:, None]
    r, z = points[..., 0], points[..., 1]
    rise = 0.5 * (b - a)[:, 1][:, None] * WEIGHTS

    def integral(p: int, q: int) -> float:
        return float(np.sum(r ** (p + 1) * z**q * rise)) / (p + 1)

    way = math.copysign(1.0, integral(0, 0))
    volume = way * math.tau * integral(1, 0)
    if volume == 0.0:
        return TurnedMoments(0.0, 0.0, np.zeros((3, 3)))
    scale = way * math.tau / volume
    height = scale * integral(1, 1)
    along = scale * integral(3, 0)
    across = along / 2.0 + scale * integral(1, 2) - height**2
    return TurnedMoments(volume, height, np.diag([across, across, along]))

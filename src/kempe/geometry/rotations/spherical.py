"""Spherical coordinates, and the direction they give."""

import numpy as np
from numpy.typing import ArrayLike

from kempe.geometry.array import floats
from kempe.geometry.rotations.abstract import Floats, rows_of


def spherical(vectors: ArrayLike) -> Floats:
    """(r, polar, azimuth) of vectors (..., 3): length, angle from z, angle from x about z (rad).

    r = |v|,  polar = atan2(hypot(x, y), z),  azimuth = atan2(y, x)

    On the polar axis the azimuth is 0.

    Source: [Pissanetzky] p. 28; ISO 80000-2 has the same order.
    """
    rows, lead = rows_of(vectors, (3,), "a vector")
    x, y, z = rows.T
    across = np.hypot(x, y)
    out = np.stack([np.hypot(across, z), np.arctan2(across, z), np.arctan2(y, x)], axis=-1)
    out[across == 0, 2] = 0.0
    return out.reshape(*lead, 3)


def direction(polar: ArrayLike, azimuth: ArrayLike) -> Floats:
    """The unit vector (..., 3) at these angles (rad).

    (sin polar cos azimuth, sin polar sin azimuth, cos polar)
    """
    p, a = np.broadcast_arrays(floats(polar), floats(azimuth))
    s = np.sin(p)
    return np.stack([s * np.cos(a), s * np.sin(a), np.cos(p)], axis=-1)

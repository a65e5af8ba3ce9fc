"""Orientations at random, every one as likely as any other."""

import numpy as np

from kempe.geometry.rotations.abstract import Floats
from kempe.geometry.rotations.quaternion import Quaternion


def uniform(count: int, rng: np.random.Generator) -> Floats:
    """Unit quaternions (count, 4), scalar first, uniform over all rotations.

    Source: [Shoemake1992]; by four normal numbers, whose direction is uniform.
    """
    return Quaternion().quaternions(rng.standard_normal((count, 4)))

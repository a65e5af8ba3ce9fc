"""Cosine and sine and their derivatives, which all round curves share."""

import numpy as np

from kempe.geometry.vector import Scalar


def cosine_sine(t: Scalar, order: int) -> tuple[Scalar, Scalar]:
    """The derivatives of cos t and sin t: a quarter turn for every order."""
    c, s = np.cos(t), np.sin(t)
    return ((c, s), (-s, c), (-c, -s), (s, -c))[order % 4]

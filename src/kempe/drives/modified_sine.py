"""The modified-sine cam law."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.algebra.functions import where
from kempe.drives.rise import AbstractRise
from kempe.geometry.vector import Scalar

EIGHTH = 0.125


@final
@dataclass(frozen=True, kw_only=True)
class ModifiedSine(AbstractRise):
    """A rise whose acceleration is a quick sine at both ends and a slow one between them.

    (4 + pi) s = pi u - sin(4 pi u) / 4                        for u < 1/8
               = 2 + pi u - 9/4 sin(4 pi u / 3 + pi / 3)        between
               = 4 + pi u - sin(4 pi u) / 4                    for u > 7/8

    Peak speed 4 pi / (4 + pi) = 1.760, peak acceleration 4 pi^2 / (4 + pi) = 5.528.

    Source: [Norton] on double-dwell programs.
    """

    joints: ClassVar[tuple[float, ...]] = (EIGHTH, 1.0 - EIGHTH)

    def normal_curve(self, u: Scalar) -> Scalar:
        quick = np.sin((4.0 * math.pi) * u) * 0.25
        slow = np.sin((4.0 * math.pi / 3.0) * u + math.pi / 3.0) * 2.25
        middle = where(u > 1.0 - EIGHTH, 4.0 - quick, 2.0 - slow)
        return (math.pi * u + where(u < EIGHTH, -quick, middle)) * (1.0 / (4.0 + math.pi))

    def normal_piece(self, u: Scalar, within: float) -> Scalar:
        if EIGHTH <= within <= 1.0 - EIGHTH:
            part = 2.0 - np.sin((4.0 * math.pi / 3.0) * u + math.pi / 3.0) * 2.25
        else:
            part = 4.0 * float(within > 0.5) - np.sin((4.0 * math.pi) * u) * 0.25
        return (math.pi * u + part) * (1.0 / (4.0 + math.pi))

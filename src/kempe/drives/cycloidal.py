"""The cycloidal cam law."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.drives.rise import AbstractRise
from kempe.geometry.vector import Scalar


@final
@dataclass(frozen=True, kw_only=True)
class Cycloidal(AbstractRise):
    """A rise whose acceleration is one full sine: it starts and ends without a jerk's step.

    s = u - sin(2 pi u) / 2 pi;  peak speed 2, peak acceleration 2 pi, in rises and durations

    Source: [Norton] on double-dwell programs.
    """

    def normal_curve(self, u: Scalar) -> Scalar:
        return u - np.sin(math.tau * u) * (1.0 / math.tau)

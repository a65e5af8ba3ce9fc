"""Two lines keep their angle."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.constraints.abstract import Rows
from kempe.constraints.bar import AbstractTwoBars, squared_length
from kempe.errors import BadNumber
from kempe.geometry import Pose, Vector
from kempe.units import Metres, Radians

# The squared cosine is flat at 0 and at pi/2: within this of them the row says next to nothing.
LEAST_SLOPE = 1e-6


@final
@dataclass(frozen=True, slots=True)
class BarsAtUnorientedAngle(AbstractTwoBars):
    """The lines of the bars from I to K and from J to L cross at `angle`, whichever way they run.

    phi = (u . v)^2 / (|u|^2 |v|^2) - cos^2(angle),  0 < angle < pi / 2

    Also pi - angle between the arrows is accepted. `first` and `second` are the bars' lengths where
    they are fixed.

    Source: [Barton] eq. 2.2.
    """

    angle: Radians
    first: Metres | None = None
    second: Metres | None = None

    rows: ClassVar[tuple[str, ...]] = ("1",)

    def __post_init__(self) -> None:
        if not (0.0 < self.angle < math.pi / 2 and math.sin(2.0 * self.angle) > LEAST_SLOPE):
            raise BadNumber(
                f"two lines cannot be kept at {self.angle:.9g} rad by a squared cosine: the angle"
                " must lie between 0 and pi/2. Use BarsAtAngle for square bars, ParallelBars for"
                " parallel ones."
            )

    def rows_along(self, bars: list[Vector], *X: Pose) -> Rows:
        u, v = bars
        size = squared_length(u, self.first) * squared_length(v, self.second)
        dot, cosine = u @ v, np.cos(self.angle)
        return [dot * dot / size - cosine * cosine]

"""Two bars keep their angle."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.constraints.abstract import Rows, refuse_flat_angle
from kempe.constraints.bar import AbstractTwoBars
from kempe.geometry import Pose, Scalar, Vector
from kempe.units import Metres, Radians


@final
@dataclass(frozen=True, slots=True)
class BarsAtAngle(AbstractTwoBars):
    """The bars from I to K and from J to L, taken from start to end, enclose `angle`.

    phi = u . v / (|u| |v|) - cos(angle),  0 < angle < pi

    The angle is that of two arrows: 180 degrees less it is another one. `first` and `second` are
    the bars' lengths where they are fixed.

    Source: [Barton] eq. 2.2 before squaring.
    """

    angle: Radians
    first: Metres | None = None
    second: Metres | None = None

    rows: ClassVar[tuple[str, ...]] = ("1",)

    def __post_init__(self) -> None:
        refuse_flat_angle(self.angle, "bars", "ParallelBars")

    def rows_along(self, bars: list[Vector], *X: Pose) -> Rows:
        u, v = bars
        size = _length(u, self.first) * _length(v, self.second)
        return [u @ v / size - np.cos(self.angle)]


def _length(u: Vector, known: Scalar | None) -> Scalar:
    return u.norm if known is None else known

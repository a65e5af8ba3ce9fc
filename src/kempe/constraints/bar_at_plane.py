"""A bar keeps its angle to a plane."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.constraints.abstract import LEAST_SINE, Rows
from kempe.constraints.bar import AbstractBarConstraint, BarOf
from kempe.errors import BadNumber
from kempe.geometry import Pose, Vector, Z
from kempe.units import Metres, Radians


@final
@dataclass(frozen=True, slots=True)
class BarAtPlane(AbstractBarConstraint):
    """The bar from J to K, taken from start to end, rises at `angle` from the x-y plane of I.

    phi = u . z_I / |u| - sin(angle),  u = p_WK - p_WJ

    A negative angle goes down. `bar` is the bar's length where it is fixed.

    Source: [Barton] section 2.2, bar-plane angle; its sign: own.
    """

    angle: Radians
    bar: Metres | None = None

    rows: ClassVar[tuple[str, ...]] = ("1",)
    frames: ClassVar[int] = 3
    bars: ClassVar[tuple[BarOf, ...]] = (BarOf(1, 2, "bar"),)

    def __post_init__(self) -> None:
        if not (abs(self.angle) < 0.5 * math.pi and math.cos(self.angle) > LEAST_SINE):
            raise BadNumber(
                f"a bar cannot be kept at {self.angle:.9g} rad from a plane by one row: the angle"
                " must lie between -pi/2 and pi/2. A bar that stays square to a plane is parallel"
                " to its normal: BarsParallel."
            )

    def rows_along(self, bars: list[Vector], X_WI: Pose, *_X: Pose) -> Rows:
        (u,) = bars
        length = u.norm if self.bar is None else self.bar
        return [u @ X_WI.axis(Z) / length - np.sin(self.angle)]

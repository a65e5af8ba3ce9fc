"""A tube."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry.number import Floats
from kempe.geometry.solids.abstract import AbstractSolid
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class Tube(AbstractSolid):
    """A hollow cylinder about z, its middle at the origin.

    K_zz = (r^2 + s^2) / 2,  K_xx = K_yy = K_zz / 2 + l^2 / 12
    """

    radius: Metres  # r, outside
    bore: Metres  # s, radius of the hole
    length: Metres  # l

    def __post_init__(self) -> None:
        AbstractSolid.__post_init__(self)
        if not self.bore < self.radius:
            raise BadNumber(
                f"a tube of radius {self.radius:g} m has a bore of {self.bore:g} m: make the bore"
                " smaller."
            )

    @property
    def volume(self) -> float:
        return math.pi * (self.radius**2 - self.bore**2) * self.length

    @property
    def gyration(self) -> Floats:
        along = (self.radius**2 + self.bore**2) / 2.0
        across = along / 2.0 + self.length**2 / 12.0
        return np.diag([across, across, along])

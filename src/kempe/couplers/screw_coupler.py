"""A screw between a turn and a displacement anywhere."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

from kempe.couplers.abstract import AbstractCoupler, Roles
from kempe.geometry.number import keep, not_zero
from kempe.geometry.vector import Scalar
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class ScrewCoupler(AbstractCoupler):
    """A displacement grows by `lead` for every turn, wherever the two are read.

    phi = s - lead a / 2 pi - constant

    The joint Screw is this between its own two markers; the coupler also takes the turn of one
    body, a spindle in its bearings, and the displacement of another, the nut.

    Source: [OndselSolver] screw joint, here between any two measures.
    """

    lead: Metres  # a turn
    constant: Metres | None = None

    roles: ClassVar[Roles] = (("the nut's displacement", "m"), ("the spindle's turn", "rad"))

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, not_zero, f"coupler {self.called}", {"lead": "m"})

    def phi(self, values: list[Scalar]) -> Scalar:
        s, a = values
        return s - self.lead * (a * (1.0 / math.tau)) - self.phase

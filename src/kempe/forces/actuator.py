"""An actuator on any measure."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.drives import AbstractLaw
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.measures import Gauge


@final
@dataclass(frozen=True)
class Actuator(AbstractForce):
    """A force or a torque along a measure that follows a law of time: a motor, a piston.

    f = law(t), in N, or N m on an angle; positive where it makes the measure grow
    """

    gauge: Gauge
    law: AbstractLaw

    symbol: ClassVar[str] = "cylinder"

    def action(self, now: Instant) -> Action:
        return Action.along(self.law.value(now.t))

"""A motor on alternating current."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, final

from kempe.drives import AbstractLaw
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.measures import Gauge
from kempe.units import NewtonMetres, RadiansPerSecond, Ratio, Unit


@final
@dataclass(frozen=True)
class InductionMotor(AbstractForce):
    """A motor on alternating current that pulls hardest at its breakdown slip.

    T = 2 u(t)^2 breakdown / (s / s_b + s_b / s),  s = 1 - w / synchronous,  w = dm/dt

    `slip` is s_b, where the torque is `breakdown`; at the `synchronous` speed there is none, and
    beyond it the motor brakes. `supply` is the voltage as a share u of the full one, 1 where it is
    left out. What it gives counts as dissipated below zero.

    Source: [Kloss], without the resistance of the stator.
    """

    gauge: Gauge
    breakdown: NewtonMetres  # the largest torque, at the full voltage
    slip: Ratio  # where it is reached
    synchronous: RadiansPerSecond
    supply: Annotated[AbstractLaw | None, Unit("1")] = None  # share of the full voltage

    symbol: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_positive({"breakdown": "N m", "slip": "1", "synchronous": "rad/s"})
        self._keep_along("rad", "Actuator or Control")

    def action(self, now: Instant) -> Action:
        s = 1.0 - now.gauges[0].rate / self.synchronous
        share = 1.0 if self.supply is None else self.supply.value(now.t)
        pull = 2.0 * share * share * self.breakdown * self.slip * s  # no division by a slip of 0
        return Action.along(pull / (s * s + self.slip * self.slip))

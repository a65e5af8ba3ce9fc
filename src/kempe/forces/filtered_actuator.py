"""An actuator that takes its time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

from kempe.drives import AbstractLaw
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import RadiansPerSecond, Ratio, effort_unit


@final
@dataclass(frozen=True)
class FilteredActuator(AbstractForce):
    """A force or a torque along a measure that follows a law of time with a lag.

    f' = w (law(t) - f), or with a damping ratio d  f'' = w^2 (law(t) - f) - 2 d w f'

    A filter of the first order with the corner `frequency` w, and of the second order where the
    damping `ratio` is given: a valve, an amplifier, a muscle. Its states are `signal` f and, of the
    second order, `slope` f'; both start at 0.

    Source: [AstromMurray] ch. 5.
    """

    gauge: Gauge
    law: AbstractLaw
    frequency: RadiansPerSecond
    ratio: Ratio | None = None

    symbol: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_positive({"frequency": "rad/s"})
        if self.ratio is not None:
            self._keep_positive({"ratio": "1"})

    @property
    def states(self) -> tuple[str, ...]:
        return ("signal",) if self.ratio is None else ("signal", "slope")

    @property
    def state_units(self) -> tuple[str, ...]:
        unit = effort_unit(self.gauge.unit)
        return (unit, f"{unit}/s")[: len(self.states)]

    def action(self, now: Instant) -> Action:
        return Action.along(now.states[0])

    def rates(self, now: Instant) -> Sequence[Scalar]:
        pull = self.frequency * (self.law.value(now.t) - now.states[0])
        if self.ratio is None:
            return [pull]
        slope = now.states[1]
        return [slope, self.frequency * (pull - 2.0 * self.ratio * slope)]

"""A magnet with a coil."""

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar, final

from kempe.drives import AbstractLaw
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.measures import Gauge
from kempe.units import Metres, Ratio, SquareMetres, Unit

MU_0 = 4e-7 * math.pi  # N/A^2, of empty space; the measured one to 1e-9


@final
@dataclass(frozen=True)
class Electromagnet(AbstractForce):
    """A coil on an iron core that closes a gap: a solenoid, a lifting magnet.

    f = -mu_0 N^2 I(t)^2 A / (2 (m + residual)^2)

    m is the length of air the field crosses; `residual` is the air that as much iron is worth,
    which keeps the pull finite where the gap is closed. The `current` is a law of time, in amperes;
    the iron is far from saturated, and what leaks past the gap is left out. The work of the coil
    counts as dissipated below zero.

    Source: [Fitzgerald] ch. 3, the force at a given current.
    """

    gauge: Gauge
    turns: Ratio  # N
    area: SquareMetres  # of the pole
    current: Annotated[AbstractLaw, Unit("1")]  # A
    residual: Metres  # of the closed gap

    symbol: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_positive({"turns": "1", "area": "m^2", "residual": "m"})
        self._keep_along("m", "DcMotor or Actuator")

    def action(self, now: Instant) -> Action:
        gap = now.gauges[0].value + self.residual
        linked = self.turns * self.current.value(now.t) / gap  # A/m
        return Action.along(-0.5 * MU_0 * self.area * linked * linked)

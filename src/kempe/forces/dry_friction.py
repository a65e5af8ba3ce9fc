"""Friction of a given size."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.algebra.functions import exp, tanh
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.measures import Gauge
from kempe.units import Damping, Effort, ReadingRate, unit_along


@final
@dataclass(frozen=True)
class DryFriction(AbstractForce):
    """Friction of a given size on any measure: a brake, a slipping clutch, a dry bearing.

    f = -(F_c + (F_s - F_c) exp(-(v / v_s)^2)) tanh(v / v_d) - c v,  v = dm/dt

    F_c is `sliding`, a coefficient of friction times a known load (times a radius on an angle);
    F_s is `breakaway`, as large where it is left out, which fades at speeds above `fading`, v_s
    (Stribeck). Below `creep`, v_d, the sign of v is smoothed: what should stick creeps, at about
    v_d atanh(load / F_c). Choose v_d small beside the speeds of interest.

    Source: [Andersson2007], its combined law with tanh, exponent 2.
    """

    gauge: Gauge
    sliding: Effort  # N, or N m on an angle
    creep: ReadingRate  # m/s or rad/s
    breakaway: Effort | None = None
    fading: ReadingRate | None = None
    viscous: Damping = 0.0  # N s/m, or N m s/rad

    symbol: ClassVar[str] = "damper"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_finite({"viscous": unit_along("f s/u", self.gauge.unit)})
        words = {"sliding": "f", "creep": "u/s", "breakaway": "f", "fading": "u/s"}
        given = {word: unit for word, unit in words.items() if getattr(self, word) is not None}
        self._keep_positive({w: unit_along(u, self.gauge.unit) for w, u in given.items()})
        if self.viscous < 0.0:
            raise BadNumber(f"viscous of {self._called} is {self.viscous:g}: it cannot drive.")
        if (self.breakaway is None) != (self.fading is None):
            raise BadNumber(
                f"{self._called} needs both `breakaway` and `fading`, or neither: how hard it is to"
                " start, and the speed at which that fades."
            )
        if self.breakaway is not None and self.breakaway < self.sliding:
            raise BadNumber(
                f"breakaway of {self._called} is {self.breakaway:g}, less than its sliding"
                f" {self.sliding:g}: starting is never easier than sliding."
            )

    def action(self, now: Instant) -> Action:
        v = now.gauges[0].rate
        size = self.sliding
        if self.breakaway is not None and self.fading is not None:
            share = v / self.fading
            size = size + (self.breakaway - size) * exp(-share * share)
        return Action.along(-size * tanh(v / self.creep) - self.viscous * v)

"""A gas spring."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.algebra.functions import exp, log
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import Damping, Metres, Pascals, Ratio, Reading, SquareMetres, unit_along

UNITS = {"pressure": "Pa", "area": "m^2", "length": "m", "exponent": "1", "outside": "Pa"}
ALONG = {"at": "u", "damping": "f s/u"}  # of the measure


@final
@dataclass(frozen=True)
class GasSpring(AbstractForce):
    """A column of gas that pushes a measure open: a gas strut, a cylinder, an air cushion.

    f = A (p (l0 / l)^n - outside) - c dm/dt,  l = l0 + m - at
    E = A p l0 / (n - 1) (l0 / l)^(n - 1) + A outside l

    The column is `length` long and under `pressure` where the measure reads `at`. n = 1.4 is air
    without exchange of heat; n near 1 is slow motion. A column of no length has no pressure, and
    what is driven there ends as an outcome: put a stop before it.

    Own: the polytropic law p V^n = const.
    """

    gauge: Gauge
    pressure: Pascals
    area: SquareMetres
    length: Metres
    at: Reading = 0.0
    exponent: Ratio = 1.4
    outside: Pascals = 101325.0
    damping: Damping = 0.0  # N s/m

    symbol: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        super().__post_init__()
        along = {word: unit_along(u, self.gauge.unit) for word, u in ALONG.items()}
        self._keep_finite(UNITS | along)
        for word in ("pressure", "area", "length"):
            if not getattr(self, word) > 0.0:
                raise BadNumber(
                    f"{word} of {self._called} must be above zero, it is {getattr(self, word):g}."
                )
        if not self.exponent > 1.0:
            raise BadNumber(
                f"exponent of {self._called} must be above 1, it is {self.exponent:g}: take 1.4 for"
                " air that moves fast, 1.01 for one that moves slowly."
            )

    def action(self, now: Instant) -> Action:
        m = now.gauges[0]
        inside = self.pressure * self._ratio(m.value, self.exponent)
        return Action.along(self.area * (inside - self.outside) - self.damping * m.rate)

    def energy(self, now: Instant) -> Scalar:
        m = now.gauges[0].value
        rest = self.exponent - 1.0
        inside = self.pressure * self.length / rest * self._ratio(m, rest)
        return self.area * (inside + self.outside * (self.length + m - self.at))

    def _ratio(self, m: Scalar, power: Scalar) -> Scalar:
        """(l0 / l)^power."""
        return exp(-power * log((self.length + m - self.at) / self.length))

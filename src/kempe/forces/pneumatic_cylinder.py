"""A cylinder with gas on both sides of its piston."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.algebra.functions import exp, log
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import LineDamping, Metres, Pascals, Ratio, SquareMetres

POSITIVE = {
    "area": "m^2",
    "pressure": "Pa",
    "length": "m",
    "rod_area": "m^2",
    "rod_pressure": "Pa",
    "rod_length": "m",
}


@final
@dataclass(frozen=True)
class PneumaticCylinder(AbstractForce):
    """A cylinder whose piston stands between two closed chambers of gas: an air spring both ways.

    f = A (p (l / (l + s))^n - outside) - A_r (p_r (l_r / (l_r - s))^n - outside) - c ds/dt
    E = A (p l / (n - 1) (l / (l + s))^(n - 1) + outside s) + the same of the rod's side, -s for s

    s = m - at. Where the measure reads `at`, the chamber behind the piston is `length` long and
    under `pressure`, that of the rod `rod_length` and `rod_pressure`, on the ring `rod_area`; both
    pressures are absolute. n = 1.4 is air without exchange of heat; without an `exponent` the gas
    keeps its temperature, n = 1, and p l log(l / (l + s)) takes the place of the power in E. With
    one chamber alone it is a GasSpring.

    Own: the polytropic law p V^n = const on both sides.
    """

    gauge: Gauge
    area: SquareMetres
    pressure: Pascals
    length: Metres
    rod_area: SquareMetres  # of the ring
    rod_pressure: Pascals
    rod_length: Metres
    exponent: Ratio | None = 1.4
    outside: Pascals = 101325.0
    at: Metres = 0.0
    damping: LineDamping = 0.0  # N s/m

    symbol: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_positive(POSITIVE)
        self._keep_finite({"at": "m", "outside": "Pa", "damping": "N s/m"})
        self._keep_along("m", "TorsionSpring")
        if self.exponent is not None:
            self._keep_finite({"exponent": "1"})
            if not self.exponent > 1.0:
                raise BadNumber(
                    f"exponent of {self._called} must be above 1, it is {self.exponent:g}: take 1.4"
                    " for air that moves fast, None (null in a file) for gas that keeps its"
                    " temperature."
                )
        if self.rod_area > self.area:
            raise BadNumber(
                f"rod_area of {self._called} is {self.rod_area:g} m^2: a ring is not larger than"
                f" its piston of {self.area:g} m^2."
            )

    def action(self, now: Instant) -> Action:
        m = now.gauges[0]
        out, back = self._strains(m.value)
        n = 1.0 if self.exponent is None else self.exponent
        push = self.area * (self.pressure * exp(-n * log(out)) - self.outside)
        held = self.rod_area * (self.rod_pressure * exp(-n * log(back)) - self.outside)
        return Action.along(push - held - self.damping * m.rate)

    def energy(self, now: Instant) -> Scalar:
        m = now.gauges[0].value
        out, back = self._strains(m)
        gas = self.area * self.pressure * self.length * self._work(out)
        gas = gas + self.rod_area * self.rod_pressure * self.rod_length * self._work(back)
        return gas + (self.area - self.rod_area) * self.outside * (m - self.at)

    def _strains(self, m: Scalar) -> tuple[Scalar, Scalar]:
        """(l + s) / l of either chamber."""
        s = m - self.at
        return (self.length + s) / self.length, (self.rod_length - s) / self.rod_length

    def _work(self, strain: Scalar) -> Scalar:
        """What gas gives from `strain` on, over p l: the rest of its power law, or a logarithm."""
        if self.exponent is None:
            return -log(strain)
        rest = self.exponent - 1.0
        return exp(-rest * log(strain)) / rest

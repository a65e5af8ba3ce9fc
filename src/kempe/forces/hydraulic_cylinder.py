"""A cylinder of oil."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, final

from kempe.drives import AbstractLaw
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.measures import Gauge
from kempe.units import Pascals, Ratio, SquareMetres, Unit


@final
@dataclass(frozen=True)
class HydraulicCylinder(AbstractForce):
    """A cylinder fed with oil through an orifice, which resists with the square of the speed.

    f = A p(t) - A_r p_r - rho (A^3 + A_r^3) v |v| / (2 (C_d a)^2),  v = dm/dt

    A is the `area` of the piston under the `pressure` p above that outside, A_r = `rod_area` the
    ring on the side of the rod, under `back_pressure` p_r. Oil in, A v, and oil out, A_r v, each
    pass an orifice of area a = `orifice`: Q = C_d a sqrt(2 dp / rho). The oil is stiff beside the
    mechanism, so that pressures follow speeds at once. What the pump gives counts as dissipated
    below zero.

    Source: [Merritt] ch. 3, for the flow through an orifice and its coefficient 0.61.
    """

    gauge: Gauge
    pressure: Annotated[AbstractLaw, Unit("Pa")]
    area: SquareMetres
    orifice: SquareMetres
    rod_area: SquareMetres = 0.0  # of the ring
    back_pressure: Pascals = 0.0
    density: Annotated[float, Unit("kg/m^3")] = 870.0
    discharge: Ratio = 0.61

    symbol: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_finite({"rod_area": "m^2", "back_pressure": "Pa"})
        self._keep_positive(
            {"area": "m^2", "orifice": "m^2", "density": "kg/m^3", "discharge": "1"}
        )
        self._keep_along("m", "Actuator")
        if not 0.0 <= self.rod_area <= self.area:
            raise BadNumber(
                f"rod_area of {self._called} is {self.rod_area:g} m^2: a ring is not below 0 and"
                f" not larger than its piston of {self.area:g} m^2."
            )

    def action(self, now: Instant) -> Action:
        v = now.gauges[0].rate
        through = self.discharge * self.orifice
        loss = 0.5 * self.density / (through * through) * v * abs(v)  # Pa per m^4
        push = self.area * (self.pressure.value(now.t) - loss * self.area * self.area)
        held = self.rod_area * (self.back_pressure + loss * self.rod_area * self.rod_area)
        return Action.along(push - held)

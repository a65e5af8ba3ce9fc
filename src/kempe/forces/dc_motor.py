"""A motor on direct current."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, final

from kempe.algebra.functions import where
from kempe.drives import AbstractLaw
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry.number import positive
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import NewtonMetres, RadiansPerSecond, Ratio, Seconds, Unit

RESTS = 1e-12  # of stall times no_load: a power below it is none, whichever way rounding has it


@final
@dataclass(frozen=True)
class DcMotor(AbstractForce):
    """A motor on direct current whose torque falls along a straight line as it gains speed.

    T = stall (u(t) - i w / no_load);  f = i T,  w = dm/dt

    `stall` and `no_load` are the torque at rest and the speed without load at the full voltage, of
    the motor's own shaft; `supply` is the voltage as a share u of the full one, 1 where it is left
    out. A gear of ratio i = motor speed / speed of the measure turns the shaft down. With an
    `efficiency` e of the gear f = e i T where the motor drives, T w >= 0, and f = i T / e where it
    is driven; at rest, as against a stop, it drives. What it gives counts as dissipated below zero.

    With a `lag` L / R, inductance over resistance, the current takes its time, and with it T:
    T' = (stall (u(t) - i w / no_load) - T) / lag. Its state is then `torque` T, 0 at the start.

    Source: [Fitzgerald] ch. 7, the permanent-magnet motor; without a lag, in the steady state of
    its current.
    """

    gauge: Gauge
    stall: NewtonMetres  # at the full voltage and at rest
    no_load: RadiansPerSecond  # at the full voltage
    supply: Annotated[AbstractLaw | None, Unit("1")] = None  # share of the full voltage
    gear: Ratio = 1.0
    efficiency: Ratio | None = None  # of the gear, above 0 and at most 1
    lag: Seconds | None = None  # of the current, L / R

    symbol: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_positive({"stall": "N m", "no_load": "rad/s"})
        self._keep_finite({"gear": "1"})
        for word, unit in (("efficiency", "1"), ("lag", "s")):
            if getattr(self, word) is not None:
                self._keep_positive({word: unit})
        self._keep_along("rad", "Actuator or Control")
        if self.gear == 0.0:
            raise BadNumber(f"the gear of {self._called} must not be 0: 1 is no gear.")
        if self.efficiency is not None and self.efficiency > 1.0:
            raise BadNumber(
                f"the efficiency of {self._called} is {self.efficiency:g}: a gear gives no more"
                " than it is given, write 0.9 for 90 %."
            )

    @classmethod
    def of_constants(
        cls,
        gauge: Gauge,
        constant: Any,
        resistance: Any,
        voltage: Any,
        inductance: Any = None,
        *,
        name: str = "",
    ) -> "DcMotor":
        """The motor of a torque `constant` k (N m/A), a `resistance` R (ohm) and a `voltage` (V).

        stall = k voltage / R,  no_load = voltage / k,  lag = L / R where the `inductance` L (H) is
        given;  `gauge` is the angle it turns, `name` its own name
        """
        who = "of a motor"
        k, R = positive(constant, f"constant {who}"), positive(resistance, f"resistance {who}")
        full = positive(voltage, f"voltage {who}")
        lag = None if inductance is None else positive(inductance, f"inductance {who}") / R
        return cls(gauge, k * full / R, full / k, lag=lag, name=name)

    @property
    def states(self) -> tuple[str, ...]:
        return () if self.lag is None else ("torque",)

    @property
    def state_units(self) -> tuple[str, ...]:
        return ("N m",) * len(self.states)

    def rates(self, now: Instant) -> Sequence[Scalar]:
        return () if self.lag is None else [(self._steady(now) - now.states[0]) / self.lag]

    def _steady(self, now: Instant) -> Scalar:
        """The torque of its shaft, once the current has settled."""
        share = 1.0 if self.supply is None else self.supply.value(now.t)
        return self.stall * (share - self.gear * now.gauges[0].rate / self.no_load)

    def action(self, now: Instant) -> Action:
        w = now.gauges[0].rate
        effort = self.gear * (self._steady(now) if self.lag is None else now.states[0])
        if self.efficiency is not None:
            drives = effort * w >= -RESTS * self.stall * self.no_load
            effort = where(drives, effort * self.efficiency, effort / self.efficiency)
        return Action.along(effort)

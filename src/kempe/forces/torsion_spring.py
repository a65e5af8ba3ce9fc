"""A torsion spring that is wound up."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import Radians, SpinDamping, SpinStiffness

UNITS = {"stiffness": "N m/rad", "damping": "N m s/rad", "theta_0": "rad", "theta_init": "rad"}


@final
@dataclass(frozen=True)
class TorsionSpring(AbstractForce):
    """A spiral spring and a damper on a turn, whole turns counted: a mainspring, a door closer.

    T = -k (theta - theta_0) - c dtheta/dt,  theta = m + theta_init;  E = k (theta - theta_0)^2 / 2

    `theta_init` is how far it is wound up where its measure m reads zero, as when it is put in:
    "3 turns" of a clock's spring are 6 pi.

    Source: [KohPark] eqs. 21 and 22, theta0 and thetaInit of its Fig. 10.
    """

    gauge: Gauge
    stiffness: SpinStiffness = 0.0  # N m/rad
    damping: SpinDamping = 0.0  # N m s/rad
    theta_0: Radians = 0.0  # where it is at rest
    theta_init: Radians = 0.0

    symbol: ClassVar[str] = "spiral"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_finite(UNITS)
        self._keep_along("rad", "SpringDamper")

    def action(self, now: Instant) -> Action:
        m = now.gauges[0]
        return Action.along(-self.stiffness * self._wound(m.value) - self.damping * m.rate)

    def energy(self, now: Instant) -> Scalar:
        wound = self._wound(now.gauges[0].value)
        return 0.5 * self.stiffness * wound * wound

    def _wound(self, m: Scalar) -> Scalar:
        return m + self.theta_init - self.theta_0

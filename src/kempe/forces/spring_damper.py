"""A spring and damper on any measure."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import Damping, Effort, Reading, Stiffness, unit_along


@final
@dataclass(frozen=True)
class SpringDamper(AbstractForce):
    """A linear spring and a linear damper on anything that can be measured.

    f = -k (m - free) - c dm/dt + preload;  E = k (m - free)^2 / 2 - preload m

    On a distance it is a coil spring, on an angle a torsion spring, whole turns counted.
    """

    gauge: Gauge
    stiffness: Stiffness = 0.0  # N/m, or N m/rad
    damping: Damping = 0.0  # N s/m, or N m s/rad
    free: Reading = 0.0  # where the spring is at rest
    preload: Effort = 0.0  # N or N m, there

    symbol: ClassVar[str] = "spring"

    def __post_init__(self) -> None:
        super().__post_init__()
        units = {"stiffness": "f/u", "damping": "f s/u", "free": "u", "preload": "f"}
        self._keep_finite({word: unit_along(u, self.gauge.unit) for word, u in units.items()})

    @property
    def drawn_as(self) -> str:
        """A coil, a dashpot, or both side by side."""
        if not self.stiffness:
            return "damper"
        return "spring_damper" if self.damping else "spring"

    def action(self, now: Instant) -> Action:
        m = now.gauges[0]
        pull = self.stiffness * (m.value - self.free) + self.damping * m.rate
        return Action.along(self.preload - pull)

    def energy(self, now: Instant) -> Scalar:
        m = now.gauges[0].value
        stretch = m - self.free
        return 0.5 * self.stiffness * stretch * stretch - self.preload * m

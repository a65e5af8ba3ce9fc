"""A limit that gives way: a buffer, backlash, clearance."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.acting import Acting
from kempe.forces.instant import Action, Instant
from kempe.geometry.number import finite
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import Damping, Reading, Stiffness, unit_along


@final
@dataclass(frozen=True)
class Bumper(AbstractForce):
    """Spring and damper beyond the limits of a measure, and nothing between them: free play.

    f = max(0, k d - c dm/dt) where d = low - m > 0, -max(0, k d + c dm/dt) where d = m - high > 0;
    E = k d^2 / 2

    It never pulls back. Low and high alike make the play of a worn joint, the backlash of a gear
    or the clearance of a key; one limit alone a buffer. Limits that do not give way are stops,
    which are events.
    """

    gauge: Gauge
    low: Reading | None = None  # m or rad; None: no limit
    high: Reading | None = None
    stiffness: Stiffness = 0.0  # N/m, or N m/rad
    damping: Damping = 0.0  # N s/m, or N m s/rad, while it is touched

    symbol: ClassVar[str] = "spring"

    def __post_init__(self) -> None:
        super().__post_init__()
        unit = self.gauge.unit
        self._keep_finite({word: unit_along(u, unit) for word, u in UNITS.items()})
        for word in ("low", "high"):
            if (value := getattr(self, word)) is not None:
                object.__setattr__(self, word, finite(value, f"{word} of {self._called}", unit))
        if self.low is None and self.high is None:
            raise BadNumber(f"{self._called} limits nothing: give `low`, `high` or both.")
        if self.low is not None and self.high is not None and not self.low <= self.high:
            raise BadNumber(
                f"{self._called} begins below {self.low:g} and above {self.high:g} {unit}: `low`"
                " must not be more than `high`."
            )
        if not self.stiffness > 0.0 or not self.damping >= 0.0:
            raise BadNumber(
                f"{self._called} needs a positive stiffness, and a damping that is not negative:"
                f" they are {self.stiffness:g} and {self.damping:g}."
            )

    def action(self, now: Instant) -> Action:
        m = now.gauges[0]
        effort: Scalar = 0.0
        for limit, acting in self._limits:
            stretch = m.value - limit
            pull = self.stiffness * stretch + self.damping * m.rate
            effort = effort - acting.held(pull, stretch)
        return Action.along(effort)

    def energy(self, now: Instant) -> Scalar:
        m, stored = now.gauges[0].value, 0.0
        for limit, acting in self._limits:
            d = acting.part(m - limit)
            stored = stored + 0.5 * self.stiffness * d * d
        return stored

    @property
    def _limits(self) -> list[tuple[Scalar, Acting]]:
        """The limits that there are, each with the side beyond it."""
        sides = ((self.low, Acting.COMPRESSION), (self.high, Acting.TENSION))
        return [(limit, acting) for limit, acting in sides if limit is not None]


UNITS = {"stiffness": "f/u", "damping": "f s/u"}

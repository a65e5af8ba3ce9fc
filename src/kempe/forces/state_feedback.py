"""Feedback of a state."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.forces.limits import keep_limits, limited
from kempe.geometry.number import finite
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import AnyUnit


@final
@dataclass(frozen=True)
class StateFeedback(AbstractForce):
    """An effort along a measure by the readings of several, each with a gain: u = -K (x - x_ref).

    f = -sum_i (gains_i (x_i - references_i) + rate_gains_i x_i'),  within `low` and `high`

    x_i is what the gauge of place i of `seen` reads. Gains are SI; those that are left out are 0,
    and so are `references`. Gains that put the eigenvalues of a linearised mechanism somewhere, or
    that are optimal there, come from its A and B: see `linearize`.

    Source: [AstromMurray] ch. 6.
    """

    gauge: Gauge
    seen: tuple[Gauge, ...]
    gains: tuple[AnyUnit, ...] = ()
    rate_gains: tuple[AnyUnit, ...] = ()
    references: tuple[AnyUnit, ...] = ()
    low: AnyUnit | None = None  # N or N m
    high: AnyUnit | None = None

    symbol: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seen", tuple(self.seen))
        for word in ("gains", "rate_gains", "references"):
            given = tuple(getattr(self, word)) or (0.0,) * len(self.seen)
            if len(given) != len(self.seen):
                raise BadNumber(
                    f"{self._called} sees {len(self.seen)} measures and has {len(given)} {word}:"
                    " give one for each."
                )
            numbers = tuple(finite(x, f"one of {word} of {self._called}") for x in given)
            object.__setattr__(self, word, numbers)
        keep_limits(self)

    @property
    def acts_along(self) -> tuple[Gauge, ...]:
        """Its own measure; those of `seen` are only looked at."""
        return (self.gauge,)

    def action(self, now: Instant) -> Action:
        effort: Scalar = 0.0
        rows = zip(now.gauges[1:], self.gains, self.rate_gains, self.references, strict=True)
        for x, gain, rate_gain, reference in rows:
            effort = effort - gain * (x.value - reference) - rate_gain * x.rate
        effort = limited(effort, self.low, self.high)
        return Action.along(effort, *(0.0 for _ in self.seen))

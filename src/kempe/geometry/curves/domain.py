"""Domains: between which numbers a curve's parameter lives."""

import math
from dataclasses import dataclass
from typing import final

from kempe.errors import BadNumber


@final
@dataclass(frozen=True, slots=True)
class Domain:
    """low <= t <= high; with a period t lives on a circle and any number will do."""

    low: float
    high: float
    period: float = 0.0

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise BadNumber(
                f"a domain must have room: it goes from {self.low:g} to {self.high:g}.",
                low=self.low,
                high=self.high,
            )

    @property
    def is_bounded(self) -> bool:
        """Whether it ends, or closes on itself."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def width(self) -> float:
        """How far it reaches."""
        return self.high - self.low

    def contains(self, t: float) -> bool:
        """Whether t belongs to it; on a circle every finite number does."""
        return math.isfinite(t) and (self.period > 0.0 or self.low <= t <= self.high)

    def __str__(self) -> str:
        return f"[{self.low:g}, {self.high:g}]"

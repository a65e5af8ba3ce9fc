"""How fast a measure changes at the start."""

import math
from dataclasses import dataclass
from typing import final

from kempe.errors import BadNumber
from kempe.measures import Gauge


@final
@dataclass(frozen=True, slots=True)
class StartRate:
    """A gauge and the rate (m/s or rad/s) with which a simulation starts."""

    gauge: Gauge
    rate: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.rate):
            raise BadNumber(f"the rate of {self.gauge.name!r} must be finite, it is {self.rate}.")

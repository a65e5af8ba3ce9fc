"""A measure read between two given markers."""

from dataclasses import dataclass
from typing import final

from kempe.geometry.marker import Marker
from kempe.measures.abstract import AbstractMeasure


@final
@dataclass(frozen=True, slots=True)
class Gauge:
    """A measure between markers I and J, under a name such as 'crank.angle'."""

    name: str
    measure: AbstractMeasure
    I: Marker
    J: Marker

    @property
    def unit(self) -> str:
        """The unit it reads in, "m" or "rad"."""
        return self.measure.unit

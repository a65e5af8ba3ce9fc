"""A measure read between two given markers."""

from dataclasses import dataclass
from typing import final

from kempe.geometry.marker import Marker
from kempe.measures.abstract import AbstractMeasure
from kempe.notebook import table_html


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

    def _repr_html_(self) -> str:
        """What a notebook shows: what is read, in which unit, and between which markers."""
        ends = f"{self.J.body} seen from {self.I.body}"
        row = [self.name, type(self.measure).__name__, self.unit, ends]
        return table_html(["", "measure", "unit", "of"], [row])

"""A sum of measures that a joint keeps at a value."""

from dataclasses import dataclass
from typing import final

from kempe.measures.abstract import AbstractMeasure


@final
@dataclass(frozen=True, slots=True)
class Held:
    """sum c_k m_k = value, between the two markers of one joint.

    One measure with coefficient 1 is simply held; a screw holds displacement - lead turn / 2 pi.
    """

    measures: tuple[AbstractMeasure, ...]
    coefficients: tuple[float, ...] = (1.0,)
    value: float = 0.0

    @property
    def unit(self) -> str:
        """The unit of the row: metres as soon as a measure is a length."""
        return "m" if any(m.unit == "m" for m in self.measures) else "rad"

"""A sum of measures that a joint keeps at a value."""

import math
from dataclasses import dataclass, replace
from typing import final

from kempe.errors import BadNumber
from kempe.geometry.pose import Pose
from kempe.measures.abstract import AbstractMeasure
from kempe.units import Reading, Share


@final
@dataclass(frozen=True, slots=True)
class Held:
    """sum c_k m_k = value, between the two markers of one joint.

    One measure with coefficient 1 is simply held; a screw holds displacement - lead turn / 2 pi.
    The value None stands for what the sum is where the bodies were first put.
    """

    measures: tuple[AbstractMeasure, ...]
    coefficients: tuple[Share, ...] = (1.0,)
    value: Reading | None = 0.0  # in the unit of the sum

    def __post_init__(self) -> None:
        given: tuple[object, object] = (self.measures, self.coefficients)
        if isinstance(given[0], AbstractMeasure):
            given = ((given[0],), given[1])
            object.__setattr__(self, "measures", given[0])
        if not all(isinstance(one, tuple) for one in given):
            raise BadNumber(
                "measures are held as a tuple with a tuple of coefficients, one each, and the value"
                " is given by name: Held((measure,), value=0.0)."
            )
        if len(self.measures) != len(self.coefficients) or not self.measures:
            raise BadNumber(
                f"{len(self.measures)} measures are held with {len(self.coefficients)}"
                " coefficients: give one each."
            )
        value = 0.0 if self.value is None else self.value
        if not all(math.isfinite(x) for x in (*self.coefficients, value)):
            raise BadNumber(f"measures are held with a number that is not finite: {self}.")

    @property
    def unit(self) -> str:
        """The unit of the row: metres as soon as a measure is a length."""
        return "m" if any(m.unit == "m" for m in self.measures) else "rad"

    def settled(self, X_WI: Pose, X_WJ: Pose) -> "Held":
        """What is held, with a number for its value: read at `X_WI`, `X_WJ` where none is given."""
        if self.value is not None:
            return self
        readings = [m.number(X_WI, X_WJ) for m in self.measures]
        pairs = zip(self.coefficients, readings, strict=True)
        return replace(self, value=sum(c * reading for c, reading in pairs))

"""A measure read from the other end."""

from dataclasses import dataclass
from typing import final

from kempe.geometry import Pose, Scalar
from kempe.measures.abstract import AbstractMeasure, Wrapped
from kempe.measures.heading import Heading


@final
@dataclass(frozen=True, slots=True)
class Back(AbstractMeasure):
    """A measure read from J to I instead of from I to J, as a surveyor's back bearing.

    value = measure(X_WJ, X_WI)
    """

    measure: AbstractMeasure

    @property
    def word(self) -> str:  # type: ignore[override]
        """The measure's own word with "back_" before it."""
        return f"back_{self.measure.word}"

    @property
    def unit(self) -> str:  # type: ignore[override]
        """The measure's own unit."""
        return self.measure.unit

    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar | Wrapped:
        return self.measure.value(X_WJ, X_WI)


CROSS = (Heading(), Back(Heading()))  # the turns of a cross in the forks of I and of J

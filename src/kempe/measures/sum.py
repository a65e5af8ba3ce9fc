"""Several measures between the same two markers, added up."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.errors import BadNumber
from kempe.geometry import Pose, Scalar
from kempe.geometry.number import finite
from kempe.measures.abstract import AbstractMeasure, Wrapped
from kempe.units import Share


@final
@dataclass(frozen=True, slots=True)
class Sum(AbstractMeasure):
    """Measures between the same two markers, each with a coefficient, added up.

    value = sum c_k m_k

    Where lengths and angles are added, the sum is in metres, an angle's coefficient in m/rad.
    An angle that is known up to whole turns stays so when it is multiplied by an integer, and only
    then: other coefficients on turns belong in a coupler, which counts the turns of each measure.
    """

    terms: tuple[tuple[Share, AbstractMeasure], ...]  # (coefficient, measure)

    word: ClassVar[str] = "sum"

    def __post_init__(self) -> None:
        if not self.terms:
            raise BadNumber("a sum of measures needs at least one: Sum(((1, Turn()), ...)).")
        for coefficient, measure in self.terms:
            finite(coefficient, f"a sum's coefficient of {measure.word!r}")

    @property
    def unit(self) -> str:  # type: ignore[override]
        """Metres as soon as one measure is a length."""
        return "m" if any(measure.unit == "m" for _, measure in self.terms) else "rad"

    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar | Wrapped:
        total: Scalar = 0.0
        wrapped = False
        for coefficient, measure in self.terms:
            value = measure.value(X_WI, X_WJ)
            if isinstance(value, Wrapped):
                wrapped = True
                _refuse_fraction(coefficient, measure)
                value = value.angle
            total = total + coefficient * value
        return Wrapped(total) if wrapped else total


def _refuse_fraction(coefficient: float, measure: AbstractMeasure) -> None:
    if coefficient != int(coefficient):
        raise BadNumber(
            f"a sum multiplies {measure.word!r} by {coefficient:g}: an angle in space is known up"
            " to whole turns, so its coefficient must be an integer. Use a coupler, which counts"
            " the turns of each measure.",
            coefficient=coefficient,
        )

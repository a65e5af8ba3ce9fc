"""A polynomial of time."""

from dataclasses import dataclass
from typing import final

from kempe.drives.law import AbstractLaw
from kempe.errors import BadNumber
from kempe.geometry.number import finite
from kempe.geometry.vector import Scalar
from kempe.units import Coefficient


@final
@dataclass(frozen=True, slots=True)
class Polynomial(AbstractLaw):
    """A polynomial, lowest power first.

    f = c_0 + c_1 t + c_2 t^2 + ...
    """

    coefficients: tuple[Coefficient, ...]  # and per second, per second squared, ...

    def __post_init__(self) -> None:
        if not self.coefficients:
            raise BadNumber("a polynomial law needs at least one coefficient.")
        numbers = (finite(c, "a coefficient of a polynomial law") for c in self.coefficients)
        object.__setattr__(self, "coefficients", tuple(numbers))

    def value(self, t: Scalar) -> Scalar:
        total = self.coefficients[-1]
        for c in reversed(self.coefficients[:-1]):  # Horner
            total = c + t * total
        return total

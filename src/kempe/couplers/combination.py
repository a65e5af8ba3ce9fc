"""A linear combination of measures that stays constant."""

from dataclasses import dataclass
from typing import final

from kempe.couplers.abstract import AbstractCoupler
from kempe.errors import BadNumber
from kempe.geometry.number import finite
from kempe.geometry.vector import Scalar
from kempe.units import Share


@final
@dataclass(frozen=True, kw_only=True)
class Combination(AbstractCoupler):
    """Any number of measures, each with a coefficient, add up to a constant.

    phi = sum c_k m_k - constant

    Where lengths and angles are combined, the row is in metres and the coefficient of an angle in
    m/rad.

    Own.
    """

    coefficients: tuple[Share, ...]  # of the row, "m" or "rad", per unit of its measure

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.coefficients) != len(self.gauges) or not self.gauges:
            raise BadNumber(
                f"coupler {self.called} has {len(self.coefficients)} coefficients for"
                f" {len(self.gauges)} measures: give one each."
            )
        numbers = (finite(c, f"a coefficient of coupler {self.called}") for c in self.coefficients)
        object.__setattr__(self, "coefficients", tuple(numbers))

    def phi(self, values: list[Scalar]) -> Scalar:
        total = values[0] * self.coefficients[0]
        for c, value in zip(self.coefficients[1:], values[1:], strict=True):
            total = total + c * value
        return total - self.phase

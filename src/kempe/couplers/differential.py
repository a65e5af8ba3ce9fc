"""A differential."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.couplers.abstract import AbstractCoupler, Roles, Span
from kempe.geometry.number import keep, positive
from kempe.geometry.vector import Scalar
from kempe.units import Radians, Ratio


@final
@dataclass(frozen=True, kw_only=True)
class Differential(AbstractCoupler):
    """Two shafts share the turn of a case: what one gains on it the other loses.

    phi = (a - c) + ratio (b - c) - constant

    a and b are the turns of the shafts, c that of the case. The ratio is 1 for bevel wheels; with
    the ring's teeth over the sun's it is a planetary train of sun, ring and carrier.

    Source: [Willis] on epicyclic trains.
    """

    ratio: Ratio = 1.0
    constant: Radians | None = None  # of the first shaft

    roles: ClassVar[Roles] = (("first shaft", "rad"), ("second shaft", "rad"), ("case", "rad"))

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, positive, f"differential {self.called}", {"ratio": ""})

    @property
    def spans(self) -> tuple[Span, ...]:
        """A line from either shaft to the case."""
        a, b, case = (gauge.J for gauge in self.gauges)
        return (Span(self.symbol, a, case), Span(self.symbol, b, case))

    def phi(self, values: list[Scalar]) -> Scalar:
        a, b, case = values
        return (a - case) + self.ratio * (b - case) - self.phase

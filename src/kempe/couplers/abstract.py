"""What every coupler is: one formula of measures, zero where the coupling holds."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from kempe.errors import BadConnection
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge


@dataclass(frozen=True)
class AbstractCoupler(ABC):
    """Measures that depend on each other: a gear pair, a rack, a belt, a cam law.

    `phi` sees the values of the gauges, turns counted without end, and returns one row. A float
    field of the class is a number of the model and can change without recompiling.
    """

    gauges: tuple[Gauge, ...]
    name: str = ""

    row_unit: ClassVar[str] = "rad"  # of phi: "m" or "rad"
    symbol: ClassVar[str] = "mesh"  # how it is drawn

    def __post_init__(self) -> None:
        for gauge in self.gauges:
            if not isinstance(gauge, Gauge):
                raise BadConnection(
                    f"coupler {self.name or type(self).__name__!r} couples measures such as"
                    f" wheel.angle, not {gauge!r}."
                )

    @abstractmethod
    def phi(self, values: list[Scalar]) -> Scalar:
        """The row, from the values of the gauges in order."""

    @property
    def unit(self) -> Any:
        """The unit of the row: metres as soon as a coupled measure is a length."""
        return "m" if any(g.unit == "m" for g in self.gauges) else self.row_unit

"""What every coupler is: one formula of measures, zero where the coupling holds."""

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, final

import numpy as np

from kempe.errors import BadConnection, ExpressionError
from kempe.geometry import Marker, Scalar
from kempe.geometry.number import finite
from kempe.measures import Gauge
from kempe.units import Reading

Roles = tuple[tuple[str, str], ...]


@final
@dataclass(frozen=True, slots=True)
class Span:
    """A line of a picture from one coupled part to another; a belt goes round both."""

    symbol: str  # how it is drawn
    I: Marker
    J: Marker
    radii: tuple[float, float] = (0.0, 0.0)  # m, of what it goes round


@dataclass(frozen=True)
class AbstractCoupler(ABC):
    """Measures that depend on each other: a gear pair, a rack, a belt, a cam law.

    `phi` sees the values of the gauges, turns counted without end, and returns one row, from which
    `phase` is subtracted. A float field of the class is a number of the model and can change
    without recompiling.

    The constant None stands for what the coupling has where the bodies were first put: wheels mesh
    as they were placed. A body that was put nowhere counts as lying at the world's origin.
    """

    gauges: tuple[Gauge, ...]
    name: str = ""
    constant: Reading | None = 0.0  # in the unit of the row

    row_unit: ClassVar[str] = "rad"  # of phi: "m" or "rad"
    symbol: ClassVar[str] = "coupled"  # how its spans are drawn
    roles: ClassVar[Roles] = ()  # what the gauges read and in which unit ("" is any); () is any
    optional: ClassVar[int] = 0  # how many of the last roles may be left out

    def __post_init__(self) -> None:
        object.__setattr__(self, "gauges", tuple(self.gauges))
        called = self.name or type(self).__name__
        for gauge in self.gauges:
            if not isinstance(gauge, Gauge):
                raise BadConnection(
                    f"coupler {called!r} couples measures such as wheel.angle, not {gauge!r}."
                )
        if self.roles:
            self._check_roles(called)
        if self.constant is not None:
            object.__setattr__(self, "constant", finite(self.constant, f"constant of {called!r}"))

    @property
    def called(self) -> str:
        """Which one it is, in a message: its name, or what it couples as long as it has none."""
        return repr(self.name) if self.name else f"of {' and '.join(g.name for g in self.gauges)}"

    def _check_roles(self, called: str) -> None:
        wanted = ", ".join(what for what, _ in self.roles)
        few, many = len(self.roles) - self.optional, len(self.roles)
        if not few <= len(self.gauges) <= many:
            raise BadConnection(
                f"coupler {called!r} has {len(self.gauges)} measures, it couples"
                f" {few if few == many else f'{few} to {many}'}: {wanted}."
            )
        for (what, unit), gauge in zip(self.roles, self.gauges, strict=False):
            if unit and gauge.unit != unit:
                raise BadConnection(
                    f"coupler {called!r} needs {'an angle' if unit == 'rad' else 'a length'} for"
                    f" {what}, but {gauge.name!r} is in {gauge.unit}."
                )

    @abstractmethod
    def phi(self, values: list[Scalar]) -> Scalar:
        """The row, from the `values` (m, rad) of the gauges in order."""

    @property
    def phase(self) -> Scalar:
        """The constant, where it is settled."""
        return self.constant

    def settled(self, values: Sequence[float]) -> Self:
        """The coupler with a number for its constant, such that it holds at `values` (m, rad)."""
        if self.constant is not None:
            return self
        return replace(self, constant=float(replace(self, constant=0.0).phi(list(values))))

    @property
    def spans(self) -> tuple[Span, ...]:
        """What a picture shows between the coupled parts: a line from each to the next."""
        parts = (gauge.J for gauge in self.gauges)
        return tuple(Span(self.symbol, a, b) for a, b in itertools.pairwise(parts))

    @property
    def lengths(self) -> list[float]:
        """Where the row is in metres: by how much one radian moves it; else what it is at rest."""
        if self.unit != "m":
            return []
        still = [0.0 for _ in self.gauges]
        at_rest = self._row(still)
        arcs = [self._row([*still[:k], 1.0, *still[k + 1 :]]) - at_rest for k in self._turns]
        return [x for x in (arcs or [at_rest]) if math.isfinite(x)]

    @property
    def strokes(self) -> list[float]:
        """Where the row is in metres and angles move it: what it is at rest, as a rack's start."""
        if self.unit != "m" or not self._turns:
            return []
        at_rest = self._row([0.0 for _ in self.gauges])
        return [at_rest] if math.isfinite(at_rest) else []

    @property
    def _turns(self) -> list[int]:
        """Which of the coupled measures are angles."""
        return [k for k, gauge in enumerate(self.gauges) if gauge.unit == "rad"]

    def _row(self, values: list[float]) -> float:
        """The row; nan where a law of the user has no value."""
        try:
            with np.errstate(all="ignore"):
                return float(self.phi(list(values)))
        except (ExpressionError, ArithmeticError):
            return math.nan

    @property
    def unit(self) -> Any:
        """The unit of the row: metres as soon as a coupled measure is a length."""
        return "m" if any(g.unit == "m" for g in self.gauges) else self.row_unit

"""A linear system between readings and an effort."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import AnyUnit

Matrix = tuple[tuple[AnyUnit, ...], ...]


@final
@dataclass(frozen=True)
class LinearSystem(AbstractForce):
    """A linear system with states of its own, from what measures read to an effort along one.

    f = C x + D u,  x' = A x + B u,  u = (readings of `seen`, then their rates)

    Any filter, observer or compensator that is given by its matrices: rows of numbers in SI, or
    arrays. B and D have a column for every reading, and as many again where they look at rates
    too. D may be left out. Its states are x1, x2, ..., and start at 0.

    Source: [AstromMurray] ch. 5.
    """

    gauge: Gauge
    seen: tuple[Gauge, ...]
    A: Matrix = ()  # (n, n)
    B: Matrix = ()  # (n, k)
    C: Matrix = ()  # (1, n)
    D: Matrix = ()  # (1, k)

    symbol: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seen", tuple(self.seen))
        for word in ("A", "B", "C", "D"):
            object.__setattr__(self, word, self._rows(word, getattr(self, word)))
        n, k = len(self.A), len(self.seen)
        for word, rows, widths in (
            ("A", n, (n,)),
            ("B", n, (k, 2 * k)),
            ("C", 1 if n else 0, (n,)),
            ("D", 1, (k, 2 * k)),
        ):
            given = getattr(self, word)
            if word == "D" and not given:
                continue
            shape = (len(given), len(given[0]) if given else 0)
            if shape[0] != rows or (rows and shape[1] not in widths):
                wanted = " or ".join(f"({rows}, {width})" for width in dict.fromkeys(widths))
                raise BadNumber(
                    f"{word} of {self._called} has the shape {shape} and needs {wanted}: it has"
                    f" {n} states and sees {k} measure{'s' * (k != 1)}."
                )

    def _rows(self, word: str, given: Any) -> Matrix:
        try:
            found = np.array(given, dtype=np.float64)
        except (TypeError, ValueError):
            raise BadNumber(
                f"{word} of {self._called} is no matrix: give rows of numbers, all equally long."
            ) from None
        if not found.size:
            return ()
        if found.ndim != 2 or not np.isfinite(found).all():
            raise BadNumber(f"{word} of {self._called} must be rows of finite numbers.")
        return tuple(tuple(float(x) for x in row) for row in found)

    @property
    def acts_along(self) -> tuple[Gauge, ...]:
        """Its own measure; those of `seen` are only looked at."""
        return (self.gauge,)

    @property
    def states(self) -> tuple[str, ...]:
        return tuple(f"x{k + 1}" for k in range(len(self.A)))

    def action(self, now: Instant) -> Action:
        effort: Scalar = 0.0
        for row, vector in ((self.C, now.states), (self.D, self._inputs(now))):
            if row:
                effort = effort + _product(row[0], vector)
        return Action.along(effort, *(0.0 for _ in self.seen))

    def rates(self, now: Instant) -> Sequence[Scalar]:
        u = self._inputs(now)
        rows = zip(self.A, self.B, strict=True)
        return [_product(a, now.states) + _product(b, u) for a, b in rows]

    def _inputs(self, now: Instant) -> list[Scalar]:
        seen = now.gauges[1:]
        return [*(x.value for x in seen), *(x.rate for x in seen)]


def _product(row: Sequence[float], vector: Sequence[Scalar]) -> Scalar:
    """Of the entries of a row with the first of a vector."""
    total: Scalar = 0.0
    for entry, x in zip(row, vector, strict=False):
        total = total + entry * x if entry else total
    return total

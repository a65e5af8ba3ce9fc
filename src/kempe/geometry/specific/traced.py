"""Quantities derived from one traced formula, run on whole arrays of coordinates."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.expression import lifted
from kempe.algebra.native import native_tape
from kempe.errors import BadNumber
from kempe.geometry.array import floats, one_to_one

Floats = NDArray[np.float64]
Shape = tuple[int, ...]


@final
class Tracing:
    """Coordinates s and their rates s' as traced values, and derivatives along them."""

    def __init__(self, count: int) -> None:
        self.graph = Graph()
        self.s = [Expression(self.graph, self.graph.input(f"s{k}")) for k in range(count)]
        self.rate = [Expression(self.graph, self.graph.input(f"ds{k}")) for k in range(count)]

    def lifted(self, values: Sequence[Any]) -> list[Expression]:
        """The values as traced ones; plain numbers are constants."""
        return [lifted(self.graph, value) for value in values]

    def along(self, outputs: Sequence[Expression], k: int) -> list[Expression]:
        """Partial derivatives with respect to coordinate k."""
        one = Expression(self.graph, self.graph.constant(1.0))
        return tangent(outputs, {self.s[k].node: one})

    def in_time(self, outputs: Sequence[Expression]) -> list[Expression]:
        """Time derivatives, coordinates moving at their rates."""
        return tangent(outputs, {s.node: rate for s, rate in zip(self.s, self.rate, strict=True)})


@final
class Quantities:
    """Named arrays of traced values; a tape for each is made when it is first asked for."""

    def __init__(
        self, tracing: Tracing, outputs: Mapping[str, tuple[Sequence[Expression], Shape]]
    ) -> None:
        self._tracing = tracing
        self._outputs = dict(outputs)
        self._runners: dict[str, Callable[[Floats], Floats]] = {}

    def __call__(self, name: str, s: ArrayLike, rate: ArrayLike | None = None) -> Floats:
        """The quantity (..., *shape) at coordinates (..., n) and, where needed, rates (..., n)."""
        count = len(self._tracing.s)
        where = _coordinates(s, count, "coordinates")
        speed = np.zeros(count) if rate is None else _coordinates(rate, count, "rates")
        lead = one_to_one(where.shape[:-1], speed.shape[:-1])
        rows = np.empty((*lead, 2 * count))
        rows[..., :count], rows[..., count:] = where, speed
        outputs, shape = self._outputs[name]
        if not outputs:
            return np.empty((*lead, *shape))
        if name not in self._runners:
            self._runners[name] = _runner(self._tracing, outputs)
        return self._runners[name](rows.reshape(-1, 2 * count)).reshape(*lead, *shape)


def _runner(tracing: Tracing, outputs: Sequence[Expression]) -> Callable[[Floats], Floats]:
    tape = record_formula([*tracing.s, *tracing.rate], outputs)
    native = native_tape(tape)

    def run(rows: Floats) -> Floats:
        few = len(rows) < 4  # lanes run eight at a time
        return (native.evaluate if few else native.evaluate_lanes)(rows, tape.outputs)

    return run


def _coordinates(numbers: ArrayLike, count: int, what: str) -> Floats:
    array = floats(numbers, what)
    if array.shape[-1:] != (count,):
        raise BadNumber(f"{count} {what} are needed (..., {count}), these have {array.shape}.")
    if not np.isfinite(array).all():
        raise BadNumber(f"the {what} have a value that is not finite.")
    return array

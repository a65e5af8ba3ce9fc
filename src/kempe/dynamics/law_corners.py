"""Where the law of a drive has a corner: its rate jumps, and no finite force could follow."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.derivative import reachable, selection
from kempe.algebra.native import native_tape
from kempe.algebra.operations import Op
from kempe.drives import AbstractLaw, Drive
from kempe.outcome import Ending, Outcome

FloatArray = NDArray[np.float64]

# Times at which every switch of a law is looked at; of two switches closer than that neither is
# seen, and the balance of energies has to tell.
LOOKS = 20_001
# Of the largest rate nearby: a jump below it is rounding.
JUMP = 1e-9
# Corners of a table are where its pieces differ in slope by more than this share of their slopes.
SMOOTH = 1e-9


@final
@dataclass(frozen=True, slots=True)
class Corner:
    """The last time before a drive's rate jumps, and the rates on both sides."""

    drive: Drive
    t: float
    before: float
    after: float

    @property
    def outcome(self) -> Outcome:
        """The ending of a simulation that has come there."""
        name, unit = self.drive.gauge.name, f"{self.drive.gauge.unit}/s"
        return Outcome(
            Ending.LIMIT_REACHED,
            f"at t = {self.t:.9g} s the drive on {name!r} jumps from {self.before:.6g} to"
            f" {self.after:.6g} {unit}: no finite force could follow it.",
            "End the run there, or give the drive a law without corners: one that comes to rest, or"
            " a rise such as Cycloidal.",
            {"t": self.t, "drive": name, "before": self.before, "after": self.after},
        )


def first_corner(drives: tuple[Drive, ...], start: float, stop: float) -> Corner | None:
    """The first corner of any law after `start` and before `stop`."""
    found = [
        Corner(drive, *corner)
        for drive in drives
        if (corner := law_corner(drive.law, start, stop)) is not None
    ]
    return min(found, key=lambda corner: corner.t, default=None)


def law_corner(law: AbstractLaw, start: float, stop: float) -> tuple[float, float, float] | None:
    """The last time before the first corner, and the rates before and after it."""
    graph = Graph()
    t = Expression(graph, graph.input("t"))
    one, zero = (Expression(graph, graph.constant(c)) for c in (1.0, 0.0))
    value = zero + law.value(t)
    rate = zero + tangent([value], {t.node: one})[0]
    switches = _switches(graph, value)
    if not switches or not stop > start:
        return None
    tape = record_formula([t], [rate, *switches])
    run = native_tape(tape)

    def at(times: FloatArray) -> FloatArray:
        values: FloatArray = run.evaluate_lanes(times.reshape(-1, 1), tape.outputs)
        return values

    times = np.linspace(start, stop, LOOKS)
    sides = at(times)[:, 1:] > 0.0
    for k in np.flatnonzero((sides[1:] != sides[:-1]).any(axis=1)):
        for switch in np.flatnonzero(sides[k + 1] != sides[k]):
            low, high = float(times[k]), float(times[k + 1])
            while low < (middle := 0.5 * (low + high)) < high:
                same = (at(np.array([middle]))[0, 1 + switch] > 0.0) == sides[k, switch]
                low, high = (middle, high) if same else (low, middle)
            low, high = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)  # on either side
            before, after = at(np.array([low, high]))[:, 0]
            if abs(after - before) > JUMP * max(abs(before), abs(after)) and start < low < stop:
                return float(low), float(before), float(after)
    return None


def _switches(graph: Graph, value: Expression) -> list[Expression]:
    """Functions of time that change their sign where a formula goes over to another one."""
    found: list[Expression] = []
    for node in reachable(graph, [value.node]):
        op, args = graph.ops[node], graph.args[node]
        choice = selection(graph, node)
        if choice is not None:
            found.append(Expression(graph, choice[1]))
        elif op == Op.ABS:
            found.append(Expression(graph, args[0]))
        elif op == Op.ROUND:
            found.append(np.cos(np.pi * Expression(graph, args[0])))
        elif op == Op.TABLE and args[2] == 0:
            x = Expression(graph, args[0])
            found += [x - b for b in _table_corners(*graph.tables[args[1]])]
    return found


def _table_corners(breaks: FloatArray, coefficients: FloatArray) -> list[float]:
    """The inner breaks of a table at which its slope jumps."""
    order = coefficients.shape[1]
    if order < 2:
        return []
    slopes = coefficients[:, :-1] * np.arange(order - 1, 0, -1)
    width = np.diff(breaks)
    ends = np.array([np.polyval(c, h) for c, h in zip(slopes, width, strict=True)])
    jumps = np.abs(slopes[1:, -1] - ends[:-1])
    size = max(float(np.abs(slopes[:, -1]).max()), float(np.abs(ends).max()))
    return [float(b) for b in breaks[1:-1][jumps > SMOOTH * size]]

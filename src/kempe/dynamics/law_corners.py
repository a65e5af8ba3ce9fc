"""Where the law of a drive changes over: its value, its rate or its acceleration jumps.

No finite force could follow a value or a rate that jumps: it ends a run. On an acceleration that
jumps a step has to end.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.derivative import reachable, selection
from kempe.algebra.native import native_tape
from kempe.algebra.operations import Op
from kempe.algebra.table_corners import table_jumps
from kempe.drives import AbstractLaw, Drive
from kempe.outcome import Ending, Outcome

FloatArray = NDArray[np.float64]

# Times at which every switch of a law is looked at; of two switches closer than that neither is
# seen, and the balance of energies has to tell.
LOOKS = 20_001
# Of the largest rate or acceleration of the law: a jump below it is rounding.
JUMP = 1e-9
# Of the change that an acceleration makes between neighbouring times, in which time is rounded too.
WITHIN = 8.0


@final
@dataclass(frozen=True, slots=True)
class Corner:
    """The last time before a drive's value or rate jumps, and the values on both sides."""

    drive: Drive
    t: float
    before: float
    after: float
    is_rate: bool

    @property
    def outcome(self) -> Outcome:
        """The ending of a simulation that has come there."""
        name, unit = self.drive.gauge.name, f"{self.drive.gauge.unit}{'/s' * self.is_rate}"
        return Outcome(
            Ending.LIMIT_REACHED,
            f"at t = {self.t:.9g} s the drive on {name!r} jumps from {self.before:.6g} to"
            f" {self.after:.6g} {unit}: no finite force could follow it.",
            f"End the run there, or give the drive a law without {_kind(is_rate=self.is_rate)}: one"
            " that comes to rest, or a rise such as Cycloidal.",
            {"t": self.t, "drive": name, "before": self.before, "after": self.after},
        )


def _kind(*, is_rate: bool) -> str:
    return "corners" if is_rate else "jumps"


@final
@dataclass(frozen=True, slots=True)
class Interruptions:
    """Where laws of drives change over: neighbouring times, and the first corner of any.

    `stops` (2 k,) are the last time before each jump of an acceleration and the first one after it;
    those after the corner are left out.
    """

    stops: FloatArray
    corner: Corner | None


def interruptions(drives: tuple[Drive, ...], start: float, stop: float) -> Interruptions:
    """What happens to the laws after `start` and before `stop`."""
    stops: list[tuple[float, float]] = []
    corner = None
    for drive in drives:
        for jump in law_jumps(drive.law, start, stop if corner is None else corner.t):
            if jump.is_corner:
                corner = Corner(drive, jump.before, *jump.sides, jump.is_rate)
            else:
                stops.append((jump.before, jump.after))
    kept: list[float] = []
    for before, after in sorted(set(stops)):
        if (corner is None or after < corner.t) and (not kept or before > kept[-1]):
            kept += [before, after]
    return Interruptions(np.array(kept), corner)


@final
@dataclass(frozen=True, slots=True)
class Jump:
    """Neighbouring times between which a law, its rate or its acceleration jumps.

    `sides` are the values before and after of what ends a run: of the law itself, or its rate.
    """

    before: float
    after: float
    sides: tuple[float, float]
    is_corner: bool
    is_rate: bool


def law_jumps(law: AbstractLaw, start: float, stop: float) -> list[Jump]:
    """The jumps of a law after `start` and before `stop`, rising; a corner is the last one."""
    graph = Graph()
    t = Expression(graph, graph.input("t"))
    one, zero = (Expression(graph, graph.constant(c)) for c in (1.0, 0.0))
    value = zero + law.value(t)
    switches = _switches(graph, value)
    if not switches or not stop > start:
        return []
    rate = zero + tangent([value], {t.node: one})[0]
    acceleration = zero + tangent([rate], {t.node: one})[0]
    tape = record_formula([t], [value, rate, acceleration, *switches])
    run = native_tape(tape)

    def at(times: FloatArray) -> FloatArray:
        values: FloatArray = run.evaluate_lanes(times.reshape(-1, 1), tape.outputs)
        return values

    times = np.linspace(start, stop, LOOKS)
    seen = at(times)
    sides = seen[:, 3:] > 0.0
    look, switch = np.nonzero(sides[1:] != sides[:-1])
    low, high, side = times[look], times[look + 1], sides[look, switch]
    while ((low < (middle := 0.5 * (low + high))) & (middle < high)).any():
        same = (at(middle)[np.arange(len(look)), 3 + switch] > 0.0) == side
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    low, high = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)  # on either side
    before, after = at(low)[:, :3], at(high)[:, :3]
    largest = np.maximum(np.abs(before), np.abs(after))
    allowed = JUMP * largest
    # what leaves zero has changed between neighbouring times, and not jumped
    allowed[:, :2] += WITHIN * (high - low)[:, None] * largest[:, 1:]
    # where terms cancel, as at the end of a rise, rounding is that of the terms
    for k in (0, 1, 2):
        allowed[:, k] = np.maximum(allowed[:, k], JUMP * _largest(seen[:, k]))
    jumps = np.abs(after - before) > allowed
    found: list[Jump] = []
    for k in np.argsort(low, kind="stable"):
        if jumps[k].any() and start < low[k] < stop:
            of = 0 if jumps[k, 0] else 1
            ends = (float(before[k, of]), float(after[k, of]))
            is_corner = bool(jumps[k, :2].any())
            found.append(Jump(float(low[k]), float(high[k]), ends, is_corner, of == 1))
            if is_corner:
                break
    return found


def _largest(values: FloatArray) -> float:
    """The largest of those that are finite."""
    sizes = np.abs(values[np.isfinite(values)])
    return float(sizes.max()) if len(sizes) else 0.0


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
            table = graph.tables[args[1]]
            breaks = np.union1d(table_jumps(table, 1), table_jumps(table, 2))
            found += [x - float(b) for b in breaks]
    return found

"""Making a system small: what is known is put in, what is linear is solved for.

A row is linear where its derivatives have no unknown in them. Every hinge of the plane is linear
in positions, cosines and sines, so a four-bar of twelve unknowns keeps four.

Every step keeps the set of solutions. A row is solved for an unknown only where the coefficient is
*sure*: proved not to be zero, by far. A row without unknowns contradicts only where its constant is
sure, and is dropped without a word only where it is zero exactly. What is neither is set aside and
bounded on all that is found without it.
"""

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import (
    Expression,
    Graph,
    Op,
    Part,
    record_parts,
    sparse_jacobian,
    substituted,
    supports,
)
from kempe.errors import BadConnection
from kempe.motion.equations.exact_numbers import Constant, Constants, with_exact_angles
from kempe.motion.equations.system import FullSystem, SystemRow, SystemUnknown
from kempe.motion.reduction.blocks import Block, RowsLeft, System
from kempe.motion.reduction.surplus import surplus_rows

Polynomial = dict[tuple[int, ...], Fraction]  # by the nodes that are multiplied, in order

MOST_TERMS = 128  # of a polynomial that is multiplied out; beyond, a node stands for itself


def formula_of(row: Expression, known: dict[int, Polynomial]) -> Hashable:
    """What two rows share only where one is a number, not zero, times the other, exactly.

    `known` holds what was multiplied out before on the same graph, by node.
    """
    terms = multiplied_out(row, known)
    if not terms:
        return frozenset[tuple[tuple[int, ...], Fraction]]()
    lead = terms[min(terms)]
    return frozenset((nodes, c / lead) for nodes, c in terms.items())


def multiplied_out(row: Expression, known: dict[int, Polynomial]) -> Polynomial:
    """A formula as a sum of products of nodes that are no sums or products themselves.

    `known` holds what was multiplied out before on the same graph, by node.
    """
    return _polynomial(row.graph, row.node, known)


def _polynomial(graph: Graph, node: int, known: dict[int, Polynomial]) -> Polynomial:
    if node not in known:
        made = _combined(graph, node, known)
        known[node] = {(node,): Fraction(1)} if len(made) > MOST_TERMS else made
    return known[node]


def _combined(graph: Graph, node: int, known: dict[int, Polynomial]) -> Polynomial:
    op, value = graph.ops[node], graph.constants.get(node)
    if value is not None:
        return {(): Fraction(value)} if value else {}
    if op not in (Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.SQR):
        return {(node,): Fraction(1)}
    parts = [_polynomial(graph, a, known) for a in graph.args[node]]
    if op == Op.NEG:
        return _scaled(parts[0], Fraction(-1))
    if op == Op.ADD:
        return _added(parts[0], parts[1])
    if op == Op.SUB:
        return _added(parts[0], _scaled(parts[1], Fraction(-1)))
    if op == Op.DIV:
        below = parts[1]
        if below.keys() == {()}:
            return _scaled(parts[0], 1 / below[()])
        return {(node,): Fraction(1)}
    a, b = parts[0], parts[-1]
    if len(a) * len(b) > MOST_TERMS:
        return {(node,): Fraction(1)}
    total: Polynomial = {}
    for m, x in a.items():
        for n, y in b.items():
            together = tuple(sorted((*m, *n)))
            total[together] = total.get(together, Fraction(0)) + x * y
    return {m: x for m, x in total.items() if x}


def _scaled(p: Polynomial, factor: Fraction) -> Polynomial:
    return {m: factor * x for m, x in p.items()}


def _added(a: Polynomial, b: Polynomial) -> Polynomial:
    total = dict(a)
    for m, x in b.items():
        total[m] = total.get(m, Fraction(0)) + x
    return {m: x for m, x in total.items() if x}


FloatArray = NDArray[np.float64]

# A pivot is at least this share of the largest coefficient of its row.
LEAST_PIVOT = 0.1
LEAST_OF_PLACES = 1e-3  # for positions, which nothing else may bound


def reduced(equations: FullSystem, freedom: int | None = None) -> System:
    """The system with every linear row solved for an unknown and put into the others.

    With a `freedom` that is wanted, rows that repeat others at solutions are left out for it.
    """
    return Reduction(equations).system(freedom)


def written(equations: FullSystem) -> tuple[list[SystemUnknown], list[SystemRow], list[set[int]]]:
    """Unknowns, rows, and which unknowns each row sees, what is defined put in; nothing solved."""
    known, extra = definitions(equations)
    rows = [*equations.equations, *extra]
    values = substituted([r.value for r in rows], known)
    left = [j for j, e in enumerate(equations.inputs) if e.node not in known]
    places = {equations.inputs[j].node: k for k, j in enumerate(left)}
    return [equations.unknowns[j] for j in left], rows, supports(equations.graph, values, places)


def definitions(equations: FullSystem) -> tuple[dict[int, Expression], list[SystemRow]]:
    """What defined unknowns are in terms of the others, and definitions that are rows after all."""
    known: dict[int, Expression] = {}
    rows: list[SystemRow] = []
    for definition in equations.definitions:
        node = definition.unknown.node
        (value,) = substituted([definition.value], known)
        (itself,) = supports(equations.graph, [value], {node: 0})
        if node in known or itself:
            rows.append(SystemRow(definition.unknown - value, definition.source))
            continue
        names = list(known)
        moved = substituted(list(known.values()), {node: value})
        known = dict(zip(names, moved, strict=True)) | {node: value}
    return known, rows


@final
@dataclass(slots=True, eq=False)
class _Linear:
    """sum coefficients[j] x_j + constant = 0."""

    coefficients: dict[int, Constant]
    constant: Constant
    source: str

    def less(self, other: "_Linear", j: int) -> None:
        """Subtract the multiple of another row that takes unknown j out of this one."""
        factor = self.coefficients.pop(j) / other.coefficients[j]
        for k, c in other.coefficients.items():
            if k == j:
                continue
            product = factor * c
            left = self.coefficients[k] - product if k in self.coefficients else None
            if left is None:
                zero = product - product
                left = zero - product
            self.coefficients[k] = left
            if left.is_zero:
                del self.coefficients[k]
        self.constant = self.constant - factor * other.constant


@final
class Reduction:
    """Equations without their linear rows: what is left, on the same graph."""

    def __init__(self, equations: FullSystem) -> None:
        self.graph = equations.graph
        self.form, self.notes = equations.form, tuple(equations.notes)
        self.halves, self.loose = equations.halves, equations.loose
        self.unknowns = list(equations.unknowns)
        self.inputs = list(equations.inputs)
        self.live = list(range(len(self.unknowns)))
        known, rows = definitions(equations)
        self.rows = _exact([*equations.equations, *rows])
        self.redundant = _exact(equations.redundant)
        self.sides = _exact(equations.sides)
        self.readings = dict(equations.readings)
        self.constants = Constants(self.graph)
        self.idle: list[str] = []
        self.aside: list[SystemRow] = []  # rows that repeat others as far as rounded numbers tell
        self.undecided = [source for source, _ in equations.doubts]
        # of undecided rows without unknowns, at most
        self.off = max((off for _, off in equations.doubts), default=0.0)
        self.rounded = equations.rounded
        self.contradiction = ""
        self.repeats: list[tuple[str, str]] = []  # sources: of a row that is dropped, of its twin
        self.groups_begun: set[str] = set()
        self.polynomials: dict[int, Polynomial] = {}  # of nodes, multiplied out
        told = {d.unknown.node: d.source for d in equations.definitions}
        names = {e.node: u.name for e, u in zip(self.inputs, self.unknowns, strict=True)}
        self.steps = [(names[node], told[node]) for node in known]
        self._put_in(known)
        self.live = [j for j in self.live if self.inputs[j].node not in known]
        while not self.contradiction and self._solve_linear_rows():
            pass
        self._settle_sides()

    def _solve_linear_rows(self) -> bool:
        """Solve the linear rows for unknowns and put them in; whether there were any."""
        self._drop_repeated()
        linear, others = self._sorted_rows()
        solved = self._eliminated(linear, others)
        self.rows = others + [_as_row(r, self.inputs) for r in linear if r.coefficients]
        places = {}
        for j, row in solved.items():
            pivot = row.coefficients.pop(j)
            places[self.inputs[j].node] = _solution(row, pivot, self.inputs)
            self.steps.append((self.unknowns[j].name, row.source))
        if solved:
            self._put_in(places)
            self.live = [j for j in self.live if j not in solved]
        return bool(solved)

    def _drop_repeated(self) -> None:
        """Leave out rows that are the same formula as another, but for a factor."""
        seen: dict[Hashable, str] = {}
        kept: list[SystemRow] = []
        for row in self.rows:
            formula = formula_of(row.value, self.polynomials)
            if formula in seen:
                self._leave_out(row.source)
                self.repeats.append((row.source, seen[formula]))
                continue
            seen[formula] = row.source
            kept.append(row)
        self.rows = kept

    def _leave_out(self, source: str) -> None:
        """Note a row that repeats others; with rounded numbers it may do so by chance."""
        (self.undecided if self.rounded else self.idle).append(source)

    def _sorted_rows(self) -> tuple[list[_Linear], list[SystemRow]]:
        one = Expression(self.graph, self.graph.constant(1.0))
        zero = Expression(self.graph, self.graph.constant(0.0))
        numbers = {self.inputs[j].node: j for j in self.live}
        jacobian = sparse_jacobian(
            [r.value for r in self.rows], {n: {j: one} for n, j in numbers.items()}
        )
        linear, others = [], []
        for row, entries in zip(self.rows, jacobian, strict=True):
            if any(supports(self.graph, list(entries.values()), numbers)):
                others.append(row)
                continue
            (rest,) = substituted([row.value], dict.fromkeys(numbers, zero))
            read = {j: self.constants(e) for j, e in entries.items()}
            kept = {j: c for j, c in read.items() if not c.is_zero}
            constant = self.constants(rest)
            if not all(math.isfinite(c.value) for c in (*kept.values(), constant)):
                raise BadConnection(
                    f"{row.source!r} has no meaning: it divides by a length or an angle that is"
                    " zero. A bar without length has no direction."
                )
            linear.append(_Linear(kept, constant, row.source))
        return linear, others

    def _eliminated(self, linear: list[_Linear], others: list[SystemRow]) -> dict[int, _Linear]:
        """Gauss-Jordan elimination in place: the rows that were solved, by their unknown."""
        numbers = {self.inputs[j].node: j for j in self.live}
        uses = dict.fromkeys(self.live, 0)
        for support in supports(self.graph, [r.value for r in others], numbers):
            for j in support:
                uses[j] += 1
        solved: dict[int, _Linear] = {}
        while not self.contradiction:
            self._drop_empty(linear)
            best = min(self._pivots(linear, uses), default=None)
            if best is None:
                break
            row, j = linear.pop(best[-2]), best[-1]
            self.groups_begun.add(_group(self.unknowns[j]))
            for other in [*linear, *solved.values()]:
                if j in other.coefficients:
                    other.less(row, j)
            solved[j] = row
        return solved

    def _drop_empty(self, linear: list[_Linear]) -> None:
        """Judge the rows that have no unknown for sure."""
        is_sure = self.constants.is_sure
        for row in [r for r in linear if not any(map(is_sure, r.coefficients.values()))]:
            is_empty = not row.coefficients
            if is_empty and row.constant.is_zero:
                self._leave_out(row.source)
            elif is_sure(row.constant):
                if is_empty:
                    self.contradiction = row.source
                    return
                continue  # a row of the search: only its unknowns' bounds can tell
            elif is_empty:
                self.undecided.append(row.source)
                low, high = self.constants.bounds(row.constant.expression)
                self.off = max(self.off, -low, high)
            else:
                self.aside.append(_as_row(row, self.inputs))
            linear.remove(row)

    def _pivots(
        self, linear: list[_Linear], uses: dict[int, int]
    ) -> list[tuple[bool, bool, int, float, int, int]]:
        """Possible pivots, the best of them smallest: (..., row, unknown)."""
        count: dict[int, int] = dict(uses)
        for row in linear:
            for j in row.coefficients:
                count[j] += 1
        found = []
        for r, row in enumerate(linear):
            largest = max((abs(c.value) for c in row.coefficients.values()), default=0.0)
            for j, c in row.coefficients.items():
                u = self.unknowns[j]
                least = LEAST_PIVOT if math.isfinite(u.low) else LEAST_OF_PLACES
                if u.is_limit or u.period or abs(c.value) < least * largest:
                    continue
                if not self.constants.is_sure(c):
                    continue
                fill = (len(row.coefficients) - 1) * (count[j] - 1)
                begun = _group(u) in self.groups_begun
                found.append((math.isfinite(u.low), not begun, fill, -abs(c.value), r, j))
        return found

    def _put_in(self, places: dict[int, Expression]) -> None:
        for rows in (self.rows, self.redundant, self.sides, self.aside):
            values = substituted([r.value for r in rows], places)
            rows[:] = [SystemRow(v, r.source) for v, r in zip(values, rows, strict=True)]
        names = list(self.readings)
        values = substituted(list(self.readings.values()), places)
        self.readings = dict(zip(names, values, strict=True))

    def _settle_sides(self) -> None:
        """Drop the sides that are positive whatever the unknowns are."""
        numbers = {self.inputs[j].node: j for j in self.live}
        found = supports(self.graph, [s.value for s in self.sides], numbers)
        kept = []
        for side, support in zip(self.sides, found, strict=True):
            low, high = (1.0, 1.0) if support else self.constants.bounds(side.value)
            if support:
                kept.append(side)
            elif high <= 0.0:
                self.contradiction = self.contradiction or side.source
            elif low <= 0.0:
                self.undecided.append(side.source)
        self.sides = kept

    def _doubtful(self) -> frozenset[str]:
        """Sources of rows that hold to rounding, if at all: left out, or repeating one that is."""
        found = {*self.undecided, *(row.source for row in self.aside)}
        while more := {own for own, twin in self.repeats if twin in found} - found:
            found |= more
        return frozenset(found)

    def system(self, freedom: int | None = None) -> System:
        """What is left, recorded.

        Where the equations leave less `freedom` than is asked for, those that repeat others at
        solutions are left out.
        """
        inputs = [self.inputs[j] for j in self.live]
        unknowns = tuple(self.unknowns[j] for j in self.live)
        left = RowsLeft(
            self.graph,
            unknowns,
            inputs,
            self.rows,
            self.redundant,
            self.sides,
            self.aside,
            self._doubtful(),
        )
        parts = left.parts()
        blocks = [left.block(places) for places in parts]
        if freedom is not None and not self.contradiction and _have_less(blocks, freedom):
            moving = freedom > 0
            blocks = [
                left.block(places, surplus_rows(block, moving=moving) if block.freedom <= 0 else ())
                for places, block in zip(parts, blocks, strict=True)
            ]
        readings = list(self.readings.values())
        return System(
            unknowns=unknowns,
            blocks=tuple(blocks),
            tape=record_parts(self.graph, inputs, [Part("readings", {"readings": readings})]).tape,
            readings=tuple(self.readings),
            idle=tuple(self.idle),
            undecided=(*self.undecided, *left.unplaced(parts)),
            off=self.off,
            contradiction=self.contradiction,
            left=left,
            steps=tuple(self.steps),
            form=self.form,
            notes=self.notes,
            halves=self.halves,
            loose=self.loose,
        )


def loosened(system: System, starts: Mapping[Block, FloatArray]) -> System:
    """The system without rows that repeat others at solutions near `starts` (k, n) of a block.

    Whatever is left out, what is left has all solutions of the system, and perhaps more.
    """
    blocks = []
    for block in system.blocks:
        if block in starts and block.freedom <= 0 and block.surplus is None:
            rows = surplus_rows(block, moving=True, starts=starts[block])
            blocks.append(system.left.block(list(block.places), rows))
        else:
            blocks.append(block)
    return replace(system, blocks=tuple(blocks))


def _have_less(blocks: list[Block], freedom: int) -> bool:
    found = [b.freedom for b in blocks]
    return sum(found) < freedom or min(found, default=0) < 0


def _exact(rows: list[SystemRow]) -> list[SystemRow]:
    """Rows in which multiples of 15 degrees have their exact cosines and sines."""
    values = with_exact_angles([r.value for r in rows])
    return [SystemRow(value, row.source) for value, row in zip(values, rows, strict=True)]


def _group(unknown: SystemUnknown) -> str:
    """The part that an unknown belongs to: 'coupler' of 'coupler.c'."""
    return unknown.name.rpartition(".")[0] or unknown.name


def _as_row(linear: _Linear, inputs: list[Expression]) -> SystemRow:
    return SystemRow(_sum(linear, inputs), linear.source)


def _sum(linear: _Linear, inputs: list[Expression]) -> Expression:
    total = linear.constant.expression
    for j, c in linear.coefficients.items():
        total = total + c.expression * inputs[j]
    return total


def _solution(row: _Linear, pivot: Constant, inputs: list[Expression]) -> Expression:
    """x_j of pivot x_j + rest = 0."""
    scaled = {k: c / pivot for k, c in row.coefficients.items()}
    return -_sum(_Linear(scaled, row.constant / pivot, row.source), inputs)

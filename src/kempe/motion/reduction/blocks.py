"""Blocks: a system in parts that no row connects, each recorded for the search."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Graph, Part, Tape, record_parts, sparse_jacobian, supports
from kempe.algebra.native import core, native_tape
from kempe.errors import Unbounded, UnsolvableKind
from kempe.frames.networks.network import joined
from kempe.motion.equations.system import SystemRow, SystemUnknown
from kempe.results.maps.certificate import CertifiedBlock

FloatArray = NDArray[np.float64]

ROOM = 2.0**-20  # beyond bounds that follow from rows which hold to 2^-44
# Charts are at most this share of the domain's largest side long, either way.
LONGEST_CHART = 0.25
BLUNT = 1e5  # whose last digits are some 1e-11
MIXTURE = "a sum of all rows"  # the source of an equation that is one


@final
@dataclass(frozen=True, slots=True, eq=False)
class Surplus:
    """Equations that repeat others wherever the mechanism moves, and are left out of the search.

    The tape gives their values, then their gradients and those of the block's equations, dense and
    row after row.
    """

    sources: tuple[str, ...]
    tape: Tape


@final
@dataclass(frozen=True, eq=False)
class Block:
    """Unknowns that only depend on each other: F(x) = 0 for x in a box, ready to be solved.

    The tape's inputs are the unknowns; its outputs are the equations, the redundant rows and the
    sides, in this order. What the core is given of it is made once and kept here.
    """

    places: tuple[int, ...]  # of the unknowns among the system's
    unknowns: tuple[SystemUnknown, ...]
    tape: Tape
    equations: tuple[str, ...]  # the source of every equation
    redundant: tuple[str, ...]
    sides: tuple[str, ...]
    surplus: Surplus | None = None
    bounding: Tape | None = None  # equations and all redundant rows, where some hold to rounding
    is_mixed: bool = False  # whether its equations are sums of the rows, which are redundant then

    @property
    def freedom(self) -> int:
        """How many more unknowns than equations there are."""
        return len(self.unknowns) - len(self.equations)

    @property
    def columns(self) -> slice | list[int]:
        """Its unknowns among the system's, as an index of columns; a slice where they adjoin."""
        first, last = self.places[0], self.places[-1] + 1
        adjoin = self.places == tuple(range(first, last))
        return slice(first, last) if adjoin else list(self.places)

    @property
    def longest_chart(self) -> float:
        """How long a chart of it may be, either way, in unknowns."""
        spans = [u.high - u.low for u in self.unknowns]
        return LONGEST_CHART * max([1.0, *(s for s in spans if s < math.inf)])

    @cached_property
    def certified(self) -> CertifiedBlock:
        """Its equations and bounds as a map keeps them."""
        unknowns = self.unknowns
        return CertifiedBlock(
            places=self.places,
            tape=self.tape,
            n_equations=len(self.equations),
            n_redundant=len(self.redundant),
            n_sides=len(self.sides),
            sources=self.equations,
            low=np.array([u.low for u in unknowns]),
            high=np.array([u.high for u in unknowns]),
            period=np.array([u.period for u in unknowns]),
            limited=np.array([float(u.is_limit) for u in unknowns]),
        )

    @cached_property
    def problem(self) -> "core.BoxProblem":
        """The problem that the core searches, unknowns bounded as far as the rows bound them."""
        of = self.certified
        bounds = (of.low, of.high) if self.bounding is None else self._reach(self.bounding)
        counts = [of.n_equations, of.n_redundant, of.n_sides]
        problem = self._problem(of.tape, of.tape.outputs, counts, bounds)
        if problem.unbounded is not None:
            name = self.unknowns[problem.unbounded].name
            raise Unbounded(
                f"nothing bounds {name!r}: a search for all positions needs a limit. Give one to"
                f" what slides, for example limits={{{name!r}: (0, '80 mm')}}.",
                unknown=name,
            )
        return problem

    def _reach(self, tape: Tape) -> tuple[FloatArray, FloatArray]:
        """Bounds of the unknowns, with room, that follow from rows which hold to rounding.

        Rows that contradict others, in the last digit, are not asked.
        """
        of, m = self.certified, self.certified.n_equations
        asked = list(range(m))
        low, high = of.low, of.high
        for row in range(m, len(tape.outputs)):
            outputs = tape.outputs[[*asked, row]]
            problem = self._problem(tape, outputs, [m, len(outputs) - m, 0], (of.low, of.high))
            domain = problem.domain()
            if (domain.low[0] <= domain.high[0]).all():
                asked, low, high = [*asked, row], domain.low[0], domain.high[0]
        return (
            np.where(np.isinf(of.low), low - ROOM * (1.0 + np.abs(low)), of.low),
            np.where(np.isinf(of.high), high + ROOM * (1.0 + np.abs(high)), of.high),
        )

    def _problem(
        self,
        tape: Tape,
        outputs: NDArray[np.int32],
        counts: list[int],
        bounds: tuple[FloatArray, FloatArray],
    ) -> "core.BoxProblem":
        of, rows = self.certified, np.ascontiguousarray(outputs)
        try:
            return core.BoxProblem(native_tape(tape), rows, counts, *bounds, of.period, of.limited)
        except ValueError as trouble:
            raise UnsolvableKind(
                f"the certified search cannot use these equations: {trouble}."
            ) from None


@final
@dataclass(frozen=True, slots=True)
class RowsLeft:
    """What is left of a system: unknowns by place, and its rows by kind."""

    graph: Graph
    unknowns: Sequence[SystemUnknown]
    inputs: Sequence[Expression]
    rows: Sequence[SystemRow]
    redundant: Sequence[SystemRow]
    sides: Sequence[SystemRow]
    aside: Sequence[SystemRow] = ()  # rows that are left out of every search
    doubtful: frozenset[str] = frozenset()  # sources of rows that hold to rounding, if at all

    def parts(self) -> list[list[int]]:
        """The unknowns, by place, in groups that no row connects."""
        seen = self._seen((*self.rows, *self.redundant, *self.sides))
        alone = ({k} for k in range(len(self.inputs)))
        return joined([*alone, *(set(support) for _, support in seen if support)])

    def block(self, places: list[int], left_out: Collection[int] = ()) -> Block:
        """The block of some unknowns, without the equations of these numbers."""
        mine = set(places)
        equations, redundant, sides = (
            [r for r, seen in self._seen(rows) if seen and seen <= mine]
            for rows in (self.rows, self.redundant, self.sides)
        )
        kept = [r for k, r in enumerate(equations) if k not in left_out]
        aside = [r for r, seen in self._seen(self.aside) if seen and seen <= mine]
        # Redundant rows follow from rows of their own word, of words that it repeats, and from the
        # circles of its bodies. What was left out of these holds to rounding, and so do they: a
        # search that believed them could find that nothing solves it.
        implied = redundant
        if left_out or aside:
            redundant = []
        redundant = [r for r in redundant if r.source not in self.doubtful]
        inputs = [self.inputs[k] for k in places]
        is_doubtful = len(redundant) < len(implied)
        return Block(
            places=tuple(places),
            unknowns=tuple(self.unknowns[k] for k in places),
            tape=self._tape(inputs, (*kept, *redundant, *sides)),
            equations=tuple(r.source for r in kept),
            redundant=tuple(r.source for r in redundant),
            sides=tuple(r.source for r in sides),
            surplus=self._surplus(
                inputs, kept, [*(equations[k] for k in sorted(left_out)), *aside]
            ),
            bounding=self._tape(inputs, (*kept, *implied)) if is_doubtful else None,
        )

    def count(self, places: Sequence[int]) -> int:
        """How many equations the block of some unknowns has, none left out."""
        return len(self.equations_of(places))

    def equations_of(self, places: Sequence[int]) -> list[SystemRow]:
        """The equations of the block of some unknowns, none left out."""
        mine = set(places)
        return [r for r, seen in self._seen(self.rows) if seen and seen <= mine]

    def mixed(self, places: list[int], mixture: FloatArray) -> Block:
        """The block of some unknowns whose equations are sums of all rows, by (m, rows) factors.

        The rows themselves are redundant. They hold to rounding, so the search sees each with an
        exact zero added that its intervals enclose within some 1e-11.
        """
        mine = set(places)
        rows, sides = (
            [r for r, seen in self._seen(own) if seen and seen <= mine]
            for own in (self.rows, self.sides)
        )
        sums = [
            SystemRow(_total([r.value * c for r, c in zip(rows, factors, strict=True)]), MIXTURE)
            for factors in mixture.tolist()
        ]
        inputs, blunt = [self.inputs[k] for k in places], self._blunt_zero()
        seen_so = [SystemRow(r.value + blunt, r.source) for r in rows]
        return Block(
            places=tuple(places),
            unknowns=tuple(self.unknowns[k] for k in places),
            tape=self._tape(inputs, (*sums, *seen_so, *sides)),
            equations=tuple(r.source for r in sums),
            redundant=tuple(r.source for r in rows),
            sides=tuple(r.source for r in sides),
            surplus=self._surplus(inputs, sums, rows),
            is_mixed=True,
        )

    def _blunt_zero(self) -> Expression:
        """a / 3 - a (1 / 3), which is zero, and in intervals about 1e-11 wide."""
        a, three, one = (Expression(self.graph, self.graph.constant(x)) for x in (BLUNT, 3.0, 1.0))
        return a / three - a * (one / three)

    def _tape(self, inputs: list[Expression], rows: Sequence[SystemRow]) -> Tape:
        outputs = [r.value for r in rows]
        return record_parts(self.graph, inputs, [Part("rows", {"rows": outputs})]).tape

    def unplaced(self, parts: Sequence[Sequence[int]]) -> list[str]:
        """Sources of rows left out of every search that no single block can bound."""
        blocks = [set(places) for places in parts]
        return [
            r.source
            for r, seen in self._seen(self.aside)
            if not seen or not any(seen <= mine for mine in blocks)
        ]

    def _surplus(
        self, inputs: list[Expression], kept: list[SystemRow], left_out: list[SystemRow]
    ) -> Surplus | None:
        if not left_out:
            return None
        values = [r.value for r in left_out]
        one, zero = (Expression(self.graph, self.graph.constant(x)) for x in (1.0, 0.0))
        seeds = {e.node: {k: one} for k, e in enumerate(inputs)}
        gradients = sparse_jacobian(values + [r.value for r in kept], seeds)
        outputs = values + [row.get(k, zero) for row in gradients for k in range(len(inputs))]
        tape = record_parts(self.graph, inputs, [Part("surplus", {"surplus": outputs})]).tape
        return Surplus(tuple(r.source for r in left_out), tape)

    def _seen(self, rows: Sequence[SystemRow]) -> list[tuple[SystemRow, set[int]]]:
        numbers = {e.node: k for k, e in enumerate(self.inputs)}
        found = supports(self.graph, [r.value for r in rows], numbers)
        return list(zip(rows, found, strict=True))


def _total(terms: Sequence[Expression]) -> Expression:
    return sum(terms[1:], terms[0])


@final
@dataclass(frozen=True, slots=True, eq=False)
class System:
    """A mechanism's blocks: its solutions are all combinations of theirs.

    The tape gives the readings, in order, from all unknowns.
    """

    unknowns: tuple[SystemUnknown, ...]
    blocks: tuple[Block, ...]
    tape: Tape
    readings: tuple[str, ...]  # names
    left: RowsLeft  # from which blocks are made anew
    idle: tuple[str, ...] = ()  # sources of rows that repeat others exactly and were left out
    undecided: tuple[str, ...] = ()  # sources of rows that repeat others to rounding, unproved
    off: float = 0.0  # what those without unknowns are off by, at most
    contradiction: str = ""  # source of a row that no unknown can make vanish
    steps: tuple[tuple[str, str], ...] = ()  # unknowns that were eliminated, and by which row
    form: str = ""  # what the unknowns of a mechanism in space are, in words
    halves: tuple[str, ...] = ()  # unknowns of which x and -x are one position, searched from 0 on
    notes: tuple[str, ...] = ()  # what a list of its solutions leaves out
    loose: tuple[str, ...] = ()  # bodies that are shown turned in one way of several

    @property
    def freedom(self) -> int:
        """How many more unknowns than equations there are."""
        return sum(block.freedom for block in self.blocks)

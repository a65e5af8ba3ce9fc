"""Blocks: a system in parts that no row connects, each recorded for the search."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import final

from kempe.algebra import Expression, Graph, Part, Tape, record, sparse_jacobian, supports
from kempe.motion.equations.system import Block, Row, Surplus, Unknown


@final
@dataclass(frozen=True, slots=True)
class Sorted:
    """What is left of a system: unknowns by place, and its rows by kind."""

    graph: Graph
    unknowns: Sequence[Unknown]
    inputs: Sequence[Expression]
    rows: Sequence[Row]
    redundant: Sequence[Row]
    sides: Sequence[Row]
    aside: Sequence[Row] = ()  # rows that are left out of every search
    doubtful: frozenset[str] = frozenset()  # sources of rows that hold to rounding, if at all

    def parts(self) -> list[list[int]]:
        """The unknowns, by place, in groups that no row connects."""
        leader = list(range(len(self.inputs)))

        def lead(k: int) -> int:
            while leader[k] != k:
                k = leader[k]
            return k

        for _, support in self._seen((*self.rows, *self.redundant, *self.sides)):
            first, *rest = sorted(lead(k) for k in support) or [0]
            for k in rest:
                leader[k] = first
        parts: dict[int, list[int]] = {}
        for k in range(len(self.inputs)):
            parts.setdefault(lead(k), []).append(k)
        return list(parts.values())

    def block(self, places: list[int], left_out: Collection[int] = ()) -> Block:
        """The block of some unknowns, without the equations of these numbers."""
        mine = set(places)
        equations, redundant, sides = (
            [r for r, seen in self._seen(rows) if seen and seen <= mine]
            for rows in (self.rows, self.redundant, self.sides)
        )
        kept = [r for k, r in enumerate(equations) if k not in left_out]
        aside = [r for r, seen in self._seen(self.aside) if seen and seen <= mine]
        implied, redundant = redundant, self._implied(redundant, [*left_out, *aside])
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

    def _tape(self, inputs: list[Expression], rows: Sequence[Row]) -> Tape:
        outputs = [r.value for r in rows]
        return record(self.graph, inputs, [Part("rows", {"rows": outputs})]).tape

    def _implied(self, redundant: list[Row], left_out: list[object]) -> list[Row]:
        """Redundant rows that follow from the rows of the search.

        They follow from rows of their own word, of words that it repeats, and from the circles of
        its bodies. What was left out of these holds to rounding, and so do they: a search that
        believed them could find that nothing solves it. So none is believed in a block without all
        of its rows, and elsewhere none of a word that is `doubtful`.
        """
        return [] if left_out else [r for r in redundant if r.source not in self.doubtful]

    def unplaced(self, parts: Sequence[Sequence[int]]) -> list[str]:
        """Sources of rows left out of every search that no single block can bound."""
        blocks = [set(places) for places in parts]
        return [
            r.source
            for r, seen in self._seen(self.aside)
            if not seen or not any(seen <= mine for mine in blocks)
        ]

    def _surplus(
        self, inputs: list[Expression], kept: list[Row], left_out: list[Row]
    ) -> Surplus | None:
        if not left_out:
            return None
        values = [r.value for r in left_out]
        outputs = values + self._gradients(inputs, values + [r.value for r in kept])
        tape = record(self.graph, inputs, [Part("surplus", {"surplus": outputs})]).tape
        return Surplus(tuple(r.source for r in left_out), tape)

    def _gradients(self, inputs: list[Expression], values: list[Expression]) -> list[Expression]:
        """Row after row."""
        one, zero = (Expression(self.graph, self.graph.constant(x)) for x in (1.0, 0.0))
        seeds = {e.node: {k: one} for k, e in enumerate(inputs)}
        rows = sparse_jacobian(values, seeds)
        return [entries.get(k, zero) for entries in rows for k in range(len(inputs))]

    def _seen(self, rows: Sequence[Row]) -> list[tuple[Row, set[int]]]:
        numbers = {e.node: k for k, e in enumerate(self.inputs)}
        found = supports(self.graph, [r.value for r in rows], numbers)
        return list(zip(rows, found, strict=True))

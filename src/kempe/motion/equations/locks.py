"""Bodies that cannot turn against each other: one cosine-sine pair serves them all.

A slider's row p cos d + q sin d = 0, d the angle between two bodies, has two solutions half a turn
apart. The joint's sides say which one is meant; then both cosine and sine of one body are linear in
those of the other, and its circle is implied.
"""

import math
from collections.abc import Sequence
from typing import final

from kempe.algebra import Expression, sparse_jacobian, substituted, supports
from kempe.geometry import GROUND
from kempe.motion.equations.constants import Constant, Constants
from kempe.motion.equations.sources import circle
from kempe.motion.equations.system import Equations

Pair = tuple[Expression, Expression]  # cosine, sine
SURELY = 1e-9  # of a side's size: its sign is no rounding


@final
class Locks:
    """The cosine-sine pairs of bodies, and which of them are turned along by another."""

    def __init__(self, equations: Equations) -> None:
        self.equations = equations
        self.pairs: dict[str, Pair] = {}
        self.leader: dict[str, str] = {GROUND: GROUND}

    def turning(self, body: str, c: Expression, s: Expression) -> None:
        """A body of its own."""
        self.pairs[body] = (c, s)
        self.leader[body] = body

    def finish(self) -> None:
        """c^2 + s^2 = 1 for every body that leads."""
        for body, (c, s) in self.pairs.items():
            if self._leader(body) == body:
                self.equations.equate(c * c + s * s - 1.0, circle(body))

    def lock(self, row: Expression, source: str, sides: Sequence[Expression]) -> bool:
        """Replace a row that locks two bodies by linear ones; False where it does not."""
        found = self._bodies(row)
        if found is None or not sides:
            return False
        first, second = found
        if self._leader(first) == self._leader(second):
            return False
        turn = self._turn(row, first, second)
        if turn is None:
            return False
        p, q = turn
        constants = Constants(row.graph)
        if not (constants.is_sure(p) or constants.is_sure(q)):
            return False  # it may be no row at all
        length = (p * p + q * q).expression.sqrt()
        cosine, sine = (-q.expression) / length, p.expression / length
        sign = self._sign(sides, first, second, (-q.value, p.value))
        if sign == 0.0:
            return False
        if sign < 0.0:
            cosine, sine = -cosine, -sine
        cJ, sJ = self.pairs[second]
        cI, sI = self._pair(first)
        self.equations.equate(cJ - (cosine * cI - sine * sI), source)
        self.equations.equate(sJ - (sine * cI + cosine * sI), source)
        self.leader[self._leader(second)] = self._leader(first)
        return True

    def _leader(self, body: str) -> str:
        while self.leader[body] != body:
            body = self.leader[body]
        return body

    def _pair(self, body: str) -> Pair:
        if body == GROUND:
            number = self.equations.number
            return number(1.0), number(0.0)
        return self.pairs[body]

    def _bodies(self, row: Expression) -> tuple[str, str] | None:
        """The two bodies whose turns alone the row sees, the ground first where it is one."""
        owner = {e.node: body for body, pair in self.pairs.items() for e in pair}
        nodes = {e.node: k for k, e in enumerate(self.equations.inputs)}
        inputs = self.equations.inputs
        (support,) = supports(row.graph, [row], nodes)
        names = [owner.get(inputs[k].node) for k in support]
        bodies = sorted({name for name in names if name is not None})
        if None in names or not 1 <= len(bodies) <= 2:
            return None
        return (GROUND, bodies[0]) if len(bodies) == 1 else (bodies[0], bodies[1])

    def _turn(self, row: Expression, first: str, second: str) -> tuple[Constant, Constant] | None:
        """(p, q) where row = p cos d + q sin d exactly, d being second's angle against first's."""
        constants = Constants(row.graph)
        zero, one = self.equations.number(0.0), self.equations.number(1.0)
        cJ, sJ = self.pairs[second]
        pairs = [*self.pairs[second], *(self.pairs[first] if first != GROUND else ())]
        seeds = {e.node: {k: one} for k, e in enumerate(pairs)}
        (entries,) = sparse_jacobian([row], {e.node: {k: one} for k, e in enumerate((cJ, sJ))})
        in_c, in_s = entries.get(0, zero), entries.get(1, zero)
        (rest,) = substituted([row], {cJ.node: zero, sJ.node: zero})
        if not rest.is_zero:
            return None
        if first == GROUND:
            if any(supports(row.graph, [in_c, in_s], {e.node: k for k, e in enumerate(pairs)})):
                return None
            return constants(in_c), constants(in_s)
        second_order = sparse_jacobian([in_c, in_s], seeds)
        flat = [e for line in second_order for e in line.values()]
        if any(supports(row.graph, flat, {e.node: k for k, e in enumerate(pairs)})):
            return None
        cc, cs, sc, ss = (
            constants(second_order[k].get(j, zero)) for k, j in ((0, 2), (0, 3), (1, 2), (1, 3))
        )
        exact = (cc - ss).is_zero and (cs + sc).is_zero
        own = any(j in line for line in second_order for j in (0, 1))
        at_rest = substituted([in_c, in_s], {e.node: zero for e in self.pairs[first]})
        if not exact or own or not all(e.is_zero for e in at_rest):
            return None
        return cc, sc

    def _sign(
        self, sides: Sequence[Expression], first: str, second: str, turn: tuple[float, float]
    ) -> float:
        """1 where the sides are positive at this turn of second against first, -1 at its opposite.

        0 where the sides do not tell.
        """
        number = self.equations.number
        places = {e.node: number(v) for e, v in zip(self.pairs[second], turn, strict=True)}
        if first != GROUND:
            places |= {
                e.node: number(v) for e, v in zip(self.pairs[first], (1.0, 0.0), strict=True)
            }
        nodes = {e.node: k for k, e in enumerate(self.equations.inputs)}
        constants = Constants(sides[0].graph)
        put = substituted([s for s in sides if s.constant is None], places)
        told = [e for e in put if not supports(e.graph, [e], nodes)[0]]
        values = [constants(e).value for e in told]
        sure = SURELY * math.hypot(*turn)  # far beyond what roundings do to a side
        if values and all(v > sure for v in values):
            return 1.0
        return -1.0 if values and all(v < -sure for v in values) else 0.0

"""Rows in another form with the same solutions, which is regular or of lower degree.

*Locks*: a slider's row p cos d + q sin d = 0, d the angle between two bodies, has two solutions
half a turn apart. The joint's sides say which one is meant; then cosine and sine of one body are
linear in those of the other, and its circle is implied.

*Slides*: a guide says d . b = offset, d from one marker to the other. With d . a held as well, a
square to b, d itself is known in the frame of the first marker: linear in its cosine and sine.

*Directions*: a bar that changes its length is B = A + r w, |w| = 1. What is said of its line sees w
alone, is regular where the bar is short, and needs no denominator. (r, w) and the vector are one to
one where r > 0; the bounds of r say which bars have a direction.

*Denominators*: A / B = 0 and B > 0 is A = 0 and B > 0. Constraints on bars say by their `arrows`
which lengths they divide by; those are kept positive beside the row, so clearing it loses nothing.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from kempe.algebra import Expression, Op, record_formula, sparse_jacobian, substituted, supports
from kempe.algebra.expression import lifted
from kempe.algebra.native import native_tape
from kempe.algebra.operations import CONSTANT
from kempe.compile.layout.numbers import in_plane, marker_pose
from kempe.constraints import AbstractBarConstraint, AbstractConstraint, InPlane, OnLine, Parted
from kempe.geometry import GROUND, Axis, Marker, Pose, Vector
from kempe.measures import Gauge
from kempe.motion.equations.exact_numbers import Constant, Constants
from kempe.motion.equations.system import FullSystem, SystemRow, circle

Pair = tuple[Expression, Expression]  # cosine, sine
SURELY = 1e-9  # of a side's size: its sign is no rounding


@final
class Locks:
    """The cosine-sine pairs of bodies, and which of them are turned along by another."""

    def __init__(self, equations: FullSystem) -> None:
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


Guide = tuple[Axis, Any]  # b and the offset


@final
class Slides:
    """The guides of a system that is being written, and what is held or limited along them."""

    def __init__(self, writing: Any) -> None:
        self.writing = writing
        # By the markers of a joint: (b, offset, row).
        self.guides: dict[tuple[Marker, Marker], tuple[Axis, Any, SystemRow]] = {}

    def place(
        self, a: Axis, markers: tuple[Marker, Marker], value: Expression, source: str
    ) -> bool:
        """Hold a slide by where it then is; False where no guide keeps it beside its axis.

        d . a = value and d . b = offset, b square to a and as long, is d = (value a + offset b) /
        a^2 as turns keep lengths: two rows that are linear in positions, cosines and sines.
        """
        found = self._guide(a, markers)
        if found is None:
            return False
        b, offset, square, row = found
        self.writing.equations.equations.remove(row)
        del self.guides[in_plane(markers[0]), in_plane(markers[1])]
        X_WI, X_WJ = self.writing.poses(markers)
        d = X_WJ.position - X_WI.position
        to = X_WI.axis(a) * (value / square) + X_WI.axis(b) * (offset / square)
        for was, there in ((d.x, to.x), (d.y, to.y)):
            self.writing.row(self.writing.scaled(self.writing.lifted(was - there), "m"), source, ())
        return True

    def _guide(
        self, a: Axis, markers: tuple[Marker, Marker]
    ) -> tuple[Axis, Expression, Expression, SystemRow] | None:
        """(b, offset, a^2, row) of the row d . b = offset, where b is axis a by a quarter turn."""
        I, J = map(in_plane, markers)  # as the layout has those of its joints
        if (I, J) not in self.guides:
            return None
        b, offset, row = self.guides[I, J]
        rotation = marker_pose(I, self.writing.numbers(I)).rotation
        (ax, ay, az), (bx, by, _) = (
            [self.writing.lifted(e) for e in rotation.axis(axis)] for axis in (a, b)
        )
        zero = Constants(self.writing.equations.graph)
        quarters = ((bx + ay, by - ax), (bx - ay, by + ax))
        if not az.is_zero or not any(all(zero(e).is_zero for e in pair) for pair in quarters):
            return None
        return b, self.writing.lifted(offset), ax * ax + ay * ay, row

    def bound(self, gauge: Gauge, a: Axis, u: Expression) -> None:
        """d^2 a^2 = (d . a)^2 + offset^2, which bounds a slide on a guide in all directions."""
        found = self._guide(a, (gauge.I, gauge.J))
        if found is None:
            return
        _, offset, square, _ = found
        X_WI, X_WJ = self.writing.poses((gauge.I, gauge.J))
        d = X_WJ.position - X_WI.position
        ends = [self.writing.scaled(self.writing.lifted(e), "m") for e in (d.x, d.y, offset)]
        self.writing.equations.imply(
            (ends[0] * ends[0] + ends[1] * ends[1]) * square - u * u - ends[2] * ends[2], gauge.name
        )


def guides_of(constraint: AbstractConstraint) -> list[Guide | None]:
    """For every row of a constraint: the axis b and the offset where it says d . b = offset."""
    if isinstance(constraint, InPlane):
        return [(constraint.n, constraint.offset)]
    if isinstance(constraint, OnLine):
        return [(axis, 0.0) for axis in constraint.a.others]
    return [None] * len(constraint.rows)


# Cosine and sine never leave [-1, 1]; a little room keeps their turning points off the edge.
ROOM = 1.125
# A bar shorter than this share of the machine's size (a power of two) has no direction.
SHORTEST = 2.0**-20

Place = tuple[str, tuple[float, ...]]  # a body and a point of it


def place_of(marker: Marker) -> Place:
    """Where a bar starts or ends: markers at one point of one body are one place."""
    return marker.body, tuple(float(e) for e in marker.position)


@final
class Directions:
    """The directions of a mechanism's bars, while its equations are written."""

    def __init__(self, equations: FullSystem, scale: float, *, plane: bool) -> None:
        self.equations, self.scale, self.plane = equations, scale, plane
        self.multipliers = 0
        self.known: dict[tuple[Place, Place], Vector] = {}

    def put_into(
        self, own: AbstractBarConstraint, X: list[Pose], markers: tuple[Marker, ...], source: str
    ) -> tuple[AbstractBarConstraint, list[Vector]]:
        """The constraint and its bars' vectors: a flexible one has its direction, and length 1.

        Bars that are part of one body cannot vanish, and stay as they are.
        """
        vectors = own.vectors(*X)
        if not own.sees_lines:
            return own, vectors
        lengths = {}
        for k, bar in enumerate(own.bars):
            start, end = markers[bar.start], markers[bar.end]
            if own.is_flexible(bar) and start.body != end.body:
                ends = place_of(start), place_of(end)
                vectors[k] = self._along(ends, vectors[k], f"{source}.{bar.length}", source)
                lengths[bar.length] = self.equations.number(self.scale)
        return own.with_lengths(lengths), vectors

    def _along(self, ends: tuple[Place, Place], u: Vector, name: str, source: str) -> Vector:
        """w, as long as the machine's unit, of a bar with the vector u."""
        if ends in self.known:
            return self.known[ends]
        if ends[::-1] in self.known:
            return -self.known[ends[::-1]]
        e, unit = self.equations, self.equations.number(self.scale)
        r = e.unknown(f"{name}.length", SHORTEST, is_limit=True)
        words = "cs" if self.plane else "xyz"
        w = [e.unknown(f"{name}.{part}", -ROOM, ROOM) for part in words]
        d = [lifted(e.graph, part) / unit for part in (*u,)[: len(w)]]
        for along, part in zip(d, w, strict=True):
            e.equate(along - r * part, source)
        e.equate(_dot(w, w) - e.number(1.0), source)
        e.imply(r * r - _dot(d, d), source)
        for j, k in itertools.combinations(range(len(w)), 2):
            e.imply(d[j] * w[k] - d[k] * w[j], source)
        zero: Expression = e.number(0.0)
        self.known[ends] = Vector(*(self.scale * part for part in w), *[zero] * (3 - len(w)))
        return self.known[ends]

    def off_bar(self, bar: Vector, parted: Parted, source: str) -> list[Expression]:
        """Rows without cross products: a = m w of every vector a along the bar, and the others.

        w is the bar over the machine's unit, m an unknown of its own: m w . w = a . w bounds it.
        """
        e, unit = self.equations, self.equations.number(self.scale)
        w = [lifted(e.graph, part) / unit for part in bar]
        rows = []
        for a, kind in parted.along:
            size = unit if kind == "m" else e.number(1.0)
            d = [lifted(e.graph, part) / size for part in a]
            self.multipliers += 1
            m = e.unknown(f"{source}.along{self.multipliers}")
            rows += [(along - m * part) * size for along, part in zip(d, w, strict=True)]
            e.imply(m * _dot(w, w) - _dot(d, w), source)
        return rows + [lifted(e.graph, row) for row, _ in parted.others]


def _dot(a: Sequence[Expression], b: Sequence[Expression]) -> Expression:
    products = [x * y for x, y in zip(a, b, strict=True)]
    return sum(products[1:], products[0])


SEED, SAMPLES = 7, 9  # of the places where the size of a denominator is looked at
Quotient = tuple[Expression, Expression | None]  # above, and below where that is not 1


def cleared(row: Expression, unknowns: Sequence[Expression]) -> Expression:
    """The row times the denominators with unknowns of its outermost sums, but for a power of two.

    The power makes those denominators of the size of 1, whatever unit they are in.
    """
    above, below = _quotient(row, {e.node: k for k, e in enumerate(unknowns)})
    if below is None:
        return above
    tape = record_formula(list(unknowns), [below])
    somewhere = np.random.default_rng(SEED).uniform(0.5, 1.0, (SAMPLES, len(unknowns)))
    sizes = np.abs(native_tape(tape).evaluate(somewhere, tape.outputs))
    usual = float(np.median(sizes))
    if not 0.0 < usual < math.inf:
        return above
    return above / Expression(row.graph, row.graph.constant(2.0 ** round(math.log2(usual))))


def _quotient(e: Expression, unknowns: Mapping[int, int]) -> Quotient:
    graph, op = e.graph, e.graph.ops[e.node]
    if op not in (Op.NEG, Op.DIV, Op.ADD, Op.SUB, Op.MUL) or not _sees(e, unknowns):
        return e, None
    args = [Expression(graph, a) for a in graph.args[e.node]]
    if op == Op.NEG:
        above, below = _quotient(args[0], unknowns)
        return -above, below
    if op == Op.DIV:
        above, below = _quotient(args[0], unknowns)
        if not _sees(args[1], unknowns):
            return above / args[1], below
        return above, args[1] if below is None else below * args[1]
    if op == Op.MUL:
        scale, rest = sorted(args, key=lambda a: graph.ops[a.node] != CONSTANT)
        if graph.ops[scale.node] != CONSTANT:
            return e, None
        above, below = _quotient(rest, unknowns)
        return scale * above, below
    (p, q), (r, s) = (_quotient(a, unknowns) for a in args)
    if q is None and s is None:
        return e, None
    first = p if s is None else p * s
    second = r if q is None else r * q
    below = q if s is None else s if q is None else q * s
    return (first + second if op == Op.ADD else first - second), below


def _sees(e: Expression, unknowns: Mapping[int, int]) -> bool:
    return bool(supports(e.graph, [e], unknowns)[0])

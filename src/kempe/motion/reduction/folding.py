"""Limits folded away: a surface that limits cut off becomes one without a rim.

Where a number g of the unknowns is positive between two limits and zero on both, an unknown s of
its own is added with s^2 = g. Every position inside has two places then, s and -s, and one where a
limit is met: what lies between the limits is glued to its mirror image along its rim. That has no
rim, and is smooth wherever the surface crosses the limit at an angle.

Own: the double of a surface with a boundary, written as equations.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

import numpy as np

from kempe.algebra import Expression, Op, Part, record_parts, substituted, supports
from kempe.algebra.native import native_tape
from kempe.motion.equations.system import SystemRow, SystemUnknown
from kempe.motion.reduction.blocks import Block, RowsLeft
from kempe.motion.reduction.reduction import Polynomial, multiplied_out
from kempe.motion.reduction.surplus import NumericRows

ROUNDED = 1e-9  # of a length of 1 at solutions that Newton's method found: far above rounding
ROOM = 0.125  # of the way between limits: beyond them, where no row lets an unknown be
STEEPEST = 16.0  # of a factor that widens a fold: for limits with a gap of some 0.1 rad


@final
@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """An unknown between limits, by place, and the one that tells the two sides of the fold apart.

    A limit that is none is infinite. `room` is what the square of the mirror unknown is.
    """

    place: int
    mirror: int
    low: float
    high: float
    room: Expression

    @property
    def ends(self) -> tuple[float, ...]:
        """The limits there are."""
        return tuple(end for end in (self.low, self.high) if math.isfinite(end))


def folded(
    left: RowsLeft, places: Collection[int], *, in_space: bool
) -> tuple[RowsLeft, tuple[Fold, ...], frozenset[int]]:
    """The rows without limits of the unknowns in some places, how they were folded, what is gone.

    A limited angle is known by its cosine and sine; it is no unknown of the rows any more. That
    these make a unit arm is proved of rows of the plane; in space, where directions are rounded, it
    is seen at solutions.
    """
    block = left.block(sorted(places)) if in_space else None
    folds: list[Fold] = []
    gone: set[int] = set()
    for place in sorted(places):
        u = left.unknowns[place]
        if not u.is_limit:
            continue
        room = _room_of_angle(left, place, block)
        if room is None:
            room = _room(left, place)
            left = _loosened(left, place)
        else:
            left = _without(left, place)
            gone.add(place)
        folds.append(Fold(place, len(left.unknowns), u.low, u.high, room))
        left = _mirrored(left, u, room)
    return left, tuple(folds), frozenset(gone)


def held_at(left: RowsLeft, place: int, value: float) -> RowsLeft:
    """The rows, with an unknown that was limited held at a value; other limits stay."""
    row = left.inputs[place] - _number(left, value)
    left = _loosened(left, place)
    return replace(left, rows=[*left.rows, SystemRow(row, _source(left.unknowns[place]))])


def _room(left: RowsLeft, place: int) -> Expression:
    """What is positive between the limits of an unknown: (u - low) (high - u), or either."""
    u, at = left.unknowns[place], left.inputs[place]
    above = [at - _number(left, u.low)] if math.isfinite(u.low) else []
    below = [_number(left, u.high) - at] if math.isfinite(u.high) else []
    factors = [*above, *below]
    return factors[0] if len(factors) == 1 else factors[0] * factors[1]


def _room_of_angle(left: RowsLeft, place: int, block: Block | None) -> Expression | None:
    """cos(a - m) - cos(w / 2) of a limited angle a, m its middle and w its width, times a length.

    The angle is that of an arm (x, y), of which cos(a - m) is x cos m + y sin m over its length:
    None where an unknown is no such angle.
    """
    u, graph = left.unknowns[place], left.graph
    own = left.inputs[place].node
    seeing = [k for k, args in enumerate(graph.args) if own in args]
    if not seeing or any(graph.ops[k] not in (Op.SIN, Op.COS) for k in seeing):
        return None
    sides = [s for s in left.sides if supports(graph, [s.value], {own: 0})[0]]
    rows = [r for r in left.rows if supports(graph, [r.value], {own: 0})[0]]
    if len(sides) != 1 or len(rows) != 1:
        return None
    one, zero = _number(left, 1.0), _number(left, 0.0)

    def arm(cosine: Expression, sine: Expression) -> Expression:
        known = {k: cosine if graph.ops[k] == Op.COS else sine for k in seeing}
        return substituted([sides[0].value], known)[0]

    x, y = arm(one, zero), arm(zero, one)
    middle = (_number(left, u.low) + _number(left, u.high)) * _number(left, 0.5)
    half = (_number(left, u.high) - _number(left, u.low)) * _number(left, 0.5)
    square = x * x + y * y
    is_unit = _is_one(left, square) if block is None else _seems_one(left, square, block)
    length = one if is_unit else square.sqrt()
    above = x * middle.cos() + y * middle.sin() - length * half.cos()
    return above * _number(left, _steepness(u.high - u.low))


def _steepness(width: float) -> float:
    """The power of two that keeps the fold at an angle's limit from being sharp.

    With s^2 = k (cos d - cos(w / 2)) its radius at d = w / 2 is k sin(w / 2) / 2, and that about
    d = 0 is k / 2 too where w is small.
    """
    wanted = 1.0 / max(math.sin(0.5 * width), 1.0 / STEEPEST)
    return max(2.0, float(2.0 ** round(math.log2(wanted))))


def _is_one(left: RowsLeft, square: Expression) -> bool:
    """Whether a formula is 1 wherever sums of squares are 1 that the rows say are."""
    known: dict[int, Polynomial] = {}
    terms = dict(multiplied_out(square, known))
    circles = [c for c in (_circle(multiplied_out(r.value, known)) for r in left.rows) if c]
    for last, others in circles:
        while found := next((m for m in terms if m.count(last) >= 2), None):
            factor = terms.pop(found)
            rest = list(found)
            rest.remove(last)
            rest.remove(last)
            for more, share in others.items():
                made = tuple(sorted((*rest, *more)))
                total = terms.get(made, Fraction(0)) + factor * share
                terms.pop(made, None)
                if total:
                    terms[made] = total
    return terms == {(): Fraction(1)}


def _seems_one(left: RowsLeft, square: Expression, block: Block) -> bool:
    """Whether a formula is 1, but for roundings, at solutions of a block."""
    inputs = [left.inputs[p] for p in block.places]
    tape = record_parts(left.graph, inputs, [Part("square", {"square": [square]})]).tape
    found = NumericRows(block).solutions()
    if not found:
        return False
    values = native_tape(tape).evaluate(np.ascontiguousarray(np.vstack(found)), tape.outputs)
    return bool((np.abs(values - 1.0) < ROUNDED).all())


def _circle(row: Polynomial) -> tuple[int, Polynomial] | None:
    """(unknown, what its square is) of a row that says a sum of squares is a number."""
    squares = [m for m in row if m]
    if not squares or any(len(m) != 2 or m[0] != m[1] for m in squares):
        return None
    last = max(squares)
    lead = row[last]
    return last[0], {m: -c / lead for m, c in row.items() if m != last}


def _mirrored(left: RowsLeft, u: SystemUnknown, room: Expression) -> RowsLeft:
    """The rows with an unknown of its own whose square is the room between limits."""
    name = f"side of {u.name}"
    own = Expression(left.graph, left.graph.input(name))
    return replace(
        left,
        unknowns=[*left.unknowns, SystemUnknown(name)],
        inputs=[*left.inputs, own],
        rows=[*left.rows, SystemRow(own * own - room, _source(u))],
    )


def _loosened(left: RowsLeft, place: int) -> RowsLeft:
    """The rows with an unknown that no limit cuts off: bounds only enclose what rows allow."""
    unknowns = list(left.unknowns)
    u = unknowns[place]
    room = ROOM * (u.high - u.low) if math.isfinite(u.high - u.low) else ROOM
    unknowns[place] = replace(u, low=u.low - room, high=u.high + room, is_limit=False)
    return replace(left, unknowns=unknowns)


def _without(left: RowsLeft, place: int) -> RowsLeft:
    """The rows without those that see an unknown."""
    own = {left.inputs[place].node: 0}

    def others(rows: Collection[SystemRow]) -> list[SystemRow]:
        seen = supports(left.graph, [r.value for r in rows], own)
        return [r for r, sees in zip(rows, seen, strict=True) if not sees]

    return replace(
        left, rows=others(left.rows), redundant=others(left.redundant), sides=others(left.sides)
    )


def _number(left: RowsLeft, value: float) -> Expression:
    return Expression(left.graph, left.graph.constant(value))


def _source(u: SystemUnknown) -> str:
    return u.name.removeprefix("limit of ")

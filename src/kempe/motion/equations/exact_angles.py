"""Angles that are meant exactly: multiples of 15 degrees have cosines and sines made of roots.

30 degrees is no double in radians, and the cosine of the double next to it is no root of 3/4. Where
an angle is a multiple of 15 degrees to the last digits, the multiple is what is meant, as a quarter
turn is: then a bar held at 30 degrees and one held at 120 degrees are square, exactly. Any other
angle is the double that was given.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from kempe.algebra import Expression, Graph, Op, substituted
from kempe.algebra.derivative import reachable
from kempe.algebra.operations import CONSTANT

# pi to 60 digits: a multiple of it is known far beyond the digits of a double.
PI = Fraction(3141592653589793238462643383279502884197169399375105820974944, 10**60)
STEP = PI / 12
LAST_DIGITS = Fraction(1, 2**51)  # relative: a conversion from degrees rounds twice
LAST_OF_UNIT = 2.0**-50  # of cosines and sines: both they and the turn here are rounded
MOST_STEPS = 24 * 1000  # a thousand turns


def fifteens(angle: float) -> int | None:
    """How many times 15 degrees an angle (rad) is; None where it is no multiple."""
    if not math.isfinite(angle) or abs(angle) > MOST_STEPS * 0.27:
        return None
    exactly = Fraction(angle)
    steps = round(exactly / STEP)
    return steps if abs(exactly - steps * STEP) <= LAST_DIGITS * abs(exactly) else None


def cosine_of_fifteens(steps: int, graph: Graph) -> Expression:
    """cos(15 degrees times steps) as a formula of roots."""

    def number(value: float) -> Expression:
        return Expression(graph, graph.constant(value))

    turn = steps % 24
    turn = min(turn, 24 - turn)  # cosine is even
    if turn > 6:
        return -cosine_of_fifteens(12 - turn, graph)
    if turn in (1, 5):
        root, two = number(6.0).sqrt(), number(2.0).sqrt()
        return (root + two if turn == 1 else root - two) / number(4.0)
    radicand = {0: 4.0, 2: 3.0, 3: 2.0, 4: 1.0, 6: 0.0}[turn]
    return number(radicand).sqrt() / number(2.0)


def with_exact_angles(values: Sequence[Expression]) -> list[Expression]:
    """Formulas with the cosines and sines of multiples of 15 degrees put in."""
    if not values:
        return []
    known = _known(values[0].graph, [v.node for v in values])
    return substituted(list(values), known) if known else list(values)


def exact_direction(axis: Sequence[Expression]) -> list[Expression]:
    """A direction (x, y, z) of plain numbers; in roots at a multiple of 15 degrees in the plane."""
    x, y, z = (e.constant for e in axis)
    if x is None or y is None or z != 0.0:
        return list(axis)
    graph = axis[0].graph
    steps = round(math.atan2(y, x) / float(STEP))
    turn = math.pi * steps / 12.0
    if max(abs(x - math.cos(turn)), abs(y - math.sin(turn))) > LAST_OF_UNIT:
        return list(axis)
    return [cosine_of_fifteens(steps, graph), cosine_of_fifteens(steps - 6, graph), axis[2]]


def _known(graph: Graph, roots: Sequence[int]) -> dict[int, Expression]:
    """The cosines and sines of multiples of 15 degrees that formulas are made of, by node."""
    found: dict[int, Expression] = {}
    for node in reachable(graph, roots):
        if graph.ops[node] not in (Op.COS, Op.SIN):
            continue
        (of,) = graph.args[node]
        steps = fifteens(graph.constants[of]) if graph.ops[of] == CONSTANT else None
        if steps is not None:
            shift = 0 if graph.ops[node] == Op.COS else 6  # sin a = cos(a - 90 degrees)
            found[node] = cosine_of_fifteens(steps - shift, graph)
    return found

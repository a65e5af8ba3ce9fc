"""Turns in whole ratios: gear trains as products of cosine-sine pairs."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from kempe.algebra import Expression, Graph, sparse_jacobian, substituted, supports
from kempe.algebra.expression import lifted
from kempe.compile.layout.numbers import own_numbers, with_numbers
from kempe.couplers import AbstractCoupler
from kempe.errors import UnsolvableKind
from kempe.motion.equations.constants import Constants

LARGEST_RATIO = 64  # powers beyond this are out of any search's reach
TWO_ROUNDINGS = Fraction(1, 2**52)  # of a quotient of two doubles, each the nearest to its number
Arms = tuple[Expression, Expression]  # sine, cosine
Number = Callable[[float], Expression]


def exact(fraction: Fraction, number: Number) -> Expression:
    """A fraction as a formula of doubles that has exactly its value."""
    if fraction.denominator & (fraction.denominator - 1):
        above, below = Fraction(fraction.numerator), Fraction(fraction.denominator)
        return exact(above, number) / exact(below, number)
    first = float(fraction)
    rest = fraction - Fraction(first)
    return number(first) + exact(rest, number) if rest else number(first)


def linear_law(coupler: AbstractCoupler, source: str) -> tuple[list[Fraction], Fraction]:
    """The shares c_k and the constant of a coupler that says sum c_k m_k = constant, exactly."""
    graph = Graph()
    numbers = (Expression(graph, graph.constant(x)) for x in own_numbers(coupler))
    values = [Expression(graph, graph.input(f"m{k}")) for k in range(len(coupler.gauges))]
    row = lifted(graph, with_numbers(coupler, numbers).phi(list(values)))
    one, zero = (Expression(graph, graph.constant(x)) for x in (1.0, 0.0))
    places = {v.node: k for k, v in enumerate(values)}
    (entries,) = sparse_jacobian([row], {node: {k: one} for node, k in places.items()})
    constants = Constants(graph)
    (rest,) = substituted([row], dict.fromkeys(places, zero))
    if not any(supports(graph, list(entries.values()), places)):
        shares = [constants(entries.get(k, zero)).fraction for k in range(len(values))]
        constant = constants(rest).fraction
        told = [c for c in shares if c is not None]
        if len(told) == len(shares) and constant is not None:
            return told, -constant
    raise UnsolvableKind(
        f"coupler {source!r} is no sum of its measures: certified motions know gears, racks and"
        " belts, not curved laws."
    )


def hold_coupler(
    arms: Sequence[Arms],
    shares: Sequence[Fraction],
    constant: Fraction,
    number: Number,
    source: str,
) -> tuple[Expression, Expression]:
    """(row, side) of sum k_i a_i = constant, the k_i whole numbers without a common factor.

    prod (c_i + j s_i)^k_i = exp(j constant): the row is the sine of the difference, the side its
    cosine. Whole turns of the wheels are all one position, which is the same set for coprime k_i.
    """
    whole, unit = whole_ratios(shares, source)
    turn = exact(constant / unit, number)
    sine, cosine = -turn.sin(), turn.cos()
    for (s, c), power in zip(arms, whole, strict=True):
        turned = (s if power > 0 else -s, c)
        for _ in range(abs(power)):
            sine, cosine = (
                sine * turned[1] + cosine * turned[0],
                cosine * turned[1] - sine * turned[0],
            )
    return sine, cosine


def whole_ratios(shares: Sequence[Fraction], source: str) -> tuple[list[int], Fraction]:
    """Coprime whole numbers in the ratio of the shares, and the unit that they count.

    The numbers of teeth of a pair give their ratio exactly. A ratio of other numbers, 0.1 to 0.3,
    is read as the ratio of whole numbers whose terms they are the nearest doubles to; the unit is
    that of the first share.
    """
    reference = next((x for x in shares if x != 0), Fraction(1))
    exactly = [x / reference for x in shares]
    ratios = [r.limit_denominator(LARGEST_RATIO) for r in exactly]
    common = math.lcm(*(r.denominator for r in ratios))
    divisor = math.gcd(*(int(r * common) for r in ratios)) or 1
    whole = [int(r * common) // divisor for r in ratios]
    is_close = all(
        abs(r - x) <= TWO_ROUNDINGS * abs(r) for r, x in zip(ratios, exactly, strict=True)
    )
    if not is_close or max(map(abs, whole), default=0) > LARGEST_RATIO:
        raise UnsolvableKind(
            f"{source!r} couples turns in the ratio {', '.join(f'{float(x):g}' for x in shares)},"
            f" which is no ratio of whole numbers up to {LARGEST_RATIO}: its motion never repeats,"
            " or not soon enough to be listed."
        )
    return whole, reference * divisor / common

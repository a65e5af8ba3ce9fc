"""Numbers that are exact although no fraction: square roots, and cosines and sines of fractions.

    x = P / Q,   P and Q sums of  (a + j b) sqrt(n) e^(j t),   a, b, t fractions, n a whole number

with cos t = (e^(jt) + e^(-jt)) / 2 and sin t = (e^(jt) - e^(-jt)) / (2 j). Products of roots and of
turns are gathered, so cos^2 + sin^2 is 1 and sqrt(3) sqrt(3) is 3. Where all terms of P cancel the
number *is* zero, whatever the roots are; where some are left it may be zero or not, and only an
enclosure tells. That is all the elimination asks.

Own.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

Weight = tuple[Fraction, Fraction]  # real and imaginary part
Terms = Mapping[tuple[Fraction, int], Weight]  # by turn (rad) and radicand

MOST_TERMS = 96  # longer sums are given up: their number is then known by its enclosure alone
MOST_BITS = 20_000  # of a numerator or denominator, likewise
SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)
NO_TURN = Fraction(0)
ONE: Terms = {(NO_TURN, 1): (Fraction(1), Fraction(0))}
Exact = "Fraction | ExactNumber"


@final
@dataclass(frozen=True, slots=True)
class ExactNumber:
    """above / below, sums of roots and turns with fractions as weights; `below` is not zero."""

    above: Terms
    below: Terms


def added(a: "Fraction | ExactNumber", b: "Fraction | ExactNumber") -> "Fraction | ExactNumber":
    """a + b."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a + b
    p, q = _number(a), _number(b)
    if p.below == q.below:
        return _made(_sum(p.above, q.above), p.below)
    above = _sum(_product(p.above, q.below), _product(q.above, p.below))
    return _made(above, _product(p.below, q.below))


def negated(a: "Fraction | ExactNumber") -> "Fraction | ExactNumber":
    """-a."""
    if isinstance(a, Fraction):
        return -a
    return ExactNumber({k: (-x, -y) for k, (x, y) in a.above.items()}, a.below)


def multiplied(
    a: "Fraction | ExactNumber", b: "Fraction | ExactNumber"
) -> "Fraction | ExactNumber":
    """a b."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b
    p, q = _number(a), _number(b)
    return _made(_product(p.above, q.above), _product(p.below, q.below))


def divided(a: "Fraction | ExactNumber", b: "Fraction | ExactNumber") -> "Fraction | ExactNumber":
    """a / b for a b that is not zero; ZeroDivisionError where all terms of b cancel."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a / b
    p, q = _number(a), _number(b)
    if not q.above:
        raise ZeroDivisionError
    return _made(_product(p.above, q.below), _product(p.below, q.above))


def rooted(a: "Fraction | ExactNumber") -> "Fraction | ExactNumber | None":
    """sqrt(a) of a fraction that is not negative; None of any other number."""
    if not isinstance(a, Fraction) or a < 0:
        return None
    whole, outside = a.numerator * a.denominator, Fraction(1, a.denominator)
    root = math.isqrt(whole)
    if root * root == whole:
        return root * outside
    for prime in SMALL_PRIMES:
        while whole % (prime * prime) == 0:
            whole, outside = whole // (prime * prime), outside * prime
    return ExactNumber({(NO_TURN, whole): (outside, Fraction(0))}, ONE)


def cosine(turn: Fraction) -> "Fraction | ExactNumber":
    """cos of a fraction of a radian."""
    half = (Fraction(1, 2), Fraction(0))
    return ExactNumber({(turn, 1): half, (-turn, 1): half}, ONE) if turn else Fraction(1)


def sine(turn: Fraction) -> "Fraction | ExactNumber":
    """sin of a fraction of a radian."""
    half = Fraction(1, 2)
    terms = {(turn, 1): (Fraction(0), -half), (-turn, 1): (Fraction(0), half)}
    return ExactNumber(terms, ONE) if turn else Fraction(0)


def is_manageable(a: "Fraction | ExactNumber") -> bool:
    """Whether a number is short enough to be worth going on with."""
    if isinstance(a, Fraction):
        return _bits(a) <= MOST_BITS
    parts = [x for terms in (a.above, a.below) for weight in terms.values() for x in weight]
    return max(len(a.above), len(a.below)) <= MOST_TERMS and max(map(_bits, parts)) <= MOST_BITS


def _bits(a: Fraction) -> int:
    return a.numerator.bit_length() + a.denominator.bit_length()


def _number(a: "Fraction | ExactNumber") -> ExactNumber:
    if isinstance(a, ExactNumber):
        return a
    return ExactNumber({(NO_TURN, 1): (a, Fraction(0))} if a else {}, ONE)


def _sum(a: Terms, b: Terms) -> Terms:
    total = dict(a)
    for key, (x, y) in b.items():
        u, v = total.get(key, (Fraction(0), Fraction(0)))
        total[key] = (u + x, v + y)
    return {key: weight for key, weight in total.items() if any(weight)}


def _product(a: Terms, b: Terms) -> Terms:
    total: dict[tuple[Fraction, int], Weight] = {}
    for (s, m), (u, v) in a.items():
        for (t, n), (x, y) in b.items():
            common = math.gcd(m, n)  # sqrt(m) sqrt(n) = common sqrt(m / common n / common)
            key = (s + t, (m // common) * (n // common))
            p, q = total.get(key, (Fraction(0), Fraction(0)))
            total[key] = (p + common * (u * x - v * y), q + common * (u * y + v * x))
    return {key: weight for key, weight in total.items() if any(weight)}


def _made(above: Terms, below: Terms) -> "Fraction | ExactNumber":
    """above / below, without a denominator of one term, and a fraction where it is one."""
    if not above:
        return Fraction(0)
    if len(below) == 1 and below != ONE:
        (((turn, n), (x, y)),) = below.items()
        size = (x * x + y * y) * n  # of (x + jy) sqrt(n); its inverse is its conjugate over this
        above, below = _product(above, {(-turn, n): (x / size, -y / size)}), ONE
    elif below != ONE:
        ratio = _ratio(above, below)
        if ratio is not None:
            return ratio
    if below == ONE and len(above) == 1:
        ((key, (x, y)),) = above.items()
        if key == (NO_TURN, 1) and not y:
            return x
    return ExactNumber(above, below)


def _ratio(above: Terms, below: Terms) -> Fraction | None:
    """The fraction that above is of below, where it is one."""
    if above.keys() != below.keys():
        return None
    key = next(iter(below))
    (u, v), (x, y) = above[key], below[key]
    ratio = u / x if x else v / y
    same = all((ratio * x, ratio * y) == above[k] for k, (x, y) in below.items())
    return ratio if same else None

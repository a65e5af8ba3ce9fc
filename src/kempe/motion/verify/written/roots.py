"""Roots over unknowns that a search has given names of their own.

With d for sqrt(u) / k, k a power of two, a row with the root is one of d, beside k^2 d^2 = u and
d > 0: the same solutions, where u > 0. What each d of a map stands for is told by its own row,
which must be that of a root in the model's rows.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from kempe.algebra import Op
from kempe.motion.verify.written.derivation import Derived
from kempe.motion.verify.written.matching import outputs_of
from kempe.motion.verify.written.planar_rows import Bounds, WrittenRow
from kempe.motion.verify.written.polynomial import Polynomial
from kempe.results.maps.motion_map import MotionMap

ROOM = 0.125  # below zero: bounds of a root, which a side keeps positive


def is_root(name: str) -> bool:
    """Whether an unknown is one that stands for a root."""
    return name.startswith("root ")


def with_roots_named(small: Derived, motions: MotionMap) -> Derived | None:
    """The model's rows with the map's unknowns for roots; None where these are others."""
    ring = small.ring
    names = [name for name in motions.unknowns if is_root(name)]
    for name in names:
        ring.unknown(name)
        small.written.bounds[name] = Bounds(-ROOM)
    stored = _equations(motions, small)
    for name in names:
        own = ring.numbers[name]
        for atom in _roots(small):
            under = ring.generators[atom].args[0]
            unit = next((k for row in stored if (k := _unit(row, own, under)) is not None), None)
            if unit is not None:
                small = _named(small, own, atom, unit)
                break
        else:
            return None
    return small


def _equations(motions: MotionMap, small: Derived) -> list[Polynomial]:
    """The equations in the map's tapes."""
    ring, found = small.ring, list[Polynomial]()
    for block in motions.blocks:
        inputs = [ring.of(ring.numbers[motions.unknowns[p]]) for p in block.places]
        found += outputs_of(block.tape, inputs)[: block.n_equations]
    return found


def _roots(small: Derived) -> list[int]:
    """Roots over unknowns in the rows, those with no other root under them."""
    of = small.ring.generators
    seen = {g for row in small.rows for m in row.value.terms for g in m}
    roots = sorted(g for g in seen if of[g].op is Op.SQRT and of[g].unknowns)
    under = {g: {i for m in of[g].args[0].terms for i in m} for g in roots}
    return [g for g in roots if not any(of[i].op is Op.SQRT and of[i].unknowns for i in under[g])]


def _unit(row: Polynomial, own: int, under: Polynomial) -> Fraction | None:
    """k, where a row is a number times k^2 d^2 - u; None where it is not."""
    square = (own, own)
    if square not in row.terms or sum(own in m for m in row.terms) != 1:
        return None
    rest = Polynomial(row.ring, {m: c for m, c in row.terms.items() if m != square})
    lead = min(under.terms)
    scale = -rest.terms.get(lead, Fraction(0)) / under.terms[lead]
    if not scale or not (rest + under.scaled(scale)).is_zero:
        return None
    ratio = row.terms[square] / scale
    root = Fraction(math.isqrt(ratio.numerator), math.isqrt(ratio.denominator)) if ratio > 0 else 0
    return Fraction(root) if root and root * root == ratio else None


def _named(small: Derived, own: int, atom: int, unit: Fraction) -> Derived:
    """With k d in place of a root, and the row that says what d is."""
    ring = small.ring
    under, d = ring.generators[atom].args[0], ring.of(own)
    source = next(r.source for r in small.rows if any(atom in m for m in r.value.terms))

    def put(rows: Sequence[WrittenRow]) -> list[WrittenRow]:
        return [replace(row, value=_replaced(row.value, atom, d.scaled(unit))) for row in rows]

    square = WrittenRow((d * d).scaled(unit * unit) - under, source)
    return replace(
        small,
        rows=[*put(small.rows), square],
        sides=[*put(small.sides), WrittenRow(d, source)],
        implied=put(small.implied),
        roots=(*small.roots, (own, under.scaled(1 / (unit * unit)))),
    )


def with_squares_put_in(value: Polynomial, small: Derived) -> Polynomial:
    """A row with u / k^2 in place of d^2, but for the rows that say so: those stay."""
    for own, square in small.roots:
        if any(_unit(value, root, under) is not None for root, under in small.roots):
            return value
        while any(m.count(own) > 1 for m in value.terms):
            total = value.ring.number(0)
            for m, c in value.terms.items():
                left = list(m)
                if m.count(own) > 1:
                    left.remove(own)
                    left.remove(own)
                term = Polynomial(value.ring, {tuple(left): c})
                total = total + (term * square if len(left) < len(m) else term)
            value = total
    return value


def _replaced(value: Polynomial, atom: int, by: Polynomial) -> Polynomial:
    """A polynomial with another in place of a generator."""
    total = value.ring.number(0)
    for m, c in value.terms.items():
        term = Polynomial(value.ring, {tuple(g for g in m if g != atom): c})
        for _ in range(m.count(atom)):
            term = term * by
        total = total + term
    return total

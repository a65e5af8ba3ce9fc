"""Formulas as exact polynomials: fractions times products of unknowns and atoms.

An *atom* is whatever is no sum or product: a root, a sine or cosine, a reciprocal, a spline. Equal
atoms are one, and three rules bring polynomials to one form: sin^2 = 1 - cos^2, sqrt(a)^2 = a and
a (1/a) = 1 for atoms of one term. So two formulas whose difference has no terms are equal, exactly.
Expression graphs and tapes are read into them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from kempe.algebra import Graph, Op, Spline, Tape
from kempe.algebra.operations import CONSTANT, INPUT
from kempe.algebra.tape_walk import walk
from kempe.errors import UnsolvableKind

Monomial = tuple[int, ...]  # numbers of generators, in order, each as often as its power
Terms = dict[Monomial, Fraction]

BITS = 240  # of enclosures of atoms without unknowns
MOST_TERMS = 20_000  # of one polynomial: beyond, a row is no business of this proof


@final
@dataclass(frozen=True, slots=True, eq=False)
class Generator:
    """An unknown (no operation), or an atom: an operation on polynomials."""

    name: str
    op: Op | None = None
    args: tuple["Polynomial", ...] = ()
    spline: Spline | None = None
    order: int = 0
    unknowns: frozenset[int] = frozenset()  # that it depends on


@final
class Polynomial:
    """A sum of fractions times products of generators of one ring."""

    __slots__ = ("ring", "terms")

    def __init__(self, ring: "Ring", terms: Terms) -> None:
        self.ring = ring
        self.terms = terms

    def __add__(self, other: "Polynomial") -> "Polynomial":
        return self.ring.sum(self, other, 1)

    def __sub__(self, other: "Polynomial") -> "Polynomial":
        return self.ring.sum(self, other, -1)

    def __neg__(self) -> "Polynomial":
        return self.scaled(Fraction(-1))

    def __mul__(self, other: "Polynomial") -> "Polynomial":
        return self.ring.product(self, other)

    def scaled(self, factor: Fraction) -> "Polynomial":
        """A fraction times it."""
        return Polynomial(
            self.ring, {m: factor * c for m, c in self.terms.items()} if factor else {}
        )

    @property
    def is_zero(self) -> bool:
        """Whether it is zero, by its form: a polynomial that has terms may be zero all the same."""
        return not self.terms

    @property
    def fraction(self) -> Fraction | None:
        """The number that it is, where it is a fraction."""
        if not self.terms:
            return Fraction(0)
        return self.terms[()] if len(self.terms) == 1 and () in self.terms else None

    @property
    def unknowns(self) -> frozenset[int]:
        """The unknowns that it depends on, those inside atoms too."""
        of = self.ring.generators
        return frozenset().union(*(of[g].unknowns for m in self.terms for g in set(m)))

    @property
    def key(self) -> frozenset[tuple[Monomial, Fraction]]:
        """What is the same for equal forms only."""
        return frozenset(self.terms.items())

    def coefficient(self, unknown: int) -> "Polynomial | None":
        """The factor of an unknown in which it is linear; None where it is not, or may not be."""
        of, found = self.ring.generators, Terms()
        for m, c in self.terms.items():
            power = m.count(unknown)
            inside = any(unknown in of[g].unknowns for g in m if g != unknown)
            if power > 1 or inside:
                return None
            if power:
                found[tuple(g for g in m if g != unknown)] = c
        return Polynomial(self.ring, found)

    def without(self, unknown: int) -> "Polynomial":
        """The terms in which an unknown is no factor."""
        return Polynomial(self.ring, {m: c for m, c in self.terms.items() if unknown not in m})

    def put(self, values: Mapping[int, "Polynomial"]) -> "Polynomial":
        """With polynomials in place of unknowns, inside atoms too."""
        if not self.unknowns & values.keys():
            return self
        ring, total = self.ring, Polynomial(self.ring, {})
        for m, c in self.terms.items():
            term = Polynomial(ring, {(): c})
            for g in m:
                term = term * ring.replaced(g, values)
            total = total + term
        return total


@final
class Ring:
    """Unknowns by name, and the atoms that formulas of them bring along."""

    def __init__(self, unknowns: Sequence[str]) -> None:
        self.generators: list[Generator] = []
        self.numbers: dict[str, int] = {}
        self._atoms: dict[Any, int] = {}
        self._squares: dict[int, Polynomial] = {}
        self._bounds: dict[int, Any] = {}
        for name in unknowns:
            self.unknown(name)

    def unknown(self, name: str) -> int:
        """The number of an unknown; a new one where there is none of that name."""
        if name not in self.numbers:
            number = self.numbers[name] = len(self.generators)
            self.generators.append(Generator(name, unknowns=frozenset({number})))
        return self.numbers[name]

    def of(self, number: int) -> Polynomial:
        """A generator as a polynomial."""
        return Polynomial(self, {(number,): Fraction(1)})

    def number(self, value: Fraction | int | float) -> Polynomial:
        """A number, exactly."""
        if isinstance(value, float) and not math.isfinite(value):
            raise UnsolvableKind(f"{value} is no number that a formula can hold.")
        fraction = Fraction(value)
        return Polynomial(self, {(): fraction} if fraction else {})

    def sum(self, a: Polynomial, b: Polynomial, sign: int) -> Polynomial:
        """a + b or a - b."""
        terms = dict(a.terms)
        for m, c in b.terms.items():
            total = terms.get(m, 0) + (c if sign > 0 else -c)
            if total:
                terms[m] = Fraction(total)
            else:
                terms.pop(m, None)
        return Polynomial(self, terms)

    def product(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """a b, in one form."""
        if len(a.terms) * len(b.terms) > MOST_TERMS:
            raise UnsolvableKind("a row has too many terms to be multiplied out.")
        terms: Terms = {}
        rest: list[tuple[Monomial, Fraction]] = []
        for m, c in a.terms.items():
            for n, d in b.terms.items():
                joint = tuple(sorted(m + n))
                if self._reducible(joint) is not None:
                    rest.append((joint, c * d))
                    continue
                total = terms.get(joint, 0) + c * d
                if total:
                    terms[joint] = Fraction(total)
                else:
                    terms.pop(joint, None)
        found = Polynomial(self, terms)
        for m, c in rest:
            found = found + self._reduced(m, c)
        return found

    def _reducible(self, m: Monomial) -> tuple[int, ...] | None:
        """Places of factors that a rule replaces together."""
        for k in range(len(m) - 1):
            if m[k] == m[k + 1] and m[k] in self._squares:
                return k, k + 1
        for k, g in enumerate(m):
            of = self.generators[g]
            if of.op is Op.REC:
                ((inner, _),) = (
                    of.args[0].terms.items() if len(of.args[0].terms) == 1 else (((), 0),)
                )
                if inner and all(m.count(i) >= inner.count(i) for i in set(inner)):
                    return (k, -1)
        return None

    def _reduced(self, m: Monomial, c: Fraction) -> Polynomial:
        at = self._reducible(m)
        if at is None:
            return Polynomial(self, {m: c})
        left = list(m)
        g = left.pop(at[0])
        if at[1] < 0:  # a (1/a) of one term a
            ((inner, scale),) = self.generators[g].args[0].terms.items()
            for i in inner:
                left.remove(i)
            return self._reduced(tuple(left), c / scale)
        left.remove(g)
        return Polynomial(self, {tuple(left): c}) * self._squares[g]

    def replaced(self, g: int, values: Mapping[int, Polynomial]) -> Polynomial:
        """A generator with polynomials in place of unknowns."""
        of = self.generators[g]
        if of.op is None:
            return values[g] if g in values else self.of(g)
        if not of.unknowns & values.keys():
            return self.of(g)
        return self.apply(of.op, [a.put(values) for a in of.args], of.spline, of.order)

    # -- operations ----------------------------------------------------------------------------

    def apply(
        self, op: Op, args: Sequence[Polynomial], spline: Spline | None = None, order: int = 0
    ) -> Polynomial:
        """An operation on polynomials: another polynomial, perhaps with an atom."""
        a = args[0]
        if op in RATIONAL:
            found: Polynomial = RATIONAL[op](*args)
            return found
        if op is Op.DIV:
            return a * self.reciprocal(args[1])
        if op is Op.REC:
            return self.reciprocal(a)
        if op is Op.SQRT:
            return self._root(a)
        if op in (Op.SIN, Op.COS) and a.is_zero:
            return self.number(int(op is Op.COS))
        if op is Op.SIN:
            made = self._atom(op, (a,))
            number = next(iter(made.terms))[0]
            if number not in self._squares:
                cosine = self._atom(Op.COS, (a,))
                self._squares[number] = self.number(1) - cosine * cosine
            return made
        if op in (Op.COS, Op.SPLINE, Op.ATAN2):
            return self._atom(op, tuple(args), spline, order)
        raise UnsolvableKind(f"the verifier does not know the operation {op.name.lower()!r}.")

    def reciprocal(self, a: Polynomial) -> Polynomial:
        """1 / a, a proved not to be zero where it has no unknowns."""
        fraction = a.fraction
        if fraction is not None:
            if not fraction:
                raise UnsolvableKind("a formula divides by zero.")
            return self.number(1 / fraction)
        if len(a.terms) == 1:
            ((m, c),) = a.terms.items()
            of = self.generators[m[0]]
            if len(m) == 1 and of.op is Op.SQRT:
                inside = of.args[0].fraction
                if inside is not None:  # 1 / sqrt(b) = sqrt(b) / b
                    return Polynomial(self, {m: 1 / (c * inside)})
        if not a.unknowns and not self.excludes_zero(a):
            raise UnsolvableKind("a formula divides by what may be zero.")
        return self._atom(Op.REC, (a,))

    def _root(self, a: Polynomial) -> Polynomial:
        fraction = a.fraction
        if fraction is not None and fraction >= 0:
            above, below = math.isqrt(fraction.numerator), math.isqrt(fraction.denominator)
            if above * above == fraction.numerator and below * below == fraction.denominator:
                return self.number(Fraction(above, below))
        made = self._atom(Op.SQRT, (a,))
        self._squares.setdefault(next(iter(made.terms))[0], a)
        return made

    def _atom(
        self, op: Op, args: tuple[Polynomial, ...], spline: Spline | None = None, order: int = 0
    ) -> Polynomial:
        content = None if spline is None else _content(spline)
        key = (op, tuple(a.key for a in args), content, order)
        if key not in self._atoms:
            self._atoms[key] = len(self.generators)
            unknowns = frozenset[int]().union(*(a.unknowns for a in args))
            self.generators.append(Generator(op.name.lower(), op, args, spline, order, unknowns))
        return self.of(self._atoms[key])

    # -- numbers -------------------------------------------------------------------------------

    def enclosed(self, a: Polynomial, numbers: Any) -> Any:
        """A polynomial without unknowns as an interval of mpmath's context `numbers`."""
        total = numbers.mpf(0)
        for m, c in a.terms.items():
            term = numbers.mpf(c.numerator) / numbers.mpf(c.denominator)
            for g in m:
                if g not in self._bounds:
                    self._bounds[g] = self._enclosed_atom(g, numbers)
                term = term * self._bounds[g]
            total = total + term
        return total

    def _enclosed_atom(self, g: int, numbers: Any) -> Any:
        of = self.generators[g]
        inside = [self.enclosed(a, numbers) for a in of.args]
        if of.op is Op.SQRT:
            return numbers.sqrt(inside[0])
        if of.op is Op.SIN:
            return numbers.sin(inside[0])
        if of.op is Op.COS:
            return numbers.cos(inside[0])
        if of.op is Op.REC:
            return 1 / inside[0]
        raise UnsolvableKind(
            f"a number of the model is {of.name}(...), which is not enclosed here."
        )

    def bounds(self, a: Polynomial) -> tuple[Fraction, Fraction]:
        """Between what a polynomial without unknowns lies."""
        fraction = a.fraction
        if fraction is not None:
            return fraction, fraction
        found = self.enclosed(a, intervals())
        return _fraction(found.a), _fraction(found.b)

    def excludes_zero(self, a: Polynomial) -> bool:
        """Whether a polynomial without unknowns is proved to differ from zero."""
        low, high = self.bounds(a)
        return low > 0 or high < 0


def _content(spline: Spline) -> tuple[bytes, bytes, bytes, bool]:
    arrays = spline.breaks, spline.numerators, spline.denominators
    breaks, above, below = (a.tobytes() for a in arrays)
    return breaks, above, below, spline.is_periodic


def _fraction(end: Any) -> Fraction:
    """An end of an interval of mpmath, exactly."""
    sign, mantissa, exponent, _ = end._mpi_[0] if hasattr(end, "_mpi_") else end._mpf_
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return -value if sign else value


_INTERVALS: list[Any] = []


def intervals() -> Any:
    """mpmath's intervals, of BITS bits."""
    if not _INTERVALS:
        from mpmath.ctx_iv import MPIntervalContext

        made = MPIntervalContext()
        made.prec = BITS
        _INTERVALS.append(made)
    return _INTERVALS[0]


RATIONAL: dict[Op, Any] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.NEG: lambda a: -a,
    Op.SQR: lambda a: a * a,
    Op.COPY: lambda a: a,
}


def of_graph(ring: Ring, graph: Graph, nodes: Sequence[int]) -> list[Polynomial]:
    """Nodes of an expression graph; its inputs are unknowns by name."""
    names = {node: name for name, node in graph.inputs.items()}
    known: dict[int, Polynomial] = {}
    for node in _needed(graph, nodes):
        op, args = graph.ops[node], graph.args[node]
        if op == INPUT:
            known[node] = ring.of(ring.unknown(names[node]))
        elif op == CONSTANT:
            known[node] = ring.number(graph.constants[node])
        elif op == Op.SPLINE:
            known[node] = ring.apply(Op.SPLINE, [known[args[0]]], graph.splines[args[1]], args[2])
        else:
            known[node] = ring.apply(Op(op), [known[a] for a in args])
    return [known[node] for node in nodes]


def of_tape(ring: Ring, tape: Tape, inputs: Sequence[Polynomial]) -> list[Polynomial]:
    """The outputs of a tape for given inputs."""
    return walk(tape, inputs, ring.number, ring.apply)


def _needed(graph: Graph, nodes: Sequence[int]) -> list[int]:
    """The nodes that others stand on, before those; a spline's number is no node."""
    seen: set[int] = set()
    todo = list(nodes)
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            args = graph.args[node]
            todo += args[:1] if graph.ops[node] == Op.SPLINE else args
    return sorted(seen)


def are_proportional(a: Polynomial, b: Polynomial) -> bool:
    """Whether one polynomial is a number, not zero, times the other, exactly."""
    return factor_between(a, b) is not None


def factor_between(a: Polynomial, b: Polynomial) -> Polynomial | None:
    """A number x y, not zero, with a y = b x for numbers x and y; None where there are none.

    It has the sign of a / b.
    """
    if not a.terms or not b.terms:
        return None
    first, second = by_unknowns(a), by_unknowns(b)
    if first.keys() != second.keys():
        return None
    lead = min(first)
    x, y = first[lead], second[lead]
    if not (a.ring.excludes_zero(x) and a.ring.excludes_zero(y)):
        return None
    return x * y if (a * y - b * x).is_zero else None


def by_unknowns(p: Polynomial) -> dict[tuple[int, ...], Polynomial]:
    """The factors, free of unknowns, of products of unknowns and of atoms that have some."""
    of, found = p.ring.generators, dict[tuple[int, ...], dict[tuple[int, ...], Fraction]]()
    for m, c in p.terms.items():
        outer = tuple(g for g in m if of[g].unknowns)
        inner = tuple(g for g in m if not of[g].unknowns)
        found.setdefault(outer, {})[inner] = c
    return {outer: Polynomial(p.ring, terms) for outer, terms in found.items()}

"""The equations of a model of the plane, or of points, written once more as exact polynomials.

Nothing is left out, locked or put in: every body has x, y, cosine and sine with its circle, or is a
wheel in mesh whose angle one shaft gives; every joint has its own rows. The formulas are those of
the joints, which define what a joint is; they are read into polynomials here and nowhere touch the
code that makes a system small for the search.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, final

import numpy as np

from kempe.algebra import Expression, Graph, Op
from kempe.algebra.expression import lifted
from kempe.compile.layout.elements import JointElement, rows_of, value_of
from kempe.compile.layout.layout import Layout
from kempe.compile.layout.numbers import in_plane, marker_numbers, marker_pose, with_numbers
from kempe.constraints import AbstractBarConstraint, AbstractConstraint
from kempe.errors import UnsolvableKind
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector, Z
from kempe.measures import Gauge, Turn, Wrapped
from kempe.motion.equations.bodies import is_writable
from kempe.motion.equations.exact_numbers import exact_direction, with_exact_angles
from kempe.motion.equations.gears import linear_law, meshes, whole_ratios
from kempe.motion.equations.question import TIME, Clock, Holding, Limited, machine_size
from kempe.motion.equations.rewriting import ROOM, SHORTEST
from kempe.motion.equations.system import circle
from kempe.motion.verify.written.polynomial import Polynomial, Ring, are_proportional, of_graph

Way = tuple[Fraction, int]  # angle of a wheel = the first + the second times that of the shaft


def shafts(layout: Layout) -> dict[str, dict[str, Way]]:
    """By coupler: how both wheels follow their shaft, which goes once round.

    k a + l b = turn, modulo whole turns, has the solutions a = u turn + l phi, b = v turn - k phi:
    they are solutions as k u + l v = 1; they are all, as (a, b) is that of
    phi = v a - u b; and none comes twice, for l phi and k phi are whole turns together only where
    phi = (k u + l v) phi is one.
    """
    elements: list[Any] = list(layout.elements[: layout.first_drive])
    chosen = meshes(layout)
    found = {}
    for element in elements:
        if isinstance(element, JointElement) or element.name not in chosen:
            continue
        signs: list[tuple[str, int]] = []
        for gauge in element.coupler.gauges:
            bodies = gauge.I.body, gauge.J.body
            level = gauge.I.rotation.angle == 0.0 and gauge.J.rotation.angle == 0.0
            if gauge.measure != Turn(Z) or not level or bodies.count(GROUND) != 1:
                raise UnsolvableKind(f"{element.name!r} reads more than the turn of a wheel.")
            signs.append((bodies[1], 1) if bodies[0] == GROUND else (bodies[0], -1))
        shares, constant = linear_law(element.coupler, element.name)
        (k, l), unit = whole_ratios(shares, element.name)
        if math.gcd(k, l) != 1 or signs[0][0] == signs[1][0]:
            raise UnsolvableKind(f"{element.name!r} does not put two wheels in step.")
        u = next(u for u in range(abs(l)) if (1 - k * u) % l == 0)
        v = (1 - k * u) // l
        turn = constant / unit
        (first, one), (second, other) = signs
        found[element.name] = {
            first: (one * u * turn, one * l),
            second: (other * v * turn, -other * k),
        }
    return found


def says_no_more(coupler: Any, name: str, ways: dict[str, Way]) -> bool:
    """Whether a coupler holds at every angle of a shaft that its wheels follow.

    With a_i = p_i + r_i phi the sum of k_i a_i is that of k_i p_i where that of k_i r_i is 0.
    """
    shares, constant = linear_law(coupler, name)
    whole, unit = whole_ratios(shares, name)
    start, ratio = -constant / unit, 0
    for gauge, k in zip(coupler.gauges, whole, strict=True):
        bodies = gauge.I.body, gauge.J.body
        level = gauge.I.rotation.angle == 0.0 and gauge.J.rotation.angle == 0.0
        if gauge.measure != Turn(Z) or not level or bodies.count(GROUND) != 1:
            return False
        wheel, sign = (bodies[1], 1) if bodies[0] == GROUND else (bodies[0], -1)
        if wheel not in ways:
            return False
        p, r = ways[wheel]
        start, ratio = start + sign * k * p, ratio + sign * k * r
    return start == 0 and ratio == 0


@final
@dataclass(frozen=True, slots=True, eq=False)
class WrittenRow:
    """A polynomial and where it comes from: a joint, a coupler, a held measure, a circle.

    A row that `tells` may be solved for an unknown. One that says what the length and direction of
    a bar are does not: it is kept for those.
    """

    value: Polynomial
    source: str
    tells: bool = True


@final
@dataclass(frozen=True, slots=True)
class Bounds:
    """What an unknown is allowed: between low and high; `is_limit` where that cuts motion off."""

    low: float = -math.inf
    high: float = math.inf
    period: float = 0.0
    is_limit: bool = False


@final
@dataclass(slots=True, eq=False)
class WrittenSystem:
    """Rows that vanish, sides that are positive, bounds of unknowns, and readings by name.

    `implied` rows follow from the others, and bound lengths of bars. Rows divide by `divisors`,
    lengths along surfaces, which are to be proved positive.
    """

    ring: Ring
    bounds: dict[str, Bounds] = field(default_factory=dict)
    rows: list[WrittenRow] = field(default_factory=list)
    sides: list[WrittenRow] = field(default_factory=list)
    readings: dict[str, Polynomial] = field(default_factory=dict)
    circles: list[tuple[int, int]] = field(default_factory=list)  # cosine and sine of a body
    implied: list[WrittenRow] = field(default_factory=list)
    divisors: list[WrittenRow] = field(default_factory=list)


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked of a mechanism: measures held at values, kept between values (SI), and when.

    With a `clock` drives follow their laws, and time is an unknown.
    """

    held: tuple[tuple[Gauge, float], ...] = ()
    limits: tuple[tuple[Gauge, float, float], ...] = ()
    clock: Clock | None = None


def written_again(layout: Layout, asked: Asked) -> WrittenSystem:
    """All that joints, couplers, holds and limits say of a model of the plane, or of points."""
    if not is_writable(layout.model):
        raise UnsolvableKind("bodies that turn in space are written again by other rows.")
    return _Pen(layout, asked).all(asked)


@final
class _Pen:
    """Traces formulas on one graph, and reads them into polynomials at the end."""

    def __init__(self, layout: Layout, asked: Asked) -> None:
        self.layout, self.graph = layout, Graph()
        held = [Holding(gauge, value) for gauge, value in asked.held]
        stops = [Limited(gauge, low, high) for gauge, low, high in asked.limits]
        self.scale = 2.0 ** round(math.log2(machine_size(layout, held, stops)))
        self.arrows: list[tuple[set[int], list[Expression]]] = []  # rows, squares of what they see
        self.poses: dict[str, Pose] = {GROUND: Pose.identity()}
        self.bounds: dict[str, Bounds] = {}
        self.rows: list[tuple[Expression, str]] = []
        self.sides: list[tuple[Expression, str]] = []
        self.readings: dict[str, Expression] = {}
        self.pairs: list[tuple[str, str]] = []
        self.ways: dict[tuple[Any, ...], Vector] = {}  # directions of bars, by both ends
        self.lines: list[tuple[Expression, str]] = []  # rows that say what they are
        self.implied: list[tuple[Expression, str]] = []
        self.along = 0  # counts vectors that lie along a bar
        self.shafts = shafts(layout) if layout.model.plane else {}
        self.turned: dict[str, Expression] = {}  # angles of wheels that follow a shaft
        for wheels in self.shafts.values():
            scale = 2.0 ** round(math.log2(max(abs(ratio) for _, ratio in wheels.values())))
            most = math.tau * scale
            phi = self._unknown(f"turn of {' and '.join(wheels)}", Bounds(0.0, most, most))
            for name, (constant, ratio) in wheels.items():
                turned = phi * self._number(ratio / scale)
                self.turned[name] = turned + self._exact(constant) if constant else turned
        for body in layout.model.moving:
            (self._body if layout.model.plane else self._point)(body.name)

    def all(self, asked: Asked) -> WrittenSystem:
        """The whole system."""
        layout = self.layout
        for element in layout.elements[: layout.first_drive]:
            if isinstance(element, JointElement):
                self._join(element)
            else:
                self._couple(element)
        for gauge, value in asked.held:
            self._hold(self._read(gauge), self._number(value), gauge.name)
        if asked.clock is not None:
            self._follow(asked.clock)
        for gauge, low, high in asked.limits:
            self._stop(gauge, low, high)
        for c, s in self.pairs:
            cosine, sine = self._input(c), self._input(s)
            self.rows.append((cosine * cosine + sine * sine - 1.0, circle(c[:-2])))
        self.rows += self.lines
        return self._polynomials()

    def _polynomials(self) -> WrittenSystem:
        ring = Ring(list(self.bounds))
        squares = [e for _, arrows in self.arrows for e in arrows]
        told = with_exact_angles([e for e, _ in (*self.rows, *self.sides)])
        implied = [e for e, _ in self.implied]
        read = [*told, *self.readings.values(), *squares, *implied]
        found = of_graph(ring, self.graph, [e.node for e in read])
        divisors: list[WrittenRow] = []
        n, k = len(self.rows), len(self.rows) + len(self.sides)
        last = k + len(self.readings)
        for rows, arrows in self.arrows:
            lengths, last = found[last : last + len(arrows)], last + len(arrows)
            for i in rows:
                found[i], left = _cleared(found[i], lengths)
                divisors += [WrittenRow(v, [*self.rows, *self.sides][i][1]) for v in left]
        named = [
            (v, source) for v, (_, source) in zip(found[:k], [*self.rows, *self.sides], strict=True)
        ]
        return WrittenSystem(
            ring,
            self.bounds,
            [
                WrittenRow(v, s, i < n - len(self.lines))
                for i, (v, s) in enumerate(named[:n])
                if not v.is_zero
            ],
            [WrittenRow(v, s) for v, s in named[n:]],
            dict(zip(self.readings, found[k:], strict=False)),
            [(ring.numbers[c], ring.numbers[s]) for c, s in self.pairs],
            [WrittenRow(v, s) for v, (_, s) in zip(found[last:], self.implied, strict=True)],
            divisors,
        )

    def _input(self, name: str) -> Expression:
        return Expression(self.graph, self.graph.input(name))

    def _number(self, value: float) -> Expression:
        return Expression(self.graph, self.graph.constant(value))

    def _lifted(self, value: Any) -> Expression:
        return lifted(self.graph, value)

    def _unknown(self, name: str, bounds: Bounds) -> Expression:
        self.bounds[name] = bounds
        return self._input(name)

    def _body(self, name: str) -> None:
        x, y = (self.scale * self._unknown(f"{name}.{e}", Bounds()) for e in "xy")
        if name in self.turned:
            c, s = self.turned[name].cos(), self.turned[name].sin()
        else:
            turn = Bounds(-ROOM, ROOM)
            c, s = (self._unknown(f"{name}.{e}", turn) for e in "cs")
            self.pairs.append((f"{name}.c", f"{name}.s"))
        for part, value in zip("xycs", (x, y, c, s), strict=True):
            self.readings[f"{name}.{part}"] = value
        self.poses[name] = Pose(Vector(x, y, 0.0 * x), Rotation.from_cosine_sine(c, s))

    def _point(self, name: str) -> None:
        """A body in space that does not turn: all that is left of it is a place."""
        at = Vector(*(self.scale * self._unknown(f"{name}.{e}", Bounds()) for e in "xyz"))
        for part, value in zip("xyz", at, strict=True):
            self.readings[f"{name}.{part}"] = value
        for axis, e in zip("uvw", np.eye(3), strict=True):
            for part, value in zip("xyz", e, strict=True):
                self.readings[f"{name}.{axis}{part}"] = self._number(float(value))
        self.poses[name] = Pose(at, Rotation.identity())

    def _marker(self, marker: Marker) -> Pose:
        marker = in_plane(marker) if self.layout.model.plane else marker
        numbers = [self._number(x) for x in marker_numbers(marker)]
        if marker.rotation.angle is None:  # by its axes
            for k in (3, 6, 9):
                numbers[k : k + 3] = exact_direction(numbers[k : k + 3])
        elif marker.rotation.x.x not in (0.0, 1.0, -1.0):  # no quarter turn
            numbers[3:5] = numbers[-1].cos(), numbers[-1].sin()
        return self.poses[marker.body] @ marker_pose(marker, numbers)

    def _join(self, element: JointElement) -> None:
        joint, X = element.joint, [self._marker(m) for m in element.markers]
        numbers: Iterator[Any] = iter([self._number(x) for x in element.numbers])
        found: list[Any] = []
        for constraint in joint.constraints:
            own = with_numbers(constraint, numbers)
            args = [*X, *(self._parameter(joint.name, u) for u in constraint.unknowns)]
            first = len(self.rows) + len(found)
            formula, units = own.phi, constraint.rows
            if isinstance(own, AbstractBarConstraint) and own.sees_lines:
                is_flexible = own.is_flexible(own.bars[0])
                own, bars = self._with_directions(own, X, element)
                formula = partial(own.rows_along, bars)
                if own.implied and not self.layout.model.plane:
                    is_direction = is_flexible and not own.is_flexible(own.bars[0])
                    formula = partial(self._along, own, bars, joint.name, is_direction)
                    units = own.parted(bars, *args).units
            found += rows_of(partial(formula, *args), len(units), joint.name)
            if type(own).arrows is not AbstractConstraint.arrows:
                squares = [self._lifted(u.square) for u in own.arrows(*X)]
                unit = self._number(self.scale)
                least = self._number(SHORTEST * SHORTEST)
                self.sides += [(e / unit / unit - least, joint.name) for e in squares]
                self.arrows.append((set(range(first, len(self.rows) + len(found))), squares))
        if not joint.constraints and not element.held:
            own = with_numbers(joint, numbers)
            found += rows_of(partial(own.phi, *X), len(joint.row_units), joint.name)
        self.rows += [(self._lifted(row), joint.name) for row in found]
        for held in element.held:
            own = with_numbers(held, numbers)
            if len(held.measures) == 1 and held.coefficients[0] == 1.0:
                read = value_of(partial(held.measures[0].value, *X[:2]), joint.name)
                self._hold(read, self._lifted(own.value), joint.name)
            else:
                read = [value_of(partial(m.value, *X[:2]), joint.name) for m in held.measures]
                shares = [Fraction(c) for c in held.coefficients]
                self._combine(read, shares, Fraction(held.value or 0.0), joint.name)
        self.sides += [(self._lifted(side.value(X[0], X[1])), joint.name) for side in joint.sides]

    def _with_directions(
        self, own: AbstractBarConstraint, X: Sequence[Pose], element: JointElement
    ) -> tuple[AbstractBarConstraint, list[Vector]]:
        """A word of lines, and the vectors it is said of: of a flexible bar, one of a fixed length.

        With B = A + r w, |w| = 1 and r bounded from below, as long as the bar has a direction.
        """
        vectors, known = own.vectors(*X), {}
        for k, bar in enumerate(own.bars):
            start, end = element.markers[bar.start], element.markers[bar.end]
            if not own.is_flexible(bar) or start.body == end.body:
                continue
            name, u = f"{element.name}.{bar.length}", vectors[k]
            here, there = ((m.body, *(float(e) for e in m.position)) for m in (start, end))
            if (there, here) in self.ways:
                vectors[k] = -self.ways[there, here]
            else:
                if (here, there) not in self.ways:
                    self.ways[here, there] = self._way(name, u, element.name)
                vectors[k] = self.ways[here, there]
            known[bar.length] = self._number(self.scale)
        return own.with_lengths(known), vectors

    def _way(self, name: str, u: Vector, source: str) -> Vector:
        """The direction of a bar with the vector u, as long as the machine's unit."""
        r = self._unknown(f"{name}.length", Bounds(SHORTEST, is_limit=True))
        words = "cs" if self.layout.model.plane else "xyz"
        w = [self._unknown(f"{name}.{e}", Bounds(-ROOM, ROOM)) for e in words]
        d = [self._lifted(e) / self._number(self.scale) for e in (*u,)[: len(words)]]
        rows = [r * a - b for a, b in zip(w, d, strict=True)]
        self.lines += [(row, source) for row in (*rows, _dot(w, w) - 1.0)]
        pairs = itertools.combinations(range(len(w)), 2)
        implied = [_dot(d, d) - r * r, *(w[i] * d[j] - w[j] * d[i] for i, j in pairs)]
        self.implied += [(row, source) for row in implied]
        return Vector(*w, *[0.0 * r] * (3 - len(w))) * self.scale

    def _along(
        self,
        own: AbstractBarConstraint,
        bars: list[Vector],
        source: str,
        is_direction: bool,
        *args: Any,
    ) -> list[Any]:
        """Rows of a bar in space: a = m w of what lies along it, m an unknown, as w is no zero."""
        parted, unit = own.parted(bars, *args), self._number(self.scale)
        w, rows = [self._lifted(e) / unit for e in bars[0]], []
        for a, kind in parted.along:
            size = unit if kind == "m" else self._number(1.0)
            d = [self._lifted(e) / size for e in a]
            self.along += 1
            m = self._unknown(f"{source}.along{self.along}", Bounds())
            rows += [e - m * f for e, f in zip(d, w, strict=True)]
            square = 1.0 if is_direction else _dot(w, w)
            self.implied.append((m * m * square - _dot(d, d), source))
        return [*rows, *(row for row, _ in parted.others)]

    def _parameter(self, joint: str, unknown: Any) -> Expression:
        """A curve's parameter, in units near the machine's size."""
        factor = 2.0 ** round(math.log2(unknown.scale / self.scale))
        domain, name = unknown.domain, f"{joint}.{unknown.name}"
        bounds = Bounds(
            domain.low * factor,
            domain.high * factor,
            domain.period * factor,
            domain.is_bounded and not domain.period,
        )
        value = self._unknown(name, bounds) / self._number(factor)
        self.readings[name] = value
        return value

    def _read(self, gauge: Gauge) -> Any:
        X = [self._marker(m) for m in (gauge.I, gauge.J)]
        return value_of(partial(gauge.measure.value, *X), gauge.name)

    def _hold(self, read: Any, value: Expression, source: str) -> None:
        """read = value; of an angle, sin(read - value) = 0 and cos(read - value) > 0."""
        if isinstance(read, Wrapped):
            sine, cosine = self._arms(read, source)
            c, s = value.cos(), value.sin()
            self.rows.append((sine * c - cosine * s, source))
            self.sides.append((cosine * c + sine * s, source))
            return
        length = self._lifted(read)
        fixed = value.constant
        if self.graph.ops[length.node] == Op.SQRT and (fixed is None or fixed > 0.0):
            square = Expression(self.graph, self.graph.args[length.node][0])
            self.rows.append((square - value * value, source))
            if fixed is None:
                self.sides.append((value, source))
        else:
            self.rows.append((length - value, source))

    def _follow(self, clock: Clock) -> None:
        """Measures that are what their laws say at t, an unknown."""
        ends = clock.start / clock.unit, clock.stop / clock.unit
        t = self._unknown(TIME, Bounds(*ends, is_limit=True)) * clock.unit
        self.readings[TIME] = t
        for gauge, law in clock.drives:
            self._hold(self._read(gauge), self._lifted(law.value(t)), gauge.name)

    def _stop(self, gauge: Gauge, low: float, high: float) -> None:
        """A measure that is an unknown of its own, within its limits."""
        read, name = self._read(gauge), f"limit of {gauge.name}"
        if not isinstance(read, Wrapped):
            u = self._unknown(name, Bounds(low / self.scale, high / self.scale, is_limit=True))
            self.rows.append((self._lifted(read) - self.scale * u, gauge.name))
            return
        u = self._unknown(name, Bounds(low, high, is_limit=True))
        sine, cosine = self._arms(read, gauge.name)
        c, s = u.cos(), u.sin()
        self.rows.append((sine * c - cosine * s, gauge.name))
        self.sides.append((cosine * c + sine * s, gauge.name))

    def _couple(self, element: Any) -> None:
        coupler = element.coupler
        if element.name in self.shafts:  # its wheels are in step already
            return
        if any(says_no_more(coupler, element.name, ways) for ways in self.shafts.values()):
            return
        X = [self._marker(m) for m in element.markers]
        read = [
            value_of(partial(g.measure.value, *X[2 * k : 2 * k + 2]), element.name)
            for k, g in enumerate(coupler.gauges)
        ]
        self._combine(read, *linear_law(coupler, element.name), element.name)

    def _combine(
        self, read: Sequence[Any], shares: Sequence[Fraction], constant: Fraction, source: str
    ) -> None:
        """sum shares_k read_k = constant; of turns, as a product of powers of cosine + j sine.

        Where displacements are among them, the turns add up to an angle that those tell.
        """
        if not any(isinstance(v, Wrapped) for v in read):
            terms = [self._exact(c) * self._lifted(v) for c, v in zip(shares, read, strict=True)]
            self.rows.append((sum(terms[1:], terms[0]) - self._exact(constant), source))
            return
        told = list(zip(read, shares, strict=True))
        turns = [(v, c) for v, c in told if isinstance(v, Wrapped)]
        whole, unit = whole_ratios([c for _, c in turns], source)
        angle = self._exact(constant / unit)
        for displacement, share in told:
            if not isinstance(displacement, Wrapped):
                angle = angle - self._exact(share / unit) * self._lifted(displacement)
        re, im = angle.cos(), -angle.sin()
        for (value, _), power in zip(turns, whole, strict=True):
            sine, cosine = self._arms(value, source)
            a, b = cosine, sine if power > 0 else -sine
            for _ in range(abs(power)):
                re, im = re * a - im * b, re * b + im * a
        self.rows.append((im, source))
        self.sides.append((re, source))

    def _exact(self, fraction: Fraction) -> Expression:
        """A fraction as a quotient of sums of doubles."""
        above, below = (self._whole(x) for x in (fraction.numerator, fraction.denominator))
        return above / below

    def _whole(self, number: int) -> Expression:
        total = self._number(0.0)
        while number:
            part = float(number)
            total, number = total + self._number(part), number - int(part)
        return total

    def _arms(self, read: Wrapped, source: str) -> tuple[Expression, Expression]:
        angle = self._lifted(read.angle)
        if self.graph.ops[angle.node] != Op.ATAN2:
            raise UnsolvableKind(f"{source!r} reads an angle that is no plain arc tangent.")
        y, x = (Expression(self.graph, a) for a in self.graph.args[angle.node])
        return y, x


def _dot(a: Sequence[Expression], b: Sequence[Expression]) -> Expression:
    products = [x * y for x, y in zip(a, b, strict=True)]
    return sum(products[1:], products[0])


def _cleared(row: Polynomial, squares: Sequence[Polynomial]) -> tuple[Polynomial, list[Polynomial]]:
    """A row times its denominators: lengths of arrows that its sides keep from vanishing.

    A / B = 0 and B > 0 is A = 0 and B > 0. Other lengths stay, and are given: along surfaces.
    """
    ring = row.ring
    of, kept = ring.generators, set[int]()
    while True:
        inside = {g for m in row.terms for g in m if of[g].op is Op.REC and of[g].unknowns} - kept
        if not inside:
            return row, [of[g].args[0] for g in sorted(kept)]
        g = min(inside)
        below = of[g].args[0]
        roots = {h for m in below.terms for h in m if of[h].unknowns}
        are_lengths = len(below.terms) == 1 and all(
            of[h].op is Op.SQRT and _is_one_of(of[h].args[0], squares) for h in roots
        )
        if not are_lengths and not _is_one_of(below, squares):
            kept.add(g)
            continue
        most = max(m.count(g) for m in row.terms)
        total = ring.number(0)
        for m, c in row.terms.items():
            term = Polynomial(ring, {tuple(h for h in m if h != g): c})
            for _ in range(most - m.count(g)):
                term = term * below
            total = total + term
        row = total


def _is_one_of(value: Polynomial, squares: Sequence[Polynomial]) -> bool:
    return any(are_proportional(value, square) for square in squares)


def gauges_asked(
    gauges: Mapping[str, Gauge],
    held: Mapping[str, float],
    limits: Mapping[str, tuple[float, float]],
) -> Asked:
    """What was asked, by the names of a model's measures."""
    missing = [name for name in (*held, *limits) if name not in gauges]
    if missing:
        raise UnsolvableKind(f"the model has no measure {missing[0]!r} that was held or limited.")
    return Asked(
        tuple((gauges[name], value) for name, value in held.items()),
        tuple((gauges[name], low, high) for name, (low, high) in limits.items()),
    )

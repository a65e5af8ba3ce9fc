"""Bodies and joints of the plane as equations: positions, cosines and sines are the unknowns.

A body's pose is (x, y, c, s) with c^2 + s^2 = 1, so that every hinge is linear and every row of the
built-in joints a polynomial. The formulas are the joints' own: only the chart differs from the one
that a sweep uses.

Points in space are written the same way: bodies that do not turn, of which (x, y, z) is left, or
the parameters of the curve or surface that they are on.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, final

from kempe.algebra import Expression, Op
from kempe.algebra.expression import lifted
from kempe.compile.layout.elements import JointElement, rows_of, value_of
from kempe.compile.layout.layout import Layout
from kempe.compile.layout.numbers import in_plane, marker_numbers, marker_pose, with_numbers
from kempe.constraints import (
    AbstractBarConstraint,
    AbstractConstraint,
    AbstractPointAndSurface,
    OnCurve,
    Unknown,
)
from kempe.errors import AssemblyError, BadConnection, UnsolvableKind
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector
from kempe.joints import AbstractJoint, Kind
from kempe.measures import AbstractMeasure, Bearing, Displacement, Gauge, Wrapped
from kempe.model import Body, Model
from kempe.motion.equations.exact_numbers import LEAST, exact_direction, with_exact_angles
from kempe.motion.equations.gears import exact, hold_coupler, linear_law, meshes
from kempe.motion.equations.question import (
    WHOLE_TURN,
    Clock,
    Holding,
    Limited,
    machine_size,
)
from kempe.motion.equations.rewriting import (
    ROOM,
    SHORTEST,
    Directions,
    Guide,
    Locks,
    Slides,
    cleared,
    guides_of,
)
from kempe.motion.equations.system import POINTS, FullSystem, SystemRow

AXES = tuple(f"{axis}{part}" for axis in "uvw" for part in "xyz")  # of a rotation, by columns


def planar_equations(
    layout: Layout,
    held: Sequence[Holding] = (),
    stops: Sequence[Limited] = (),
    read: Sequence[Gauge] = (),
    *,
    with_directions: bool = True,
    clock: Clock | None = None,
) -> FullSystem:
    """The rows of all joints and couplers of a model of the plane, or of points, without drives.

    Gauges to `read` become readings: of an angle, its sine and its cosine. `with_directions`, bars
    that change their length get unknowns for length and direction; without, none but the model's.
    With a `clock` its drives follow time, which is an unknown and a reading t (s).
    """
    if not is_writable(layout.model):
        raise UnsolvableKind(
            f"{layout.model.name!r} has bodies that turn in space, which other equations describe."
        )
    writing = _Writing(layout, machine_size(layout, held, stops), with_directions)
    for element in layout.elements[: layout.first_drive]:
        if isinstance(element, JointElement):
            writing.join(element)
        else:
            writing.couple(element)
    for holding in held:
        gauge = holding.gauge
        value = writing.equations.number(holding.value)
        writing.hold(gauge.measure, (gauge.I, gauge.J), value, gauge.name)
    if clock is not None:
        t = clock.time(writing.equations)
        for gauge, law in clock.drives:
            value = writing.lifted(law.value(t))
            writing.hold(gauge.measure, (gauge.I, gauge.J), value, gauge.name)
    for stop in stops:
        writing.stop(stop)
    for gauge in read:
        writing.read(gauge)
    writing.finish()
    return writing.equations


def is_writable(model: Model) -> bool:
    """Whether a `model` is one of the plane, or of points in space: bodies that never turn."""
    return model.plane or {b.name for b in model.moving} <= upright_bodies(model)


def upright_bodies(model: Model) -> frozenset[str]:
    """Bodies that keep the ground's directions: all that is left of them is a point."""
    found = set()
    for joint in model.joints:
        ways = joint.ways(plane=model.plane)
        level = ways.is_level and all(m.rotation.angle == 0.0 for m in joint.markers)
        if ways.kind is Kind.UNTURNED and level and GROUND in (joint.I.body, joint.J.body):
            found |= {joint.I.body, joint.J.body} - {GROUND}
    return frozenset(found)


@final
class _Writing:
    """The equations of one layout, while they are written."""

    def __init__(self, layout: Layout, size: float, with_directions: bool) -> None:
        self.layout, self.with_directions = layout, with_directions
        self.plane = layout.model.plane
        self.equations = FullSystem(form="" if self.plane else POINTS)
        self.scale = 2.0 ** round(math.log2(size))  # exact as a factor
        self.bodies: dict[str, Pose] = {GROUND: Pose.identity()}
        self.locks = Locks(self.equations)
        self.undefined: dict[str, tuple[Expression, ...]] = {}  # points by x, y and, in space, z
        self.slides = Slides(self)
        self.directions = Directions(self.equations, self.scale, plane=self.plane)
        upright = upright_bodies(layout.model)
        geared = meshes(layout) if self.plane else {}
        self.meshes = {n: m for n, m in geared.items() if not upright & set(m.wheels)}
        self.turned: dict[str, Expression] = {}  # angles of wheels, by body
        for mesh in self.meshes.values():
            guesses = {b.name: self._guess(b)[2] for b in layout.model.moving}
            self.turned |= mesh.angles(self.equations, guesses)
        for body in layout.model.moving:
            self.bodies[body.name] = (
                self._body(body, turns=body.name not in upright)
                if self.plane
                else self._point(body)
            )

    def _body(self, body: Body, *, turns: bool) -> Pose:
        e, name, at = self.equations, body.name, self._guess(body)
        places = (
            e.unknown(f"{name}.x", guess=at[0] / self.scale),
            e.unknown(f"{name}.y", guess=at[1] / self.scale),
        )
        x, y = (self.scale * place for place in places)
        if name in self.turned:
            angle = self.turned[name]
            c, s = angle.cos(), angle.sin()
            rotation = Rotation.from_cosine_sine(c, s)
        elif turns:
            c = e.unknown(f"{name}.c", -ROOM, ROOM, guess=math.cos(at[2]))
            s = e.unknown(f"{name}.s", -ROOM, ROOM, guess=math.sin(at[2]))
            self.locks.turning(name, c, s)
            rotation = Rotation.from_cosine_sine(c, s)
        else:
            c, s, rotation = e.number(1.0), e.number(0.0), Rotation.identity()
            self.undefined[name] = places
        for part, value in (("x", x), ("y", y), ("c", c), ("s", s)):
            e.read(f"{name}.{part}", value)
        return Pose(Vector(x, y, 0.0 * x), rotation)

    def _point(self, body: Body) -> Pose:
        """A body in space that does not turn."""
        e, name = self.equations, body.name
        put = body.guess is not None and not body.anywhere
        at = [float(c) for c in body.guess.position] if put and body.guess else [math.nan] * 3
        places = tuple(
            e.unknown(f"{name}.{word}", guess=c / self.scale)
            for word, c in zip("xyz", at, strict=True)
        )
        self.undefined[name] = places
        x, y, z = (self.scale * place for place in places)
        for word, value in zip("xyz", (x, y, z), strict=True):
            e.read(f"{name}.{word}", value)
        for k, word in enumerate(AXES):
            e.read(f"{name}.{word}", e.number(1.0 if k % 4 == 0 else 0.0))
        return Pose(Vector(x, y, z), Rotation.identity())

    def _guess(self, body: Body) -> tuple[float, float, float]:
        """(x, y, angle) where a body was put, NaN where it was not."""
        if body.guess is None:
            return (math.nan,) * 3
        x, y, angle = self.layout.chart.coordinates(body.guess).tolist()
        return (math.nan, math.nan, angle) if body.anywhere else (x, y, angle)

    def poses(self, markers: Sequence[Marker]) -> list[Pose]:
        """X_WM of markers, traced."""
        flat = map(in_plane, markers) if self.plane else markers
        placed = [(m, self.numbers(m)) for m in flat]
        return [self.bodies[m.body] @ marker_pose(m, numbers) for m, numbers in placed]

    def numbers(self, marker: Marker) -> list[Expression]:
        """The numbers of a marker: the cosine and sine of an angle as formulas of the angle."""
        numbers = [self.equations.number(x) for x in marker_numbers(marker)]
        angle = marker.rotation.angle
        is_quarter = marker.rotation.x.x in (0.0, 1.0, -1.0)
        if angle is None:
            axes = [exact_direction(numbers[k : k + 3]) for k in (3, 6, 9)]
            return [*numbers[:3], *(entry for axis in axes for entry in axis)]
        if not is_quarter:
            turn = numbers[-1]
            numbers[3:5] = with_exact_angles([turn.cos(), turn.sin()])
        return numbers

    def scaled(self, value: Expression, unit: str) -> Expression:
        """A row in units of about the machine's size, so that its numbers are of the size of 1."""
        return value / self.equations.number(self.scale) if unit == "m" else value

    def join(self, element: JointElement) -> None:
        """The rows of a joint and what it holds."""
        joint, X = element.joint, self.poses(element.markers)
        numbers: Iterator[Any] = iter([self.equations.number(x) for x in element.numbers])
        rows: list[tuple[Any, str, Guide | None]] = []  # and their units
        for constraint in joint.constraints:
            own = with_numbers(constraint, numbers)
            places = [self._own(joint.name, u) for u in constraint.unknowns]
            if not self._put_on_track(joint, own, X[0], places):
                rows += self._said(own, [*X, *places], element)
        if not joint.constraints and not element.held:
            own = with_numbers(joint, numbers)
            who = f"{type(own).__name__}.phi (joint {joint.name!r})"
            made = rows_of(lambda: own.phi(*X), len(joint.row_units), who)
            rows += [(row, unit, None) for row, unit in zip(made, joint.row_units, strict=True)]
        sides = [self.lifted(side.value(X[0], X[1])) for side in joint.sides]
        for row, unit, guide in rows:
            written = self.row(self.scaled(self.lifted(row), unit), joint.name, sides)
            if guide is not None and written is not None:
                self.slides.guides[joint.I, joint.J] = (*guide, written)
        for held in element.held:
            own = with_numbers(held, numbers)
            if len(held.measures) == 1 and held.coefficients[0] == 1.0:
                self.hold(held.measures[0], (joint.I, joint.J), own.value, joint.name)
            else:
                readings = [(m, X) for m in held.measures]
                shares = [Fraction(c) for c in held.coefficients]
                self._combine(readings, shares, Fraction(held.value or 0.0), joint.name)
        self._sides(sides, joint.name)

    def _said(
        self, own: Any, args: list[Any], element: JointElement
    ) -> list[tuple[Any, str, Guide | None]]:
        """The rows of a constraint at poses and places, their units, and what guides they are."""
        name, units, X = element.joint.name, own.rows, args[: len(element.markers)]
        formula, who = own.phi, f"{type(own).__name__}.phi (joint {name!r})"
        if isinstance(own, AbstractBarConstraint) and self.with_directions:
            own, bars = self.directions.put_into(own, X, element.markers, name)
            formula = partial(own.rows_along, bars)
            if own.implied and not self.plane:
                parted = own.parted(bars, *args)
                units = parted.units
                formula = partial(self.directions.off_bar, bars[0], parted, name)
                args = []
        made = rows_of(partial(formula, *args), len(units), who)
        if own.implied and not self.plane and not self.with_directions:  # for counting only
            made, units = made[: -own.implied], units[: -own.implied]
        if type(own).arrows is not AbstractConstraint.arrows:
            made = self._with_directions([self.lifted(r) for r in made], own.arrows(*X), name)
        guides = guides_of(own) if self.plane else [None] * len(units)
        return list(zip(made, units, guides, strict=True))

    def _with_directions(
        self, rows: list[Expression], arrows: Sequence[Vector], source: str
    ) -> list[Expression]:
        """Rows that divide by lengths, cleared, the lengths kept from vanishing."""
        e, least = self.equations, SHORTEST * SHORTEST
        for u in arrows:
            square = self.scaled(self.scaled(self.lifted(u.square), "m"), "m")
            self._sides([square - e.number(least)], source)
        return [cleared(row, e.inputs) for row in rows]

    def _own(self, joint: str, unknown: Unknown) -> Expression:
        """A curve's parameter, measured in units of about the machine's size."""
        factor = 2.0 ** round(math.log2(unknown.scale / self.scale))  # exact
        domain = unknown.domain
        place = self.equations.unknown(
            f"{joint}.{unknown.name}",
            domain.low * factor,
            domain.high * factor,
            period=domain.period * factor,
            is_limit=domain.is_bounded and not domain.period,
        )
        value = place / self.equations.number(factor)
        self.equations.read(f"{joint}.{unknown.name}", value)
        return value

    def _put_on_track(
        self, joint: AbstractJoint, on: Any, X_WI: Pose, at: Sequence[Expression]
    ) -> bool:
        """Where a point is that of its curve or surface, it needs no unknowns; False where not."""
        places = self.undefined.get(joint.J.body)
        if places is None or any(joint.J.position) or not at:
            return False
        if isinstance(on, OnCurve):
            there = X_WI.point(on.curve.point(at[0]))
        elif isinstance(on, AbstractPointAndSurface):
            there = X_WI.point(on.place(at[0], at[1]))
        else:
            return False
        del self.undefined[joint.J.body]
        for place, value in zip(places, there, strict=False):  # in the plane without z
            inside = self.lifted(value) / self.equations.number(self.scale)
            self.equations.define(place, inside, joint.name)
        return True

    def row(self, row: Expression, source: str, sides: Sequence[Expression]) -> SystemRow | None:
        """Ask that a row vanish; what was written, where it is one row of its own."""
        row, *sides = with_exact_angles([row, *sides])
        value = row.constant
        if value == 0.0:
            return None
        if value is not None and abs(value) > LEAST and self.plane:
            raise BadConnection(
                f"joint {source!r} cannot hold in the plane: one of its rows is {value:g} whatever"
                " the bodies do. Turn its markers, or use a joint that works in the plane."
            )
        if self.locks.lock(row, source, sides):
            return None
        self.equations.equate(row, source)
        return self.equations.equations[-1]

    def _sides(self, sides: Sequence[Expression], source: str) -> None:
        for side in sides:
            value = side.constant
            if value is None:
                self.equations.keep_positive(side, source)
            elif value <= 0.0:
                raise AssemblyError(
                    f"joint {source!r} can only go together the wrong way round: its markers oppose"
                    " each other. Turn one of them by 180 degrees, or say flip=True if that is on"
                    " purpose.",
                    joint=source,
                )

    def hold(
        self,
        measure: AbstractMeasure,
        markers: tuple[Marker, Marker],
        value: Expression,
        source: str,
    ) -> None:
        """Keep a measure at a value: sin(a - value) = 0 and cos(a - value) > 0 for an angle a."""
        X = self.poses(markers)
        if (
            isinstance(measure, Displacement)
            and self.plane
            and self.slides.place(measure.axis, markers, value, source)
        ):
            return
        read = value_of(lambda: measure.value(X[0], X[1]), f"{type(measure).__name__}.value")
        if not isinstance(read, Wrapped):
            sides = [value] if self._is_length(self.lifted(read), value) else []
            self.row(self._difference(self.lifted(read), value, measure.unit), source, ())
            self._sides(sides, source)
            return
        sine, cosine = self._arms(measure, read, source)
        c, s = value.cos(), value.sin()
        side = cosine * c + sine * s
        self.row(sine * c - cosine * s, source, [side])
        self._sides([side], source)

    @staticmethod
    def _is_length(read: Expression, value: Expression) -> bool:
        """Whether a distance is to be what is positive: a number, or told so by a side."""
        fixed = value.constant
        return read.graph.ops[read.node] == Op.SQRT and (fixed is None or fixed > 0.0)

    def _difference(self, read: Expression, value: Expression, unit: str) -> Expression:
        """read - value; d^2 - value^2 where a distance d is held at a positive value."""
        graph = read.graph
        if self._is_length(read, value):
            squares = Expression(graph, graph.args[read.node][0]) - value * value
            return self.scaled(self.scaled(squares, unit), unit)
        return self.scaled(read - value, unit)

    def stop(self, stop: Limited) -> None:
        """Keep a measure between two values: it becomes an unknown of its own."""
        e, gauge = self.equations, stop.gauge
        X = self.poses((gauge.I, gauge.J))
        read = value_of(lambda: gauge.measure.value(*X), gauge.name)
        if not isinstance(read, Wrapped):
            unit = self.scale if gauge.unit == "m" else 1.0
            low, high = (x / unit for x in (stop.low, stop.high))
            u = e.unknown(f"limit of {gauge.name}", low, high, is_limit=True)
            e.equate(self.scaled(self.lifted(read), gauge.unit) - u, gauge.name)
            if isinstance(gauge.measure, Displacement) and self.plane:
                self.slides.bound(gauge, gauge.measure.axis, u)
            return
        if stop.high - stop.low >= WHOLE_TURN:
            return  # every position has a turn within
        u = e.unknown(f"limit of {gauge.name}", stop.low, stop.high, is_limit=True)
        sine, cosine = self._arms(gauge.measure, read, gauge.name)
        c, s = u.cos(), u.sin()
        e.equate(sine * c - cosine * s, gauge.name)
        e.keep_positive(cosine * c + sine * s, gauge.name)

    def read(self, gauge: Gauge) -> None:
        """Have a measure read at every solution."""
        X = self.poses((gauge.I, gauge.J))
        value = value_of(lambda: gauge.measure.value(*X), gauge.name)
        if not isinstance(value, Wrapped):
            self.equations.read(gauge.name, self.lifted(value))
            return
        sine, cosine = self._arms(gauge.measure, value, gauge.name)
        self.equations.read(f"{gauge.name} sine", sine)
        self.equations.read(f"{gauge.name} cosine", cosine)

    def couple(self, element: Any) -> None:
        """The row of a coupler: whole ratios of turns are products of cosine-sine pairs."""
        coupler = element.coupler
        if element.name in self.meshes:  # the wheels' angles are in step already
            return
        if any(mesh.implies(coupler, element.name) for mesh in self.meshes.values()):
            return
        X = self.poses(element.markers)
        readings = [(g.measure, X[2 * k : 2 * k + 2]) for k, g in enumerate(coupler.gauges)]
        shares, constant = linear_law(coupler, element.name)
        self._combine(readings, shares, constant, element.name)

    def _combine(
        self,
        readings: Sequence[tuple[AbstractMeasure, Sequence[Pose]]],
        shares: Sequence[Fraction],
        constant: Fraction,
        source: str,
    ) -> None:
        """sum shares_k reading_k = constant."""
        number = self.equations.number
        values = [value_of(lambda m=m, X=X: m.value(X[0], X[1]), source) for m, X in readings]  # type: ignore[misc]
        if not any(isinstance(v, Wrapped) for v in values):
            terms = [exact(c, number) * self.lifted(v) for c, v in zip(shares, values, strict=True)]
            units = {m.unit for m, _ in readings}
            row = sum(terms[1:], terms[0]) - exact(constant, number)
            self.row(self.scaled(row, "m" if units == {"m"} else "1"), source, ())
            return
        told = list(zip(readings, values, shares, strict=True))
        turns = [(self._arms(m, v, source), c) for (m, _), v, c in told if isinstance(v, Wrapped)]
        slides = [(c, self.lifted(v)) for _, v, c in told if not isinstance(v, Wrapped)]
        arms = [arm for arm, _ in turns]
        row, side = hold_coupler(arms, [c for _, c in turns], constant, number, source, slides)
        self.row(row, source, [side])
        self._sides([side], source)

    def _arms(
        self, measure: AbstractMeasure, read: Wrapped, source: str
    ) -> tuple[Expression, Expression]:
        """(sine, cosine) of a wrapped angle, up to a common positive factor."""
        angle = self.lifted(read.angle)
        graph = angle.graph
        if graph.ops[angle.node] == Op.ATAN2:
            unit = "m" if isinstance(measure, Bearing) else "1"
            y, x = (self.scaled(Expression(graph, a), unit) for a in graph.args[angle.node])
            return y, x
        raise UnsolvableKind(
            f"{source!r} reads an angle that is no plain arc tangent: certified motions cannot hold"
            " it."
        )

    def lifted(self, value: Any) -> Expression:
        return lifted(self.equations.graph, value)

    def finish(self) -> None:
        """Circles of all bodies that are not turned along by another."""
        self.locks.finish()

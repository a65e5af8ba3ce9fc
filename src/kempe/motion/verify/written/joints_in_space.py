"""What joints say of bodies in space, written once more: in places and rotation matrices.

Nothing of how a search writes them is used: a body is p and R, and a pair of lower kind is what it
means. With three square axes each,

    x_I . z_J = y_I . z_J = 0  and  z_I . z_J > 0    are    z_J = z_I,
    the same with x_I . y_J = 0 and x_I . x_J > 0    are    R_J = R_I;

d . x_I = d . y_I = 0 for d = p_J - p_I is d = s z_I; and where z_J = z_I, a turn held at a is
x_J = cos(a) x_I + sin(a) y_I and its like for y. A body with a ball at one end and a ball, or a
cross whose arm is square to it, at the other can be put in wherever its two ends are as far apart
as it is long. All other rows are the joints' own formulas.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, final

import numpy as np

from kempe.algebra import Expression, Graph, Op
from kempe.algebra.expression import lifted
from kempe.compile.layout.elements import JointElement, rows_of, value_of
from kempe.compile.layout.layout import Layout
from kempe.constraints import (
    AbstractBarConstraint,
    AbstractConstraint,
    Coincident,
    InPlane,
    OnLine,
    Parallel,
    Perpendicular,
    SameOrientation,
)
from kempe.errors import UnsolvableKind
from kempe.geometry import Axis, Marker, Pose, Vector, X, Y, Z
from kempe.joints.side import SameWay
from kempe.measures import Gauge, Turn, Wrapped
from kempe.motion.equations.gears import linear_law, whole_ratios
from kempe.motion.verify.written.planar_rows import Asked

ACROSS = {(X, Z), (Y, Z)}
ALIKE = ACROSS | {(X, Y)}
SQUARE = 1e-12  # cosine of an arm of a cross that is square to its rod
Poses = Mapping[str, Pose]
Told = tuple[Expression, str]
Own = Callable[[str, Expression], Expression | None]


@final
@dataclass(slots=True, eq=False)
class Said:
    """Rows that vanish and sides that are positive, of joints at poses, on one graph."""

    graph: Graph
    scale: float
    rows: list[Told] = field(default_factory=list)
    implied: list[Told] = field(default_factory=list)  # that follow from rows and rotations
    sides: list[Told] = field(default_factory=list)

    def vanish(self, value: Any, source: str, unit: float = 1.0) -> None:
        """Ask that a value vanish, in units of one of its size."""
        row = lifted(self.graph, value)
        if row.constant != 0.0:
            self.rows.append((row / unit if unit != 1.0 else row, source))

    def equal(self, a: Vector, b: Vector, source: str, unit: float = 1.0) -> None:
        """Ask that two vectors be one."""
        for row in a - b:
            self.vanish(row, source, unit)

    def share_axis(self, I: Pose, J: Pose, source: str) -> None:
        """z_J = z_I, and with it z_I . x_J = 0, z_I x x_J = y_J and their like."""
        self.equal(J.axis(Z), I.axis(Z), source)
        first = len(self.rows)
        for A, B in ((I, J), (J, I)):
            z, x, y = A.axis(Z), B.axis(X), B.axis(Y)
            self.vanish(z @ x, source)
            self.vanish(z @ y, source)
            self.equal(z.cross(x), y, source)
            self.equal(y.cross(z), x, source)
        self.implied += self.rows[first:]
        del self.rows[first:]

    def positive(self, value: Any, source: str) -> None:
        """Ask that a value be positive."""
        self.sides.append((lifted(self.graph, value), source))


@final
@dataclass(frozen=True, slots=True)
class RodBody:
    """A body that does nothing but keep two points apart: by its joints, the far one last."""

    name: str
    ends: tuple[Marker, Marker]  # on others
    length: float


def turning(joint: Any) -> str:
    """ "hinge" where two markers share their z axes, "locked" where they are turned alike."""
    pairs: set[tuple[Axis, Axis]] = set()
    for constraint in joint.constraints:
        if isinstance(constraint, Perpendicular):
            pairs.add((constraint.a, constraint.b))
        elif isinstance(constraint, Parallel) and constraint.b is Z:
            pairs |= {(across, Z) for across in constraint.a.others} if constraint.a is Z else set()
        elif isinstance(constraint, SameOrientation):
            pairs |= ALIKE
    sides = set(joint.sides)
    if pairs == ALIKE and sides == {SameWay(X, X), SameWay(Z, Z)}:
        return "locked"
    if pairs == ACROSS and sides == {SameWay(Z, Z)}:
        return "hinge"
    return ""


def _is_turning(constraint: AbstractConstraint) -> bool:
    return isinstance(constraint, Perpendicular | Parallel | SameOrientation)


def rod_bodies(layout: Layout, asked: Asked, loose: Sequence[str]) -> dict[str, RodBody]:
    """Bodies that are rods; an error where one of these is something else."""
    elements: Sequence[Any] = layout.elements[: layout.first_drive]
    joints = [e for e in elements if isinstance(e, JointElement)]
    gauges = [g for g, _ in asked.held] + [g for g, *_ in asked.limits]
    if asked.clock is not None:
        gauges += [g for g, _ in asked.clock.drives]
    for element in elements:
        if not isinstance(element, JointElement):
            gauges += element.coupler.gauges
    busy = {m.body for g in gauges for m in (g.I, g.J)}
    found = {}
    for name in loose:
        own = [e for e in joints if any(m.body == name for m in e.markers)]
        if len(own) != 2 or name in busy or any(e.held or e.joint.unknowns for e in own):
            raise UnsolvableKind(f"{name!r} is more than a rod between two others.")
        ends, mine, crosses = [], [], []
        for e in own:
            kinds = [c for c in e.joint.constraints if not isinstance(c, Coincident)]
            has_point = any(isinstance(c, Coincident) for c in e.joint.constraints)
            if len(e.markers) != 2 or not has_point or len(kinds) > 1 or e.joint.sides:
                raise UnsolvableKind(f"{name!r} is more than a rod between two others.")
            I, J = e.markers
            here, there = (I, J) if I.body == name else (J, I)
            if there.body in loose or there.body == name:
                raise UnsolvableKind(f"{name!r} hangs on another rod.")
            ends.append(there)
            mine.append(here)
            for kind in kinds:
                if not isinstance(kind, Perpendicular):
                    raise UnsolvableKind(f"{name!r} is more than a rod between two others.")
                crosses.append(np.array(here.rotation.axis(kind.a if here is I else kind.b)))
        d = np.array(mine[1].position) - np.array(mine[0].position)
        length = float(np.linalg.norm(d))
        if len(crosses) > 1 or any(abs(float(n @ d)) > SQUARE * length for n in crosses):
            raise UnsolvableKind(f"{name!r} is no rod: its crosses tell more than its length.")
        found[name] = RodBody(name, (ends[0], ends[1]), length)
    return found


def said_by_joints(
    layout: Layout,
    asked: Asked,
    poses: Poses,
    rods: Mapping[str, RodBody],
    own: Own,
    said: Said,
) -> Said:
    """All that joints, couplers, held measures and limits say of bodies at these poses.

    `own` gives an unknown that belongs to none of them by its name, with what it stands for; None
    of a limit that has no unknown.
    """
    scale = said.scale

    def at(marker: Marker) -> Pose:
        return poses[marker.body] @ marker.pose

    elements: Sequence[Any] = layout.elements[: layout.first_drive]
    for element in elements:
        if not isinstance(element, JointElement):
            gauges, name = element.coupler.gauges, element.name
            pairs = [(at(g.I), at(g.J)) for g in gauges]
            _combine(gauges, pairs, *linear_law(element.coupler, name), name, said)
            continue
        if any(m.body in rods for m in element.markers):
            continue
        _join(element, [at(m) for m in element.markers], own, said)
    for rod in rods.values():
        A, B = (at(m).position for m in rod.ends)
        d = (B - A) / scale
        said.vanish(d.square - _square(said.graph, rod.length / scale), rod.name)
    for gauge, value in asked.held:
        _hold(gauge, value, (at(gauge.I), at(gauge.J)), is_about_hinge(layout, gauge), said)
    if asked.clock is not None:
        raise UnsolvableKind("drives that follow time are not written again in space.")
    for gauge, low, high in asked.limits:
        _limit(gauge, low, high, (at(gauge.I), at(gauge.J)), own, said)
    return said


def _square(graph: Graph, value: float) -> Expression:
    number = Expression(graph, graph.constant(value))
    return number * number


def slide_name(joint: str) -> str:
    """The unknown that says how far a joint has slid."""
    return f"slide of {joint}"


def is_on_line(joint: Any) -> bool:
    """Whether a joint keeps J on the z axis of I, and says how both turn about it."""
    planes = {c.n for c in joint.constraints if isinstance(c, InPlane)}
    lines = [c for c in joint.constraints if isinstance(c, OnLine) and c.a is Z]
    return bool(turning(joint)) and (bool(lines) or planes == {X, Y})


def _slide(I: Pose, J: Pose, name: str, own: Own, said: Said) -> None:
    """p_J - p_I = s z_I, and with it d . x_J = 0 and its like."""
    d, z = (J.position - I.position) / said.scale, I.axis(Z)
    along = lifted(said.graph, d @ z)
    s = own(slide_name(name), along)
    if s is None:
        raise UnsolvableKind(f"{name!r} slides by no unknown.")
    said.equal(d, z * s, name)
    first = len(said.rows)
    said.vanish(along - s, name)
    for A in (I, J):
        said.vanish(d @ A.axis(X), name)
        said.vanish(d @ A.axis(Y), name)
    said.implied += said.rows[first:]
    del said.rows[first:]


def _join(element: JointElement, X_W: Sequence[Pose], own: Own, said: Said) -> None:
    scale = said.scale
    joint, name, kind = element.joint, element.joint.name, turning(element.joint)
    if joint.unknowns or len(X_W) != 2 or not (joint.constraints or element.held):
        raise UnsolvableKind(f"{name!r} is no joint of two frames alone.")
    I, J = X_W
    if kind:
        said.share_axis(I, J, name)
    if kind == "locked":
        said.equal(J.axis(X), I.axis(X), name)
        said.equal(J.axis(Y), I.axis(Y), name)
    slides = is_on_line(joint)
    if slides:
        _slide(I, J, name, own, said)
    for constraint in joint.constraints:
        if kind and _is_turning(constraint):
            continue
        if slides and isinstance(constraint, InPlane | OnLine):
            continue
        if isinstance(constraint, AbstractBarConstraint):
            raise UnsolvableKind(f"{name!r} speaks of bars.")
        if isinstance(constraint, Coincident):
            said.equal(J.position, I.position, name, scale)
            continue
        rows = rows_of(partial(constraint.phi, I, J), len(constraint.rows), name)
        for row, unit in zip(rows, constraint.rows, strict=True):
            said.vanish(row, name, scale if unit == "m" else 1.0)
    for held in element.held:
        if len(held.measures) != 1 or held.coefficients[0] != 1.0:
            gauges = [Gauge(name, m, joint.I, joint.J) for m in held.measures]
            shares = [Fraction(c) for c in held.coefficients]
            _combine(
                gauges, [(I, J)] * len(gauges), shares, Fraction(held.value or 0.0), name, said
            )
            continue
        gauge = Gauge(name, held.measures[0], joint.I, joint.J)
        _hold(gauge, float(held.value or 0.0), (I, J), kind == "hinge", said)
    if not kind:
        for side in joint.sides:
            said.positive(side.value(I, J), name)


def _combine(
    gauges: Sequence[Gauge],
    pairs: Sequence[tuple[Pose, Pose]],
    shares: Sequence[Fraction],
    constant: Fraction,
    source: str,
    said: Said,
) -> None:
    """sum shares_k read_k = constant; of turns, as a product of powers of cosine + j sine."""
    read = [
        value_of(partial(g.measure.value, *X), source) for g, X in zip(gauges, pairs, strict=True)
    ]
    if not any(isinstance(v, Wrapped) for v in read):
        total = sum(
            (lifted(said.graph, v) * float(c) for v, c in zip(read, shares, strict=True)),
            lifted(said.graph, -float(constant)),
        )
        said.vanish(total, source, said.scale if gauges[0].unit == "m" else 1.0)
        return
    turns = [(v, c) for v, c in zip(read, shares, strict=True) if isinstance(v, Wrapped)]
    whole, unit = whole_ratios([c for _, c in turns], source)
    angle = lifted(said.graph, float(constant / unit))
    for value, share in zip(read, shares, strict=True):
        if not isinstance(value, Wrapped):
            angle = angle - lifted(said.graph, value) * float(share / unit)
    re, im = angle.cos(), -angle.sin()
    for (value, _), power in zip(turns, whole, strict=True):
        sine, cosine = arms(value, said.graph, source)
        a, b = cosine, sine if power > 0 else -sine
        for _ in range(abs(power)):
            re, im = re * a - im * b, re * b + im * a
    said.vanish(im, source)
    said.positive(re, source)


def is_about_hinge(layout: Layout, gauge: Gauge) -> bool:
    """Whether the z axes of a gauge's markers are those of a hinge between their bodies."""
    for e in layout.elements[: layout.first_drive]:
        if not isinstance(e, JointElement) or turning(e.joint) != "hinge":
            continue
        own = {m.body: m.rotation.z for m in e.markers}
        if own.keys() == {gauge.I.body, gauge.J.body}:
            pairs = ((own[m.body], m.rotation.z) for m in (gauge.I, gauge.J))
            if all(tuple(map(float, a)) == tuple(map(float, b)) for a, b in pairs):
                return True
    return False


def _hold(gauge: Gauge, value: float, X_W: tuple[Pose, Pose], is_hinge: bool, said: Said) -> None:
    I, J = X_W
    if is_hinge and gauge.measure == Turn(Z):
        c, s = math.cos(value), math.sin(value)
        said.equal(J.axis(X), I.axis(X) * c + I.axis(Y) * s, gauge.name)
        said.equal(J.axis(Y), I.axis(Y) * c - I.axis(X) * s, gauge.name)
        return
    read = value_of(partial(gauge.measure.value, I, J), gauge.name)
    if isinstance(read, Wrapped):
        sine, cosine = arms(read, said.graph, gauge.name)
        c, s = math.cos(value), math.sin(value)
        said.vanish(sine * c - cosine * s, gauge.name)
        said.positive(cosine * c + sine * s, gauge.name)
        return
    length, scale = lifted(said.graph, read), said.scale if gauge.unit == "m" else 1.0
    if said.graph.ops[length.node] == Op.SQRT:
        square = Expression(said.graph, said.graph.args[length.node][0]) / (scale * scale)
        said.vanish(square - _square(said.graph, value / scale), gauge.name)
    else:
        said.vanish(length - value, gauge.name, scale)


def _limit(
    gauge: Gauge,
    low: float,
    high: float,
    X_W: tuple[Pose, Pose],
    own: Own,
    said: Said,
) -> None:
    """A measure that is an unknown of its own, within its limits."""
    read = value_of(partial(gauge.measure.value, *X_W), gauge.name)
    name = f"limit of {gauge.name}"
    if isinstance(read, Wrapped):
        if high - low >= math.tau:
            return
        sine, cosine = arms(read, said.graph, gauge.name)
        u = own(name, lifted(said.graph, 0.0))
        if u is None:
            raise UnsolvableKind(f"the limit of {gauge.name!r} has no unknown.")
        c, s = u.cos(), u.sin()
        said.vanish(sine * c - cosine * s, gauge.name)
        said.positive(cosine * c + sine * s, gauge.name)
        return
    value = lifted(said.graph, read) / (said.scale if gauge.unit == "m" else 1.0)
    u = own(name, value)
    if u is not None:
        said.vanish(value - u, gauge.name)


def arms(read: Wrapped, graph: Graph, source: str) -> tuple[Expression, Expression]:
    """(sine, cosine) of an angle that is read, up to a common positive factor."""
    angle = lifted(graph, read.angle)
    if graph.ops[angle.node] != Op.ATAN2:
        raise UnsolvableKind(f"{source!r} reads an angle that is no plain arc tangent.")
    y, x = (Expression(graph, a) for a in graph.args[angle.node])
    return y, x


def rotation_rows(axes: Sequence[Vector], said: Said, source: str) -> None:
    """Three axes are those of a rotation: square to each other, of length 1, right-handed."""
    x, y, z = axes
    for a in (x, y, z):
        said.vanish(a.square - 1.0, source)
    for a, b in ((x, y), (y, z), (z, x)):
        said.vanish(a @ b, source)
    for a, b, c in ((x, y, z), (y, z, x), (z, x, y)):
        said.equal(a.cross(b), c, source)
    rows = list(zip(*((*a,) for a in axes), strict=True))
    for i in range(3):
        for j in range(i + 1):
            value = sum((p * q for p, q in zip(rows[i], rows[j], strict=True)), 0.0)
            said.vanish(value - (1.0 if i == j else 0.0), source)

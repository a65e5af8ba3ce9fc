"""What a joint in space says, sorted by what it means: a shared point or line, a shared axis, rows.

Rows of markers are of one kind only by their look: x_I . z_J = 0 and y_I . z_J = 0 with z_I . z_J
positive say z_I = z_J, which needs no row at all where both bodies are described by that axis.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.elements import JointElement
from kempe.constraints import (
    AbstractConstraint,
    Coincident,
    InPlane,
    OnLine,
    Parallel,
    Perpendicular,
    SameOrientation,
)
from kempe.geometry import Axis, Marker, Pose, Rotation, Vector, X, Y, Z
from kempe.joints import AbstractJoint
from kempe.joints.side import AbstractSide, SameWay
from kempe.measures import Gauge, Wrapped
from kempe.motion.equations.exactness import ExactFrame
from kempe.motion.equations.question import Holding

FloatArray = NDArray[np.float64]

LOCKED = {(X, Y), (X, Z), (Y, Z)}
SAME_READING = 1e-9  # rad, or of the machine's size: readings that agree
TRIALS = (0.0, 0.4, 1.1)  # turns (rad) and slides, in sizes, at which a gauge is read


@final
@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A pose in plain arrays: p (3,) and R (3, 3)."""

    p: FloatArray
    R: FloatArray

    @classmethod
    def of(cls, pose: Pose) -> "Frame":
        """From a pose of plain numbers."""
        return cls(np.array(pose.position, dtype=np.float64), pose.rotation.matrix())

    def __matmul__(self, other: "Frame") -> "Frame":
        return Frame(self.p + self.R @ other.p, self.R @ other.R)

    def inverse(self) -> "Frame":
        """The other way."""
        return Frame(-self.R.T @ self.p, self.R.T)

    @property
    def pose(self) -> Pose:
        """As a pose of plain numbers."""
        columns = (Vector(*(float(c) for c in column)) for column in self.R.T)
        return Pose(Vector(*(float(c) for c in self.p)), Rotation(*columns))


HERE = Frame(np.zeros(3), np.eye(3))


def turned_about_z(angle: float, along: float = 0.0) -> Frame:
    """A turn about z and a shift along it."""
    c, s = math.cos(angle), math.sin(angle)
    return Frame(np.array([0.0, 0.0, along]), np.array([[c, -s, 0], [s, c, 0], [0.0, 0.0, 1.0]]))


@final
@dataclass(frozen=True, slots=True, eq=False)
class SpatialJoint:
    """A joint with its axis along z of both markers.

    `place` is "point" where the markers share their origins, "line" where J lies on the axis of I,
    else "free"; `turn` is "hinge" where they share their z axes, "locked" where they are turned
    alike, else "free". `rest` are rows that are neither, and may have unknowns of their own;
    `slide` (m) and `angle` (rad) what is held of what "line" and "hinge" leave free.
    """

    name: str
    I: Marker
    J: Marker
    X_I: Frame  # in its body, with z along the axis
    X_J: Frame
    place: str
    turn: str
    rest: tuple[AbstractConstraint, ...] = ()
    sides: tuple[AbstractSide, ...] = ()
    slide: float | None = None
    angle: float | None = None

    @property
    def bodies(self) -> tuple[str, str]:
        """Those it joins."""
        return self.I.body, self.J.body

    @property
    def turns_along(self) -> bool:
        """Whether one body tells how the other is turned."""
        return self.turn == "locked" or (self.turn == "hinge" and self.angle is not None)

    @property
    def is_rigid(self) -> bool:
        """Whether it leaves nothing free."""
        is_placed = self.place == "point" or (self.place == "line" and self.slide is not None)
        return is_placed and self.turns_along

    @property
    def exact_relative(self) -> ExactFrame:
        """X_AB of its two bodies at what is held of it, as far as its numbers are known."""
        X_I, X_J = (ExactFrame.of(X.p, X.R) for X in (self.X_I, self.X_J))
        along = (self.slide or 0.0) if self.place == "line" else 0.0
        about = (self.angle or 0.0) if self.turn == "hinge" else 0.0
        return X_I @ ExactFrame.about_z(about, along) @ X_J.inverse()

    def relative(self, slide: float = 0.0, angle: float = 0.0) -> Frame:
        """X_AB of its two bodies, at this slide and angle unless they are held."""
        s = slide if self.slide is None else self.slide
        a = angle if self.angle is None else self.angle
        along = s if self.place == "line" else 0.0
        about = a if self.turn == "hinge" else 0.0
        return self.X_I @ turned_about_z(about, along) @ self.X_J.inverse()


@final
@dataclass(slots=True)
class _Reading:
    """The constraints of one joint, while they are sorted."""

    planes: list[InPlane] = field(default_factory=list)
    pairs: set[tuple[Axis, Axis]] = field(default_factory=set)
    rest: list[AbstractConstraint] = field(default_factory=list)
    point: bool = False
    line: Axis | None = None


def has_sorted_rows(joint: AbstractJoint) -> bool:
    """Whether a joint is one of two frames, made of constraints: `spatial_joint` sorts it."""
    return len(joint.markers) == 2 and bool(joint.constraints or joint.held)


def spatial_joint(element: JointElement) -> SpatialJoint:
    """The joint of an element, sorted."""
    joint = element.joint
    read = _Reading()
    for constraint in joint.constraints:
        _sort(constraint, read)
    if not read.point and read.line is None:
        flat = {p.n for p in read.planes if p.offset == 0.0}
        if len(flat) == 2:
            (read.line,) = {X, Y, Z} - flat
            read.planes = [p for p in read.planes if p.n not in flat]
    turn, a, b, sides = _turn(read, joint.sides)
    rest = [*read.planes, *read.rest, *(Perpendicular(*pair) for pair in sorted_pairs(read.pairs))]
    place = "point" if read.point else "free"
    if read.line is not None and not read.point:
        if turn == "hinge" and a is not read.line:
            rest += [InPlane(n) for n in read.line.others]
        else:
            place, a = "line", read.line
            b = b if turn == "hinge" else read.line
    X_I, X_J = _along(joint.I, a), _along(joint.J, b)
    return SpatialJoint(joint.name, joint.I, joint.J, X_I, X_J, place, turn, tuple(rest), sides)


def sorted_pairs(pairs: set[tuple[Axis, Axis]]) -> list[tuple[Axis, Axis]]:
    """Pairs of axes in an order of their own."""
    return sorted(pairs, key=lambda pair: (pair[0].value, pair[1].value))


def _sort(constraint: AbstractConstraint, read: _Reading) -> None:
    if isinstance(constraint, Coincident):
        read.point = True
    elif isinstance(constraint, OnLine):
        read.line = constraint.a
    elif isinstance(constraint, InPlane):
        read.planes.append(constraint)
    elif isinstance(constraint, Perpendicular):
        read.pairs.add((constraint.a, constraint.b))
    elif isinstance(constraint, Parallel):
        read.pairs |= {(across, constraint.b) for across in constraint.a.others}
    elif isinstance(constraint, SameOrientation):
        read.pairs |= LOCKED
    else:
        read.rest.append(constraint)


def _turn(
    read: _Reading, sides: Sequence[AbstractSide]
) -> tuple[str, Axis, Axis, tuple[AbstractSide, ...]]:
    """How it turns, the axes of I and J that it turns about, and the sides that are left."""
    same = {(s.a, s.b) for s in sides if isinstance(s, SameWay)}
    if read.pairs >= LOCKED and {(X, X), (Z, Z)} <= same:
        read.pairs -= LOCKED
        used = {(X, X), (Z, Z)}
        return "locked", Z, Z, _left(sides, used)
    for a, b in sorted(same, key=lambda pair: (-pair[0].value, -pair[1].value)):
        about = {(across, b) for across in a.others}
        if read.pairs >= about:
            read.pairs -= about
            return "hinge", a, b, _left(sides, {(a, b)})
    return "free", Z, Z, tuple(sides)


def _left(sides: Sequence[AbstractSide], used: set[tuple[Axis, Axis]]) -> tuple[AbstractSide, ...]:
    return tuple(s for s in sides if not (isinstance(s, SameWay) and (s.a, s.b) in used))


def _along(marker: Marker, axis: Axis) -> Frame:
    """X_BM with the letters moved on in their circle until that axis is z."""
    frame = Frame.of(marker.pose)
    order = [*(other.value for other in axis.others), axis.value]
    return Frame(frame.p, frame.R[:, order])


def with_holding(joint: SpatialJoint, holding: Holding, size: float) -> SpatialJoint | None:
    """The joint with its angle or slide held, where that is what a holding says; else None."""
    gauge, value = holding.gauge, holding.value
    angle = shown_value(joint, gauge, value, "angle", size)
    if angle is not None and joint.angle is None:
        return replace(joint, angle=angle)
    slide = shown_value(joint, gauge, value, "slide", size)
    if slide is not None and joint.slide is None:
        return replace(joint, slide=slide)
    return None


def shown_value(
    joint: SpatialJoint, gauge: Gauge, value: float, word: str, size: float
) -> float | None:
    """What the angle (rad) or the slide (m) is where a gauge shows a value; None if not it alone.

    The gauge must read it, or less it, but for a number: that is looked at in nine positions.
    """
    unit = 1.0 if word == "angle" else size
    is_angle = gauge.unit == "rad"
    free = joint.turn == "hinge" if word == "angle" else joint.place == "line"
    same_bodies = {gauge.I.body, gauge.J.body} == set(joint.bodies)
    if is_angle != (word == "angle") or not free or not same_bodies:
        return None
    readings = np.empty((len(TRIALS), len(TRIALS)))
    for i, own in enumerate(TRIALS):
        for k, other in enumerate(TRIALS):
            s, a = (other * size, own) if word == "angle" else (own * size, other)
            readings[i, k] = _read(joint, gauge, s, a)
    for sign in (1.0, -1.0):
        rest = readings - sign * unit * np.array(TRIALS)[:, None]
        apart = rest - rest[0, 0]
        if is_angle:
            apart = np.remainder(apart + math.pi, math.tau) - math.pi
        if np.abs(apart).max() <= SAME_READING * unit:
            return float(sign * (value - rest[0, 0]))
    return None


def _read(joint: SpatialJoint, gauge: Gauge, slide: float, angle: float) -> float:
    """What a gauge shows with the first body of a joint at the origin."""
    places = {joint.I.body: HERE, joint.J.body: joint.relative(slide, angle)}
    X_I, X_J = (places[m.body].pose @ m.pose for m in (gauge.I, gauge.J))
    value = gauge.measure.value(X_I, X_J)
    return float(value.angle if isinstance(value, Wrapped) else value)

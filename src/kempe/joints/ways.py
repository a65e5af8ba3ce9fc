"""Ways: the turns, slides and swings that a joint leaves free, found by trying them on its rows.

An analysis asks what a joint lets move, never what its class is called. A joint that somebody else
wrote, whose rows are those of a hinge, is a hinge to all of them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import KempeError
from kempe.geometry import Axis, Marker, Pose, Rotation, Vector, Z

if TYPE_CHECKING:
    from kempe.joints.abstract import AbstractJoint

FloatArray = NDArray[np.float64]
Move = Callable[[Pose, Axis, float], Pose]
Normal = tuple[Axis, float]  # the axis of a marker that is square to the plane, up (1) or down (-1)

AXES = {axis: Vector(*(1.0 * (axis.value == k) for k in range(3))) for axis in Axis}
# Lengths are counted in the distance of J from I at home (1 m where there is none), rows in what
# a displacement of 1 makes of them: what a joint lets move does not depend on how large it is.
AMOUNTS = (0.7, -1.9, 2.6)  # rad and lengths by which a way is tried: no symmetry has such an angle
ZERO = 1e-9  # of rows: rounding; what moves makes more
STEP, RANK = 1e-5, 1e-6  # of central differences; of singular values that are not their errors
BESIDE, CORRECTIONS = 0.01, 50  # rad and lengths from an open home; of its closing


@final
class Kind(Enum):
    """What a joint is by the ways that it leaves free."""

    HINGE = auto()  # one turn
    SLIDER = auto()  # one slide
    SLEEVE = auto()  # a slide, and a turn about its axis
    SLOT = auto()  # a slide, and a turn about an axis square to it
    BALL = auto()  # all turns
    ROD = auto()  # all turns, and J anywhere at one distance from I
    UNTURNED = auto()  # all slides
    WELD = auto()  # none


@final
@dataclass(frozen=True, slots=True)
class Ways:
    """What a joint leaves free: its kind, and the axes of the only turn and of the only slide.

    An axis is told by the axis of I and that of J along it; None where none of J stays there.
    Of a hinge, a ball and a weld the origins of I and J are one point; a slide takes J through I.
    """

    kind: Kind | None = None  # None where not all ways are turns, slides and swings, or unnamed
    turn: tuple[Axis, Axis | None] | None = None
    slide: tuple[Axis, Axis | None] | None = None
    is_level: bool = False  # whether the axes of J lie along those of I, and can lie no other way

    @property
    def axes(self) -> tuple[Axis, Axis] | None:
        """The axis of I and that of J on which all turns and slides are; None where not on one."""
        found = {one for one in (self.turn, self.slide) if one is not None}
        ((I, J),) = found if len(found) == 1 else ((Z, None),)
        return (I, J) if J is not None and self.kind is not Kind.ROD else None

    @property
    def has_z(self) -> bool:
        """Whether it is a hinge, a slider or a sleeve on the z axes of both markers."""
        return self.axes == (Z, Z)


UNKNOWN = Ways()
# By the numbers of turns, slides and swings; all of them are not as many in the plane.
ANYWHERE = {
    (0, 0, 0): Kind.WELD,
    (1, 0, 0): Kind.HINGE,
    (0, 1, 0): Kind.SLIDER,
    (1, 1, 0): Kind.SLOT,
}
IN_SPACE = {**ANYWHERE, (3, 0, 0): Kind.BALL, (3, 0, 2): Kind.ROD, (0, 3, 0): Kind.UNTURNED}
IN_THE_PLANE = {**ANYWHERE, (1, 0, 1): Kind.ROD, (0, 2, 0): Kind.UNTURNED}


def ways_of(joint: "AbstractJoint", plane: bool) -> Ways:
    """What `joint` leaves free in space or in the `plane`, by its rows alone.

    Unknown where a joint holds measures at values, has more than two markers, or unknowns of its
    own: where J is in I does not tell all about these.
    """
    if joint.held or joint.unknowns or len(joint.markers) != 2:
        return UNKNOWN
    normals = (_normal(joint.I), _normal(joint.J)) if plane else None
    if normals is not None and None in normals:
        return UNKNOWN
    anywhere = replace(joint, I=Marker("I"), J=Marker("J"), name="")  # known by its numbers alone
    try:
        return _remembered(anywhere, normals)
    except TypeError:  # a field of a user's joint cannot be looked up
        return _tried(anywhere, normals)


def _tried(joint: "AbstractJoint", normals: Any) -> Ways:
    try:
        with np.errstate(all="ignore"):  # a row without a value is not closed
            return _Trial(joint, normals).ways()
    except (KempeError, ArithmeticError, AttributeError, TypeError, ValueError):
        return UNKNOWN  # a formula that takes no plain numbers: what is wrong with it says a trace


_remembered = lru_cache(maxsize=1024)(_tried)


@final
class _Trial:
    """A joint whose marker J is moved about, while I stays in the world's frame."""

    def __init__(self, joint: "AbstractJoint", normals: tuple[Normal, Normal] | None) -> None:
        self.joint = joint
        p, R = joint.home.position, joint.home.rotation
        self.length = p.norm or 1.0
        self.turns = self.slides = tuple(Axis)  # axes of I about and along which J can be moved
        self.kinds = IN_SPACE
        if normals is not None:
            (n, up), (m, way) = normals
            self.turns, self.slides, self.kinds = (n,), n.others, IN_THE_PLANE
            if abs(R.axis(m) @ AXES[n] - up * way) > ZERO:
                R = _turned_onto(m, AXES[n] * (up * way))
            if abs(p[n.value]) > ZERO * self.length:
                p = AXES[n.others[0]] * p.norm
        self.home = Pose(p, R)
        self.row_sizes: FloatArray | float = 1.0
        sizes = [np.abs(self._slopes(X)).max(axis=1, initial=0.0) for X in (self.home, self._near)]
        self.row_sizes = np.where(np.max(sizes, axis=0) > 0.0, np.max(sizes, axis=0), 1.0)

    def ways(self) -> Ways:
        """The turns, slides and swings that leave all rows at zero, each alone and all together."""
        home = self._closed()
        if home is None:
            return UNKNOWN
        slides = [a for a in self.slides if self._is_free(home, slid, a)]
        turns = [a for a in self.turns if self._is_free(home, turned, a)]
        tiny = ZERO * self.length
        far = [a for a in self.turns if AXES[a].cross(home.position).norm > tiny]
        swings = [a for a in far if self._is_free(home, swung, a)]
        there = home
        for move, axes in ((swung, swings), (turned, turns), (slid, slides)):
            for axis in axes:
                there = move(there, axis, self._amount(move, AMOUNTS[0]))
        arms = [AXES[a].cross(there.position) / self.length for a in swings]
        free = [
            *([1.0 * (b is a) for b in self.slides] + [0.0] * len(self.turns) for a in slides),
            *([0.0] * len(self.slides) + [1.0 * (b is a) for b in self.turns] for a in turns),
            *([arm[b.value] for b in self.slides] + [0.0] * len(self.turns) for arm in arms),
        ]
        n, rank = len(self.slides) + len(self.turns), _rank(free)
        if not self._is_closed(there) or rank != n - _rank(self._slopes(there)):
            return UNKNOWN
        kind = self.kinds.get((len(turns), len(slides), rank - len(turns) - len(slides)))
        off = [AXES[b] @ home.position for b in self.slides if b not in slides]
        if kind is None or (kind is not Kind.ROD and max(map(abs, off), default=0.0) > tiny):
            return UNKNOWN
        if kind is Kind.SLOT and turns == slides:
            kind = Kind.SLEEVE
        turn, slide = (
            (only[0], _along(only[0], home, there)) if len(only) == 1 else None
            for only in (turns, slides)
        )
        return Ways(kind, turn, slide, self._is_level(home))

    def _rows(self, X_IJ: Pose) -> FloatArray:
        rows = np.array([float(row) for row in self.joint.phi(Pose.identity(), X_IJ)])
        return rows / self.row_sizes

    def _is_closed(self, X_IJ: Pose) -> bool:
        return bool(np.abs(self._rows(X_IJ)).max(initial=0.0) <= ZERO)

    def _is_free(self, home: Pose, move: Move, axis: Axis) -> bool:
        amounts = (self._amount(move, amount) for amount in AMOUNTS)
        return all(self._is_closed(move(home, axis, amount)) for amount in amounts)

    def _amount(self, move: Move, amount: float) -> float:
        """An amount in m, if a slide, or rad."""
        return amount * self.length if move is slid else amount

    @property
    def _near(self) -> Pose:
        n = len(self.slides + self.turns)
        return self._moved(self.home, BESIDE * np.arange(1.0, n + 1.0))

    def _moved(self, X_IJ: Pose, x: FloatArray) -> Pose:
        """X_IJ moved by all slides and then turns."""
        moves = [(slid, a) for a in self.slides] + [(turned, a) for a in self.turns]
        for (move, axis), amount in zip(moves, x, strict=True):
            X_IJ = move(X_IJ, axis, self._amount(move, float(amount)))
        return X_IJ

    def _slopes(self, X_IJ: Pose) -> FloatArray:
        """d phi / d (slides, turns)"""
        steps = STEP * np.eye(len(self.slides) + len(self.turns))
        ends = [[self._rows(self._moved(X_IJ, way * d)) for way in (1.0, -1.0)] for d in steps]
        return np.array([(a - b) / (2.0 * STEP) for a, b in ends]).T

    def _closed(self) -> Pose | None:
        """Home, or where Newton's method leads from beside it if its rows are not zero there."""
        if self._is_closed(self.home):
            return self.home
        X_IJ = self._near
        for _ in range(CORRECTIONS):
            step = np.linalg.lstsq(self._slopes(X_IJ), -self._rows(X_IJ))[0].astype(np.float64)
            X_IJ = self._moved(X_IJ, step)
            if self._is_closed(X_IJ):
                return X_IJ
        return None

    def _is_level(self, home: Pose) -> bool:
        """Whether J lies as I does, and half turns from there are off its rows or its sides."""
        half = [turned(home, axis, np.pi) for axis in self.turns]
        I, sides = Pose.identity(), self.joint.sides
        return bool(np.abs(home.rotation.matrix() - np.eye(3)).max() <= ZERO) and not any(
            self._is_closed(X) and all(side.value(I, X) > 0.0 for side in sides) for X in half
        )


def slid(X_IJ: Pose, axis: Axis, amount: float) -> Pose:
    """The pose `X_IJ` moved along an `axis` of I by an `amount` (m)."""
    return Pose(X_IJ.position + AXES[axis] * amount, X_IJ.rotation)


def turned(X_IJ: Pose, axis: Axis, amount: float) -> Pose:
    """The pose `X_IJ` turned in place about an `axis` of I by an `amount` (rad)."""
    return Pose(X_IJ.position, about(axis, amount) @ X_IJ.rotation)


def swung(X_IJ: Pose, axis: Axis, amount: float) -> Pose:
    """The pose `X_IJ`, its origin led round an `axis` of I by an `amount` (rad), J not turned."""
    return Pose(about(axis, amount).apply(X_IJ.position), X_IJ.rotation)


def about(axis: Axis, angle: float) -> Rotation:
    """A turn by `angle` (rad) about `axis`; about z one of the plane, which knows its angle."""
    return Rotation.planar(angle) if axis is Z else Rotation.about(list(AXES[axis]), angle)


def _rank(rows: Any) -> int:
    sizes = np.linalg.svd(rows, compute_uv=False) if np.size(rows) else np.zeros(0)
    return int((sizes > RANK * sizes.max(initial=1.0)).sum())


def _along(axis: Axis, *poses: Pose) -> Axis | None:
    """The axis of J that lies along an axis of I in all these poses of J."""
    kept = (b for b in Axis if all(abs(X.axis(b) @ AXES[axis]) > 1.0 - ZERO for X in poses))
    return next(kept, None)


def _normal(marker: Marker) -> Normal | None:
    """The axis of a marker that is square to the plane, and whether it points up or down."""
    heights = ((axis, float(marker.rotation.axis(axis).z)) for axis in Axis)
    return next(((axis, np.sign(z)) for axis, z in heights if abs(z) > 1.0 - ZERO), None)


def _turned_onto(axis: Axis, direction: Vector) -> Rotation:
    """A rotation that lays an axis along a direction."""
    return Rotation.with_z(list(direction)) @ Rotation.with_z(list(AXES[axis])).inverse()

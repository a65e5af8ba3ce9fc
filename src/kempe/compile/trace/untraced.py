"""Joints whose formula cannot be traced: asked in plain numbers, for those of their models."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.elements import JointElement, all_numbers, rows_of
from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.compile.layout.numbers import is_literal, marker_numbers
from kempe.errors import FormulaError
from kempe.geometry import Pose, Rotation, Vector
from kempe.interruption import put_off

FloatArray = NDArray[np.float64]

# Central differences of fourth order, in steps of the joint's `step`: places and weights.
SLOPE = ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12))
BEND = ((-2, -1 / 12), (-1, 4 / 3), (0, -5 / 2), (1, 4 / 3), (2, -1 / 12))
WIDER = 5.0  # steps of second differences, which divide by squares of them


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Marker:
    """A marker, and where its body's coordinates and velocities are; None on the ground."""

    X_BM: Pose
    q: slice | None
    v: slice | None


@final
class UntracedJoint:
    """A joint that is asked in plain numbers: what its model has at one place of the whole."""

    def __init__(self, layout: Layout, element: JointElement, places: Sequence[int]) -> None:
        self.name, self.joint, self.places = element.name, element.joint, list(places)
        self._chart, self._size = layout.chart, layout.size
        at = layout.coordinates
        bodies = zip(element.markers, layout.markers_of(element), strict=True)
        self._markers = [
            _Marker(m.pose, *((None, None) if b == GROUND_INDEX else (at.q_of(b), at.v_of(b))))
            for m, b in bodies
        ]
        self._planar = layout.model.plane
        self._ways = (0, 1, 5) if self._planar else tuple(range(6))
        self._who = f"{type(self.joint).__name__}.phi (joint {self.name!r})"

    @property
    def asked(self) -> int:
        """How often its formula is asked for one evaluation of rows and slopes."""
        moving = sum(marker.q is not None for marker in self._markers)
        return 1 + len(SLOPE) * len(self._ways) * moving

    def numbers(self, q: FloatArray, v: FloatArray | None) -> list[float]:
        """X_0 of all markers, then c, h and g of every row; h is 0 where it does not move."""
        frames = [self._body(marker, q) for marker in self._markers]
        X = [f @ m.X_BM for f, m in zip(frames, self._markers, strict=True)]
        c = self._phi(X)
        g = np.zeros((len(c), 6 * len(X)))
        for k, marker in enumerate(self._markers):
            if marker.q is None:
                continue
            for way in self._ways:
                unit = self._size if way < 3 else 1.0
                twist = np.zeros((len(X), 6))
                twist[k, way] = unit
                g[:, 6 * k + way] = self._difference(X, twist, self.joint.step, SLOPE) / unit
        h = np.zeros(len(c)) if v is None else self._bend(X, frames, v)
        places = [x for pose in X for x in _numbers_of(pose)]
        return [*places, *(x for row in zip(c, h, g, strict=True) for x in (*row[:2], *row[2]))]

    def _bend(self, X: Sequence[Pose], frames: Sequence[Pose], v: FloatArray) -> FloatArray:
        """The second derivative of every row as the markers go straight on, over sum_k s_k'^2."""
        twist = np.zeros((len(X), 6))
        for k, (marker, X_WB) in enumerate(zip(self._markers, frames, strict=True)):
            if marker.v is None:
                continue
            V = self._chart.twist(_numbers_of(X_WB), v[marker.v].tolist())
            twist[k] = [float(x) for x in (*V.at(X[k].position - X_WB.position), *V.w)]
        pace = max(np.abs(twist[:, :3]).max() / self._size, np.abs(twist[:, 3:]).max())
        if not pace > 0.0:
            return np.zeros(len(self.joint.row_units))
        step = WIDER * self.joint.step
        bent = self._difference(X, twist / pace, step, BEND) / step
        return np.asarray(bent / ((twist / pace) ** 2).sum())

    def _difference(
        self, X: Sequence[Pose], twist: FloatArray, step: float, weights: Any
    ) -> FloatArray:
        """The sum of weights and values after so many steps along the twists, over one step."""
        terms = [
            w * self._phi([self._along(x, k * step * s) for x, s in zip(X, twist, strict=True)])
            for k, w in weights
        ]
        return np.asarray(sum(terms) / step)

    def _phi(self, X: Sequence[Pose]) -> FloatArray:
        rows = rows_of(lambda: self.joint.phi(*X), len(self.joint.row_units), self._who)
        return np.array([float(row) for row in rows])

    def _along(self, X: Pose, s: FloatArray) -> Pose:
        """A pose moved by s[:3] and turned about s[3:], world axes."""
        turn = float(np.linalg.norm(s[3:]))
        R = X.rotation
        if self._planar:
            R = Rotation.planar(float(s[5])) @ R
        elif turn > 0.0:
            R = Rotation.about(s[3:] / turn, turn) @ R
        return Pose(X.position + Vector(*map(float, s[:3])), R)

    def _body(self, marker: _Marker, q: FloatArray) -> Pose:
        return Pose.identity() if marker.q is None else self._chart.placed(q[marker.q])


@final
class UntracedJoints:
    """All joints of a layout that cannot be traced, as a native system asks for their numbers."""

    def __init__(self, joints: Sequence[UntracedJoint]) -> None:
        self.joints = tuple(joints)
        self.places = np.array([p for joint in joints for p in joint.places], dtype=np.int32)

    def __call__(self, q: FloatArray, v: FloatArray | None) -> FloatArray:
        """The numbers of all models where the bodies are at q, moving with v if that is known.

        Not a number where Ctrl-C has come meanwhile: whatever computes ends, and what is done is
        kept.
        """
        try:
            return np.array([x for joint in self.joints for x in joint.numbers(q, v)])
        except KeyboardInterrupt as stop:
            put_off(stop)
            return np.full(len(self.places), math.nan)

    def fill(self, parameters: FloatArray, q: FloatArray, v: FloatArray | None) -> None:
        """Write the numbers of samples (n, n_q) into rows (n, parameters) of parameters."""
        for k, place in enumerate(q):
            parameters[k, self.places] = self(place, None if v is None else v[k])


def untraced_joints(layout: Layout) -> UntracedJoints | None:
    """The joints of a layout that cannot be traced; None where every joint can."""
    place, found = 0, []
    for element in layout.elements:
        lifted = sum(not is_literal(x) for x in all_numbers(element))
        if isinstance(element, JointElement) and not element.joint.traced:
            markers = (x for m in element.markers for x in marker_numbers(m))
            own = range(place + sum(not is_literal(x) for x in markers), place + lifted)
            found.append(UntracedJoint(layout, element, own))
        place += lifted
    return UntracedJoints(found) if found else None


def said_of_untraced(layout: Layout) -> tuple[str, ...]:
    """One sentence for every joint that is differentiated numerically."""
    joints = untraced_joints(layout)
    return tuple(
        f"joint {joint.name!r} is differentiated numerically, which is slower: its formula runs in"
        f" Python, {joint.asked} times an evaluation, and its slopes are right to about ten digits"
        for joint in (() if joints is None else joints.joints)
    )


def refuse_untraced(layout: Layout, asked: str) -> None:
    """A FormulaError where a joint cannot be traced and what is `asked` needs its formula."""
    joints = untraced_joints(layout)
    if joints is not None:
        raise FormulaError(
            f"joint {joints.joints[0].name!r} is differentiated numerically (`traced = False`), and"
            f" {asked} need formulas. Write its phi with what can be traced (kempe.sin, where, an"
            " Interpolation), and leave `traced` out.",
            joint=joints.joints[0].name,
        )


def _numbers_of(X: Pose) -> list[float]:
    R = X.rotation
    return [float(x) for part in (X.position, R.x, R.y, R.z) for x in part]

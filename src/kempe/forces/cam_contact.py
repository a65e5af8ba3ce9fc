"""Cams whose followers may lift off: a roller or a flat face on a closed curve."""

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.functions import atan2, sqrt
from kempe.errors import BadNumber
from kempe.forces.contact import AbstractContact, Touch
from kempe.geometry import Axis, Pose, Scalar, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.curves.abstract import refuse_no_curve
from kempe.units import Metres

FloatArray = NDArray[np.float64]
SAMPLES = 4096  # of a curve, where a first guess is made
WAVES = 16  # of a first guess over the angle
CORRECTIONS = 4  # by Newton's method, from there


@final
@dataclass(frozen=True, slots=True)
class Guess:
    """A parameter of a closed curve as a function of an angle, by a short series.

    t = w angle + Re sum over k of c_k e^(i k angle)
    """

    rate: float  # w, a period of the parameter for every turn
    waves: tuple[complex, ...]  # c_0, c_1, ...

    @classmethod
    def through(cls, t: FloatArray, angle: FloatArray, period: float) -> "Guess":
        """The series through parameters `t` (n,) at angles `angle` (rad) that turn once round.

        `period` is that of the parameter.
        """
        way = 1.0 if angle[-1] > angle[0] else -1.0
        rate = way * period / math.tau
        order = np.argsort(angle)
        even = np.linspace(0.0, math.tau, 8 * WAVES, endpoint=False)
        rest = np.interp(even, angle[order], (t - rate * angle)[order], period=math.tau)
        found = np.fft.rfft(rest)[: WAVES + 1] / len(even)
        return cls(rate, (complex(found[0].real), *(2.0 * found[1:]).tolist()))

    @property
    def way(self) -> float:
        """1 where the parameter grows with the angle, -1 where it shrinks."""
        return 1.0 if self.rate > 0.0 else -1.0

    def at(self, x: Scalar, y: Scalar) -> Scalar:
        """The parameter for the direction (`x`, `y`), a vector of any length."""
        size = sqrt(x * x + y * y)
        c, s = x / size, y / size
        t = self.rate * atan2(y, x) + self.waves[0].real
        a, b = c, s
        for wave in self.waves[1:]:
            t = t + wave.real * a - wave.imag * b
            a, b = a * c - b * s, a * s + b * c
        return t


NOWHERE = Guess(0.0, (0j,))


@dataclass(frozen=True)
class AbstractCamContact(AbstractContact):
    """A closed curve in the plane x, y of I, as the outline of a cam, and a follower at J.

    Where the follower touches is found from a first guess over the angle at which it stands, by
    Newton's method in a fixed number of steps: one smooth formula.
    """

    curve: AbstractCurve
    # where it touches, nearly; made from the curve
    first: Guess = field(default=NOWHERE, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_open(self.curve, f"the outline of {self._called}", "I")
        guess = first_guess(self.curve, self._seen)
        if guess is None:
            raise BadNumber(self._unfit)
        object.__setattr__(self, "first", guess)

    @property
    @abstractmethod
    def _unfit(self) -> str:
        """What is said of a curve that the follower would not touch in one place alone."""

    @abstractmethod
    def _seen(self, C: FloatArray, slope: FloatArray) -> FloatArray:
        """Vectors (n, 3) of I at whose angle the follower stands where it touches points (n, 3)."""


@final
@dataclass(frozen=True)
class RollerOnCam(AbstractCamContact):
    """A roller of `radius` r about the origin of J, outside a cam whose outline is a curve of I.

    gap = (p_WJ - C(t)) . n(t) - r,  (p_WJ - C(t)) . C'(t) = 0

    The curve C lies in the plane x, y of I, is closed and goes once round the origin of I, and is
    nowhere so hollow that the roller would touch it twice. Roller and cam reach along z without
    end. Laws of the contact: `AbstractContact`.

    Own: the foot of the perpendicular by Newton's method, from a series over the roller's angle.
    """

    radius: Metres

    def __post_init__(self) -> None:
        self._keep_positive({"radius": "m"})
        super().__post_init__()

    @property
    def _unfit(self) -> str:
        return (
            f"the outline of {self._called} does not go once round the origin of I as a roller of"
            f" radius {self.radius:g} m sees it: put I inside the cam, or make the roller smaller"
            " than what is hollow of it."
        )

    def _seen(self, C: FloatArray, slope: FloatArray) -> FloatArray:
        return C + self.radius * outward(C, slope)

    def touches(self, X_WI: Pose, X_WJ: Pose) -> list[Touch]:
        place = X_WI.rotation.inverse().apply(X_WJ.position - X_WI.position)
        t = self.first.at(place.x, place.y)
        for _ in range(CORRECTIONS):
            d, slope, bend = self._arm(place, t), *(self.curve.derivative(t, k) for k in (1, 2))
            t = t + (d @ slope) / (slope.square - d @ bend)
        slope = self.curve.derivative(t, 1)
        n = Vector(slope.y, -slope.x, 0.0 * slope.x) * (self.first.way / slope.norm)
        gap = self._arm(place, t) @ n - self.radius
        middle = place - n * (self.radius + 0.5 * gap)
        return [Touch(gap, X_WI.rotation.apply(n), X_WI.point(middle))]

    def _arm(self, place: Vector, t: Scalar) -> Vector:
        """From the curve to the roller's centre, along the plane of the curve."""
        C = self.curve.point(t)
        return Vector(place.x - C.x, place.y - C.y, 0.0 * place.x)


@final
@dataclass(frozen=True)
class FlatOnCam(AbstractCamContact):
    """A flat face through the origin of J on a cam whose outline is a convex curve of I.

    gap = (p_WJ - C(t)) . n,  C'(t) . n = 0

    `normal` n is the axis of J that points from the cam into the follower. The curve C lies in the
    plane x, y of I, is closed and bends one way; the face has no end. Laws of the contact:
    `AbstractContact`.

    Own: the farthest point by Newton's method, from a series over the angle of the face.
    """

    normal: Axis

    @property
    def _unfit(self) -> str:
        return (
            f"the outline of {self._called} is not convex, so that a flat face would touch it in"
            " two places: use RollerOnCam, or a curve that bends one way."
        )

    def _seen(self, C: FloatArray, slope: FloatArray) -> FloatArray:
        return outward(C, slope)

    def touches(self, X_WI: Pose, X_WJ: Pose) -> list[Touch]:
        n, back = X_WJ.axis(self.normal), X_WI.rotation.inverse()
        face, place = back.apply(n), back.apply(X_WJ.position - X_WI.position)
        t = self.first.at(face.x, face.y)
        for _ in range(CORRECTIONS):
            slope, bend = (self.curve.derivative(t, k) for k in (1, 2))
            t = t - (slope @ face) / (bend @ face)
        C = self.curve.point(t)
        touched = Vector(C.x, C.y, 0.0 * place.z)
        gap = (place - touched) @ face
        return [Touch(gap, n, X_WI.point(touched + face * (0.5 * gap)))]


def refuse_open(curve: AbstractCurve, what: str, marker: str) -> None:
    """A refusal of a `curve` that is none, is open, or leaves the plane x, y of its `marker`.

    `what` it is begins the sentence.
    """
    refuse_no_curve(what, curve)
    if not curve.is_closed or not curve.is_planar:
        raise BadNumber(
            f"{what} must be a closed curve in the plane z = 0 of {marker}, and this"
            f" {type(curve).__name__.lower()} is none: use Circle, Ellipse, or a closed spline."
        )


def first_guess(
    curve: AbstractCurve, seen: Callable[[FloatArray, FloatArray], FloatArray]
) -> Guess | None:
    """A parameter of a closed `curve` for every angle; None where they do not belong together.

    `seen` makes vectors (n, 3), at whose angle a point belongs, of points (m) and derivatives.
    """
    t = np.linspace(curve.domain.low, curve.domain.high, SAMPLES + 1)
    vectors = seen(curve(t), curve(t, 1))
    angle = np.unwrap(np.arctan2(vectors[:, 1], vectors[:, 0]))
    turned = angle[-1] - angle[0]
    if not (np.diff(angle) * turned > 0.0).all() or round(abs(turned) / math.tau) != 1:
        return None
    return Guess.through(t, angle, curve.domain.period)


def outward(C: FloatArray, slope: FloatArray) -> FloatArray:
    """Unit normals (n, 3) of a closed curve, away from its inside.

    `C` and `slope` (n, 3) are its points (m) and derivatives there.
    """
    area = float(np.sum(C[:-1, 0] * C[1:, 1] - C[1:, 0] * C[:-1, 1]))
    n = np.stack([slope[:, 1], -slope[:, 0], np.zeros(len(C))], axis=1) * np.sign(area)
    return np.asarray(n / np.linalg.norm(n, axis=1, keepdims=True))

"""The four-bar in closed form: what every contestant's numbers are compared with."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

CRANK, COUPLER, ROCKER, GROUND = 1.0, 3.5, 3.0, 4.0  # m
RATE = 2.0 * math.pi  # rad/s: one turn in a second


@final
@dataclass(frozen=True, slots=True)
class Hinge:
    """Position, velocity and acceleration of a point, each (n, 2)."""

    p: FloatArray
    v: FloatArray
    a: FloatArray

    def turn(self, other: "Hinge") -> FloatArray:
        """Angle, rate and acceleration (3, n) of the line from here to the other hinge."""
        r, v, a = other.p - self.p, other.v - self.v, other.a - self.a
        square = (r * r).sum(axis=1)
        rate = _cross(r, v) / square
        acceleration = (_cross(r, a) - 2.0 * rate * (r * v).sum(axis=1)) / square
        return np.stack([np.unwrap(np.arctan2(r[:, 1], r[:, 0])), rate, acceleration])


def hinges(t: FloatArray) -> tuple[Hinge, Hinge]:
    """B between crank and coupler and C between coupler and rocker, on the open branch.

    The crank starts at angle 0.
    """
    angle = RATE * t
    e = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    B = Hinge(CRANK * e, CRANK * RATE * _left(e), -CRANK * RATE**2 * e)
    return B, dyad(B, fixed(GROUND, 0.0, len(t)), COUPLER, ROCKER)


def fixed(x: float, y: float, n: int) -> Hinge:
    """A point of the ground."""
    return Hinge(np.tile([x, y], (n, 1)), np.zeros((n, 2)), np.zeros((n, 2)))


def dyad(P: Hinge, Q: Hinge, p: float, q: float) -> Hinge:
    """The hinge at the distances p from P and q from Q, left of the way from P to Q.

    It lies where two circles meet; its derivatives follow from |C - P| = p and |C - Q| = q.
    """
    d = Q.p - P.p
    square = (d * d).sum(axis=1)
    along = (p**2 - q**2 + square) / (2.0 * square)
    height = np.sqrt(p**2 / square - along * along)
    C = P.p + along[:, None] * d + height[:, None] * _left(d)
    u, w = C - P.p, C - Q.p
    v = _meeting(u, w, _dot(u, P.v), _dot(w, Q.v))
    r, s = v - P.v, v - Q.v
    return Hinge(C, v, _meeting(u, w, _dot(u, P.a) - _dot(r, r), _dot(w, Q.a) - _dot(s, s)))


def worst_error(t: FloatArray, p: FloatArray, v: FloatArray, a: FloatArray) -> float:
    """Of hinge C's position, velocity and acceleration (n, 2), per radian of the crank."""
    C = hinges(t)[1]
    return worst((p - C.p, (v - C.v) / RATE, (a - C.a) / RATE**2))


def worst_error_of_bodies(t: FloatArray, q: FloatArray, v: FloatArray, a: FloatArray) -> float:
    """Of x, y and angle of crank, coupler and rocker (n, 9) and their two derivatives, likewise."""
    B, C = hinges(t)
    n = len(t)
    A = Hinge(*np.zeros((3, n, 2)))
    D = Hinge(np.tile([GROUND, 0.0], (n, 1)), *np.zeros((2, n, 2)))
    right = [np.empty((n, 9)) for _ in range(3)]
    for k, (start, end) in enumerate(((A, B), (B, C), (D, C))):
        turn = start.turn(end)
        for order, values in enumerate((start.p, start.v, start.a)):
            right[order][:, 3 * k : 3 * k + 2] = values
            right[order][:, 3 * k + 2] = turn[order]
    return worst((q - right[0], (v - right[1]) / RATE, (a - right[2]) / RATE**2))


def worst(differences: tuple[FloatArray, ...]) -> float:
    """The largest of all, not a number where one is not."""
    return float(max(np.abs(d).max() for d in differences))


def _left(r: FloatArray) -> FloatArray:
    return np.stack([-r[:, 1], r[:, 0]], axis=1)


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    product: FloatArray = (a * b).sum(axis=1)
    return product


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    product: FloatArray = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return product


def _meeting(u: FloatArray, w: FloatArray, right_u: FloatArray, right_w: FloatArray) -> FloatArray:
    """x with u . x = right_u and w . x = right_w, row by row."""
    det = _cross(u, w)
    x = (right_u * w[:, 1] - right_w * u[:, 1]) / det
    y = (right_w * u[:, 0] - right_u * w[:, 0]) / det
    return np.stack([x, y], axis=1)

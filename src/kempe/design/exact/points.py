"""Four-bars whose coupler point passes through given points, the ground pivots given.

With w_k the joint at bar k as seen from the coupler point in the first position, R_i the turn of
the coupler from there to position i and u = p - g_k, a bar keeps its length where

    (R_i w)^T u_i - w^T u_1 + (u_i^2 - u_1^2) / 2 = 0.

Five points make this square: 12 equations for w_1, w_2 and four turns, with 36 complex solutions in
general. With four points one bar has a given length, with three both have.

Source: [MorganWampler] section 2 (the equations); in homogeneous coordinates of w: Own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression
from kempe.design.exact.listing import listed, on_sphere, polished
from kempe.motion.equations.system import FullSystem
from kempe.motion.search.search import Effort
from kempe.results.maps.certificate import Promise

FloatArray = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]


@final
@dataclass(frozen=True, slots=True, eq=False)
class PointProblem:
    """Points (n,) and ground pivots (2,) as complex numbers; lengths of bars, None where free."""

    points: ComplexArray
    pivots: ComplexArray
    lengths: tuple[float | None, float | None]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Paths:
    """Joints seen from the coupler point at first, (solutions, 2), and turns from there on."""

    w: ComplexArray
    turns: FloatArray  # (solutions, n), of the coupler, 0 first
    promise: Promise
    message: str


def all_paths(problem: PointProblem, reach: float, effort: Effort) -> Paths:
    """Every four-bar of the problem whose bars' ends lie nearer to the point than `reach`."""
    system = FullSystem()
    u = problem.points[:, None] - problem.pivots[None, :]  # (n, 2)
    joints = [on_sphere(system, f"w{k}", 3, 1.0 / reach) for k in range(2)]
    for i in range(1, len(u)):
        c, s = system.unknown(f"c{i}", -1.0, 1.0), system.unknown(f"s{i}", -1.0, 1.0)
        system.equate(c * c + s * s - 1.0, f"turn {i + 1}")
        for k, w in enumerate(joints):
            system.equate(_row(w, (c, s), u[i, k], u[0, k]), f"bar {k + 1} at point {i + 1}")
    for k, length in enumerate(problem.lengths):
        if length is not None:
            h, x, y = joints[k]
            a, b = x + float(u[0, k].real) * h, y + float(u[0, k].imag) * h
            system.equate(a * a + b * b - length * length * (h * h), f"length of bar {k + 1}")
    found = listed(system, "paths", effort)
    plain = [_polished(problem, u, x) for x in found.x]
    count, n = len(plain), len(u)
    joints_found = np.array([y[:4] for y in plain]).reshape(count, 2, 2)
    cosines = np.array([y[4:] for y in plain]).reshape(count, n - 1, 2)
    turns = np.zeros((count, n))
    turns[:, 1:] = np.arctan2(cosines[..., 1], cosines[..., 0])
    return Paths(
        joints_found[..., 0] + 1j * joints_found[..., 1], turns, found.promise, found.message
    )


def _row(
    w: Sequence[Expression], turn: tuple[Expression, Expression], u: complex, u1: complex
) -> Expression:
    h, x, y = w
    c, s = turn
    constant = 0.5 * (abs(u) ** 2 - abs(u1) ** 2)
    turned = (c * x - s * y) * float(u.real) + (s * x + c * y) * float(u.imag)
    return turned - x * float(u1.real) - y * float(u1.imag) + float(constant) * h


def _polished(problem: PointProblem, u: ComplexArray, x: FloatArray) -> FloatArray:
    """A solution in plain coordinates (w_1, w_2, cosines and sines), polished."""

    def rows(y: ComplexArray) -> list[complex]:
        found = []
        for i in range(1, len(u)):
            c, s = y[2 + 2 * i], y[3 + 2 * i]
            found.append(c * c + s * s - 1.0)
            for k in range(2):
                a, b, v, v1 = y[2 * k], y[2 * k + 1], u[i, k], u[0, k]
                turned = (c * a - s * b) * v.real + (s * a + c * b) * v.imag
                constant = 0.5 * (abs(v) ** 2 - abs(v1) ** 2)
                found.append(turned - a * v1.real - b * v1.imag + constant)
        for k, length in enumerate(problem.lengths):
            if length is not None:
                a, b = y[2 * k] + u[0, k].real, y[2 * k + 1] + u[0, k].imag
                found.append(a * a + b * b - length * length)
        return found

    plain = np.concatenate([x[1:3] / x[0], x[4:6] / x[3], x[6:]])
    return polished(rows, plain)

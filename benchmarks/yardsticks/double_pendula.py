"""Many double pendula of two thin bars, and their tips by the equations written by hand."""

import math
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

LENGTH, MASS, G = 1.0, 1.0, 9.81  # m, kg and m/s2 of kempe.gallery.double_pendulum


def starts(pendula: int, most: int) -> Any:
    """Angles of the upper bar from level and of the lower one from the upper (2, pendula), rad.

    They are the first of `most` such.
    """
    return np.random.default_rng(11).uniform(-2.5, 2.5, (2, most))[:, :pendula]


def tip(upper: Any, bend: Any) -> Any:
    """Where the lower bar ends (..., 2), m."""
    return LENGTH * np.stack(
        [np.cos(upper) + np.cos(upper + bend), np.sin(upper) + np.sin(upper + bend)], axis=-1
    )


def exact(angles: Any, until: float) -> Any:
    """Tips at a time (s), from the equations of two thin bars in the angles from level."""

    def rates(_: float, state: Any) -> Any:
        a, b, u, v = state
        c, s, pull = 0.5 * math.cos(a - b), 0.5 * math.sin(a - b), G / LENGTH
        up = -s * v * v - 1.5 * pull * math.cos(a)
        down = s * u * u - 0.5 * pull * math.cos(b)
        whole = 4.0 / 9.0 - c * c
        return [u, v, (up / 3.0 - c * down) / whole, (4.0 / 3.0 * down - c * up) / whole]

    ends = []
    for upper, bend in angles.T:
        begin = [upper, upper + bend, 0.0, 0.0]
        run = solve_ivp(rates, (0.0, until), begin, method="DOP853", rtol=1e-13, atol=1e-13)
        a, b = run.y[:2, -1]
        ends.append(tip(a, b - a))
    return np.array(ends)


def off(ends: Any, wanted: Any) -> float:
    """How far tips are off, m: root of the mean square."""
    return float(np.sqrt(np.mean(((ends - wanted) ** 2).sum(axis=-1))))

"""Elementary functions of intervals against mpmath, and the constants that their proofs rest on."""

import math
from fractions import Fraction
from typing import Any

import mpmath as mp
import numpy as np
import pytest

pytestmark = pytest.mark.core

#: Digits of the oracle: far more than a double has.
BITS = 200
#: Ulp of the value, both sides together: the enclosure and a margin of up to 8 ulp each side.
WIDTH = 34.0

#: Of the test's own sums of doubles.
ROUNDED = 1.01

FUNCTIONS = {
    "exp": (mp.exp, lambda rng: rng.uniform(-745, 709, 300)),
    "log": (mp.log, lambda rng: 10.0 ** rng.uniform(-307, 307, 300)),
    "tanh": (mp.tanh, lambda rng: rng.choice([-1, 1], 300) * 10.0 ** rng.uniform(-12, 1.4, 300)),
    "asin": (mp.asin, lambda rng: rng.uniform(-1, 1, 300)),
    "acos": (mp.acos, lambda rng: rng.uniform(-1, 1, 300)),
    "tan": (mp.tan, lambda rng: rng.uniform(-1e5, 1e5, 300)),
    "sin": (mp.sin, lambda rng: rng.uniform(-1e5, 1e5, 300)),
    "cos": (mp.cos, lambda rng: rng.uniform(-1e5, 1e5, 300)),
}
#: Where reductions change, where values cancel, and ends of domains.
HARD: dict[str, list[float]] = {
    "exp": [0.0, 1e-300, -1e-17, 0.34657359, 0.34657360, 709.78, -708.4, -745.1, -744.0],
    "log": [1.0, math.nextafter(1, 2), math.nextafter(1, 0), 0.7071067, 0.7071068, 5e-324, 1e308],
    "tanh": [0.0, 0.35, math.nextafter(0.35, 0), 20.0, math.nextafter(20.0, 30.0), 1e-310, -40.0],
    "asin": [0.0, 1.0, -1.0, math.nextafter(1, 0), 0.7071067811865475, 0.7071067811865476, 1e-310],
    "acos": [0.0, 1.0, -1.0, math.nextafter(1, 0), math.nextafter(-1, 0), 0.7071067811865476],
    "tan": [0.0, math.pi / 2, math.pi / 4, math.pi, 1e5, 1e-310],
    "sin": [math.pi, 2 * math.pi, math.pi / 4, 1e-310, 31415.926535897932],
    "cos": [math.pi / 2, 3 * math.pi / 2, math.pi / 4, 1e-310, 49876.0],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_point_is_enclosed_narrowly(kit: Any, name: str) -> None:
    function, draw = FUNCTIONS[name]
    x = np.concatenate([draw(np.random.default_rng(len(name))), HARD[name]])[:, None]
    tape, d = kit.single(name)
    outputs = np.array([d], dtype=np.int32)
    lower, upper = (b[:, 0] for b in tape.evaluate_intervals(x, x, outputs))
    with mp.workprec(BITS):
        for k, point in enumerate(x[:, 0].tolist()):
            truth = function(mp.mpf(point))
            assert mp.mpf(lower[k]) <= truth <= mp.mpf(upper[k]), (name, point)
            ulp = np.spacing(abs(float(truth)))
            assert upper[k] - lower[k] <= WIDTH * ulp, (name, point)


def test_an_angle_is_enclosed_narrowly_in_every_direction(kit: Any) -> None:
    rng = np.random.default_rng(2)
    size = 10.0 ** rng.uniform(-150, 150, 400)
    turn = rng.uniform(-math.pi, math.pi, 400)
    x = np.stack([size * np.sin(turn), size * np.cos(turn)], axis=1)
    eighths = [(k / 8, 1.0) for k in range(1, 9)] + [(1.0, -k / 8) for k in range(9)]
    between = [((2 * k + 1) / 16, -1.0) for k in range(8)]
    x = np.concatenate([x, eighths, between, [(1e-310, 1.0), (1.0, 1e-310), (5e-324, -1e300)]])
    tape, d = kit.single("atan2")
    outputs = np.array([d], dtype=np.int32)
    lower, upper = (b[:, 0] for b in tape.evaluate_intervals(x, x, outputs))
    with mp.workprec(BITS):
        for k, (a, b) in enumerate(x.tolist()):
            truth = mp.atan2(mp.mpf(a), mp.mpf(b))
            assert mp.mpf(lower[k]) <= truth <= mp.mpf(upper[k]), (a, b)
            assert upper[k] - lower[k] <= WIDTH * np.spacing(abs(float(truth))), (a, b)


def coefficients(name: str) -> list[Fraction]:
    """Of the polynomials that core/tape/functions.hpp writes down."""
    import pathlib
    import re

    text = pathlib.Path(__file__).parents[3].joinpath("core/tape/functions.hpp").read_text()
    block = re.search(rf"{name}_coefficients\[6\] = \{{(.*?)\}}", text, re.DOTALL)
    assert block is not None
    return [Fraction(float.fromhex(c.strip())) for c in block.group(1).split(",")]


def largest(polynomial: list[Fraction], most: float, parts: int) -> float:
    """A bound of |polynomial| on [0, most], by Taylor's formula of second order on every part."""
    c = np.array([float(x) for x in polynomial])
    k = np.arange(len(c))
    half = most / parts / 2
    middle = (2 * np.arange(parts) + 1)[:, None] * half
    value = (c * middle**k).sum(axis=1)
    slope = ((k * c)[1:] * middle ** k[:-1]).sum(axis=1)
    bend = (np.abs(k * (k - 1) * c)[2:] * (middle + half) ** k[:-2]).sum(axis=1)
    return float((np.abs(value) + np.abs(slope) * half + 0.5 * bend * half * half).max())


@pytest.mark.parametrize(("name", "first", "bound"), [("sine", 3, -57.9), ("cosine", 4, -63.9)])
def test_the_polynomials_of_sine_and_cosine_are_as_good_as_is_said(
    name: str, first: int, bound: float
) -> None:
    """r z P against sin r - r, and z z Q against cos r - 1 + z / 2, over the whole eighth turn."""
    own = coefficients(name)
    sign = -1 if name == "sine" else 1
    exact = [Fraction(sign * (-1) ** k, math.factorial(first + 2 * k)) for k in range(14)]
    off = [(own[k] if k < len(own) else 0) - exact[k] for k in range(len(exact))]
    z = (math.pi / 4 * (1 + 1e-9)) ** 2
    left_out = z ** len(exact) / math.factorial(first + 2 * len(exact))
    powers = [Fraction(0)] * (1 if name == "sine" else 2)  # times z, and times z z
    assert largest([*powers, *off], z, 4000) + left_out < ROUNDED * 2.0**bound


def test_no_double_in_reach_is_closer_to_a_multiple_of_half_a_turn_than_is_said() -> None:
    with mp.workprec(BITS):
        half_pi = mp.pi / 2
        nearest = min(abs(mp.mpf(float(n * half_pi)) - n * half_pi) for n in range(1, 63663))
        assert nearest > mp.mpf(2) ** -60.5

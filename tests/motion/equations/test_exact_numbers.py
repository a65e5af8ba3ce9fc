"""Roots and turns cancel exactly, and only where they do."""

import math
from fractions import Fraction

import numpy as np
import pytest

from kempe.algebra import Expression, Graph
from kempe.motion.equations.exact_numbers import (
    Constants,
    cosine_of_fifteens,
    fifteens,
    with_exact_angles,
)

LAST_DIGIT = 2.0**-52  # of numbers up to 1


@pytest.fixture
def graph():
    return Graph()


def number(graph, value):
    return Expression(graph, graph.constant(value))


IDENTITIES = {
    "cos^2 + sin^2 = 1": lambda n: n(0.7).cos() ** 2 + n(0.7).sin() ** 2 - 1.0,
    "cos(a + b)": lambda n: (
        n(0.25).cos() * n(0.5).cos() - n(0.25).sin() * n(0.5).sin() - n(0.75).cos()
    ),
    "sin 2a": lambda n: 2.0 * n(0.3).sin() * n(0.3).cos() - n(0.6).sin(),
    "sqrt 2 sqrt 8 = 4": lambda n: n(2.0).sqrt() * n(8.0).sqrt() - 4.0,
    "sqrt(1/3) = sqrt(3)/3": lambda n: (n(1.0) / n(3.0)).sqrt() - n(3.0).sqrt() / n(3.0),
    "a quotient times its divisor": lambda n: (
        n(0.1) / n(0.7).cos() * n(0.7).cos() - n(0.1) / n(0.3) * n(0.3)
    ),
}


@pytest.mark.parametrize("identity", IDENTITIES)
def test_an_identity_is_zero_exactly_though_doubles_do_not_see_it(identity, graph):
    formula = IDENTITIES[identity](lambda value: number(graph, value))
    assert Constants(graph)(formula).is_zero


@pytest.mark.parametrize("seed", range(20))
def test_an_exact_zero_is_one_in_forty_digits_and_a_sure_number_is_none(seed, graph):
    """Random sums of products, each with its negative in another form or off by a little."""
    mpmath = pytest.importorskip("mpmath")
    rng = np.random.default_rng(seed)
    constants = Constants(graph)
    a, b = rng.uniform(-3.0, 3.0, 2)
    t = float(rng.integers(1, 64)) / 16.0
    c, s = number(graph, t).cos(), number(graph, t).sin()
    off = float(rng.choice([0.0, 1e-9, -0.25]))
    p, q = number(graph, a), number(graph, b)
    formula = (p * c + q * s) * (p * c - q * s) - (p * p * c * c - q * q * s * s) + off
    with mpmath.workdps(40):
        C, S = mpmath.cos(t), mpmath.sin(t)
        truth = (a * C + b * S) * (a * C - b * S) - (
            mpmath.mpf(a) ** 2 * C**2 - mpmath.mpf(b) ** 2 * S**2
        )
        truth = abs(truth + off)
    read = constants(formula)
    assert read.is_zero == (truth < 1e-30)
    assert constants.is_sure(read) == (truth > 1e-30)


def test_what_rounded_lengths_make_of_a_zero_is_never_sure(graph):
    constants = Constants(graph)
    left = constants.of(0.1) + constants.of(0.2) - constants.of(0.3)
    assert left.fraction == Fraction(0.1) + Fraction(0.2) - Fraction(0.3) != 0
    assert not constants.is_sure(left)
    assert constants.is_sure(constants.of(0.1) + constants.of(0.2) - constants.of(0.25))


def test_a_division_by_zero_is_no_number_and_no_crash(graph):
    n = number(graph, 0.7)
    nothing = n.cos() ** 2 + n.sin() ** 2 - 1.0
    for zero in (nothing, number(graph, 0.0)):
        read = Constants(graph)(number(graph, 2.0) / zero)
        assert math.isnan(read.value)
        assert not Constants(graph).is_sure(read)


@pytest.mark.parametrize("steps", range(-30, 31))
def test_multiples_of_fifteen_degrees_have_their_cosine_in_roots(steps, graph):
    for angle in (math.radians(15.0 * steps), 15.0 * steps * (math.pi / 180.0)):
        assert fifteens(angle) == steps
    formula = cosine_of_fifteens(steps, graph)
    assert (
        abs(Constants(graph)(formula).value - math.cos(math.pi * (steps % 24) / 12))
        <= 8 * LAST_DIGIT
    )
    put = with_exact_angles([number(graph, angle).cos(), number(graph, angle).sin()])
    c, s = (Constants(graph)(e) for e in put)
    assert (c * c + s * s - Constants(graph).of(1.0)).is_zero
    assert abs(s.value - math.sin(math.pi * (steps % 24) / 12)) <= 8 * LAST_DIGIT


@pytest.mark.parametrize("angle", [1e-3, 0.5236, math.radians(30.0) + 1e-12, 1.0, math.inf])
def test_other_angles_are_the_doubles_that_were_given(angle):
    assert fifteens(angle) is None

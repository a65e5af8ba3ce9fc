"""Whole numbers of the verifier against fractions, which are exact."""

from fractions import Fraction

import numpy as np
import pytest

import kempe
from kempe.motion.equations.system import FullSystem
from kempe.motion.reduction.reduction import reduced
from kempe.motion.verify.exact_charts import PLACES, QuadraticRows, Rounded, floats, wholes

SEED = 5
UNIT = Fraction(1, 1 << PLACES)
CUT_OFF = 1000 * UNIT  # a few hundred products, each cut off after the last place
IN_DOUBLES = 1e-12  # rows of the size of 10, evaluated in doubles by the core


def _fractions(x):
    return np.array([Fraction(float(e)) for e in np.ravel(x)], dtype=object).reshape(np.shape(x))


def test_doubles_are_whole_numbers_exactly_and_come_back():
    chance = np.random.default_rng(SEED)
    x = chance.normal(size=200) * 10.0 ** chance.integers(-60, 12, 200)
    assert [int(e) * UNIT for e in wholes(x)] == list(_fractions(x))
    np.testing.assert_array_equal(floats(wholes(x)), x)
    assert wholes(np.zeros(2)).tolist() == [0, 0]


@pytest.mark.parametrize("x", [1e-62, 3e-70, 1e-77, 5e-78, 1e-140, 5e-324])
def test_small_doubles_are_less_than_one_unit_off(x):
    for sign in (1.0, -1.0):
        (number,) = wholes(np.array([sign * x]))
        assert abs(int(number) * UNIT - Fraction(sign * x)) < UNIT


def test_rounded_products_are_within_their_bounds():
    chance = np.random.default_rng(SEED)
    for bits in (8, 20, 28):
        a, b, c = (chance.normal(size=(5, 5)) * 10.0 ** chance.integers(-3, 4) for _ in range(3))
        made = (Rounded.of(a, bits) @ (Rounded.of(b, bits) @ Rounded.of(c, bits)).to(bits)).to(40)
        true = _fractions(a) @ _fractions(b) @ _fractions(c)
        place = Fraction(2) ** -made.places
        off = np.abs(made.number.astype(object) * place - true).max()
        assert off <= made.off * place
        assert made.off * place < max(abs(t) for t in true.ravel()) * 2.0 ** (14 - bits)


@pytest.mark.parametrize("name", ["four_bar", "gripper", "scissor_lift"])
def test_rows_of_second_degree_are_those_of_the_tape(name):
    from kempe.algebra.native import native_tape

    mechanism = getattr(kempe.gallery, name)()
    block = mechanism.motions(effort=kempe.Effort(boxes=1)).blocks[0]
    rows = QuadraticRows.of(block.tape, block.n_equations)
    chance = np.random.default_rng(SEED)
    x = chance.uniform(-2.0, 2.0, (4, rows.n))
    wanted = native_tape(block.tape).evaluate(x, block.tape.outputs[: block.n_equations])
    found = [floats(rows.values(wholes(e), rows.jacobian(wholes(e)))) for e in x]
    np.testing.assert_allclose(found, wanted, atol=IN_DOUBLES)


def test_rows_of_higher_degree_are_no_rows_of_second_degree():
    for power, wanted in ((2, True), (3, False)):
        equations = FullSystem()
        x, y = (equations.unknown(name, -1.0, 1.0, is_limit=True) for name in "xy")
        equations.equate(x * x * (y if power == 3 else 1.0) + y * y - 0.5, "row")
        (block,) = reduced(equations).blocks
        assert (QuadraticRows.of(block.tape, 1) is not None) == wanted


def test_newton_s_residual_is_exact_to_the_last_place_but_for_what_is_cut_off():
    block = kempe.gallery.four_bar().motions().blocks[0]
    rows = QuadraticRows.of(block.tape, block.n_equations)
    x = np.random.default_rng(SEED).uniform(-1.0, 1.0, rows.n)
    H = np.zeros((len(rows.c), rows.n, rows.n), dtype=object)
    H[rows.row, rows.first, rows.second] = rows.H
    X = _fractions(x)
    for q, value in enumerate(rows.values(wholes(x), rows.jacobian(wholes(x)))):
        true = (rows.c[q] + rows.l[q] @ X + X @ H[q] @ X / 2) * UNIT
        assert abs(value * UNIT - true) < CUT_OFF

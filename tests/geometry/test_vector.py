"""Vectors of numbers and of traced values."""

import numpy as np
import pytest

from kempe.geometry import Vector

ROUNDING = 1e-14  # sums of three products of numbers up to 2


def test_operators_are_numpy_s(any_, numbers):
    a, b = any_.vector(), any_.vector()
    x, y = numbers(a), numbers(b)
    np.testing.assert_array_equal(numbers(a + b), x + y)
    np.testing.assert_array_equal(numbers(a - b), x - y)
    np.testing.assert_array_equal(numbers(-a), -x)
    np.testing.assert_array_equal(numbers(a * 3.0), 3.0 * x)
    np.testing.assert_array_equal(numbers(3.0 * a), 3.0 * x)
    np.testing.assert_array_equal(numbers(a / 3.0), x / 3.0)
    assert a @ b == pytest.approx(x @ y, abs=ROUNDING)
    np.testing.assert_allclose(numbers(a.cross(b)), np.cross(x, y), atol=ROUNDING)
    assert a.square == pytest.approx(x @ x, rel=ROUNDING)
    assert a.norm == pytest.approx(np.linalg.norm(x), rel=ROUNDING)


def test_a_product_is_square_to_its_factors(any_):
    a, b = any_.vector(), any_.vector()
    assert a.cross(b) @ a == pytest.approx(0.0, abs=ROUNDING)
    assert a.cross(b) @ b == pytest.approx(0.0, abs=ROUNDING)


def test_components_are_read_by_name_by_number_and_in_order():
    v = Vector(1.0, 2.0, 3.0)
    assert (v.x, v.y, v.z) == (v[0], v[1], v[2]) == tuple(v)


def test_a_vector_of_traced_values_computes_what_a_vector_of_numbers_does(traced, evaluate, any_):
    inputs = traced("a b c d e f")
    v, w = Vector(*inputs[:3]), Vector(*inputs[3:])
    x, y = any_.vector(), any_.vector()
    outputs = [*v.cross(w), v @ w, v.norm, *(2.0 * v - w)]
    expected = [*x.cross(y), x @ y, x.norm, *(2.0 * x - y)]
    assert evaluate(inputs, outputs, [*x, *y]) == pytest.approx(expected, rel=1e-15)

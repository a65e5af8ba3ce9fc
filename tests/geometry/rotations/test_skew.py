"""Skew matrices, axial vectors, and Rodrigues' formula, as the book prints them."""

import numpy as np
import pytest

from kempe.errors import BadNumber
from kempe.geometry.rotations import AxisAngle, Matrix, axial, converted, rodrigues, skew

ROUNDING = 1e-15 * 8


def test_a_skew_matrix_is_the_vector_product(rng: np.random.Generator) -> None:
    a, b = rng.standard_normal((2, 50, 3))
    assert abs(np.einsum("kij,kj->ki", skew(a), b) - np.cross(a, b)).max() < ROUNDING
    assert (axial(skew(a)) == a).all()
    assert (skew(a) == -skew(a).transpose(0, 2, 1)).all()


def test_the_axial_vector_sees_the_skew_part_alone(rng: np.random.Generator) -> None:
    S = rng.standard_normal((3, 3))
    assert abs(axial(S + S.T + skew([1.0, 2.0, 3.0])) - [1, 2, 3]).max() < ROUNDING


def test_rodrigues_formula_is_the_explicit_matrix_of_equation_1_48(
    rng: np.random.Generator,
) -> None:
    for _ in range(20):
        a, t = rng.standard_normal(3), rng.uniform(-7, 7)
        a /= np.linalg.norm(a)
        a1, a2, a3 = a
        c, s, v = np.cos(t), np.sin(t), 1 - np.cos(t)
        printed = [
            [c + a1 * a1 * v, a1 * a2 * v - a3 * s, a1 * a3 * v + a2 * s],
            [a1 * a2 * v + a3 * s, c + a2 * a2 * v, a2 * a3 * v - a1 * s],
            [a1 * a3 * v - a2 * s, a2 * a3 * v + a1 * s, c + a3 * a3 * v],
        ]
        R = rodrigues(a, t)
        assert abs(R - printed).max() < ROUNDING
        assert abs(R @ R.T - np.eye(3)).max() < ROUNDING
        assert abs(R - rodrigues(-a, -t)).max() < ROUNDING
        assert abs(R - converted([*a, t], AxisAngle(), Matrix())).max() < ROUNDING


def test_rodrigues_formula_refuses_an_axis_of_another_length() -> None:
    with pytest.raises(BadNumber, match="length one"):
        rodrigues([1.0, 1.0, 0.0], 0.3)

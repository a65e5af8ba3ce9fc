"""Skew matrices, exponentials, logarithms and right Jacobians."""

import numpy as np
import pytest
from scipy.linalg import expm

from kempe.errors import BadNumber
from kempe.geometry.rotations import (
    AxisAngle,
    Matrix,
    adjoint,
    axial,
    converted,
    exp_se3,
    exp_so3,
    log_se3,
    log_so3,
    right_jacobian,
    right_jacobian_rate,
    rodrigues,
    skew,
)

EXACT = 1e-15 * 8
# expm squares and rounds a few times.
SERIES = 1e-13
# A few dozen roundings of numbers around three.
ROUNDING = 1e-13
STEP = 1e-5
NUMERIC = 1e-9  # central differences of a step of 1e-5: rounding 1e-11, third derivatives 1e-10


def test_a_skew_matrix_is_the_vector_product(rng: np.random.Generator) -> None:
    a, b = rng.standard_normal((2, 50, 3))
    assert abs(np.einsum("kij,kj->ki", skew(a), b) - np.cross(a, b)).max() < EXACT
    assert (axial(skew(a)) == a).all()
    assert (skew(a) == -skew(a).transpose(0, 2, 1)).all()


def test_the_axial_vector_sees_the_skew_part_alone(rng: np.random.Generator) -> None:
    S = rng.standard_normal((3, 3))
    assert abs(axial(S + S.T + skew([1.0, 2.0, 3.0])) - [1, 2, 3]).max() < EXACT


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
        assert abs(R - printed).max() < EXACT
        assert abs(R @ R.T - np.eye(3)).max() < EXACT
        assert abs(R - rodrigues(-a, -t)).max() < EXACT
        assert abs(R - converted([*a, t], AxisAngle(), Matrix())).max() < EXACT


def test_rodrigues_formula_refuses_an_axis_of_another_length() -> None:
    with pytest.raises(BadNumber, match="length one"):
        rodrigues([1.0, 1.0, 0.0], 0.3)


@pytest.mark.parametrize("size", [0.0, 1e-12, 1e-6, 0.00999, 0.01001, 1.0, 3.1, 6.0, 20.0])
def test_the_exponential_is_that_of_the_matrix(size: float, rng: np.random.Generator) -> None:
    for w in size * rng.standard_normal((5, 3)) / np.sqrt(3):
        v = rng.standard_normal(3)
        X = np.zeros((4, 4))
        X[:3, :3], X[:3, 3] = skew(w), v
        assert abs(exp_so3(w) - expm(skew(w))).max() < SERIES * (1 + size)
        assert abs(exp_se3([*v, *w]) - expm(X)).max() < SERIES * (1 + size)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-5, 0.0099, 0.0101, 1.0, 3.0, np.pi - 1e-9])
def test_the_logarithm_undoes_the_exponential(angle: float, rng: np.random.Generator) -> None:
    w = rng.standard_normal((20, 3))
    w *= angle / np.linalg.norm(w, axis=1)[:, None]
    twists = np.hstack([rng.standard_normal((20, 3)), w])
    assert abs(log_so3(exp_so3(w)) - w).max() < ROUNDING
    assert abs(log_se3(exp_se3(twists)) - twists).max() < ROUNDING


def test_the_logarithm_of_half_a_turn_gives_it_back(rng: np.random.Generator) -> None:
    w = rng.standard_normal((20, 3))
    w *= np.pi / np.linalg.norm(w, axis=1)[:, None]
    X = exp_se3(np.hstack([rng.standard_normal((20, 3)), w]))
    assert abs(exp_se3(log_se3(X)) - X).max() < ROUNDING


def test_the_adjoint_carries_twists_as_the_displacement_carries_motions(
    rng: np.random.Generator,
) -> None:
    X, twist = exp_se3(rng.standard_normal(6)), rng.standard_normal(6)
    carried = exp_se3(adjoint(X) @ twist)
    assert abs(carried - X @ exp_se3(twist) @ np.linalg.inv(X)).max() < ROUNDING


def test_what_is_no_displacement_or_twist_is_refused() -> None:
    with pytest.raises(BadNumber, match="last row"):
        log_se3(np.ones((4, 4)))
    with pytest.raises(BadNumber, match="not finite"):
        exp_se3([np.nan, 0, 0, 0, 0, 0])
    with pytest.raises(BadNumber, match=r"shape \(..., 6\)"):
        exp_se3([0, 0, 0])


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.049, 0.051, 1.0, 3.1, np.pi - 1e-9])
def test_rotation_vectors_go_there_and_back_and_their_jacobian_is_the_derivative(
    angle, rng
) -> None:
    axis = rng.normal(size=3)
    phi = angle * axis / np.linalg.norm(axis)
    np.testing.assert_allclose(log_so3(exp_so3(phi)), phi, atol=1e-7 if angle > 3.1 else 1e-14)
    rate = rng.normal(size=3)
    ahead, behind = (exp_so3(phi + s * STEP * rate) for s in (1, -1))
    W = exp_so3(phi).T @ (ahead - behind) / (2 * STEP)
    np.testing.assert_allclose(
        right_jacobian(phi) @ rate, [W[2, 1], W[0, 2], W[1, 0]], atol=NUMERIC
    )
    rates = (right_jacobian(phi + STEP * rate) - right_jacobian(phi - STEP * rate)) / (2 * STEP)
    np.testing.assert_allclose(right_jacobian_rate(phi, rate), rates, atol=NUMERIC)

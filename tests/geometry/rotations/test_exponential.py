"""Exponentials and logarithms undo each other and agree with the series of the matrix."""

import numpy as np
import pytest
from scipy.linalg import expm

from kempe.errors import BadNumber
from kempe.geometry.rotations import adjoint, exp_se3, exp_so3, log_se3, log_so3, skew

# expm squares and rounds a few times.
SERIES = 1e-13
# A few dozen roundings of numbers around three.
ROUNDING = 1e-13


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

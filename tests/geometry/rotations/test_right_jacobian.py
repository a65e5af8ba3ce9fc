"""The right Jacobian of rotation vectors: the derivative of the exponential."""

import numpy as np
import pytest

from kempe.geometry.rotations import exp_so3, log_so3, right_jacobian, right_jacobian_rate

STEP = 1e-5
NUMERIC = 1e-9  # central differences of a step of 1e-5: rounding 1e-11, third derivatives 1e-10


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

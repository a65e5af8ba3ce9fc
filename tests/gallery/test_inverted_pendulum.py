"""A pole on a cart: the equations of the textbook, closed-loop eigenvalues, energies."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import solve_continuous_are

import kempe

G = 9.81
MASS, POLE, LENGTH = 1.0, 0.3, 0.8
#: A hundred times the tolerance of the run.
CLOSE = 1e-8


def matrices() -> tuple[np.ndarray, np.ndarray]:
    """A and B of (x, angle, rates) about the upright pole, by hand: a slender bar on a cart."""
    arm = LENGTH / 2.0
    moment = POLE * LENGTH**2 / 3.0
    M = np.array([[MASS + POLE, -POLE * arm], [-POLE * arm, moment]])
    A = np.zeros((4, 4))
    A[:2, 2:] = np.eye(2)
    A[2:, 1] = np.linalg.solve(M, [0.0, POLE * G * arm])
    B = np.zeros((4, 1))
    B[2:, 0] = np.linalg.solve(M, [1.0, 0.0])
    return A, B


def gains(model: kempe.Mechanism) -> np.ndarray:
    feedback = model.model.forces[0]
    return np.array([*feedback.gains, *feedback.rate_gains])


def test_its_gains_are_those_of_the_regulator_of_the_textbook() -> None:
    A, B = matrices()
    P = solve_continuous_are(A, B, np.eye(4), [[0.1]])
    assert gains(kempe.gallery.inverted_pendulum()) == pytest.approx((B.T @ P / 0.1)[0], rel=1e-9)


def test_it_stands_up_as_the_nonlinear_equations_say() -> None:
    model = kempe.gallery.inverted_pendulum()
    motion = model.simulate(until=3.0, steps=30, tolerance=1e-10)
    K, arm = gains(model), LENGTH / 2.0

    def rate(_: float, y: np.ndarray) -> list[float]:
        x, angle, v, w = y
        u = -K @ [x, angle - math.pi / 2.0, v, w]
        pull = -POLE * arm * math.sin(angle)
        M = np.array([[MASS + POLE, pull], [pull, POLE * LENGTH**2 / 3.0]])
        f = [u + POLE * arm * w * w * math.cos(angle), -POLE * G * arm * math.cos(angle)]
        return [v, w, *np.linalg.solve(M, f)]

    start = [0.0, math.pi / 2.0 + 0.4, 0.0, 0.0]
    oracle = solve_ivp(rate, (0.0, 3.0), start, method="DOP853", rtol=1e-11, atol=1e-12)
    found = [motion["cart.x"].values[-1], motion["pole.angle"].values[-1]]
    assert found == pytest.approx(oracle.y[:2, -1], abs=CLOSE)
    assert np.ptp(motion.energy.total) < 1e-8 * motion.energy.kinetic.max()


def test_its_closed_loop_has_the_eigenvalues_of_a_minus_b_k() -> None:
    model = kempe.gallery.inverted_pendulum(lean=0.0)
    loop = model.linearize(model.assemble(), coordinates=["rail.displacement", "pole.angle"])
    A, B = matrices()
    wanted = np.sort_complex(np.linalg.eigvals(A - B @ gains(model)[None, :]))
    assert np.abs(np.sort_complex(loop.eigenvalues) - wanted).max() < 1e-7
    assert loop.is_stable


def test_it_rests_upright_although_no_way_there_leads_downhill() -> None:
    """A regulator is no slope of an energy; small motions are those of A - B K."""
    model = kempe.gallery.inverted_pendulum()
    rest = model.statics()
    assert rest.outcome.is_done
    assert rest.stable is True
    assert "downhill it came to no end" in " ".join(rest.notes)
    assert rest["pivot.angle"] == pytest.approx(math.pi / 2.0, abs=1e-9)
    assert rest["rail.displacement"] == pytest.approx(0.0, abs=1e-9)
    A, B = matrices()
    wanted = np.sort_complex(np.linalg.eigvals(A - B @ gains(model)[None, :]))
    assert np.sort_complex(model.linearize().eigenvalues) == pytest.approx(wanted, rel=1e-7)

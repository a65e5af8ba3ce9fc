"""Small motions of mechanisms with controllers: closed loops against matrices by hand."""

import numpy as np
import pytest

from kempe import Builder, Inertia, forces
from kempe.drives import Ramp

#: Exact derivatives, scaled and solved with once: rounding of numbers up to 1e3.
EXACT = 1e-10
MASS = 2.0


def cart(make):
    m = Builder("cart", plane=True)
    body = m.body("cart", at=(0.3, 0.0), inertia=Inertia(MASS, (0, 0, 0), np.eye(3)))
    rail = m.prismatic(m.ground.at(0, 0), body.at(0, 0), name="rail")
    m.force(make(rail.displacement), "servo")
    return m.build()


def test_a_pid_controller_closes_the_loop_of_a_mass():
    P, I, D, T = 40.0, 30.0, 12.0, 0.05
    model = cart(lambda g: forces.Pid(g, Ramp(0.3), P, I, D, filter=T))
    loop = model.linearize(
        coordinates=["rail.displacement"], inputs=["rail.displacement"], outputs=["cart.x"]
    )
    A = np.zeros((4, 4))  # of (x, x', z, d)
    A[0, 1] = 1.0
    A[1] = np.array([-P, 0.0, 1.0, -D]) / MASS
    A[2, 0] = -I
    A[3, [1, 3]] = 1.0 / T, -1.0 / T
    assert loop.states == ("servo.integral", "servo.slope")
    assert np.abs(loop.A - A).max() < EXACT
    assert loop.B[:, 0] == pytest.approx([0.0, 1.0 / MASS, 0.0, 0.0], abs=EXACT)
    assert loop.G[0] == pytest.approx([1.0, 0.0, 0.0, 0.0], abs=EXACT)
    wanted = np.sort_complex(np.linalg.eigvals(A))
    assert np.abs(np.sort_complex(loop.eigenvalues) - wanted).max() < 1e-8
    assert loop.is_stable
    assert not loop.notes


def test_too_much_integral_makes_a_loop_grow():
    """Routh: m x''' + D x'' + P x' + I x grows where I m > D P."""
    for I, is_stable in ((239.0, True), (241.0, False)):
        model = cart(lambda g, I=I: forces.Pid(g, Ramp(0.3), 40.0, I, 12.0))
        assert model.linearize(coordinates=["rail.displacement"]).is_stable is is_stable


def test_a_state_that_nothing_holds_is_told():
    model = cart(lambda g: forces.Control(g, "-9 * x", own=(("count", "x", 0.0),)))
    loop = model.linearize(coordinates=["rail.displacement"])
    assert loop.is_stable is None
    assert np.sort(np.abs(loop.eigenvalues)) == pytest.approx([0.0, np.sqrt(4.5), np.sqrt(4.5)])


def test_states_that_change_at_the_state_are_noted():
    model = cart(lambda g: forces.FilteredActuator(g, Ramp(2.0), 5.0))
    loop = model.linearize(model.simulate(0.1, 2).state(0))
    assert "servo.signal change at this state" in " ".join(loop.notes)


def test_a_loop_of_a_state_that_was_reached_has_its_states():
    own = (("z", "x - z^3", 0.2),)
    model = cart(lambda g: forces.Control(g, "-4 * x - x_rate - z^2", own=own))
    state = model.simulate(1.0, 4).state()
    loop = model.linearize(state, coordinates=["rail.displacement"])
    z = state.states[0]
    assert loop.A[2, 2] == pytest.approx(-3.0 * z**2, abs=EXACT)
    assert loop.A[1, 2] == pytest.approx(-2.0 * z / MASS, abs=EXACT)

"""Rows that are written measured by mass say the same as plain ones."""

from dataclasses import replace

import numpy as np
import pytest

import kempe
from kempe import Inertia, Mechanism
from kempe.dynamics.preparation.preparation import PreparedDynamics, prepare
from kempe.errors import MissingPart

ROUNDING = 1e-11  # beside the largest number: a few operations more, on pivots of some 1e-3

#: Chains, loops in the plane and in space, with springs, with rows that are redundant.
MECHANISMS = {
    "pendulum_chain": {"links": 5},
    "double_pendulum": {},
    "falling_bricard": {},
    "gyroscope": {},
    "engine": {},
    "n_four_bar": {},
    "cardan_shaft": {},
}


def with_skew_tensors(mechanism: Mechanism, every: int) -> Mechanism:
    """The same, with an inertia tensor on every so many bodies that is not diagonal."""
    turn = np.array([[0.8, -0.6, 0.0], [0.48, 0.64, -0.6], [0.36, 0.48, 0.8]])
    bodies = []
    for k, body in enumerate(mechanism.model.bodies):
        held = body.inertia
        if held is not None and k % every == 0 and np.linalg.eigvalsh(held.tensor)[0] > 0.0:
            held = Inertia(held.mass, held.centre, turn @ np.array(held.tensor) @ turn.T)
        bodies.append(replace(body, inertia=held))
    return Mechanism(replace(mechanism.model, bodies=tuple(bodies)))


def equations(prepared: PreparedDynamics, v: np.ndarray) -> tuple[np.ndarray, ...]:
    """J, -phi_t and gamma in the order of the model's rows, and f."""
    terms = prepared.terms(prepared.start.q, v, 0.0)
    J = prepared.equations.program.dense_jacobian(terms.entries)
    rhs, gamma, load = terms.rhs, terms.gamma, terms.load
    order = np.argsort(prepared.row_order)
    return J[order], rhs[order], gamma[order], load


@pytest.mark.parametrize("every", [1, 2, 99], ids=["skew", "mixed", "as_given"])
@pytest.mark.parametrize("name", MECHANISMS)
def test_both_plans_of_dynamics_have_the_same_equations_and_motion(name, every):
    mechanism = with_skew_tensors(kempe.gallery.MECHANISMS[name](**MECHANISMS[name]), every)
    small, large = (prepare(mechanism.layout, 0.0, plan=plan) for plan in ("small", "large"))
    v = np.random.default_rng(5).normal(size=small.equations.program.shape.n_v)
    for one, other in zip(equations(small, v), equations(large, v), strict=True):
        assert np.abs(one - other).max(initial=0.0) <= ROUNDING * np.abs(one).max(initial=1.0)
    times = np.array([0.0, 0.2])
    one, other = (
        mechanism.simulate(until=0.2, steps=1, plan=plan, tolerance=1e-11).motion
        for plan in ("small", "large")
    )
    assert np.array_equal(one.t, times)
    assert np.abs(one.q - other.q).max() < 1e-9
    assert np.abs(one.a - other.a).max() < 1e-7 * max(1.0, np.abs(one.a).max())


def test_the_large_plan_says_that_it_needs_masses_and_which_body_has_none():
    with pytest.raises(MissingPart, match=r"'.+' has no mass.* Leave the plan to 'auto'"):
        kempe.gallery.flyball_governor().simulate(until=0.1, plan="large")

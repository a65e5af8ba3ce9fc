"""The slopes of every joint and every force are exact: to 1e-10, against a complex step.

R = (M a + J^T lam - f, J a - gamma) by place, velocity and time, as implicit methods, linearization
and equilibria have it. The oracle runs the tape of J, gamma and f itself, which knows no slopes, on
complex numbers: no difference is taken, so nothing is lost but rounding. Branches, absolute values
and tables are taken by the real part. Differences of whole motions to 1e-8, loads of joints that
rub included: `test_implicit_slopes`.
"""

import dataclasses

import numpy as np
import pytest

from kempe.errors import KempeError
from kempe.model import Model
from tests.equations.complex_step import all_of, assert_same, by_complex_step, somewhere
from tests.laws.test_implicit_slopes import (
    IN_THE_PLANE,
    WAYS,
    bodies,
    of_a_force,
    places,
    ready,
    rubbing,
)

ROUNDED = 1e-11  # of the largest slope of a row: what doubles may lose, a tenth of what is asserted
LOADS = 3.7  # N, of joints that rub: any will do


def checked(model, rng, first=None):
    """Asserts that slopes are exact at the first place where formulas keep their digits."""
    for prepared in places(model, first):
        at, a, lam = somewhere(prepared, rng)
        parameters = np.array(prepared.equations.layout.parameters, dtype=np.float64)
        if prepared.loads is not None:
            parameters[prepared.loads.places] = LOADS
        states = 0.3 + 0.1 * np.arange(len(prepared.equations.program.shape.states))
        parameters = prepared.equations.layout.with_states(parameters, states)
        step = (prepared, at, a, lam, parameters)
        with np.errstate(all="ignore"):
            exact = np.asarray(by_complex_step(*step, kind=np.clongdouble), dtype=np.float64)
            lost = np.abs(exact - by_complex_step(*step))
        size = np.maximum(np.abs(exact).max(axis=1, keepdims=True), 1.0)
        if not np.isfinite(exact).all() or (lost > ROUNDED * size).any():
            continue
        found = prepared.equations.derivatives(at, a, lam, parameters=parameters)
        assert_same(all_of(found), exact)
        return
    pytest.fail("no place was found where the formulas keep their digits")


@pytest.mark.parametrize("plane", [False, True], ids=["space", "plane"])
def test_a_force_has_exact_slopes(force, plane, rng):
    model, first = of_a_force(force, plane, rng)
    checked(model, rng, first)


@pytest.mark.parametrize("plane", [False, True], ids=["space", "plane"])
def test_a_joint_has_exact_slopes(joint, plane, rng):
    joint = dataclasses.replace(joint, name="joint")

    def model():
        gravity = (0.3, -4.0, 0.0 if plane else -9.0)
        return Model("pair", plane, bodies(rng, plane), (joint,), gravity=gravity)

    try:
        first = ready(model())
    except KempeError:
        pytest.skip("two free bodies do not close it")
    checked(model, rng, first)


@pytest.mark.parametrize("word", WAYS)
def test_friction_of_a_joint_has_exact_slopes(word, rng):
    checked(lambda: rubbing(rng, False, word), rng)
    if word in IN_THE_PLANE:
        checked(lambda: rubbing(rng, True, word), rng)

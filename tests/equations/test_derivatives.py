"""Derivatives of the equations of motion, against a complex step through the undifferentiated tape.

The oracle runs the tape of J, gamma and f on complex numbers: Im R(x + i h e) / h is the derivative
without subtraction, exact to rounding for h = 1e-30.
"""

import numpy as np
import pytest

from kempe import Builder, Inertia
from kempe.compile.layout.layout import Layout
from kempe.dynamics.curve_riders import riding
from kempe.dynamics.preparation.preparation import prepare
from kempe.forces import LineSpring
from kempe.gallery import COURSES, MECHANISMS
from kempe.joints import Spherical
from kempe.results.state import State
from tests.equations.complex_step import all_of, assert_same, by_complex_step, somewhere

SEED = 7


def driven():
    """Two bodies in space, one driven by a law of time, with a spring and dampers between them."""
    m = Builder("driven", gravity=(0, 0, -9.81))
    inertia = Inertia(2.0, (0.3, 0.1, 0.0), np.diag([0.1, 0.2, 0.25]))
    arm = m.body("arm", points={"tip": (1, 0, 0)}, inertia=inertia)
    bob = m.body("bob", points={"eye": (1.5, 0, -0.2)}, at=(1, 0, 0), inertia=inertia)
    hinge = m.revolute(m.ground.at(0, 0, 0), arm.at(0, 0, 0), name="hinge")
    m.add(Spherical(arm.tip, bob.at(0, 0, 0)), "ball")
    m.drive(hinge.angle, lambda t: 0.3 * np.sin(2.0 * t))
    m.force(
        LineSpring(m.ground.at(0, 1, 0), bob.eye, stiffness=30.0, damping=2.0, free=0.4), "coil"
    )
    return m.build()


ENTRIES = {name: MECHANISMS[name] for name in COURSES} | {"driven": driven}


def ready(name, plan):
    """An entry as its simulation has it, on the VM."""
    layout = Layout(ENTRIES[name]().model)
    if layout.n_own:
        layout = riding(layout, 0.0, None).layout
    return prepare(layout, 0.0, "vm", plan)


@pytest.mark.parametrize("name", ENTRIES)
def test_it_is_the_complex_step_derivative_of_the_equations(name):
    prepared = ready(name, "small")
    at, a, lam = somewhere(prepared, np.random.default_rng(SEED))
    exact = by_complex_step(prepared, at, a, lam)
    assert_same(all_of(prepared.equations.derivatives(at, a, lam)), exact)


@pytest.mark.parametrize("name", ENTRIES)
def test_tiles_have_the_derivatives_of_the_one_tape(name):
    small = ready(name, "small")
    if small.equations.layout.massless:
        pytest.skip("tiles need the mass and inertia of every body")
    large = ready(name, "large")
    rows = [[(r.element, r.place) for r in p.equations.program.shape.rows] for p in (small, large)]
    at, a, lam = somewhere(small, np.random.default_rng(SEED))
    order = [rows[1].index(row) for row in rows[0]]
    mine = np.empty_like(lam)
    mine[order] = lam
    n = small.equations.program.shape.n_v
    turned = State(at.t, at.q, at.v, large.start.turns)
    found = large.equations.derivatives(turned, a, mine)
    where = [*range(n), *(n + k for k in order)]
    exact = small.equations.derivatives(at, a, lam)
    assert_same(all_of(found)[where], all_of(exact))
    assert found.residual[where] == pytest.approx(exact.residual, rel=1e-12, abs=1e-9)


def test_compiled_derivatives_are_those_of_the_vm():
    small = ready("andrews_squeezer", "small")
    layout = Layout(MECHANISMS["andrews_squeezer"]().model)
    at, a, lam = somewhere(small, np.random.default_rng(SEED))
    for plan in ("small", "large"):
        vm = prepare(layout, 0.0, "vm", plan).equations.derivatives(at, a, lam)
        llvm = prepare(layout, 0.0, "llvm", plan).equations.derivatives(at, a, lam)
        assert np.array_equal(all_of(vm), all_of(llvm))

"""Mechanisms with more rows than they need simulate as they are, without a word from the user.

The linkages are those of the gallery, let go from their drives, with a mass on every body.
"""

from dataclasses import replace

import numpy as np
import pytest

from kempe import Inertia, Mechanism
from kempe.equations import equations_of
from kempe.gallery import MECHANISMS

#: Name, dimensions, and whether rows are redundant: loops of hinges in space, and planar ones.
LOOPS = {
    "bricard": {},
    "sarrus": {},
    "bennett": {},
    "four_bar_chain": {"loops": 3, "plane": False},
    "parallel_motion": {},
}


def heavy(mechanism: Mechanism) -> Mechanism:
    """The same without drives, a mass of 1 kg on every body, pulled along a skew direction."""
    model, size = mechanism.model, mechanism.layout.size
    tensor = np.diag([0.5, 1.0, 1.1]) * (0.5 * size) ** 2 / 12
    bodies = tuple(
        replace(b, inertia=Inertia(1.0, np.mean([*b.points.values(), (0, 0, 0)], axis=0), tensor))
        for b in model.bodies
    )
    gravity = (1.0, -9.0, 0.0 if model.plane else 2.0)
    return Mechanism(replace(model, bodies=bodies, drives=(), gravity=gravity))


@pytest.mark.parametrize("name", LOOPS)
def test_a_redundant_linkage_falls_and_keeps_its_energy_and_its_loops(name):
    mechanism = heavy(MECHANISMS[name](**LOOPS[name]))
    motion = mechanism.simulate(until=1.0, steps=40)
    assert motion.outcome.is_done
    assert motion.energy.kinetic.max() > 0.01
    assert np.ptp(motion.energy.mechanical) < 1e-6 * motion.energy.kinetic.max()
    layout, program = mechanism.layout, equations_of(mechanism.layout).program
    assert len(motion.violation) == len(motion)
    for q, t, told in zip(motion.motion.q, motion.t, motion.violation, strict=True):
        last = np.zeros(program.shape.n_turns)
        phi, _, _ = program.evaluate(layout.parameters, q, float(t), last)
        assert np.abs(phi).max() < 1e-9
        assert told < 1e-9
        assert np.abs(phi).max() < 2.0 * told + 1e-12 * max(1.0, layout.size)
    assert "Joints and drives hold to" in motion.report()


@pytest.mark.parametrize("name", ["bricard", "sarrus", "bennett", "four_bar_chain"])
def test_loops_of_hinges_in_space_have_rows_that_say_nothing_new(name):
    motion = heavy(MECHANISMS[name](**LOOPS[name])).simulate(until=0.01, steps=1)
    assert motion.redundant

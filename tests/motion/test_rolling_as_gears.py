"""What rolls has no map of its motions, and is told how to have one: circles as gears."""

import math

import numpy as np
import pytest

import kempe as kp
from kempe.couplers import GearPair
from kempe.errors import ModelError
from kempe.geometry.curves import Circle
from kempe.joints import RollingCurves, RollingOnCurve

RING, WHEEL = 1.0, 0.25
APART = RING - WHEEL
CLOSE = 1e-9  # rad
STEP = 0.05


def carried(m):
    """A wheel in a ring, on an arm that holds its middle."""
    arm = m.body("arm", at=(0, 0), angle=0.0, points={"end": (APART, 0)})
    wheel = m.body("wheel", at=(APART, 0), angle=0.0, mass=1.0, inertia=0.03)
    m.revolute(m.ground.at(0, 0), arm.at(0, 0), name="main")
    m.revolute(arm.end, wheel.at(0, 0), name="pin")
    return wheel


def test_a_wheel_in_a_ring_as_gears_turns_as_one_that_rolls():
    """angle = -(R - r) / r of what its middle goes round, as in test_rolling_on_curve.py."""
    m = kp.Builder("gears", plane=True)
    wheel = carried(m)
    m.couple(GearPair.meshing(m.ground.at(0, 0), wheel.at(0, 0), teeth=(4, 1), internal=True))
    found = m.build().motions()
    assert (str(found.outcome), len(found)) == ("complete", 1)
    (loop,) = found.components
    assert loop.closed
    arm, turned = loop.sample(STEP).q.reshape(-1, 2, 3)[:, :, 2].T
    off = turned + APART / WHEEL * arm
    assert np.abs(np.sin(0.5 * (off - off[0]))).max() < CLOSE
    assert np.ptp(np.unwrap(arm)) > math.tau - 2 * STEP / APART


@pytest.mark.parametrize("rolls", ["wheel", "outline"])
@pytest.mark.parametrize("ask", ["motions", "assemblies"])
def test_a_map_of_what_rolls_is_refused_with_what_to_do(rolls, ask):
    m = kp.Builder("rolls", plane=True)
    wheel = m.body("wheel", at=(APART, 0))
    ring, places = Circle((0, 0), RING), (m.ground.at(0, 0), wheel.at(0, 0))
    if rolls == "wheel":
        m.add(RollingOnCurve(*places, curve=ring, radius=WHEEL), "track")
    else:
        m.add(RollingCurves(*places, curve=ring, other=Circle((0, 0), WHEEL)), "track")
    with pytest.raises(ModelError, match=r"'track' holds velocities .* gears and racks"):
        getattr(m.build(), ask)()

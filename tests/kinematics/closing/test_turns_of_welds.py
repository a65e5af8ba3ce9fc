"""What is welded to a wheel has turned as often as the wheel, and so says its reading."""

import math

import pytest

import kempe
from kempe.couplers import GearPair

SIDES = [True, False]
STARTS = [0.0, 2.9, -3.1, 100 * math.tau, -1e4 * math.tau + 1.0]


def train(start, *, plane, geared, tilted=False):
    """A driven wheel, perhaps one geared to it, and a plate welded to the last of them."""
    m = kempe.Builder("train", plane=plane)
    z = () if plane else (0.0,)
    a = m.body("a", at=(0, 0, *z), angle=0.0)
    hinge = m.revolute(m.ground.at(0, 0, *z), a.at(0, 0, *z), name="ja")
    last = a
    if geared:
        last = m.body("b", at=(3, 0, *z), angle=0.0)
        other = m.revolute(m.ground.at(3, 0, *z), last.at(0, 0, *z), name="jb")
        m.couple(GearPair((hinge.angle, other.angle), teeth=(26, 20)))
    plate = m.body("plate", at=(3.0 * geared + 1.0, 0, *z))
    on = plate.at(0, 0, 0).facing((1, 0, 0)) if tilted else plate.at(0, 0, *z)
    m.fixed(last.at(1, 0, *z), on)
    rider = m.body("rider", at=(3.0 * geared + 2.0, 0, *z))
    m.fixed(plate.at(1, 0, *z), rider.at(0, 0, *z))
    m.drive(hinge.angle, start=start, speed=math.tau)
    return m.build()


@pytest.mark.parametrize("plane", SIDES)
@pytest.mark.parametrize("geared", SIDES)
@pytest.mark.parametrize("start", STARTS)
def test_a_weld_reads_the_turns_of_its_wheel(plane, geared, start):
    """Exact: all angles of one rigid piece are the same, -1.3 times the driver's where geared."""
    built = train(start, plane=plane, geared=geared)
    motion = built.kinematics(until=1.0, steps=4)
    exact = (-1.3 if geared else 1.0) * (start + math.tau * motion.t)
    wheel = "b" if geared else "a"
    for name in (wheel, "plate", "rider"):
        assert motion[f"{name}.angle"].values == pytest.approx(exact, rel=1e-12, abs=1e-9), name
        assert float(built.assemble()[f"{name}.angle"]) == pytest.approx(
            exact[0], rel=1e-12, abs=1e-9
        )


def test_a_plate_that_is_welded_on_its_side_counts_no_turns_about_another_axis():
    """Its own z axis lies along x of the wheel: what it reads is the same after whole turns."""
    near, far = (
        train(start, plane=False, geared=True, tilted=True).kinematics(until=0.5, steps=2)
        for start in (0.0, 20 * math.tau)
    )
    assert far["plate.angle"].values == pytest.approx(near["plate.angle"].values, nan_ok=True)

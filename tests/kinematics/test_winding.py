"""A drive that starts some whole turns away finds the mechanism where it was put."""

import math

import numpy as np
import pytest

import kempe

EXACT = 1e-12  # a few roundings of angles of some turns
PUT = 0.7  # rad


def four_bar(start: float, *, plane: bool) -> kempe.Mechanism:
    """A crank-rocker put at PUT and driven from `start` on."""
    m = kempe.Builder("four-bar", plane=plane)
    crank = m.bar("crank", 1.0, at=(0, 0), angle=PUT)
    coupler, rocker = m.bar("coupler", 3.0), m.bar("rocker", 2.5)
    hinge = m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, coupler.start, name="B")
    m.revolute(coupler.end, rocker.end, name="C")
    m.revolute(rocker.start, m.ground.at(3.5, 0), name="D")
    m.drive(hinge.angle, start=start, speed=1.0)
    return m.build()


def arm(first: float, second: float) -> kempe.Mechanism:
    """Two bars in a row, each driven against the one before."""
    m = kempe.Builder("arm", plane=True)
    upper = m.bar("upper", 1.0, at=(0, 0), angle=PUT)
    lower = m.bar("lower", 0.8, at=(math.cos(PUT), math.sin(PUT)), angle=2.0 * PUT)
    shoulder = m.revolute(m.ground.at(0, 0), upper.start, name="shoulder")
    elbow = m.revolute(upper.end, lower.start, name="elbow")
    m.drive(shoulder.angle, start=first, speed=1.0)
    m.drive(elbow.angle, start=second, speed=-0.5)
    return m.build()


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("turns", [-3, -1, 1, 2, 5])
@pytest.mark.parametrize("ahead", [0.0, 0.5, 2.0, 3.1])
def test_it_stays_on_the_branch_it_was_put_on(plane: bool, turns: int, ahead: float) -> None:
    near, far = (
        four_bar(PUT + ahead + math.tau * k, plane=plane).kinematics(until=0.5, steps=5)
        for k in (0, turns)
    )
    for point in ("coupler.end", "crank.end"):
        np.testing.assert_allclose(far[point].position, near[point].position, atol=EXACT)
    counted = near["A.angle"].values + math.tau * turns
    np.testing.assert_allclose(far["A.angle"].values, counted, atol=100 * EXACT)


@pytest.mark.parametrize(("first", "second"), [(1, 0), (0, 2), (-2, 1), (3, 3)])
def test_turns_of_one_body_against_another_are_counted(first: int, second: int) -> None:
    motion = arm(PUT + math.tau * first, PUT + math.tau * second).kinematics(until=0.1, steps=2)
    assert motion["shoulder.angle"].values[0] == pytest.approx(PUT + math.tau * first, abs=EXACT)
    assert motion["elbow.angle"].values[0] == pytest.approx(PUT + math.tau * second, abs=EXACT)
    turned = motion["lower.angle"].values[0]
    assert turned == pytest.approx(2.0 * PUT + math.tau * (first + second), abs=EXACT)

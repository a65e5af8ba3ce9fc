"""Drives that repeat what others say: the motion is theirs all the same, their efforts are not."""

import numpy as np
import pytest

from kempe import Builder, Inertia
from kempe.drives import TextFormula
from kempe.errors import DriveError
from kempe.measures import Gauge, Turn

SPEED, MASS, ARM, GRAVITY = 1.3, 2.0, 0.4, 9.81


def arm(*drives, massless=False):
    """A driven arm with a hand, and what hangs on that; drives by name and law."""
    m = Builder("arm", plane=True, gravity=(0, -GRAVITY))
    inertia = Inertia(MASS, (ARM, 0, 0), np.eye(3))
    a = m.bar("a", 1.0, inertia=inertia)
    hinge = m.revolute(m.ground.at(0, 0), a.start, name="A")
    b = m.bar("b", 0.5, angle=0.2, inertia=None if massless else inertia)
    c = m.bar("c", 0.3, angle=0.2, inertia=inertia)
    m.revolute(a.end, b.start, name="B")
    m.fixed(b.end, c.start, name="C")
    between = Gauge("between", Turn(), b.start, c.start)
    known = {"a": a.angle, "A": hinge.angle, "between": between}
    for name, law in drives:
        m.drive(known[name], law=TextFormula(law))
    return m.build()


@pytest.mark.parametrize("plan", ["small", "large"])
def test_of_two_drives_on_one_hinge_only_the_sum_of_efforts_is_known(plan):
    """a and its hinge turn alike; what both exert holds the arm against gravity and the hand."""
    both = arm(("a", f"{SPEED}*t"), ("A", f"{SPEED}*t")).simulate(until=0.4, steps=8, plan=plan)
    one = arm(("a", f"{SPEED}*t")).simulate(until=0.4, steps=8, plan=plan)
    assert both.outcome.is_done, both.outcome
    assert both["a.angle.effort"].unique == (False,)
    assert both["A.angle.effort"].unique == (False,)
    assert both["A.force"].unique == (True, True)
    assert one["a.angle.effort"].unique == (True,)
    total = both["a.angle.effort"].values + both["A.angle.effort"].values
    assert total == pytest.approx(one["a.angle.effort"].values, abs=1e-6)
    assert "Redundant: drive on A.angle repeats what others say" in both.summary()


def test_a_body_without_mass_beside_two_drives_on_one_hinge_is_simulated():
    both = arm(("a", "t"), ("A", "t"), massless=True).simulate(until=0.2, steps=4)
    one = arm(("a", "t"), massless=True).simulate(until=0.2, steps=4)
    assert both.outcome.is_done, both.outcome
    assert both["c.angle"].values == pytest.approx(one["c.angle"].values, abs=1e-8)


@pytest.mark.parametrize("massless", [False, True])
def test_a_drive_that_moves_nothing_is_told_as_kinematics_tells_it(massless):
    with pytest.raises(DriveError, match="The drive on 'between' moves nothing: remove it"):
        arm(("between", "t"), massless=massless).simulate(until=0.2)
    rests = arm(("between", "0"), massless=massless).simulate(until=0.2, steps=4)
    free = arm(massless=massless).simulate(until=0.2, steps=4)
    assert rests.outcome.is_done, rests.outcome
    assert rests["c.angle"].values == pytest.approx(free["c.angle"].values, abs=1e-8)


def test_drives_that_fight_at_once_are_refused_and_those_that_part_later_are_named():
    with pytest.raises(DriveError, match=r"'a.angle' and 'A.angle' depend on each other"):
        arm(("a", "t"), ("A", "2*t")).simulate(until=0.2)
    run = arm(("a", "t"), ("A", "t + t**3")).simulate(until=1.0, steps=4)
    assert run.outcome.name == "Locked"
    assert "what the drive on 'A.angle' holds is held by others too" in run.outcome.message

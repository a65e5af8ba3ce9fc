"""A drive that starts some whole turns away finds the mechanism where it was put."""

import math
from fractions import Fraction

import numpy as np
import pytest

import kempe
from kempe.couplers import GearPair

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


TEETH = (17, 31)
MANY = [0, 1, 10, 1000, 10**6]


def train(start: float, *, plane: bool, wheels: int = 3, put: bool = False) -> kempe.Mechanism:
    """Wheels in a row, each in mesh with the next; the first is driven from `start` on."""
    m = kempe.Builder("train", plane=plane)
    zero = () if plane else (0,)
    angles = []
    for k in range(wheels):
        where = {"at": (3.0 * k, 0, *zero), "angle": 0.1 * k} if put else {}
        wheel = m.body(f"wheel{k}", **where)
        hinge = m.revolute(m.ground.at(3.0 * k, 0, *zero), wheel.at(0, 0, *zero), name=f"h{k}")
        angles.append(hinge.angle)
    for k in range(wheels - 1):
        m.couple(GearPair((angles[k], angles[k + 1]), f"mesh{k}", teeth=TEETH))
    m.drive(angles[0], start=start, speed=1.0)
    return m.build()


def turned_by(motion: kempe.Trajectory, name: str, exact: float) -> float:
    """How far a wheel stands from an angle (rad), whole turns not counted."""
    return math.remainder(float(motion[name].values[0]) - exact, math.tau)


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("put", [True, False])
@pytest.mark.parametrize("turns", MANY)
def test_a_train_that_starts_after_many_turns_stands_as_after_a_run_from_0(
    plane: bool, put: bool, turns: int
) -> None:
    """Exact: every wheel has turned by (-17/31)^k of the first, from where it was put."""
    start = PUT + math.tau * turns
    motion = train(start, plane=plane, put=put).kinematics(until=1.0, steps=4)
    assert motion.outcome.is_done
    rounding = 1e-11 + 16 * np.finfo(float).eps * start
    exact = Fraction(start)
    for k in range(3):
        share = Fraction(-TEETH[0], TEETH[1]) ** k
        placed = Fraction(0.1 * k) if put else Fraction(0)
        angle, turn = placed + share * exact, Fraction(math.tau)
        stands = float(angle - turn * round(angle / turn))
        assert abs(turned_by(motion, f"h{k}.angle", stands)) < rounding
        assert motion[f"h{k}.angle"].rate[-1] == pytest.approx(float(share), abs=1e-8)


@pytest.mark.parametrize("plane", [True, False])
def test_a_train_is_put_together_at_a_later_time_where_a_run_takes_it(plane: bool) -> None:
    machine = train(0.0, plane=plane, put=True)
    later = 20.3 * math.tau
    run, put = machine.kinematics(until=later, steps=100), machine.assemble(at=later)
    for k in range(3):
        apart = float(run[f"h{k}.angle"].values[-1]) - float(put[f"h{k}.angle"])
        assert abs(math.remainder(apart, math.tau)) < 1e-10


@pytest.mark.parametrize("plane", [True, False])
def test_a_geared_five_bar_starts_after_a_thousand_turns_as_after_none(plane: bool) -> None:
    """Its cranks are geared 1:1, so that a whole turn of one brings all back."""

    def five_bar(start: float) -> kempe.Mechanism:
        m = kempe.Builder("five-bar", plane=plane)
        zero = () if plane else (0,)
        lengths = {"left": 1.0, "up": 2.5, "down": 2.5, "right": 1.0}
        bars = {name: m.bar(name, length) for name, length in lengths.items()}
        one = m.revolute(m.ground.at(0, 0, *zero), bars["left"].start)
        two = m.revolute(m.ground.at(3, 0, *zero), bars["right"].start)
        m.revolute(bars["left"].end, bars["up"].start)
        m.revolute(bars["right"].end, bars["down"].start)
        m.revolute(bars["up"].end, bars["down"].end)
        m.couple(GearPair((one.angle, two.angle), "mesh", teeth=(20, 20), constant=1.0))
        m.drive(one.angle, start=start, speed=1.0)
        return m.build()

    near, far = (five_bar(PUT + math.tau * k).kinematics(until=1.0) for k in (0, 1000))
    np.testing.assert_allclose(far["up.end"].position, near["up.end"].position, atol=1e-9)

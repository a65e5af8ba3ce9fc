"""The condition of what is solved: exact trends, dead points, and how far they are away."""

import math

import numpy as np
import pytest

import kempe
import kempe.kinematics.transmission.condition as room
from kempe.joints import Cylindrical

# A central difference of 1e-3 s steps is off by h^2 / 6 times the third derivative: some 1000 where
# the two smallest singular values all but meet.
DIFFERENCE = 4e-4
# The estimate's error falls with the way left: a twentieth of a radian before the dead point it is
# a few percent.
NEAR = 0.05


def bennett() -> kempe.Mechanism:
    """Four skew hinges in a loop that moves because a / sin(alpha) = b / sin(beta)."""
    m = kempe.Builder("Bennett")
    alpha, beta = 0.7, 1.3
    links = [(1.0, alpha), (math.sin(beta) / math.sin(alpha), beta)] * 2
    bodies = [m.ground, *(m.body(name) for name in "abc")]
    hinges = []
    for k, (length, twist) in enumerate(links):
        far = bodies[k].at(length, 0, 0).facing((0, -math.sin(twist), math.cos(twist)))
        hinges.append(m.revolute(far, bodies[(k + 1) % 4].at(0, 0)))
    m.drive(hinges[0].angle, start=1.0, speed=1.0)
    return m.build()


MOVERS = {
    "four-bar": kempe.gallery.four_bar,
    "four-bar in space": lambda: kempe.gallery.four_bar(plane=False),
    "slider-crank": kempe.gallery.slider_crank,
    "Bennett": bennett,
}


@pytest.mark.parametrize("name", [*MOVERS, "skew cranks"])
def test_the_trend_is_the_rate_of_the_smallest_singular_value(
    name: str, skew_cranks: kempe.Mechanism
) -> None:
    mechanism = MOVERS[name]() if name in MOVERS else skew_cranks
    turn = mechanism.kinematics(until=1.0, steps=1000)
    condition = turn.transmission.condition()
    difference = (condition.smallest[2:] - condition.smallest[:-2]) / 2e-3
    np.testing.assert_allclose(condition.trend[1:-1], difference, atol=DIFFERENCE)
    assert np.ptp(condition.trend) > 100 * DIFFERENCE


def test_the_condition_does_not_depend_on_the_unit_or_the_place() -> None:
    metres = kempe.gallery.four_bar().kinematics(until=1.0, steps=20).transmission.condition()
    small = kempe.gallery.four_bar(units="mm").kinematics(until=1.0, steps=20)
    other = small.transmission.condition()
    np.testing.assert_allclose(other.smallest, metres.smallest, rtol=1e-9)
    np.testing.assert_allclose(other.number, metres.number, rtol=1e-9)


def double_rocker(steps: int) -> kempe.Trajectory:
    m = kempe.gallery.four_bar(crank=60, coupler=50, rocker=70, ground=100, units="mm", start=1.0)
    return m.kinematics(until=0.2, steps=steps)


def test_the_smallest_singular_value_falls_to_nought_at_a_dead_point() -> None:
    turn = double_rocker(20_000)
    assert turn.outcome.name == "DeadPoint"
    condition = turn.transmission.condition()
    left = float(turn.outcome.facts["value"]) - turn["crank.angle"].values
    assert condition.smallest[-1] < 0.05 * condition.smallest[0]
    # sigma^2 / way left tends to a constant: the square root of a fold
    tail = slice(-60, -1)
    share = condition.smallest[tail] ** 2 / left[tail]
    assert np.ptp(share) < NEAR * share.mean()


def test_full_and_sparse_matrices_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = kempe.gallery.four_bar_chain(loops=3).kinematics(until=1.0, steps=10)
    full = turn.transmission.condition()
    monkeypatch.setattr(room, "DENSE", 0)
    sparse = turn.transmission.condition()
    np.testing.assert_allclose(sparse.smallest, full.smallest, rtol=1e-9)
    np.testing.assert_allclose(sparse.trend, full.trend, atol=1e-9)
    np.testing.assert_allclose(sparse.largest, full.largest, rtol=2 * room.YARDSTICK)


def test_redundant_joints_make_no_position_singular_that_is_none() -> None:
    """Rows solved at the start become dependent after a quarter turn; all rows never do."""
    m = kempe.Builder("slider-crank in space")
    crank, rod = m.bar("crank", 0.8, at=(0, 0), angle=0.0), m.bar("rod", 1.3)
    piston = m.body("piston", at=(0, 1.02))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, piston.at(0, 0))
    guide = [part.at(0, 0).facing((0, 1, 0)) for part in (m.ground, piston)]
    m.add(Cylindrical(*guide))
    m.drive(crank.angle, rpm=60)
    condition = m.build().kinematics(until=1.0, steps=8).transmission.condition()
    assert condition.number.max() < 20.0

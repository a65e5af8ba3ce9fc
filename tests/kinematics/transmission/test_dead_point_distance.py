"""How far a dead point is away, by the trend of the condition."""

import numpy as np
import pytest

import kempe
from kempe.errors import UnknownName
from kempe.front.parts import BodyPart

# The estimate's error falls with the way left: a twentieth of a radian before the dead point it is
# a few percent.
NEAR = 0.05


def double_rocker(steps: int) -> kempe.Trajectory:
    m = kempe.gallery.four_bar(crank=60, coupler=50, rocker=70, ground=100, units="mm", start=1.0)
    return m.kinematics(until=0.2, steps=steps)


def test_the_distance_to_a_dead_point_is_the_way_that_is_left() -> None:
    turn = double_rocker(20_000)
    distance = turn.transmission.dead_point_distance()
    left = float(turn.outcome.facts["value"]) - turn["crank.angle"].values
    near = left < 0.05
    np.testing.assert_allclose(distance.values[near], left[near], rtol=NEAR)
    assert distance.values[-1] == pytest.approx(left[-1], rel=1e-3)
    assert (np.diff(distance.values[near]) < 0.0).all()


def test_the_distance_counts_in_the_unit_of_the_drive() -> None:
    """A slider drives its crank to the stretched position."""
    m = kempe.gallery.slider_crank(crank=30, rod=90, units="mm", start=0.9).edit()
    m.remove("crank.angle")
    m.drive(BodyPart(m, "slider").x, start=100, speed=20)
    turn = m.build().kinematics(until=2.0, steps=20_000)
    assert turn.outcome.name == "DeadPoint"
    left = 0.12 - turn["slider.x"].values
    distance = turn.transmission.dead_point_distance("slider.x")
    near = left < 0.002
    assert near.sum() > 100
    np.testing.assert_allclose(distance.values[near], left[near], rtol=NEAR)
    assert str(distance.min()).endswith(" mm")


def test_a_condition_that_gets_better_sees_no_dead_point() -> None:
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=100)
    condition = turn.transmission.condition()
    distance = turn.transmission.dead_point_distance().values
    better = condition.trend > 0.0
    assert better.any()
    assert np.isinf(distance[better]).all()
    assert np.isfinite(distance[condition.trend < 0.0]).all()


def test_a_drive_that_is_not_there_is_refused() -> None:
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=2)
    with pytest.raises(UnknownName, match=r"no drive acts on 'rocker\.angle'"):
        turn.transmission.dead_point_distance("rocker.angle")


@pytest.mark.parametrize("start", [0.0, 1.0])
def test_the_dead_point_that_ended_a_run_is_no_farther_than_it_is(start) -> None:
    """After one sample the trend says nothing yet, or next to nothing; the outcome does."""
    m = kempe.gallery.four_bar(crank=60, coupler=50, rocker=70, ground=100, units="mm", start=start)
    turn = m.kinematics(until=0.4, steps=1)
    assert turn.outcome.name == "DeadPoint"
    assert len(turn) == 1
    left = float(turn.outcome.facts["value"]) - start
    assert turn.transmission.dead_point_distance().values[0] <= left

"""A drive whose law jumps ends a sweep there, and is named; nothing is in a dead point."""

import math

import numpy as np
import pytest

import kempe
from kempe.front.parts import BodyPart
from kempe.kinematics.laws.drive_laws import AHEAD

pytestmark = pytest.mark.core

JUMP_AT = 0.3  # s


def jumping(t, by=0.01):
    return kempe.where(t < JUMP_AT, t, t + by)


def pendulum(law, plane=True, second=None) -> kempe.Mechanism:
    m = kempe.Builder("p", plane=plane)
    a = m.bar("a", 1.0)
    m.revolute(m.ground.at(0, 0), a.start)
    m.drive(a.angle, law)
    if second is not None:
        b = m.bar("b", 1.0)
        m.revolute(a.end, b.start)
        if second != "free":
            m.drive(b.angle, second)
    return m.build()


@pytest.mark.parametrize("by", [0.01, -0.4, 1.0, 7.0, 5e-4, -1e-5, 1e-8])
@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("through", [(), "momentum"])
def test_a_jump_is_told_with_the_drive_the_time_and_both_values(by, plane, through):
    run = pendulum(lambda t: jumping(t, by), plane).kinematics(until=1.0, through=through)
    facts = run.outcome.facts
    assert run.outcome.name == "StepTooSmall"
    assert facts["drive"] == "a.angle"
    assert facts["t"] == pytest.approx(JUMP_AT, abs=AHEAD)
    assert facts["value"] == pytest.approx(JUMP_AT, abs=1e-12)
    assert facts["after"] == pytest.approx(JUMP_AT + by, abs=1e-12)
    assert len(run) == 108  # 0 ... 107 / 360 s


def test_the_drive_that_jumps_is_named_and_not_the_first_one():
    run = pendulum(lambda t: t, second=jumping).kinematics(until=1.0)
    assert run.outcome.name == "StepTooSmall"
    assert run.outcome.facts["drive"] == "b.angle"


def test_a_jump_ends_a_sweep_with_free_parts_in_the_same_words():
    run = pendulum(jumping, second="free").kinematics(until=1.0, free="nearest")
    alone = pendulum(jumping).kinematics(until=1.0)
    assert str(run.outcome) == str(alone.outcome)


def test_a_slide_jumps_in_metres():
    m = kempe.Builder("s", plane=True, units="mm")
    block = m.body("block")
    slide = m.prismatic(m.ground.at(0, 0), block.at(0, 0), name="slide")
    m.drive(slide.displacement, lambda t: kempe.where(t < JUMP_AT, t, 2.0 - t))
    outcome = m.build().kinematics(until=1.0).outcome
    assert outcome.name == "StepTooSmall"
    assert "jumps from 0.3 to 1.7 m" in outcome.message


def test_a_law_that_sets_off_with_a_vertical_tangent_is_no_dead_point():
    law = lambda t: kempe.where(t < JUMP_AT, 0.0, abs(t - JUMP_AT) ** 0.5)  # noqa: E731
    outcome = pendulum(law).kinematics(until=1.0).outcome
    assert outcome.name == "StepTooSmall"
    assert outcome.facts["t"] == pytest.approx(JUMP_AT, abs=AHEAD)
    assert "sets off" in outcome.message


def test_corners_and_steep_laws_are_followed():
    for law in (
        lambda t: kempe.where(t < JUMP_AT, t, JUMP_AT + 1e3 * (t - JUMP_AT)),
        lambda t: np.tanh(1e7 * (t - JUMP_AT)),
    ):
        run = pendulum(law).kinematics(until=1.0)
        assert run.outcome.is_done, run.outcome
        end = float(law(1.0))
        np.testing.assert_allclose(
            run["a.end"].position[-1][:2], [math.cos(end), math.sin(end)], atol=1e-9
        )


def test_a_dead_point_beside_a_corner_of_the_law_stays_one():
    double_rocker = kempe.gallery.four_bar(crank=3.0, coupler=3.5, rocker=3.0, ground=4.0)
    stretched = math.acos(
        (9.0 + 16.0 - 6.5**2) / 24.0
    )  # law of cosines: coupler and rocker in line
    m = double_rocker.edit()
    m.remove("crank.angle")
    m.drive(
        BodyPart(m, "crank").angle,
        lambda t: kempe.where(t < 0.5, 2.0 * t * stretched, stretched + 5.0 * (t - 0.5)),
    )
    outcome = m.build().kinematics(until=1.0).outcome
    assert outcome.name == "DeadPoint"
    assert outcome.facts["value"] == pytest.approx(stretched, abs=1e-9)


def test_a_small_jump_is_told_by_its_size_and_not_only_by_digits_that_are_equal():
    outcome = pendulum(lambda t: jumping(t, 1e-8)).kinematics(until=1.0).outcome
    assert "by 1e-08 rad" in outcome.message


def test_a_small_jump_ends_a_sweep_with_free_parts():
    run = pendulum(lambda t: jumping(t, 1e-5), second="free").kinematics(until=1.0, free="nearest")
    assert run.outcome.name == "StepTooSmall"
    assert len(run) == 108


def test_rounding_and_corners_are_no_jumps():
    for law in (
        lambda t: kempe.where(t < JUMP_AT, 1e6 * t, 1e6 * JUMP_AT + 1e6 * (t - JUMP_AT)),
        lambda t: kempe.where(t < JUMP_AT, t, 2.0 * t - JUMP_AT),
        lambda t: abs(t - JUMP_AT),
    ):
        assert pendulum(law).kinematics(until=1.0).outcome.is_done


@pytest.mark.parametrize("power", [0.5, 1.0 / 3.0, 0.9])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_law_that_is_steep_on_both_sides_is_no_dead_point(power, side):
    law = lambda t: kempe.where(  # noqa: E731
        t < JUMP_AT, side * abs(t - JUMP_AT) ** power, abs(t - JUMP_AT) ** power
    )
    outcome = pendulum(law).kinematics(until=1.0).outcome
    assert outcome.name == "StepTooSmall"
    assert "speed without bounds" in outcome.message


def test_a_sweep_through_too_many_turns_says_so_and_blames_no_jump():
    turns = 5e8
    outcome = pendulum(lambda t: math.tau * turns * t).kinematics(until=1.0, steps=10).outcome
    assert outcome.name == "StepTooSmall"
    assert "of the 5e+08 turns" in outcome.message
    assert "jump" not in str(outcome)
    # what is advised: the last turns by themselves
    last = pendulum(lambda t: math.tau * (turns + t)).kinematics(until=1.0)
    assert last.outcome.is_done


@pytest.mark.parametrize("second", [None, "free"])
def test_a_law_that_grows_without_bounds_is_blamed_and_no_part_of_the_mechanism(second):
    free = "nearest" if second else "refuse"
    run = pendulum(lambda t: 1e-3 / (t - 0.513), second=second)
    outcome = run.kinematics(until=1.0, steps=20, free=free).outcome
    assert outcome.name == "StepTooSmall"
    assert "the drive on 'a.angle'" in outcome.message
    assert "rad/s: no steps are small enough" in outcome.message

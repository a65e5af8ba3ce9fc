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


@pytest.mark.parametrize("by", [0.01, -0.4, 1.0, 7.0])
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

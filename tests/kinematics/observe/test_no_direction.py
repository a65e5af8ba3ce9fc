"""Angles where they have no direction: told, never NaN without a word, never chosen by rounding."""

import math

import numpy as np
import pytest

import kempe
from kempe.joints import Revolute
from kempe.kinematics.observe.turn_counting import counted_turns


def test_a_body_that_swings_through_the_vertical_reads_half_a_turn_up_and_says_so() -> None:
    run = kempe.gallery.koh_park_pendulum().simulate(until=0.2, steps=100, tolerance=1e-10)
    np.testing.assert_allclose(run["bar.angle"].values[[0, -1]], [0.0, math.pi], atol=1e-6)
    assert "bar.angle has made half a turn at once" in " ".join(run.notes)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_leap_reads_alike_on_both_sides_of_rounding(side: float) -> None:
    t, still = np.linspace(0.0, 1.0, 5), np.zeros(5)
    angle = np.array([0.2, 0.2, 0.2 - math.pi, 0.2, 0.2 + math.pi])
    angle += 1e-9 * side * np.array([0.0, 1.0, -1.0, 1.0, -1.0])
    up = 0.2 + math.pi
    np.testing.assert_allclose(counted_turns(t, angle, still), [0.2, 0.2, up, 0.2, up], atol=1e-8)


@pytest.fixture
def laid_over() -> kempe.Mechanism:
    """A body whose x axis points down, turned about y from there."""
    m = kempe.Builder("laid over")
    b = m.body("b", at=(0, 0, 0), rotation=kempe.Rotation.about((0, 1, 0), math.pi / 2))
    y = (0, 1, 0)
    m.add(Revolute(m.ground.at(0, 0, 0).facing(y), b.at(0, 0, 0).facing(y)), name="h")
    m.drive(m.part("h").angle, start=math.pi / 2, speed=1.0)
    return m.build()


def test_a_position_refuses_an_angle_that_has_no_direction_there(laid_over) -> None:
    at = laid_over.assemble()
    with pytest.raises(kempe.KempeError, match="has no direction at t = 0 s"):
        at["b.angle"]
    with pytest.raises(kempe.KempeError, match="orientation"):
        at.rate("b.angle")
    assert at["h.angle"] == pytest.approx(math.pi / 2)


def test_a_run_says_where_an_angle_that_was_read_has_none(laid_over) -> None:
    run = laid_over.kinematics(until=1.0, steps=2)
    assert run.notes == ()
    np.testing.assert_allclose(run["b.angle"].values, [math.nan, math.pi, math.pi])
    assert run.notes == ("b.angle has no direction, so NaN, at 1 of 3 samples",)
    assert "Note: b.angle has no direction" in run.summary()

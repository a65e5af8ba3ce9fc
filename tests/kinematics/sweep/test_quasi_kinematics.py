"""What no drive holds moves as little as it can, and the result says so."""

import math

import numpy as np
import pytest

import kempe
from kempe import gallery
from kempe.errors import DriveError, UnknownName

pytestmark = pytest.mark.core

# Runge and Kutta's method leaves the fourth power of a step of 0.01 rad, times some constant.
SAME_PATH = 1e-7
CLOSED = 1e-12


def arm(links: int = 3, speed: float = -0.5) -> kempe.Mechanism:
    """A chain of links whose tip's x is driven: all but one freedom are free."""
    m = kempe.Builder("arm", plane=True)
    angles = [0.9, 0.3, -0.4, 0.2][:links]
    end, place = m.ground.at(0, 0), 0j
    for k, angle in enumerate(angles):
        bar = m.bar(f"link{k}", 1.0, at=(place.real, place.imag), angle=angle)
        m.revolute(end, bar.start, name=f"J{k}")
        end, place = bar.end, place + complex(math.cos(angle), math.sin(angle))
    tip = m.body("tip", at=(place.real, place.imag), angle=0.0)
    m.revolute(end, tip.at(0, 0), name="wrist")
    m.hold(tip, angle=0.0)
    m.drive(tip.x, start=place.real, speed=speed)
    return m.build()


def cross_slide() -> kempe.Mechanism:
    """A point free in the plane, driven along the diagonal."""
    m = kempe.Builder("slide", plane=True)
    block = m.body("block", at=(1.0, 0.0), angle=0.0)
    m.hold(block, angle=0.0)
    m.drive(block.x, start=1.0, speed=2.0)
    return m.build()


def test_too_few_drives_are_refused_unless_asked_otherwise() -> None:
    with pytest.raises(DriveError, match="Add 2 drives"):
        arm().kinematics(until=1.0)
    turn = arm().kinematics(until=1.0, free="nearest")
    assert turn.outcome.is_done
    assert "2 freedoms are not driven" in str(turn.outcome)
    assert turn.motion.counts["free"] == 2
    assert turn.motion.recipe.method == "nearest"
    assert "not driven" in turn.report()


def test_a_free_slide_does_not_move_by_itself() -> None:
    turn = cross_slide().kinematics(until=1.0, steps=10, free="nearest")
    np.testing.assert_allclose(turn["block.x"].values, 1.0 + 2.0 * turn.t, atol=CLOSED)
    np.testing.assert_allclose(turn["block.y"].values, 0.0, atol=CLOSED)


def test_the_drives_are_followed_and_the_joints_stay_closed() -> None:
    turn = arm().kinematics(until=2.0, steps=50, free="nearest")
    x = turn["tip.x"].values
    np.testing.assert_allclose(x, x[0] - 0.5 * turn.t, atol=CLOSED)
    np.testing.assert_allclose(turn["link2.end"].position, turn["tip"].position, atol=CLOSED)


def test_velocities_are_the_shortest_of_all_that_the_drives_allow() -> None:
    """Changes of the links' rates that keep the tip's x = sum cos(angle) never make it shorter."""
    turn = arm().kinematics(until=1.0, steps=5, free="nearest")
    size = turn.layout.size
    rng = np.random.default_rng(7)
    for k in range(len(turn)):
        angles = turn.motion.q[k].reshape(-1, 3)[:3, 2]
        rates = turn.motion.v[k].reshape(-1, 3)[:3, 2]

        def length(w: np.ndarray, angles: np.ndarray = angles) -> float:
            tips = np.cumsum(1j * np.exp(1j * angles) * w)
            origins = np.concatenate([[0.0], tips]) / size
            return float((np.abs(origins) ** 2).sum() + (w**2).sum())

        slope = np.sin(angles)
        best = length(rates)
        for _ in range(20):
            change = rng.normal(size=3)
            change -= slope * (change @ slope) / (slope @ slope)
            assert length(rates + 1e-3 * change) > best


def test_the_path_hardly_depends_on_the_number_of_steps() -> None:
    coarse, fine = (arm().kinematics(until=2.0, steps=n, free="nearest") for n in (40, 400))
    np.testing.assert_allclose(coarse.motion.q, fine.motion.q[::10], atol=SAME_PATH)


def test_rates_are_the_derivatives_of_positions() -> None:
    turn = arm().kinematics(until=1.0, steps=1000, free="nearest")
    for name in ("link0.angle", "link1.angle", "link2.angle"):
        s = turn[name]
        inner = slice(2, -2)
        rate, bend = np.gradient(s.values, turn.t), np.gradient(s.rate, turn.t)
        np.testing.assert_allclose(rate[inner], s.rate[inner], atol=1e-6)
        np.testing.assert_allclose(bend[inner], s.acceleration[inner], atol=1e-6)


def test_a_stretched_arm_ends_the_run_with_what_was_reached() -> None:
    turn = arm(speed=1.0).kinematics(until=1.0, steps=100, free="nearest")
    assert turn.outcome.name == "Singular"
    assert turn.outcome.facts["value"] == pytest.approx(3.0, abs=1e-8)
    assert 2 < len(turn) < 101
    assert np.isfinite(turn.motion.a).all()


def test_a_mechanism_that_is_fully_driven_is_swept_as_ever() -> None:
    mechanism = gallery.four_bar()
    as_ever = mechanism.kinematics(until=1.0, steps=20)
    asked = mechanism.kinematics(until=1.0, steps=20, free="nearest")
    np.testing.assert_array_equal(asked.motion.q, as_ever.motion.q)
    assert asked.outcome == as_ever.outcome


def test_free_joints_in_space_and_redundant_ones_are_no_trouble() -> None:
    m = kempe.Builder("two-bar")
    a = m.bar("a", 1.0, at=(0, 0))
    b = m.bar("b", 1.0, at=(1, 0))
    m.revolute(m.ground.at(0, 0), a.start, name="A")
    m.revolute(a.end, b.start, name="B")
    m.drive(a.angle, speed=1.0)
    turn = m.build().kinematics(until=1.0, steps=20, free="nearest")
    assert turn.outcome.is_done
    np.testing.assert_allclose(turn["a.end"].position, turn["b.start"].position, atol=CLOSED)
    assert np.abs(turn["b"].velocity[0]).max() > 0.5


def test_too_many_drives_and_words_that_mean_nothing_are_refused() -> None:
    with pytest.raises(UnknownName, match="'refuse' nor 'nearest'"):
        arm().kinematics(until=1.0, free="nearby")
    m = gallery.four_bar().edit()
    m.drive(gauge(m, "rocker"), speed=1.0)
    with pytest.raises(DriveError, match=r"Remove the drive on 'rocker\.angle'"):
        m.build().kinematics(until=1.0, free="nearest")


def gauge(m: kempe.Builder, body: str):
    from kempe.front.parts import BodyPart

    return BodyPart(m, body).angle

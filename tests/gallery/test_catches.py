"""A ball and a trebuchet: what happens, in order, and that energies add up."""

import math

import numpy as np
import pytest

import kempe


def test_a_trebuchet_drags_lifts_lets_go_and_the_stone_flies_in_a_parabola() -> None:
    shot = kempe.gallery.trebuchet().simulate(until=6.0, steps=600, tolerance=1e-10)
    kinds = [event.kind for event in shot.events]
    assert kinds == ["contact", "departure", "release", "crossing"]
    go, landed = shot.events[2], shot.events[3]
    assert shot.outcome.is_done
    (x, y), (vx, vy) = go.q[3:5], go.v[3:5]
    t = landed.t - go.t
    assert landed.q[3] == pytest.approx(x + vx * t, abs=1e-6)
    assert landed.q[4] == pytest.approx(y + vy * t - 0.5 * 9.81 * t * t, abs=1e-6)
    assert landed.q[4] == pytest.approx(0.05, abs=1e-12)
    assert np.ptp(shot.energy.total) <= 1e-8 * shot.energy.kinetic.max()
    after = shot.t > go.t
    assert np.abs(shot["hook.force"].values[after]).max() == 0.0


def test_a_ball_with_a_speed_bounces_along_and_slides_on() -> None:
    fall = kempe.gallery.bouncing_ball(restitution=0.6, speed=0.5).simulate(until=2.5)
    over = math.sqrt(2.0 / 9.81) * 1.6 / 0.4
    assert fall.events[-1].kind == "contact"
    assert fall.events[-1].t == pytest.approx(over, abs=1e-9)
    assert fall["ball.x"].values == pytest.approx(0.5 * fall.t, abs=1e-12)

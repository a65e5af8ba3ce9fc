"""Discs and balls in bowls and on balls, against elliptic integrals, cycloids and reactions."""

import math

import numpy as np
import pytest
from scipy.special import ellipk

import kempe as kp
from kempe.errors import BadNumber
from kempe.joints import RollingOnSphere

G = 9.81
CLOSE = 1e-7  # of a turn, after a swing at a tolerance of 1e-10
METHODS = [{}, {"plan": "large"}, {"method": "rodas5p"}]


def in_a_bowl(bowl, radius, angle, share, plane=True, mass=2.0):
    """A disc or ball of moment share m r^2, let go in a bowl at an angle from its lowest point."""
    down = (0, -G) if plane else (0, -G, 0)
    m = kp.Builder("bowl", plane=plane, gravity=down)
    apart = bowl - radius
    at = (apart * math.sin(angle), -apart * math.cos(angle))
    put = {"at": at, "angle": 0.0} if plane else {"at": (*at, 0.0)}
    inertia = kp.Inertia(mass, (0, 0, 0), share * mass * radius**2 * np.eye(3))
    rolling = m.body("ball", inertia=inertia, **put)
    joint = RollingOnSphere(
        m.ground.at(0, 0), rolling.at(0, 0), sphere=bowl, radius=radius, inside=True
    )
    m.add(joint, "bowl")
    return m.build()


@pytest.mark.parametrize("how", METHODS)
@pytest.mark.parametrize(("plane", "share"), [(True, 0.5), (True, 1.0), (False, 0.4)])
@pytest.mark.parametrize("angle", [0.01, 1.2])
def test_what_rolls_in_a_bowl_swings_back_after_its_period(plane, share, angle, how):
    """T = 4 sqrt((1 + share) (R - r) / g) K: a pendulum 3/2 as long for a disc, 7/5 for a ball."""
    bowl, radius = 1.0, 0.25
    period = 4 * math.sqrt((1 + share) * (bowl - radius) / G) * ellipk(math.sin(angle / 2) ** 2)
    swing = in_a_bowl(bowl, radius, angle, share, plane).simulate(
        until=period, steps=8, tolerance=1e-10, **how
    )
    x, y = swing["ball.x"].values, swing["ball.y"].values
    found = np.arctan2(x, -y)
    assert found[-1] == pytest.approx(angle, abs=CLOSE * angle)
    assert found[4] == pytest.approx(-angle, abs=CLOSE * angle)
    assert abs(found[2]) < 1e-5 * angle  # a quarter of it
    stored = np.abs(swing["energy.potential"].values).max()
    assert np.ptp(swing["energy.total"].values) < 1e-8 * stored


def test_a_bowl_presses_and_holds_a_disc_as_its_path_asks_for():
    bowl, radius, angle, mass = 1.0, 0.25, 1.2, 2.0
    swing = in_a_bowl(bowl, radius, angle, 0.5, mass=mass).simulate(until=2, tolerance=1e-10)
    x, y = swing["ball.x"].values, swing["ball.y"].values
    now = np.arctan2(x, -y)
    force = swing["bowl.force"].values
    n = np.column_stack([np.sin(now), -np.cos(now)])  # from the bowl's centre
    along = np.column_stack([np.cos(now), np.sin(now)])
    squared = 4 / 3 * G * (bowl - radius) * (np.cos(now) - math.cos(angle))
    pressed = mass * (G * np.cos(now) + squared / (bowl - radius))
    assert np.abs(-np.einsum("ni,ni->n", force, n) - pressed).max() < 1e-6 * pressed.max()
    held = mass * G * np.sin(now) / 3
    assert np.abs(np.einsum("ni,ni->n", force, along) - held).max() < 1e-6 * pressed.max()


@pytest.mark.parametrize("inside", [True, False])
def test_a_point_of_the_rim_draws_an_astroid_inside_and_a_cardioid_outside(inside):
    R = 1.0
    r = R / 4 if inside else R
    apart = R - r if inside else R + r
    m = kp.Builder(plane=True)
    touch = (r, 0.0) if inside else (-r, 0.0)  # of the rim, where it touches first
    disc = m.body(
        "disc", at=(apart, 0), angle=0.0, points={"P": touch},
        inertia=kp.Inertia(1.0, (0, 0, 0), 0.5 * r**2 * np.eye(3)), velocity=(0.0, 1.0),
    )  # fmt: skip
    joint = RollingOnSphere(m.ground.at(0, 0), disc.at(0, 0), sphere=R, radius=r, inside=inside)
    m.add(joint, "ring")
    roll = m.build().simulate(until=2 * math.pi * apart, steps=200, tolerance=1e-11)
    P = roll["disc.P"].position
    if inside:
        kept = np.abs(P[:, 0]) ** (2 / 3) + np.abs(P[:, 1]) ** (2 / 3)
        assert np.abs(kept - R ** (2 / 3)).max() < 1e-5  # at cusps powers lose digits
    else:
        c = P - [R, 0.0]  # its cusp: |c| = 2 R (1 - cos) of the direction
        far = np.linalg.norm(c, axis=1)
        assert np.abs(far**2 - 2 * R * (far - c[:, 0])).max() < 1e-7
    assert np.allclose(P[-1], P[0], atol=1e-7)


def test_a_ball_goes_round_in_a_bowl_at_the_rate_of_its_closed_form():
    """Steadily round, not spinning about the normal of the bowl: 7/5 w^2 (R - r) cos(angle) = g."""
    bowl, r, angle, share = 1.0, 0.2, 0.7, 0.4
    apart = bowl - r
    w = math.sqrt(G / ((1 + share) * apart * math.cos(angle)))
    n = np.array([math.sin(angle), -math.cos(angle), 0.0])
    v = w * apart * math.sin(angle)  # along -z, about +y
    speed = np.array([0.0, 0.0, -v])
    m = kp.Builder("bowl", gravity=(0, -G, 0))
    ball = m.body(
        "ball", at=tuple(apart * n), velocity=tuple(speed), spin=tuple(np.cross(speed, n) / r),
        inertia=kp.Inertia(1.0, (0, 0, 0), share * r**2 * np.eye(3)),
    )  # fmt: skip
    tilted = m.ground.at(0, 0, 0).facing((0.6, 0.8, 0.0))
    m.add(RollingOnSphere(tilted, ball.at(0, 0, 0), sphere=bowl, radius=r, inside=True), "bowl")
    run = m.build().simulate(until=2 * math.pi / w, tolerance=1e-10)
    place = run["ball"].position
    assert np.abs(place[:, 1] - place[0, 1]).max() < 1e-6
    assert np.abs(place[-1] - place[0]).max() < 1e-6


def test_what_does_not_fit_is_refused():
    m = kp.Builder(plane=True)
    disc = m.body("disc", at=(0, 0))
    with pytest.raises(BadNumber, match="in a bowl of 1 m"):
        RollingOnSphere(m.ground.at(0, 0), disc.at(0, 0), sphere=1.0, radius=1.0, inside=True)
    with pytest.raises(BadNumber, match="must be positive"):
        RollingOnSphere(m.ground.at(0, 0), disc.at(0, 0), sphere=-1.0, radius=1.0)

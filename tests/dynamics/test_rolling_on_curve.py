"""Wheels on tracks, against cycloids, arc lengths, wheels on circles and balances of energy."""

import math

import numpy as np
import pytest

import kempe as kp
from kempe.errors import BadNumber
from kempe.geometry.curves import BSpline, Circle, Ellipse, Line, Through
from kempe.joints import RollingOnCurve, RollingOnSphere

G = 9.81
METHODS = [{}, {"method": "rodas5p"}, {"method": "gear"}]
CLOSE = {"gear": 1e-5}  # m and rad, by backward differences
SHARE, MASS = 0.5, 2.0  # of a disc
HILLS = ((0, 0), (1, 0.3), (2, -0.2), (3, 0.3), (4, -0.1))


def on(joint_of, radius, at, velocity=None):
    """A disc let go on a track."""
    m = kp.Builder("track", plane=True, gravity=(0, -G))
    inertia = kp.Inertia(MASS, (0, 0, 0), SHARE * MASS * radius**2 * np.eye(3))
    wheel = m.body(
        "wheel", at=at, angle=0.0, inertia=inertia, points={"P": (radius, 0.0)}, velocity=velocity
    )
    m.add(joint_of(m.ground.at(0, 0), wheel.at(0, 0)), "track")
    return m.build()


def rolling(curve, radius, at, velocity=None):
    return on(lambda I, J: RollingOnCurve(I, J, curve=curve, radius=radius), radius, at, velocity)


def beside(curve, t, radius, left=True):
    """The middle of a wheel that touches a curve at t, on its left or right."""
    (x, y, _), (u, v, _) = curve(t), curve(t, 1)
    side = (radius if left else -radius) / math.hypot(u, v)
    return (x - side * v, y + side * u)


@pytest.mark.parametrize("how", METHODS)
def test_a_rim_draws_a_cycloid_down_a_slope(how):
    """s = g sin(a) t^2 / (2 (1 + share)); P = middle + r (cos, sin) of the turned angle."""
    a, r = 0.3, 0.1
    down = np.array([math.cos(a), -math.sin(a)])
    slope = Line((0.2, 0.1), tuple(down))
    start = np.array(beside(slope, 0.0, r))
    run = rolling(slope, r, tuple(start)).simulate(until=1.0, steps=40, tolerance=1e-10, **how)
    gone = 0.5 * G * math.sin(a) / (1 + SHARE) * run.t**2
    turned = -gone / r
    rim = start + gone[:, None] * down + r * np.column_stack([np.cos(turned), np.sin(turned)])
    close = CLOSE.get(how.get("method", ""), 1e-9)
    assert run["wheel.P"].position[:, :2] == pytest.approx(rim, abs=close)
    held = run["track.force"].values[:, :2]
    along = -MASS * G * math.sin(a) * SHARE / (1 + SHARE)
    assert np.abs(held @ down) == pytest.approx(abs(along), rel=1e-6)


@pytest.mark.parametrize("inside", [True, False])
def test_on_a_circle_it_moves_as_a_ball_on_a_ball_does(inside):
    big, r, angle = 1.0, 0.25, 1.2 if inside else math.pi - 0.3
    apart = big - r if inside else big + r
    at = (apart * math.sin(angle), -apart * math.cos(angle))
    runs = [
        machine.simulate(until=2.0, steps=50, tolerance=1e-11)
        for machine in (
            rolling(Circle((0, 0), big), r, at),
            on(
                lambda I, J: RollingOnSphere(I, J, sphere=big, radius=r, inside=inside),
                r,
                at,
            ),
        )
    ]
    first, second = (
        np.column_stack([run["wheel.x"].values, run["wheel.angle"].values]) for run in runs
    )
    assert first == pytest.approx(second, abs=1e-7)
    if inside:  # a hypocycloid: the rim turns back by (R - r) / r of what the middle goes round
        middle = np.unwrap(np.arctan2(runs[0]["wheel.y"].values, runs[0]["wheel.x"].values))
        turned = -(big - r) / r * (middle - middle[0])
        assert first[:, 1] == pytest.approx(turned, abs=1e-8)


TRACKS = {
    "oval, inside": (Ellipse((0, 0), (1.0, 0), (0, 0.7)), -math.pi / 2, True, 6.0),
    "oval, outside": (Ellipse((0, 0), (1.0, 0), (0, 0.7)), math.pi / 2, False, 1.0),
    "spline": (
        BSpline(((0, 1.0), (0.5, 0.2), (1.2, 0), (2.0, 0.4), (2.6, 0.1), (3.4, 0.5)), degree=5),
        0.05,
        True,
        0.0,
    ),
}


@pytest.mark.parametrize("name", TRACKS)
def test_it_turns_by_the_arc_length_and_by_how_its_way_turns(name):
    """angle = phi - phi_0 -+ s / r, s by quadrature along the curve, phi the way of its tangent."""
    curve, first, left, speed = TRACKS[name]
    r = 0.12
    u, v, _ = curve(first, 1) / np.linalg.norm(curve(first, 1))
    machine = rolling(curve, r, beside(curve, first, r, left), (speed * u, speed * v))
    run = machine.simulate(until=0.9, steps=12, tolerance=1e-11)
    assert run.outcome.is_done
    places = np.column_stack([run["wheel.x"].values, run["wheel.y"].values])
    t = np.array([curve.nearest(place).parameter for place in places])
    if curve.is_closed:
        t = np.unwrap(t)
        t += first - t[0]
    slopes = np.array([curve.derivative(x, 1) for x in t], dtype=float)
    way = np.unwrap(np.arctan2(slopes[:, 1], slopes[:, 0]))
    gone = [curve.length(min(t[0], x), max(t[0], x)) * np.sign(x - t[0]) for x in t]
    turned = way - way[0] - (1.0 if left else -1.0) * np.array(gone) / r
    assert run["wheel.angle"].values == pytest.approx(turned, abs=1e-6)
    assert np.linalg.norm(places - [curve(x)[:2] for x in t], axis=1) == pytest.approx(r, abs=1e-9)
    largest = max(np.ptp(run.energy.potential), run.energy.kinetic.max())
    assert np.ptp(run.energy.total) < 1e-8 * largest


def test_a_track_may_move():
    """On a belt that runs off below it, a wheel held in its place turns by the way of the belt."""
    m = kp.Builder("belt", plane=True)
    belt = m.body("belt", at=(0, 0), angle=0, inertia=kp.Inertia(1.0, (0, 0, 0), np.eye(3)))
    wheel = m.body("wheel", at=(0, 0.1), inertia=kp.Inertia(1.0, (0, 0, 0), 0.01 * np.eye(3)))
    rail = m.prismatic(m.ground.at(0, 0).facing((1, 0)), belt.at(0, 0).facing((1, 0)), name="rail")
    m.revolute(m.ground.at(0, 0.1), wheel.at(0, 0))
    curve = Line((0, 0), (1, 0))
    m.add(RollingOnCurve(belt.at(0, 0), wheel.at(0, 0), curve=curve, radius=0.1), "track")
    m.drive(rail.displacement, lambda t: 0.3 * t * t)
    run = m.build().simulate(until=1.0, steps=10)
    assert run["wheel.angle"].values == pytest.approx(3.0 * run.t**2, abs=1e-8)


def test_a_wheel_has_a_radius():
    with pytest.raises(BadNumber, match="radius"):
        rolling(Circle((0, 0), 1.0), -0.1, (0.9, 0.0))


def test_small_motions_in_a_hoop_have_the_frequency_of_a_longer_pendulum():
    """w^2 = g / ((1 + share) (R - r)) at the lowest point, where it stands."""
    big, r = 1.0, 0.25
    found = rolling(Circle((0, 0), big), r, (0.0, r - big)).linearize()
    due = math.sqrt(G / ((1 + SHARE) * (big - r)))
    assert max(found.eigenvalues.imag) == pytest.approx(due, rel=1e-8)
    assert np.abs(found.eigenvalues.real).max() < 1e-8


@pytest.mark.parametrize("how", METHODS)
@pytest.mark.parametrize("curve", [BSpline(HILLS), Through(HILLS)])
def test_a_run_ends_where_its_track_does(curve, how):
    """By whichever method: the last sample lies before the end of the track."""
    start = beside(curve, 0.75 * curve.domain.high, 0.1)
    wheel = rolling(curve, 0.1, start, (3.0, 0.0))
    run = wheel.simulate(until=3.0, steps=30, tolerance=1e-9, **how)
    assert run.outcome.name == "LimitReached"
    assert "runs off its curve" in run.outcome.message
    assert 0.0 < run.outcome.facts["t"] < 3.0
    assert len(run) == run.outcome.facts["samples"] > 1
    end = beside(curve, curve.domain.high, 0.1)
    assert run["wheel"].position[-1, 0] < end[0] < run["wheel"].position[-1, 0] + 0.6

"""Curves that roll on curves: gears, the ovals of a crossed parallelogram, and balances."""

import math
from functools import partial

import numpy as np
import pytest

import kempe as kp
from kempe.errors import BadConnection
from kempe.geometry.curves import Circle, Ellipse, Line, Segment
from kempe.joints import RollingCurves, RollingOnCurve

G = 9.81
MASS, INERTIA = 2.0, 0.5
LONG, SHORT = 1.0, 0.7  # half-axes of the ovals
FOCUS = math.sqrt(LONG**2 - SHORT**2)
CLOSE = 1e-7  # m and rad, of simulations to 1e-11
ROLL = {"until": 1.2, "steps": 24, "tolerance": 1e-11}


def rolling(joint, at, touched, spin):
    """A body that rolls on what stands still, let go turning about where they touch."""
    m = kp.Builder("rolling", plane=True, gravity=(0, -G))
    inertia = kp.Inertia(MASS, (0, 0, 0), INERTIA * np.eye(3))
    points = {"left": (-FOCUS, 0.0), "right": (FOCUS, 0.0)}
    velocity = (-spin * (at[1] - touched[1]), spin * (at[0] - touched[0]))
    body = m.body(
        "body", at=at, angle=0.0, inertia=inertia, points=points, velocity=velocity, spin=spin
    )
    m.add(joint(m.ground.at(0, 0), body.at(0, 0)), "roll")
    return m.build().simulate(**ROLL)


def test_an_oval_on_its_like_keeps_its_foci_apart_as_a_crossed_parallelogram_does():
    """The moving oval is the still one in the mirror of their tangent: |F_1 F_2'| = 2 a."""
    oval = Ellipse((0, 0), (LONG, 0), (0, SHORT))
    joint = partial(RollingCurves, curve=oval, other=oval)
    run = rolling(joint, (0.0, 2 * SHORT), (0.0, SHORT), 0.8)
    assert run.outcome.is_done
    assert np.ptp(run["body.angle"].values) > 1.0
    for word, side in (("left", 1.0), ("right", -1.0)):  # mirrored: left goes with right
        apart = run[f"body.{word}"].position[:, :2] - (side * FOCUS, 0.0)
        assert np.linalg.norm(apart, axis=1) == pytest.approx(2.0 * LONG, abs=CLOSE)
    largest = max(np.ptp(run.energy.potential), run.energy.kinetic.max())
    assert np.ptp(run.energy.total) < 1e-7 * largest


def test_a_circle_rolls_on_a_circle_as_a_gear_does():
    """angle = (R + r) / r of what its middle goes round."""
    big, small, round_ = 1.0, 0.4, 0.3
    still, wheel = Circle((0, 0), big), Circle((0, 0), small)
    joints = (
        partial(RollingCurves, curve=still, other=wheel),
        partial(RollingOnCurve, curve=still, radius=small),
    )
    spin = round_ * (big + small) / small
    runs = [rolling(joint, (0.0, big + small), (0.0, big), spin) for joint in joints]
    first, second = (np.column_stack([r["body.x"].values, r["body.angle"].values]) for r in runs)
    assert first == pytest.approx(second, abs=1e-6)
    x, y = runs[0]["body.x"].values, runs[0]["body.y"].values
    way = np.unwrap(np.arctan2(y, x))
    turned = (big + small) / small * (way - way[0])
    assert runs[0]["body.angle"].values == pytest.approx(turned, abs=CLOSE)
    held = [r["roll.force"].values[:, :2] for r in runs]
    assert held[0] == pytest.approx(held[1], abs=1e-4)  # N


def test_two_straight_lines_are_refused():
    line = Line((0, 0), (1, 0))
    m = kp.Builder("lines", plane=True)
    body = m.body("body")
    with pytest.raises(BadConnection, match="touch all along"):
        RollingCurves(m.ground.at(0, 0), body.at(0, 0), curve=line, other=Segment((0, 0), (1, 0)))

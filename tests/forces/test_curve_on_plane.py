"""A convex curve on a plane: its lowest point by brute force, how it rocks in closed form."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber
from kempe.forces import CurveOnPlane
from kempe.geometry import Inertia, Marker, Pose, Rotation, Vector, Y, Z
from kempe.geometry.curves import Ellipse, Segment, Through

EXACT = 1e-9  # m, beside the lowest of 40001 points, which is 1e-10 too high at most
EGG = Ellipse((0.004, 0.002), (0.03, 0.0), (0.0, 0.02))
ANGLES = np.linspace(0.0, math.tau, 40001)
G = 9.81


def test_an_edge_is_as_high_as_its_lowest_point(rng):
    word = CurveOnPlane(Marker("a"), Marker("b"), Z, EGG, stiffness=1.0)
    C = np.array(EGG(ANGLES))
    for _ in range(20):
        turn = Rotation.about(rng.normal(size=3), float(rng.uniform(0.3, 3)))
        R = np.array([list(turn.x), list(turn.y), list(turn.z)]).T
        low = 0.4 + (C @ R.T)[:, 2].min()
        X_WJ = Pose(Vector(0.3, -0.2, 0.4), turn)
        assert word.touches(Pose.identity(), X_WJ)[0].gap == pytest.approx(low, abs=EXACT)


def test_an_oval_rocks_on_a_smooth_floor_as_its_curvature_says():
    """w^2 = m g h''/ J, h = sqrt(a^2 sin^2 + b^2 cos^2), whatever the floor's stiffness."""
    a, b, mass, inertia = 0.3, 0.2, 2.0, 0.05
    m = kempe.Builder("oval", plane=True, gravity=(0, -G))
    oval = m.body(
        "oval", at=(0, b), angle=0.0, inertia=Inertia(mass, (0, 0, 0), np.eye(3) * inertia)
    )
    m.force(
        CurveOnPlane(
            m.ground.at(0, 0), oval.at(0, 0), Y, Ellipse((0, 0), (a, 0), (0, b)), stiffness=1e5
        ),
        "floor",
    )
    model = m.build()
    rest = model.statics()
    assert rest["floor.gap"] == pytest.approx(-mass * G / 1e5, abs=1e-12)
    rocking = math.sqrt(mass * G * (a * a / b - b) / inertia) / math.tau
    assert np.abs(model.linearize(rest).frequencies - rocking).min() < 1e-8 * rocking


def test_a_curve_that_could_touch_twice_is_refused():
    angles = np.linspace(0, math.tau, 16, endpoint=False)
    hollow = Through(
        tuple(
            (
                0.03 * (1 + 0.4 * math.cos(2 * a)) * math.cos(a),
                0.03 * (1 + 0.4 * math.cos(2 * a)) * math.sin(a),
            )
            for a in angles
        ),
        closed=True,
    )
    here = Marker("a"), Marker("b")
    with pytest.raises(BadNumber, match="not convex"):
        CurveOnPlane(*here, Y, hollow, stiffness=1.0)
    with pytest.raises(BadNumber, match="closed curve in the plane z = 0 of J"):
        CurveOnPlane(*here, Y, Segment((0, 0), (1, 0)), stiffness=1.0)

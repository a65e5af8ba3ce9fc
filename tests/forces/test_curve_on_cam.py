"""Two convex curves that touch: gaps by brute force and of elliptic gears, known motions."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber
from kempe.forces import CurveOnCam, LineSpring, RollerOnCam, SphereOnSphere
from kempe.geometry import Inertia, Marker, Pose, Rotation, Vector
from kempe.geometry.curves import Circle, Ellipse, Segment, Through

EXACT = 1e-12  # m, of a gap that converges in a fixed number of corrections
FINE = 1e-9  # m, beside the farthest of 40001 points, which is 1e-10 too near at most
ANGLES = np.linspace(0.0, math.tau, 40001)
EGG = Ellipse((0.004, 0.002), (0.03, 0.0), (0.0, 0.02))
NOSE = Ellipse((-0.001, 0.0), (0.0, 0.025), (-0.006, 0.0))  # four times as long as wide
WHEEL = Inertia(1.0, (0.0, 0.0, 0.0), 1e-3 * np.eye(3))


def ends() -> tuple[Marker, Marker]:
    """Markers of two bodies."""
    return Marker("a"), Marker("b")


def columns(R: Rotation) -> np.ndarray:
    return np.array([list(R.x), list(R.y), list(R.z)]).T


@pytest.mark.parametrize("tilted", [False, True], ids=["plane", "space"])
def test_the_gap_is_the_widest_strip_between_both(tilted, rng):
    """A line across the plane x, y of I parts them by the gap, and no other line by more."""
    word = CurveOnCam(*ends(), EGG, NOSE, stiffness=1.0)
    outline, edge = np.array(EGG(ANGLES))[:, :2], np.array(NOSE(ANGLES))
    for _ in range(12):
        angle = float(rng.uniform(-3, 3))
        lean = Rotation.about(rng.normal(size=3), 0.25 * tilted)
        turn = Rotation.planar(angle) @ lean
        away = float(rng.uniform(-3, 3))
        place = Vector(0.06 * math.cos(away), 0.06 * math.sin(away), 0.02 * tilted)
        X_WI = Pose(Vector(0.3, -0.2, 0.1 * tilted), Rotation.planar(float(rng.uniform(-3, 3))))
        touch = word.touches(X_WI, X_WI @ Pose(place, turn))[0]
        at = (edge @ columns(turn).T + list(place))[:, :2]
        n = np.array(X_WI.rotation.inverse().apply(touch.normal))[:2]
        way = math.atan2(n[1], n[0])
        strips = []
        for off in (0.0, -0.01, 0.01, -0.5, 0.5):
            m = np.array([math.cos(way + off), math.sin(way + off)])
            strips.append((at @ m).min() - (outline @ m).max())
        assert touch.gap == pytest.approx(strips[0], abs=FINE)
        assert max(strips[1:]) < strips[0]


def test_what_lies_across_the_cam_does_not_touch_it():
    word = CurveOnCam(*ends(), EGG, NOSE, stiffness=1.0)
    across = Pose(Vector(0.03, 0.0, 0.0), Rotation.about((1.0, 0.0, 0.0), 0.8))
    assert word.touches(Pose.identity(), across)[0].gap > 0.0


def test_equal_ellipses_about_their_foci_roll_on_each_other():
    """tan(b / 2) = (1 - e) / (1 + e) tan(a / 2): elliptic gears, 2 a apart, never part."""
    long, short = 0.05, 0.035
    focus = math.sqrt(long**2 - short**2)
    e = focus / long
    oval = Ellipse((-focus, 0.0), (long, 0.0), (0.0, short))  # about its right focus
    word = CurveOnCam(*ends(), oval, oval, stiffness=1.0)
    for a in np.linspace(-3.0, 3.0, 25).tolist():
        b = 2.0 * math.atan2((1.0 - e) * math.sin(a / 2), (1.0 + e) * math.cos(a / 2))
        X_WI = Pose(Vector(0.0, 0.0, 0.0), Rotation.planar(a))
        X_WJ = Pose(Vector(2.0 * long, 0.0, 0.0), Rotation.planar(-b))
        assert word.touches(X_WI, X_WJ)[0].gap == pytest.approx(0.0, abs=EXACT)


def thrown(touch):
    """A disc thrown at one that turns, with friction; `touch` makes the contact of both."""
    m = kempe.Builder("pair", plane=True, gravity=(0, -9.81))
    a = m.body("a", at=(0, 0), angle=0.0, inertia=WHEEL, spin=3.0)
    b = m.body("b", at=(0.01, 0.09), angle=0.3, inertia=WHEEL)
    m.revolute(m.ground.at(0, 0), a.at(0, 0))
    m.force(touch(a.at(0, 0), b.at(0, 0)), "touch")
    return m.build().simulate(until=0.1, steps=10, tolerance=1e-10)


LAW = {"stiffness": 1e5, "damping": 20.0, "friction": 0.2, "creep": 0.01}


def test_two_circles_are_two_balls():
    ours = thrown(lambda I, J: CurveOnCam(I, J, Circle((0, 0), 0.05), Circle((0, 0), 0.03), **LAW))
    balls = thrown(lambda I, J: SphereOnSphere(I, J, 0.05, 0.03, **LAW))
    assert [event.kind for event in ours.events] == ["touch", "lift-off"]
    for one, other in zip(ours.events, balls.events, strict=True):
        assert one.t == pytest.approx(other.t, abs=1e-9)
    assert ours["b.x"].values == pytest.approx(balls["b.x"].values, abs=1e-9)
    assert np.ptp(ours.energy.total) < 1e-8 * np.abs(ours.energy.kinetic).max()


def pressed(touch):
    """An oval cam at 40 rad/s under a follower that a weak spring presses down."""
    m = kempe.Builder("cam", plane=True, gravity=(0, -9.81))
    cam = m.body("cam", at=(0, 0), angle=0.0, inertia=WHEEL)
    shaft = m.revolute(m.ground.at(0, 0), cam.at(0, 0), name="shaft")
    m.drive(shaft.angle, speed=40.0)
    follower = m.body("follower", at=(0, 0.0371), angle=0.0, inertia=WHEEL)
    m.prismatic(m.ground.at(0, 0), follower.at(0, 0), along=(0, 1))
    above = m.ground.at(0, 0.2)
    m.force(LineSpring(above, follower.at(0, 0), stiffness=300.0, free=0.2), "spring")
    m.force(touch(cam.at(0, 0), follower.at(0, 0)), "nose")
    return m.build().simulate(until=0.1, steps=10, tolerance=1e-10)


def test_a_round_follower_lifts_off_its_cam_when_a_roller_does():
    law = {"stiffness": 1e6, "damping": 100.0}
    ours = pressed(lambda I, J: CurveOnCam(I, J, EGG, Circle((0, 0), 0.015), **law))
    roller = pressed(lambda I, J: RollerOnCam(I, J, EGG, 0.015, **law))
    assert [event.kind for event in ours.events].count("lift-off") >= 2
    for one, other in zip(ours.events, roller.events, strict=True):
        assert (one.kind, one.t) == (other.kind, pytest.approx(other.t, abs=1e-9))


def test_curves_that_could_touch_twice_are_refused():
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
    with pytest.raises(BadNumber, match=r"outline of .* is not convex"):
        CurveOnCam(*ends(), hollow, EGG, stiffness=1.0)
    with pytest.raises(BadNumber, match=r"edge of .* is not convex"):
        CurveOnCam(*ends(), EGG, hollow, stiffness=1.0)
    with pytest.raises(BadNumber, match="closed curve in the plane z = 0 of J"):
        CurveOnCam(*ends(), EGG, Segment((0, 0), (1, 0)), stiffness=1.0)


def test_curves_that_are_too_slender_are_refused():
    # at eight times as long as wide the gap of two ovals that lay side by side was missed
    with pytest.raises(
        BadNumber, match=r"edge of .* is at least 8 times as long as wide: beyond 5"
    ):
        CurveOnCam(*ends(), EGG, Ellipse((0, 0), (0.08, 0.0), (0.0, 0.01)), stiffness=1.0)
    CurveOnCam(*ends(), EGG, Ellipse((0, 0), (0.049, 0.0), (0.0, 0.01)), stiffness=1.0)

"""Cams and followers that may lift off: feet by brute force, closed forms of an eccentric disc."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber
from kempe.forces import FlatOnCam, LineSpring, RollerOnCam
from kempe.geometry import Inertia, Marker, Pose, Rotation, Vector, Y
from kempe.geometry.curves import Circle, Ellipse, Segment, Through

EXACT = 1e-12  # m, of a foot found in four corrections beside one found by brute force and Newton
EGG = Ellipse((0.004, 0.002), (0.03, 0.0), (0.0, 0.02))
BACKWARDS = Ellipse((0.004, 0.002), (0.03, 0.0), (0.0, -0.02))
HOLLOW = Ellipse((0.06, 0.0), (0.03, 0.0), (0.0, 0.02))  # I is outside
G = 9.81


def I_and_J():
    return Marker("a"), Marker("b")


@pytest.mark.parametrize("curve", [EGG, BACKWARDS], ids=["forwards", "backwards"])
def test_a_roller_is_as_far_from_its_cam_as_the_nearest_point(curve, rng):
    r = 0.008
    word = RollerOnCam(*I_and_J(), curve, r, stiffness=1.0)
    for _ in range(50):
        t, gap = rng.uniform(0, math.tau), rng.uniform(-1e-3, 0.02)
        angle = float(rng.uniform(-3, 3))
        X_WI = Pose(Vector(*rng.uniform(-1, 1, 2).tolist(), 0.0), Rotation.planar(angle))
        C = np.array([0.004 + 0.03 * math.cos(t), 0.002 + 0.02 * math.sin(t), 0.0])
        n = np.array([0.02 * math.cos(t), 0.03 * math.sin(t), 0.0])
        place = Vector(*(C + (r + gap) * n / np.linalg.norm(n)).tolist())
        touch = word.touches(X_WI, Pose(X_WI.point(place), Rotation.planar(0.3)))[0]
        assert touch.gap == pytest.approx(gap, abs=EXACT)
        normal = np.array(X_WI.rotation.inverse().apply(touch.normal))
        assert normal == pytest.approx(n / np.linalg.norm(n), abs=1e-9)


@pytest.mark.parametrize("curve", [EGG, BACKWARDS], ids=["forwards", "backwards"])
def test_a_flat_face_is_as_far_from_its_cam_as_the_farthest_point(curve, rng):
    word = FlatOnCam(*I_and_J(), curve, Y, stiffness=1.0)
    for _ in range(50):
        angle, turn = (float(x) for x in rng.uniform(-3, 3, 2))
        X_WI = Pose(Vector(0.1, 0.2, 0.0), Rotation.planar(angle))
        X_WJ = Pose(Vector(0.1, 0.3, 0.0), Rotation.planar(turn))
        n = np.array(X_WI.rotation.inverse().apply(X_WJ.axis(Y)))
        # the support function of an ellipse
        reach = n @ [0.004, 0.002, 0.0] + math.hypot(0.03 * n[0], 0.02 * n[1])
        above = float((X_WJ.position - X_WI.position) @ X_WJ.axis(Y))
        assert word.touches(X_WI, X_WJ)[0].gap == pytest.approx(above - reach, abs=EXACT)


E, R, MASS, SPRING = 0.01, 0.04, 0.5, 800.0


def lifted(omega, preload, *, flat=True, stiffness=1e8):
    """An eccentric disc under a follower that a spring presses down: y = R + e sin(omega t)."""
    m = kempe.Builder("eccentric", plane=True, gravity=(0, -G))
    cam = m.body("cam", inertia=Inertia(1.0, (0, 0, 0), np.eye(3) * 1e-3))
    shaft = m.revolute(m.ground.at(0, 0), cam.at(0, 0), name="shaft")
    m.drive(shaft.angle, speed=omega)
    r = 0.0 if flat else 0.015
    sunk = (preload + MASS * G) / stiffness  # it rests in the cam, and moves with it
    start = (R if flat else math.sqrt((R + r) ** 2 - E**2)) - sunk
    follower = m.body(
        "follower",
        at=(0, start),
        angle=0.0,
        inertia=Inertia(MASS, (0, 0, 0), np.eye(3) * 1e-3),
        velocity=(0, E * omega),
    )
    m.prismatic(m.ground.at(0, 0), follower.at(0, 0), along=(0, 1), name="guide")
    above = m.ground.at(0, start + 0.2)
    m.force(
        LineSpring(above, follower.at(0, 0), stiffness=SPRING, free=0.2 + preload / SPRING),
        "spring",
    )
    disc = Circle((E, 0.0), R)
    law = {"stiffness": stiffness, "damping": 1300.0}
    here = (cam.at(0, 0), follower.at(0, 0), disc)
    m.force(FlatOnCam(*here, Y, **law) if flat else RollerOnCam(*here, r, **law), "nose")
    return m.build()


def critical(preload):
    """omega at which spring, preload and weight just keep the follower down at the top."""
    return math.sqrt((preload + SPRING * E + MASS * G) / (MASS * E))


def test_a_flat_follower_lifts_off_above_the_speed_that_its_spring_can_hold():
    preload = 20.0
    for share, leaves in ((0.97, False), (1.03, True)):
        omega = share * critical(preload)
        run = lifted(omega, preload).simulate(
            until=1.5 * math.tau / omega, steps=200, tolerance=1e-10
        )
        gone = [event for event in run.events if event.kind == "lift-off"]
        assert bool(gone) is leaves
        if leaves:
            # N = F + k y + m g - m e omega^2 sin = 0; spring and damper let go c / k before
            sine = (preload + MASS * G) / (MASS * E * omega**2 - SPRING * E)
            assert omega * gone[0].t == pytest.approx(math.asin(sine), abs=2e-3)
        assert np.ptp(run.energy.total) < 1e-8 * np.abs(run.energy.kinetic).max()


def test_a_roller_follows_the_pitch_curve_of_its_cam():
    omega = 5.0
    run = lifted(omega, 20.0, flat=False).simulate(until=1.0, steps=100)
    turn = omega * run.t
    y = E * np.sin(turn) + np.sqrt((R + 0.015) ** 2 - (E * np.cos(turn)) ** 2)
    assert run["guide.displacement"].values == pytest.approx(y, abs=1e-5)  # it sinks in by F / k


def test_a_closed_spline_is_a_cam_too():
    angles = np.linspace(0, math.tau, 12, endpoint=False)
    points = [((0.03 + 0.004 * math.sin(2 * a)) * math.cos(a), 0.03 * math.sin(a)) for a in angles]
    curve = Through(tuple(points), closed=True)
    word = RollerOnCam(*I_and_J(), curve, 0.01, stiffness=1.0)
    place = Vector(0.045, 0.02, 0.0)
    touch = word.touches(Pose.identity(), Pose(place, Rotation.identity()))[0]
    assert touch.gap == pytest.approx(curve.nearest(list(place)).distance - 0.01, abs=1e-10)


@pytest.mark.parametrize(
    ("curve", "said"),
    [(Segment((0, 0), (1, 0)), "closed curve"), (HOLLOW, "once round")],
)
def test_what_cannot_be_a_cam_is_refused(curve, said):
    with pytest.raises(BadNumber, match=said):
        RollerOnCam(*I_and_J(), curve, 0.01, stiffness=1.0)


def test_a_flat_face_wants_a_convex_cam():
    angles = np.linspace(0, math.tau, 16, endpoint=False)
    points = tuple(
        (
            0.03 * (1 + 0.4 * math.cos(2 * a)) * math.cos(a),
            0.03 * (1 + 0.4 * math.cos(2 * a)) * math.sin(a),
        )
        for a in angles
    )
    with pytest.raises(BadNumber, match="convex"):
        FlatOnCam(*I_and_J(), Through(points, closed=True), Y, stiffness=1.0)

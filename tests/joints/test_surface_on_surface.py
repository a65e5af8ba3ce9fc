"""Two surfaces that touch: closed forms, brute force over the parameters, runs and reactions."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from kempe import Builder, Inertia
from kempe.geometry import Marker, Pose, Rotation, Vector
from kempe.geometry.curves import BSpline
from kempe.geometry.surfaces import (
    BSplineSurface,
    CylinderSurface,
    PlaneSurface,
    RevolutionSurface,
    SphereSurface,
    TorusSurface,
)
from kempe.joints import PointFromSurface, Prismatic, Revolute, SurfaceOnSurface

G = 9.81
CLOSE = 1e-7
TIGHT = 1e-10
ZERO = (0.0, 0.0, 0.0)


def drop(surface, other, X_WJ, *, inside=False):
    """How far up a body J, put at X_WJ and led along z alone, stands where the surfaces touch."""
    m = Builder("drop")
    at = tuple(float(c) for c in X_WJ.position)
    body = m.body("body", at=at, rotation=X_WJ.rotation)
    foot = Marker("body", ZERO, X_WJ.rotation.inverse())
    m.add(Prismatic(m.ground.at(*at), foot), "guide")
    joint = SurfaceOnSurface(
        m.ground.at(*ZERO), body.at(*ZERO), surface=surface, other=other, inside=inside
    )
    m.add(joint, "touch")
    found = m.build().assemble()
    return float(found["body"][2])


def test_balls_touch_at_the_sum_of_their_radii_or_inside_at_the_difference():
    I, J = Marker("a"), Marker("b")
    for inside, apart in ((False, 1.3 + 0.4), (True, 1.3 - 0.4)):
        joint = SurfaceOnSurface(
            I, J, surface=SphereSurface((0.1, 0.2, 0.3), 1.3),
            other=SphereSurface((-0.2, 0.1, 0.0), 0.4), inside=inside,
        )  # fmt: skip
        assert not joint.unknowns
        X_WI = Pose(Vector(0.5, 0.4, -0.2), Rotation.about((1, 2, 0), 0.8))
        R = Rotation.about((0, 1, 3), 1.9)
        way = np.array([2.0, -1.0, 2.0]) / 3.0
        for off in (0.0, 1e-4):
            middle = X_WI.point(Vector(0.1, 0.2, 0.3)) + Vector(*((apart + off) * way).tolist())
            X_WJ = Pose(middle - R.apply(Vector(-0.2, 0.1, 0.0)), R)
            assert float(joint.phi(X_WI, X_WJ)[0]) == pytest.approx(off, abs=1e-14)


@pytest.mark.parametrize("tilt", [0.3, 0.8, 1.2])
def test_a_tilted_ring_stands_on_a_plane_as_its_closed_form_says(tilt):
    X = Pose(
        Vector(0.1, 0.2, 1.3), Rotation.about((1, 0, 0), tilt) @ Rotation.about((0, 0, 1), 0.4)
    )
    found = drop(PlaneSurface(), TorusSurface(ZERO, 1.0, 0.3), X)
    assert found == pytest.approx(math.sin(tilt) + 0.3, abs=1e-9)


@pytest.mark.parametrize("angle", [0.4, 1.2, math.pi / 2])
def test_crossed_rods_touch_at_the_sum_of_their_radii(angle):
    """The common perpendicular of their axes is upright, wherever along them it is."""
    lower, upper = CylinderSurface(ZERO, 0.5, (1, 0, 0)), CylinderSurface(ZERO, 0.3, (1, 0, 0))
    X = Pose(Vector(0.2, -0.1, 1.0), Rotation.about((0, 0, 1), angle))
    assert drop(lower, upper, X) == pytest.approx(0.8, abs=1e-9)


def egg():
    """A closed body of revolution with its long axis upright, smooth but for its two poles."""
    half = ((0.02, 0, -0.9), (0.6, 0, -0.8), (0.7, 0, 0.1), (0.3, 0, 0.8), (0.02, 0, 0.9))
    return RevolutionSurface(BSpline(half))


def hilly():
    points = tuple(
        tuple((1.2 * (i - 2.5), 1.2 * (j - 2.0), 0.15 * math.sin(1.3 * i + j)) for j in range(5))
        for i in range(6)
    )
    return BSplineSurface(points)


def dense(surface, count=400):
    ends = surface.domains
    u, v = (
        x.ravel()
        for x in np.meshgrid(*(np.linspace(d.low, d.high, count) for d in (ends.u, ends.v)))
    )
    return surface(u, v)


def test_an_egg_on_a_plane_stands_on_its_lowest_point():
    """Brute force: the lowest of very many points of the egg."""
    turn = Rotation.about((1, 0.4, 0), 1.1)
    lowest = (dense(egg(), 600) @ np.array(turn.matrix()).T)[:, 2].min()
    found = drop(PlaneSurface(), egg(), Pose(Vector(0.2, 0.1, 1.0), turn))
    assert found == pytest.approx(-lowest, abs=1e-4)


def test_an_egg_on_a_hilly_floor_stands_where_a_fine_net_of_points_says():
    """Brute force: the least gap in z between the egg's underside and the floor, on a grid."""
    from scipy.interpolate import griddata

    turn = Rotation.about((1, 0.4, 0), 1.1)
    floor, shell = dense(hilly(), 150), dense(egg(), 300) @ np.array(turn.matrix()).T
    x, y = 0.25, -0.2
    under = shell[shell[:, 2] < -0.3]
    there = griddata(floor[:, :2], floor[:, 2], under[:, :2] + [x, y], method="linear")
    expected = float(np.nanmax(there - under[:, 2]))
    found = drop(hilly(), egg(), Pose(Vector(x, y, expected + 0.05), turn))
    assert found == pytest.approx(expected, abs=5e-4)


def test_a_ball_slides_on_a_surface_as_its_middle_at_a_distance_does():
    runs = []
    for joint in ("ball", "middle"):
        m = Builder("ball", gravity=(0, 0, -G))
        ball = m.body("ball", at=(0.4, 0.1, 0.3), inertia=Inertia(1.0, ZERO, 0.1 * np.eye(3)))
        places = (m.ground.at(*ZERO), ball.at(*ZERO))
        if joint == "ball":
            m.add(SurfaceOnSurface(*places, surface=hilly(), other=SphereSurface(ZERO, 0.2)), "on")
        else:
            m.add(PointFromSurface(*places, surface=hilly(), length=0.2), "on")
        runs.append(m.build().simulate(until=0.5, steps=10, tolerance=TIGHT))
    assert runs[0]["ball"].position == pytest.approx(runs[1]["ball"].position, abs=1e-12)


def test_a_wheel_that_slides_upright_on_a_slope_falls_as_a_point_does():
    """Ideal contact: pushed along the plane's normal in the contact, it does not even turn."""
    slope = PlaneSurface(ZERO, (0.5, 0.0, 1.0))
    m = Builder("ring on a slope", gravity=(0, 0, -G))
    lean = math.atan(0.5)
    up = np.array([math.sin(lean), 0.0, math.cos(lean)])
    ring = m.body(
        "ring",
        at=tuple((1.3 * up).tolist()),
        rotation=Rotation.about((1, 0, 0), math.pi / 2),  # its axis along y
        inertia=Inertia(2.0, ZERO, np.diag([0.5, 0.5, 1.0])),
    )
    m.add(
        SurfaceOnSurface(
            m.ground.at(*ZERO), ring.at(*ZERO), surface=slope, other=TorusSurface(ZERO, 1.0, 0.3)
        ),
        "slope",
    )
    run = m.build().simulate(until=0.6, steps=12, tolerance=TIGHT)
    assert run.outcome.is_done
    fallen = np.linalg.norm(run["ring"].position - run["ring"].position[0], axis=1)
    assert fallen == pytest.approx(0.5 * G * math.sin(lean) * run.t**2, abs=CLOSE)
    force = run["slope.force"].values
    assert np.abs(np.cross(force, up)).max() < 1e-6 * G
    assert np.linalg.norm(force, axis=1) == pytest.approx(2.0 * G * math.cos(lean), abs=1e-5)


def test_a_rod_that_turns_lifts_what_lies_across_it_as_an_eccentric_does():
    """Crossed rods: z = e sin(w t) + r1 + r2, for a rod turning about an axis e beside its own."""
    m = Builder("eccentric")
    cam, follower = m.body("cam", at=ZERO), m.body("follower", at=(0.0, 0.0, 0.9))
    spindle = m.add(
        Revolute(m.ground.at(*ZERO).facing((0, 1, 0)), cam.at(*ZERO).facing((0, 1, 0))), "spindle"
    )
    m.drive(spindle.angle, start=0.0, speed=math.tau)
    m.add(Prismatic(m.ground.at(*ZERO), follower.at(*ZERO)), "guide")
    round_cam = CylinderSurface((0.2, 0.0, 0.0), 0.5, (0, 1, 0))
    rod = CylinderSurface(ZERO, 0.3, (1, 0, 0))
    m.add(
        SurfaceOnSurface(cam.at(*ZERO), follower.at(*ZERO), surface=round_cam, other=rod), "touch"
    )
    turn = m.build().kinematics(until=1.0, steps=40)
    assert turn.outcome.is_done
    z = turn["follower"].position[:, 2]
    assert z == pytest.approx(0.8 - 0.2 * np.sin(math.tau * turn.t), abs=1e-9)


def test_a_small_ring_in_a_bowl_swings_as_its_energy_says():
    """A ring inside a sphere, touching from within: energy stays, and it touches all along."""
    m = Builder("ring in a bowl", gravity=(0, 0, -G))
    a = 0.5
    ring = m.body(
        "ring",
        at=(0.7 * math.sin(a), 0.0, -0.7 * math.cos(a)),
        rotation=Rotation.about((0, 1, 0), -a) @ Rotation.about((1, 0, 0), math.pi / 2),
        inertia=Inertia(1.0, ZERO, np.diag([0.02, 0.02, 0.04])),
    )
    m.add(
        SurfaceOnSurface(
            m.ground.at(*ZERO), ring.at(*ZERO), surface=SphereSurface(ZERO, 1.0),
            other=TorusSurface(ZERO, 0.2, 0.1), inside=True,
        ),
        "bowl",
    )  # fmt: skip
    run = m.build().simulate(until=0.5, steps=10, tolerance=TIGHT)
    assert run.outcome.is_done
    assert np.ptp(run.energy.total) < 1e-6
    shell = dense(TorusSurface(ZERO, 0.2, 0.1), 300)
    for k in (0, 5, 10):
        turned = Rotation.from_quaternion(run["ring.orientation"].values[k].tolist())
        R = np.array(turned.matrix(), float)
        far = np.linalg.norm(shell @ R.T + run["ring"].position[k], axis=1).max()
        assert far == pytest.approx(1.0, abs=1e-4)


def test_in_small_swings_a_ball_in_a_bowl_keeps_the_period_of_its_middle():
    m = Builder("bowl", gravity=(0, 0, -G))
    reach, a = 0.8, 0.3
    ball = m.body(
        "ball",
        at=(reach * math.sin(a), 0.0, -reach * math.cos(a)),
        inertia=Inertia(1.0, ZERO, 0.01 * np.eye(3)),
    )
    m.add(
        SurfaceOnSurface(
            m.ground.at(*ZERO), ball.at(*ZERO), surface=SphereSurface(ZERO, 1.0),
            other=SphereSurface(ZERO, 0.2), inside=True,
        ),
        "bowl",
    )  # fmt: skip
    run = m.build().simulate(until=1.5, steps=15, tolerance=TIGHT)
    known = solve_ivp(
        lambda _, s: [s[1], -G / reach * math.sin(s[0])], (0, 1.5), [a, 0], t_eval=run.t,
        rtol=1e-11, atol=1e-12,
    ).y[0]  # fmt: skip
    assert run["ball"].position[:, 0] == pytest.approx(reach * np.sin(known), abs=CLOSE)

"""Points and balls on surfaces move under forces as closed forms and Lagrange's equations say."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from kempe import Builder, Inertia
from kempe.geometry import surfaces
from kempe.geometry.curves import Arc, Circle, Line, Segment
from kempe.joints import PointFromSurface, PointOnSurface, Revolute

G = 9.81
#: Ten times the tolerance of the runs, over a few seconds at sizes of 1.
CLOSE = 1e-7
TIGHT = 1e-10
BEAD = Inertia(1.0, (0, 0, 0), 0.1 * np.eye(3))
HALF = math.sqrt(0.5)


def on_surface(surface, at, *, length=None, gravity=(0, 0, -G), **start):
    m = Builder("bead on a surface", gravity=gravity)
    bead = m.body("bead", at=tuple(at), inertia=BEAD, **start)
    places = (m.ground.at(0, 0, 0), bead.at(0, 0, 0))
    if length is None:
        m.add(PointOnSurface(*places, surface=surface), "floor")
    else:
        m.add(PointFromSurface(*places, surface=surface, length=length), "floor")
    return m.build()


def by_lagrange(surface, start, times):
    """u and v of a point of mass 1 under weight, from u, v, u', v' on: numbers of S alone."""

    def rate(_, state):
        u, v, a, b = state
        Su, Sv = surface(u, v, (1, 0)), surface(u, v, (0, 1))
        mixed = 2 * surface(u, v, (1, 1)) * a * b
        bend = surface(u, v, (2, 0)) * a * a + mixed + surface(u, v, (0, 2)) * b * b
        pull = np.array([0, 0, -G]) - bend
        metric = np.array([[Su @ Su, Su @ Sv], [Su @ Sv, Sv @ Sv]])
        return [a, b, *np.linalg.solve(metric, [pull @ Su, pull @ Sv])]

    return solve_ivp(
        rate, (0, times[-1]), start, t_eval=times, rtol=1e-11, atol=1e-12, method="DOP853"
    ).y.T


RIDDEN = {
    "sphere": (surfaces.SphereSurface((0.1, 0.2, 0.0), 1.2), (0.4, 0.3, 1.0, 0.5)),
    "torus": (
        surfaces.TorusSurface((0.0, 0.1, 0.0), 2.0, 0.7, (0.2, 0.1, 0.9)),
        (0.3, 0.5, 0.5, 0.2),
    ),
    "cylinder": (surfaces.CylinderSurface((0, 0, 0), 0.9, (1.0, 0.2, 0.1)), (0.4, 0.1, 1.0, 0.5)),
    "tilted plane": (surfaces.PlaneSurface((0, 0, 1.0), (0.3, 0.1, 1.0)), (0.1, 0.2, 1.0, -0.5)),
    "cone": (surfaces.ConeSurface((0, 0, 0), 0.6, limits=(0.3, 20.0)), (0.2, 1.5, 1.5, 0.1)),
    "ring of a circle": (
        surfaces.RevolutionSurface(Circle((2.0, 0.0, 0.0), 0.7, (0, 1, 0))),
        (0.3, 0.5, 0.5, 0.2),
    ),
    "channel": (
        surfaces.ExtrusionSurface(Arc((0, 0, 0), 1.0, 0.5, 5.5, (0, -1, 0)), (0.0, 9.0, 0.0)),
        (2.0, 0.2, 0.5, 0.05),
    ),
    "saddle": (
        surfaces.RuledSurface(Segment((-4, -4, 1), (4, -4, -1)), Segment((-4, 4, -1), (4, 4, 1))),
        (0.5, 0.55, 0.1, 0.02),
    ),
    "hilly": (
        surfaces.BSplineSurface(
            tuple(
                tuple((3.0 * i, 3.0 * j, 0.4 * ((i * j) % 3) - 0.2 * i) for j in range(5))
                for i in range(6)
            )
        ),
        (0.3, 0.4, 0.02, 0.05),
    ),
}


@pytest.mark.parametrize("name", RIDDEN)
def test_a_point_on_a_surface_moves_as_lagrange_says_and_is_pushed_along_the_normal(name):
    surface, (u, v, a, b) = RIDDEN[name]
    times = np.linspace(0.0, 0.8, 17)
    known = by_lagrange(surface, [u, v, a, b], times)
    speed = a * surface(u, v, (1, 0)) + b * surface(u, v, (0, 1))
    model = on_surface(surface, surface(u, v), velocity=tuple(speed))
    motion = model.simulate(until=0.8, steps=16, tolerance=TIGHT)
    assert motion.outcome.is_done
    assert np.abs(motion["bead"].position - surface(known[:, 0], known[:, 1])).max() < CLOSE
    assert np.ptp(motion.energy.total) < 1e-7
    force = motion["floor.force"].values
    for push, (p, q) in zip(force, known[:, :2], strict=True):
        off = np.cross(push, surface.unit_normal(p, q))
        assert np.linalg.norm(off) < 1e-6 * max(1.0, np.linalg.norm(force, axis=1).max())
    assert np.abs(motion["floor.torque"].values).max() < 1e-7
    assert motion["floor.force"].unique == (True, True, True)


@pytest.mark.parametrize("length", [-0.3, 0.4])
def test_a_ball_in_a_bowl_or_on_a_dome_is_a_pendulum_of_the_distance_of_the_centres(length):
    R = 1.5
    reach = R + length
    start = (reach * math.sin(0.5), 0.0, -reach * math.cos(0.5))
    bowl = on_surface(surfaces.SphereSurface((0, 0, 0), R), start, length=length)
    motion = bowl.simulate(until=2.0, steps=20, tolerance=TIGHT)

    def rate(_, state):
        return [state[1], -G / reach * math.sin(state[0])]

    known = solve_ivp(rate, (0, 2), [0.5, 0], t_eval=motion.t, rtol=1e-11, atol=1e-12).y[0]
    expected = reach * np.column_stack([np.sin(known), 0 * known, -np.cos(known)])
    assert np.abs(motion["bead"].position - expected).max() < CLOSE


def quarter(radius):
    """A quarter of a cylinder along y, open upwards, as an exact NURBS surface; normal up."""
    corners = ((-1.0, -1.0), (0.0, -2.0), (1.0, -1.0))  # of x and z, over HALF of the radius
    points = tuple(
        tuple((radius * HALF * x, y, radius * HALF * z) for y in (-3.0, 0.0, 3.0))
        for x, z in corners
    )
    return surfaces.BSplineSurface(points, (2, 2), weights=((1.0,) * 3, (HALF,) * 3, (1.0,) * 3))


@pytest.mark.parametrize("length", [None, 0.2, -0.1])
def test_a_spline_that_is_a_cylinder_and_the_cylinder_carry_alike(length):
    """One with unknowns of its own and one without; the spline's normal points to the axis."""
    R, gap = 1.3, length or 0.0
    depth = R - gap
    at = (depth * math.sin(0.3), 0.1, -depth * math.cos(0.3))
    inside = None if length is None else -length
    tube = surfaces.CylinderSurface((0, 0, 0), R, (0, 1, 0))
    both = [
        on_surface(s, at, length=d, velocity=(0.0, 0.4, 0.0)).simulate(
            until=1.5, steps=15, tolerance=TIGHT
        )
        for s, d in ((quarter(R), length), (tube, inside))
    ]
    assert both[0].motion.q.shape[1] == both[1].motion.q.shape[1] + 2
    assert np.abs(both[0]["bead"].position - both[1]["bead"].position).max() < CLOSE
    assert np.abs(both[0]["floor.force"].values - both[1]["floor.force"].values).max() < 1e-5


def test_a_point_that_runs_off_its_surface_ends_the_run_there():
    table = surfaces.RuledSurface(Segment((0, 0, 1), (1, 0, 1)), Segment((0, 1, 1), (1, 1, 1)))
    run = on_surface(table, (0.5, 0.5, 1.0), velocity=(0.5, 0.1, 0.0)).simulate(until=3.0)
    assert run.outcome.name == "LimitReached"
    assert "'floor' runs off its surface, whose u goes over [0, 1]" in run.outcome.message
    assert run.outcome.advice == "Make the surface longer, or end the motion before."
    assert run["bead"].position[-1][0] == pytest.approx(1.0, abs=0.02)


def test_a_drum_that_turns_carries_its_surface_along():
    """A bead on a spinning cone stays where the pull of the circle balances its weight."""
    half, w = 0.7, 4.0
    m = Builder("spinning cone", gravity=(0, 0, -G))
    drum = m.body("drum", at=(0, 0, 0), inertia=BEAD)
    rise = G / (w * w * math.tan(half) ** 2)  # w^2 r cos a' = g sin a', r = rise tan(half)
    r = rise * math.tan(half)
    bead = m.body("bead", at=(r, 0, rise), inertia=BEAD, velocity=(0, w * r, 0))
    spindle = m.add(Revolute(m.ground.at(0, 0, 0), drum.at(0, 0, 0)), "spindle")
    m.drive(spindle.angle, speed=w)
    m.add(
        PointOnSurface(
            drum.at(0, 0, 0), bead.at(0, 0, 0), surface=surfaces.ConeSurface((0, 0, 0), half)
        ),
        "flank",
    )
    motion = m.build().simulate(until=1.0, steps=10, tolerance=TIGHT)
    p = motion["bead"].position
    assert p[:, 2] == pytest.approx(rise, abs=CLOSE)
    assert p[:, 0] == pytest.approx(r * np.cos(w * motion.t), abs=CLOSE)
    assert np.linalg.norm(motion["flank.force"].values, axis=1) == pytest.approx(
        math.hypot(G, w * w * r), abs=1e-6
    )


def test_a_slope_without_end_carries_a_ball_down_in_a_straight_line():
    slope = surfaces.ExtrusionSurface(Line((0, 0, 0), (1, 0, -0.5)), (0, 1, 0))
    run = on_surface(slope, (0.0, 0.5, 0.3), length=0.15).simulate(
        until=1.0, steps=10, tolerance=TIGHT
    )
    fallen = np.linalg.norm(run["bead"].position - run["bead"].position[0], axis=1)
    assert fallen == pytest.approx(0.5 * G * math.sin(math.atan(0.5)) * run.t**2, abs=CLOSE)
    gap = (run["bead"].position @ np.array([0.5, 0, 1.0])) / math.hypot(0.5, 1.0)
    assert gap == pytest.approx(0.15, abs=1e-9)

"""A curve on a curved surface: gaps by brute force, closed forms of falls and swings, energies."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadConnection, BadNumber
from kempe.forces import CurveOnPlane, EdgeOnSurface, SphereOnSphere
from kempe.geometry import Inertia, Marker, Pose, Rotation, Vector, Z
from kempe.geometry.curves import Circle, Ellipse, Segment
from kempe.geometry.surfaces import (
    BSplineSurface,
    ConeSurface,
    CylinderSurface,
    PlaneSurface,
    RevolutionSurface,
    SphereSurface,
    TorusSurface,
)

G = 9.81
TIMED = 1e-9  # s, of a touch
NEAR = 1e-6  # m: the nearest of 40,000 points of a curve is farther by less
OVAL = Ellipse((0.1, 0.05), (0.5, 0.0), (0.0, 0.3))
MANY = np.linspace(0.0, math.tau, 40000, endpoint=False)
ENDS = (Marker("a"), Marker("b"))


def sheet():
    """A wavy sheet of two metres a side."""
    rows = np.linspace(-1.0, 1.0, 7).tolist()
    return BSplineSurface(
        tuple(
            tuple((x, y, 0.25 * math.sin(2 * x + 1) * math.cos(1.5 * y)) for y in rows)
            for x in rows
        ),
        (3, 3),
    )


def seen(X: Pose, points: np.ndarray) -> np.ndarray:
    R = np.array([list(X.rotation.x), list(X.rotation.y), list(X.rotation.z)]).T
    return points @ R.T + np.array(list(X.position))


def away_from_axis(p):
    return np.hypot(p[:, 0], p[:, 1])


DISTANCES = {
    "plane": (PlaneSurface(), False, lambda p: p[:, 2]),
    "sphere": (SphereSurface((0, 0, 0), 0.7), False, lambda p: np.linalg.norm(p, axis=1) - 0.7),
    "trough": (CylinderSurface((0, 0, 0), 0.8), True, lambda p: 0.8 - away_from_axis(p)),
    "ring": (
        TorusSurface((0, 0, 0), 1.1, 0.4),
        False,
        lambda p: np.hypot(away_from_axis(p) - 1.1, p[:, 2]) - 0.4,
    ),
}


@pytest.mark.parametrize("word", DISTANCES)
def test_both_places_are_the_deepest_of_all_points(word, rng):
    surface, inside, distance = DISTANCES[word]
    touch = EdgeOnSurface(*ENDS, surface, OVAL, inside=inside, stiffness=1.0, radius=0.01)
    points = np.array(OVAL(MANY))
    tried = 0
    while tried < 12:
        X = Pose(Vector(*rng.uniform(-0.8, 0.8, 3)), Rotation.about(rng.normal(size=3), 2.0))
        d = distance(seen(X, points)) - 0.01
        if d.min() < -0.25:  # no contact lies so deep
            continue
        tried += 1
        lowest = np.sort(d[(d < np.roll(d, 1)) & (d <= np.roll(d, -1))])
        one, other, between = touch.touches(Pose.identity(), X)
        assert one.gap == pytest.approx(lowest[0], abs=NEAR)
        if len(lowest) == 1:
            assert other.gap == between.gap
        if len(lowest) == 2 and lowest[1] < 0.1:
            assert other.gap == pytest.approx(lowest[1], abs=NEAR)
            assert between.gap >= other.gap


def test_a_sheet_is_met_where_its_own_nearest_points_say(rng):
    surface = sheet()
    touch = EdgeOnSurface(*ENDS, surface, OVAL, stiffness=1.0)
    for _ in range(2):
        X = Pose(Vector(*rng.uniform(-0.2, 0.2, 2), 0.4), Rotation.about(rng.normal(size=3), 0.7))
        one = touch.touches(Pose.identity(), X)[0]
        p = np.array(list(one.point)) + 0.5 * float(one.gap) * np.array(list(one.normal))
        foot = surface.nearest(p)  # a search of its own, with a proof
        assert abs(one.gap) == pytest.approx(foot.distance, abs=1e-9)
        places = seen(X, np.array(OVAL(np.linspace(0.0, math.tau, 24, endpoint=False))))
        feet = [surface.foot(q) for q in places]
        heights = [
            (q - surface(*uv)) @ surface.unit_normal(*uv)
            for q, uv in zip(places, feet, strict=True)
        ]
        assert one.gap <= min(heights) + 1e-12


def flat_ring(touch, *, mass=0.2, radius=0.1, at=(0.0, 0.0, 0.0), **moving):
    m = kempe.Builder("ring", gravity=(0, 0, -G))
    moment = mass * radius * radius * np.diag([0.5, 0.5, 1.0])
    body = m.body("ring", at=at, inertia=Inertia(mass, (0, 0, 0), moment), **moving)
    m.force(touch(m.ground.at(0, 0, 0), body.at(0, 0, 0)), "touch")
    return m.build()


R, r, K, MASS = 0.16, 0.1, 2e3, 0.2
LIES = -math.sqrt(R * R - r * r)


def in_trough(I, J):
    trough = CylinderSurface((0, 0, 0), R, axis=(0, 1, 0))
    return EdgeOnSurface(I, J, trough, Circle((0, 0), r), inside=True, stiffness=K)


def test_a_level_ring_meets_both_sides_of_a_trough_at_once():
    """Free fall until t = sqrt(2 h / g), and the balance of energies while it is in the trough."""
    height = 0.05
    run = flat_ring(in_trough, at=(0, 0, LIES + height)).simulate(
        until=0.2, steps=20, tolerance=1e-10
    )
    due = math.sqrt(2.0 * height / G)
    told = [(e.kind, e.direction) for e in run.events]
    assert told == [(kind, f"place {k}") for kind in ("touch", "lift-off") for k in (1, 2)]
    for event in run.events[:2]:
        assert event.t == pytest.approx(due, abs=TIMED)
    assert np.ptp(run.energy.total) < 1e-8 * run.energy.kinetic.max()


def test_a_ring_in_a_trough_lies_and_swings_as_two_springs_say():
    """2 k d d' = m g, m w^2 = 2 k (d'^2 + d d''), with the overlap d(z) = sqrt(z^2 + r^2) - R."""
    z = -math.sqrt(R * R - r * r)
    for _ in range(50):  # 2 k d(z) d'(z) = -m g, by Newton's method
        far = math.hypot(z, r)
        d, slope, bend = far - R, z / far, r * r / far**3
        z -= (2 * K * d * slope + MASS * G) / (2 * K * (slope**2 + d * bend))
    stiffness = 2 * K * (slope**2 + d * bend)
    swing, most = 2.0 * math.pi * math.sqrt(MASS / stiffness), 1e-6
    run = flat_ring(in_trough, at=(0, 0, z + most)).simulate(until=swing, steps=4, tolerance=1e-12)
    due = z + most * np.cos(0.5 * math.pi * np.arange(5))
    assert run["ring.z"].values == pytest.approx(due, abs=1e-3 * most)


def test_a_disc_in_the_plane_swings_in_a_bowl_as_a_ball_on_a_spring():
    """A circle inside a cylinder: the same as the middle on a one-sided radial spring, by SciPy."""
    from scipy.integrate import solve_ivp

    m = kempe.Builder("disc in a bowl", plane=True, gravity=(0, -G))
    inertia = Inertia(MASS, (0, 0, 0), 1e-3 * np.eye(3))
    disc = m.body("disc", at=(0.03, 0.0), angle=0.0, inertia=inertia, velocity=(0.4, 0.1))
    bowl = CylinderSurface((0, 0, 0), R)
    here = m.ground.at(0, 0), disc.at(0, 0)
    m.force(EdgeOnSurface(*here, bowl, Circle((0, 0), r), inside=True, stiffness=K), "bowl")
    run = m.build().simulate(until=0.4, steps=8, tolerance=1e-11)

    def rates(_, y):
        far = math.hypot(y[0], y[1])
        pull = K * max(far - (R - r), 0.0) / MASS / far
        return [y[2], y[3], -pull * y[0], -pull * y[1] - G]

    found = solve_ivp(
        rates, (0, 0.4), [0.03, 0, 0.4, 0.1], "DOP853", t_eval=run.t, rtol=1e-11, atol=1e-12,
        max_step=2e-4,
    )  # fmt: skip
    assert len(run.events) >= 3
    assert run["disc.x"].values == pytest.approx(found.y[0], abs=1e-7)
    assert run["disc.y"].values == pytest.approx(found.y[1], abs=1e-7)


LAW = {"stiffness": 5e3, "dissipation": 0.2, "friction": 0.3, "creep": 0.01}
TURNED = {"rotation": Rotation.about((1, 2, 0), 0.6), "spin": (1, 0, 2), "velocity": (0.3, 0, 0)}


def test_a_rim_on_a_plane_rolls_and_hops_as_the_word_for_planes_says():
    oval = Ellipse((0, 0), (0.1, 0), (0, 0.07))
    run, other = (
        flat_ring(touch, at=(0, 0, 0.12), **TURNED).simulate(until=0.4, steps=8, tolerance=1e-10)
        for touch in (
            lambda I, J: EdgeOnSurface(I, J, PlaneSurface(), oval, **LAW),
            lambda I, J: CurveOnPlane(I, J, Z, oval, **LAW),
        )
    )
    assert len(run.events) >= 2
    for name in ("ring.x", "ring.y", "ring.z"):
        assert run[name].values == pytest.approx(other[name].values, abs=1e-8)


def test_a_wire_on_a_ball_is_an_edge_on_a_larger_one_and_a_small_ring_is_a_ball():
    ball, wire = SphereSurface((0, 0, -0.3), 0.29), 0.01
    edges = [
        flat_ring(touch, at=(0.05, 0, 0.1), **TURNED).simulate(until=0.3, steps=6, tolerance=1e-10)
        for touch in (
            lambda I, J: EdgeOnSurface(I, J, ball, Circle((0, 0), r), radius=wire, stiffness=K),
            lambda I, J: EdgeOnSurface(
                I, J, SphereSurface((0, 0, -0.3), 0.3), Circle((0, 0), r), stiffness=K
            ),
        )
    ]
    assert edges[0].events
    assert edges[0]["ring.z"].values == pytest.approx(edges[1]["ring.z"].values, abs=1e-9)


def test_two_discs_of_the_plane_are_two_balls():
    X = Pose(Vector(0.1, 0.05, 0.0), Rotation.planar(0.4))
    law = {"stiffness": K}
    cylinder, circle = CylinderSurface((0, 0, 0), 0.08), Circle((0, 0), 0.05)
    one = EdgeOnSurface(*ENDS, cylinder, circle, **law).touches(Pose.identity(), X)[0]
    ball = SphereOnSphere(*ENDS, 0.08, 0.05, **law).touches(Pose.identity(), X)[0]
    assert one.gap == pytest.approx(ball.gap, abs=1e-14)
    assert list(one.point) == pytest.approx(list(ball.point), abs=1e-8)


@pytest.mark.parametrize("method", ["auto", "rodas5p"])
def test_places_that_run_together_and_apart_cost_no_energy(method):
    """A ring tumbles in a trough: its two places meet as it stands up, and part again."""
    trough = CylinderSurface((0, 0, 0), R, axis=(0, 1, 0))

    def soft(I, J):
        return EdgeOnSurface(I, J, trough, Circle((0, 0), r), inside=True, stiffness=K)

    moving = {"rotation": Rotation.about((0, 1, 0), 0.5), "spin": (0.0, 4.0, 3.0)}
    run = flat_ring(soft, at=(0, 0, -0.08), **moving).simulate(until=1.0, steps=100, method=method)
    assert run.outcome.is_done
    counts = [e.direction for e in run.events]
    assert "place 2" in counts
    assert np.ptp(run.energy.total) < 1e-6 * run.energy.kinetic.max()


def test_there_is_no_contact_beyond_the_ends_of_a_cylinder_and_behind_the_tip_of_a_cone():
    short = CylinderSurface((0, 0, 0), 0.1, limits=(-0.2, 0.2))
    small = Circle((0, 0), 0.05)
    touch = EdgeOnSurface(*ENDS, short, small, stiffness=1.0)
    for z, is_over in ((0.19, True), (0.21, False)):
        X = Pose(Vector(0.13, 0.0, z), Rotation.identity())
        gap = touch.touches(Pose.identity(), X)[0].gap
        assert gap == pytest.approx(-0.02, abs=1e-9) if is_over else gap > 0.0
    cone = EdgeOnSurface(*ENDS, ConeSurface((0, 0, 0), 0.5), small, stiffness=1.0)
    upright = Rotation.about((1, 0, 0), 0.5 * math.pi)
    X = Pose(Vector(0.0, 0.0, -0.2), upright)
    assert cone.touches(Pose.identity(), X)[0].gap > 0.0


def test_what_cannot_be_met_is_refused_with_a_way_out():
    with pytest.raises(BadNumber, match="closed and without corners"):
        EdgeOnSurface(*ENDS, PlaneSurface(), Segment((0, 0), (1, 0)), stiffness=1.0)
    vase = RevolutionSurface(Ellipse((1, 0), (0.2, 0), (0, 0.3)))
    with pytest.raises(BadNumber, match="Cut it into pieces"):
        EdgeOnSurface(*ENDS, vase, OVAL, stiffness=1.0)
    with pytest.raises(BadNumber, match="0 is an edge"):
        EdgeOnSurface(*ENDS, PlaneSurface(), OVAL, stiffness=1.0, radius=-0.1)


def test_a_surface_and_a_curve_in_the_wrong_order_are_told_apart():
    ball, ring = SphereSurface((0, 0, 0), 0.2), Circle((0, 0), 0.1)
    with pytest.raises(BadConnection, match="EdgeOnSurface' needs a curve such as"):
        EdgeOnSurface(*ENDS, ring, ball, stiffness=1e3)
    with pytest.raises(BadConnection, match="EdgeOnSurface' needs a surface such as"):
        EdgeOnSurface(*ENDS, ring, ring, stiffness=1e3)

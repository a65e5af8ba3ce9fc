"""Contacts: closed forms of impacts, of sliding and rolling, and nearest points by brute force."""

import itertools
import math
from dataclasses import dataclass
from typing import final

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import minimize

import kempe
from kempe.errors import BadNumber
from kempe.forces import (
    AbstractContact,
    BoxOnPlane,
    CapsuleOnCapsule,
    CapsuleOnPlane,
    CornersOnPlane,
    CylinderOnPlane,
    SphereOnCapsule,
    SphereOnPlane,
    SphereOnSphere,
    Touch,
    dissipation_for,
    hertz_stiffness,
)
from kempe.geometry import Inertia, Marker, Pose, Rotation, Vector, X, Y, Z

FINE = 1e-10  # tolerance of runs that are compared with closed forms
IMPACT = 2e-7  # relative, of times and speeds after an impact at that tolerance
BALANCE = 1e-8  # of the largest energy: what the balance of powers may be off
G = 9.81
RADIUS, MASS = 0.1, 2.0


def ball(mass=MASS, radius=RADIUS):
    return Inertia(mass, (0, 0, 0), 0.4 * mass * radius**2 * np.eye(3))


def thrown(speed=1.0, height=0.5, *, plane=True, gravity=(0, 0, 0), **law):
    """A ball that flies down on a floor at a speed; without weight unless said."""
    m = kempe.Builder("ball", plane=plane, gravity=gravity)
    up = (0.0, height + RADIUS) if plane else (0.0, 0.0, height + RADIUS)
    down = (0.0, -speed) if plane else (0.0, 0.0, -speed)
    body = m.body("ball", at=up, angle=0.0 if plane else None, inertia=ball(), velocity=down)
    normal = Y if plane else Z
    floor = m.ground.at(0, 0) if plane else m.ground.at(0, 0, 0)
    here = body.at(0, 0) if plane else body.at(0, 0, 0)
    m.force(SphereOnPlane(floor, here, normal, RADIUS, **law), "floor")
    return m.build()


def closes(run):
    energy = run.energy
    largest = max(np.abs(energy.kinetic).max(), np.abs(energy.potential).max())
    return np.ptp(energy.total) <= BALANCE * largest


# -- one impact ------------------------------------------------------------------------------


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
def test_a_spring_and_damper_throw_a_ball_back_as_its_closed_form_says(plane):
    """Source: [Schwager] eq. 14 and 15: it lets go where the force would begin to pull."""
    k, c = 1e4, 30.0
    run = thrown(plane=plane, stiffness=k, damping=c).simulate(until=2.0, tolerance=FINE)
    beta, natural = c / (2 * MASS), math.sqrt(k / MASS)
    omega = math.sqrt(natural**2 - beta**2)
    lasts = (math.pi - math.atan(2 * beta * omega / (natural**2 - 2 * beta**2))) / omega
    touch, leave = run.events
    assert [touch.kind, leave.kind] == ["touch", "lift-off"]
    assert touch.t == pytest.approx(0.5, abs=1e-10)
    assert touch.speed == pytest.approx(1.0, rel=IMPACT)
    away = run["ball.y" if plane else "ball.z"].rate[-1]
    assert away == pytest.approx(math.exp(-beta * lasts), rel=IMPACT)
    # the surface is left behind by (v0/omega) e^(-beta T) sin(omega T), which takes that speed
    behind = math.exp(-beta * lasts) * math.sin(omega * lasts) / omega
    assert leave.t - touch.t == pytest.approx(lasts + behind / away, rel=IMPACT)
    assert closes(run)


@pytest.mark.parametrize("method", ["auto", "rodas5p"])
def test_a_ball_of_hertz_is_thrown_back_after_2_94_times_its_depth_over_its_speed(method):
    k, speed = 1e6, 1.3
    run = thrown(speed, stiffness=k, exponent=1.5).simulate(
        until=1.0, tolerance=FINE, method=method
    )
    depth = (1.25 * MASS * speed**2 / k) ** 0.4
    shape = 2.0 * math.sqrt(math.pi) * math.gamma(1.4) / math.gamma(0.9)
    assert shape == pytest.approx(2.9433, abs=1e-4)  # as [Johnson] section 11.4 prints it
    touch, leave = run.events
    assert leave.t - touch.t == pytest.approx(shape * depth / speed, rel=IMPACT)
    assert leave.speed == pytest.approx(speed, rel=IMPACT)
    assert closes(run)


@pytest.mark.parametrize("exponent", [1.0, 1.5])
@pytest.mark.parametrize("e", [0.2, 0.9])
def test_a_restitution_is_that_at_its_speed_whatever_the_exponent(e, exponent):
    law = {"stiffness": 1e6, "exponent": exponent, "restitution": e, "impact_speed": 0.7}
    run = thrown(0.7, height=0.1, **law).simulate(until=1.0, tolerance=FINE)
    assert run.events[-1].speed == pytest.approx(0.7 * e, rel=10 * IMPACT)
    assert closes(run)


def test_the_dissipation_of_a_restitution_solves_hunt_and_crossley_s_balance():
    for e, v in itertools.product((0.05, 0.5, 0.99), (0.3, 4.0)):
        b = dissipation_for(e, v)
        assert b * v * (1 + e) == pytest.approx(math.log((1 + b * v) / (1 - b * e * v)), rel=1e-9)
    nearly = dissipation_for(0.999, 2.0)  # Hunt and Crossley's own, near e = 1: 3 (1 - e) / (2 v)
    assert nearly == pytest.approx(1.5 * 0.001 / 2.0, rel=2e-3)


def test_bounces_in_the_weight_last_as_long_as_their_speeds_say():
    run = thrown(0.0, 0.3, gravity=(0, -G), stiffness=1e7, exponent=1.5).simulate(
        until=2.0, tolerance=FINE
    )
    kinds = [event.kind for event in run.events]
    assert kinds[:4] == ["touch", "lift-off", "touch", "lift-off"]
    t = np.array([event.t for event in run.events])
    assert t[0] == pytest.approx(math.sqrt(2 * 0.3 / G), rel=1e-9)
    assert t[2] - t[1] == pytest.approx(2 * run.events[1].speed / G, rel=1e-7)


def test_two_balls_exchange_their_speeds_and_a_row_of_them_moves_as_scipy_says():
    k, m0, r, speed = 1e5, 0.3, 0.02, 0.5
    m = kempe.Builder("row", plane=True)
    places = [-0.05, *(2 * r * i for i in range(4))]
    bodies = [
        m.body(
            f"b{i}",
            at=(x, 0),
            angle=0.0,
            inertia=ball(m0, r),
            velocity=(speed if i == 0 else 0.0, 0),
        )
        for i, x in enumerate(places)
    ]
    for i, (a, b) in enumerate(itertools.pairwise(bodies)):
        pair = SphereOnSphere(a.at(0, 0), b.at(0, 0), r, r, stiffness=k, exponent=1.5)
        m.force(pair, f"pair{i}")
    run = m.build().simulate(until=0.2, tolerance=0.1 * FINE)

    def rates(t, y):
        x, v = y[:5], y[5:]
        depth = np.maximum(2 * r - np.diff(x), 0.0) ** 1.5 * k / m0
        return np.concatenate([v, np.append(-depth, 0.0) + np.append(0.0, depth)])

    begin = np.array([*places, speed, 0, 0, 0, 0])
    truth = solve_ivp(
        rates, (0, 0.2), begin, method="DOP853", rtol=1e-11, atol=1e-13, max_step=1e-4
    )
    mine = [run[f"b{i}.x"].rate[-1] for i in range(5)]
    assert mine == pytest.approx(truth.y[5:, -1].tolist(), abs=1e-6)
    assert mine[-1] > 0.9 * speed  # nearly all of it goes through
    assert closes(run)


# -- friction --------------------------------------------------------------------------------


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
def test_a_sliding_ball_rolls_from_the_time_on_that_its_friction_takes(plane):
    """v = 5/7 v_0 after t = 2 v_0 / (7 mu g), for a ball that touches at its full radius."""
    k, mu, v0, creep = 1e6, 0.3, 1.0, 1e-3
    sunk = MASS * G / k
    m = kempe.Builder("ball", plane=plane, gravity=(0, -G) if plane else (0, 0, -G))
    at = (0.0, RADIUS - sunk) if plane else (0.0, 0.0, RADIUS - sunk)
    start = (v0, 0.0) if plane else (v0, 0.0, 0.0)
    body = m.body("ball", at=at, angle=0.0 if plane else None, inertia=ball(), velocity=start)
    law = {"stiffness": k, "friction": mu, "creep": creep}
    zero = (0, 0) if plane else (0, 0, 0)
    normal = Y if plane else Z
    contact = SphereOnPlane(m.ground.at(*zero), body.at(*zero), normal, RADIUS, **law)
    m.force(contact, "floor")
    run = m.build().simulate(until=0.3, steps=300, tolerance=FINE)
    arm = RADIUS - 0.5 * sunk  # it rolls on half its overlap
    rolls = v0 / (1 + 0.4 * RADIUS**2 / arm**2)
    assert rolls == pytest.approx(5 / 7, rel=1e-3)
    speed = run["ball.x"].rate
    assert speed[-1] == pytest.approx(rolls, rel=1e-8)
    until = (v0 - rolls) / (mu * G)
    assert until == pytest.approx(2 * v0 / (7 * mu * G), rel=1e-3)
    early = run.t < 0.9 * until
    # friction is less than mu by (creep / slip)^2 / 2, and slip is more than 0.1 there
    assert speed[early] == pytest.approx(v0 - mu * G * run.t[early], abs=until * mu * G * 1e-4)
    assert closes(run)


def incline(width, height, mu, angle, **law):
    """A block on a slope, just sunk in; the ground's marker is turned by the slope."""
    m = kempe.Builder("slope", plane=True, gravity=(0, -G))
    mass = 1.0
    slope = Rotation.planar(angle)
    up = slope.apply(Vector(0.0, 0.5 * height, 0.0))
    moment = mass * (width**2 + height**2) / 12.0
    block = m.body(
        "block",
        at=(up.x, up.y),
        angle=angle,
        inertia=Inertia(mass, (0, 0, 0), np.diag([1.0, 1.0, moment])),
    )
    corners = tuple((s * width / 2, -height / 2, 0.0) for s in (-1.0, 1.0))
    corners += tuple((s * width / 2, height / 2, 0.0) for s in (-1.0, 1.0))
    floor = Marker("ground", (0, 0, 0), slope)
    contact = CornersOnPlane(floor, block.at(0, 0), Y, corners, friction=mu, **law)
    m.force(contact, "slope")
    return m.build()


def test_a_block_slides_down_a_slope_at_g_times_sine_less_mu_cosine():
    angle, mu = math.radians(30), 0.3
    law = {"stiffness": 1e6, "damping": 500.0, "creep": 1e-4}
    run = incline(0.3, 0.2, mu, angle, **law).simulate(until=1.0, steps=100)
    # friction is less than mu by a share of (creep / speed)^2 / 2: none to be seen beyond 0.1 m/s
    along = -(run["block.x"].rate * math.cos(angle) + run["block.y"].rate * math.sin(angle))
    gained = (along[-1] - along[30]) / (run.t[-1] - run.t[30])
    assert gained == pytest.approx(G * (math.sin(angle) - mu * math.cos(angle)), rel=1e-5)
    assert abs(run["block.angle"].values[-1] - angle) < 1e-3


def test_a_block_tips_over_where_the_slope_is_steeper_than_its_base_over_its_height():
    law = {"stiffness": 1e6, "damping": 500.0, "creep": 1e-4}
    tall = incline(0.1, 0.3, 1.5, math.radians(25), **law).simulate(until=0.4)  # tan 25 > 1/3
    assert tall["block.angle"].values[-1] > math.radians(40)
    assert any(e.kind == "lift-off" and e.direction == "place 2" for e in tall.events)
    # it turns about its lower corner: the angular acceleration there, from rest
    short = incline(0.1, 0.3, 1.5, math.radians(15), **law).simulate(until=0.4)
    assert short["block.angle"].values[-1] == pytest.approx(math.radians(15), abs=1e-4)


def test_a_capsule_comes_to_rest_on_both_ends():
    k, r, length, mass = 1e4, 0.05, 0.4, 1.5
    m = kempe.Builder("capsule", plane=True, gravity=(0, -G))
    inertia = Inertia(mass, (0, 0, 0), np.diag([1.0, 1.0, mass * length**2 / 12]))
    body = m.body("bar", at=(0, 0.3), angle=0.5, inertia=inertia, velocity=(0.2, 0.0))
    contact = CapsuleOnPlane(
        *(m.ground.at(0, 0), body.at(0, 0), Y, X, r, length),
        **{"stiffness": k, "damping": 60.0, "friction": 0.4, "creep": 1e-3},
    )
    m.force(contact, "floor")
    run = m.build().simulate(until=3.0, tolerance=FINE)
    assert run["bar.y"].values[-1] == pytest.approx(r - mass * G / (2 * k), abs=1e-9)
    assert run["bar.angle"].values[-1] == pytest.approx(0.0, abs=1e-9)
    assert run.energy.kinetic[-1] < 1e-12
    assert {event.direction for event in run.events} == {"place 1", "place 2"}
    assert closes(run)


# -- nearest points --------------------------------------------------------------------------


def pose(rng):
    q = rng.normal(size=4)
    place = Vector(*rng.uniform(-1, 1, 3).tolist())
    return Pose(place, Rotation.from_quaternion((q / np.linalg.norm(q)).tolist()))


def I_and_J():
    return Marker("a"), Marker("b")


def test_two_capsules_are_as_far_apart_as_their_nearest_points(rng):
    word = CapsuleOnCapsule(*I_and_J(), X, 0.1, 0.9, 0.2, 1.4, stiffness=1.0)
    for _ in range(40):
        A, B = pose(rng), pose(rng)

        def distance(s, A=A, B=B):
            on = A.position + A.axis(X) * s[0] - B.position - B.axis(X) * s[1]
            return float(on.square)

        bounds = [(-0.45, 0.45), (-0.7, 0.7)]
        starts = [(0.3, 0.5), (-0.3, -0.5)]
        best = min(minimize(distance, s, bounds=bounds, tol=1e-14).fun for s in starts)
        touch = word.touches(A, B)[0]
        assert touch.gap == pytest.approx(math.sqrt(best) - 0.3, abs=1e-7)


def test_a_ball_is_as_far_from_a_capsule_as_from_its_nearest_point(rng):
    word = SphereOnCapsule(*I_and_J(), Y, 0.1, 0.9, 0.2, stiffness=1.0)
    along = np.linspace(-0.45, 0.45, 20001)
    for _ in range(20):
        A, B = pose(rng), pose(rng)
        d = np.array(B.position - A.position) - along[:, None] * np.array(A.axis(Y))
        nearest = np.linalg.norm(d, axis=1).min()
        assert word.touches(A, B)[0].gap == pytest.approx(nearest - 0.3, abs=1e-7)


def test_a_cylinder_and_a_box_are_as_high_as_their_lowest_points(rng):
    r, length, rounding = 0.3, 0.5, 1e-7
    can = CylinderOnPlane(*I_and_J(), Z, X, r, length, rounding, stiffness=1.0)
    box = BoxOnPlane(*I_and_J(), Z, 0.2, 0.4, 0.6, stiffness=1.0)
    turn = np.linspace(0, 2 * np.pi, 4001)
    rim = np.array(
        [[s * length / 2 + 0 * turn, r * np.cos(turn), r * np.sin(turn)] for s in (-1, 1)]
    )
    corners = np.array(list(itertools.product((-0.1, 0.1), (-0.2, 0.2), (-0.3, 0.3))))
    for _ in range(20):
        A, B = pose(rng), pose(rng)
        n = np.array(A.axis(Z))
        base = np.array(B.position - A.position) @ n
        towards = n @ B.rotation.matrix()
        heights = base + np.einsum("i,kij->kj", towards, rim).min(axis=1)
        gaps = [touch.gap for touch in can.touches(A, B)]
        assert gaps == pytest.approx(heights.tolist(), abs=r * (rounding + 1e-6))
        lowest = base + (corners @ towards).min()
        assert min(touch.gap for touch in box.touches(A, B)) == pytest.approx(lowest, abs=1e-12)


def test_a_can_stands_on_its_end_and_rolls_on_its_side():
    mass, r, length, k = 1.0, 0.1, 0.3, 1e5
    lying = Rotation.about((1, 0, 0), math.pi / 2)
    for up, high, ends in ((Rotation.identity(), length / 2, 1), (lying, r, 2)):
        m = kempe.Builder("can", gravity=(0, 0, -G))
        a = mass * (3 * r**2 + length**2) / 12
        inertia = Inertia(mass, (0, 0, 0), np.diag([a, a, mass * r**2 / 2]))
        body = m.body("can", at=(0, 0, high + 1e-3), rotation=up, inertia=inertia)
        law = {"stiffness": k, "damping": 300.0, "friction": 0.3, "creep": 1e-3}
        floor, here = m.ground.at(0, 0, 0), body.at(0, 0, 0)
        m.force(CylinderOnPlane(floor, here, Z, Z, r, length, **law), "floor")
        run = m.build().simulate(until=0.5)
        sunk = mass * G / (ends * k)
        assert run["can.z"].values[-1] == pytest.approx(high - sunk, abs=1e-8)


# -- as other words do -----------------------------------------------------------------------


def test_large_plans_and_stiff_methods_tell_the_same_touches():
    law = {"stiffness": 1e6, "exponent": 1.5, "friction": 0.2, "creep": 1e-2}
    machine = thrown(2.0, **law)
    truth = [e.t for e in machine.simulate(until=0.5, tolerance=FINE).events]
    assert len(truth) == 2
    for how in ({"plan": "large"}, {"method": "rodas5p"}, {"method": "tsit5"}):
        found = [e.t for e in machine.simulate(until=0.5, tolerance=FINE, **how).events]
        assert found == pytest.approx(truth, abs=1e-9)


def test_touches_are_listed_between_other_events_in_their_order():
    machine = thrown(2.0, height=0.5, stiffness=1e6)
    run = machine.simulate(until=0.5, events=["ball.y - 0.2", "ball.y - 0.3"])
    kinds = [event.kind for event in run.events]
    assert kinds == ["crossing"] * 2 + ["touch", "lift-off"] + ["crossing"] * 2
    alone = [event.t for event in machine.simulate(until=0.5).events]
    assert [event.t for event in run.events[2:4]] == pytest.approx(alone, abs=1e-8)


@final
@dataclass(frozen=True)
class SphereInBowl(AbstractContact):
    """A ball about the origin of J inside a hollow ball about the origin of I.

    gap = R - r - |p_WJ - p_WI|
    """

    bowl: float
    radius: float

    def touches(self, X_WI, X_WJ):
        line = X_WJ.position - X_WI.position
        n = line / -line.norm
        gap = self.bowl - self.radius - line.norm
        return [Touch(gap, n, X_WJ.position - n * (self.radius + 0.5 * gap))]


def test_a_contact_of_one_s_own_is_one_class():
    R, k, small = 0.5, 1e8, 1e-3
    m = kempe.Builder("bowl", plane=True, gravity=(0, -G))
    sunk = MASS * G / k
    reach = R - RADIUS + sunk
    at = (reach * math.sin(small), -reach * math.cos(small))
    body = m.body("ball", at=at, angle=0.0, inertia=ball())
    m.force(SphereInBowl(m.ground.at(0, 0), body.at(0, 0), R, RADIUS, stiffness=k), "bowl")
    run = m.build().simulate(until=2.0, steps=200)
    omega = math.sqrt(G / reach)  # without friction the ball does not turn
    truth = reach * math.sin(small) * np.cos(omega * run.t)
    assert run["ball.x"].values == pytest.approx(truth, abs=5e-3 * small)


def test_hertz_s_stiffness_is_that_of_two_balls_in_series():
    one, both = hertz_stiffness(0.02, 1e11), hertz_stiffness(0.02, 1e11, other=0.02)
    assert one == pytest.approx(4 / 3 * 1e11 * math.sqrt(0.02))
    assert both == pytest.approx(one / math.sqrt(2))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"stiffness": 0.0}, "stiffness"),
        ({"stiffness": 1.0, "exponent": 0.5}, "exponent"),
        ({"stiffness": 1.0, "damping": -1.0}, "damping"),
        ({"stiffness": 1.0, "damping": 1.0, "dissipation": 1.0}, "give one"),
        ({"stiffness": 1.0, "restitution": 0.5}, "impact_speed"),
        ({"stiffness": 1.0, "restitution": 0.0, "impact_speed": 1.0}, "restitution"),
        ({"stiffness": 1.0, "friction": 0.5}, "creep"),
        ({"stiffness": 1.0, "friction": 0.5, "creep": 0.0}, "creep"),
    ],
)
def test_what_cannot_be_a_contact_is_refused(given, said):
    with pytest.raises(BadNumber, match=said):
        SphereOnPlane(*I_and_J(), Y, 0.1, **given)
    with pytest.raises(BadNumber, match="radius"):
        SphereOnPlane(*I_and_J(), Y, -0.1, stiffness=1.0)
    with pytest.raises(BadNumber, match="corners"):
        CornersOnPlane(*I_and_J(), Y, (), stiffness=1.0)

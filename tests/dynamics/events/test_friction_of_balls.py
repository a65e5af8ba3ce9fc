"""Friction of balls and of feet on planes: closed forms, and SciPy on the law of Coulomb itself."""

import math

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import kempe
from kempe.errors import BadConnection, BadNumber
from kempe.forces import JointFriction, Weight
from kempe.geometry import Inertia
from kempe.joints import Planar, Revolute, Spherical

G = 9.81
STOPS = 1e-6  # of the time until it stops, with errors of 1e-8 a step
MASS, RADIUS, MU = 2.0, 0.05, 0.1
ABOUT = (0.1, 0.1, 0.02)  # kg m^2
METHODS = ["dop853", "tsit5", "rodas5p", "gear"]


def top(mu=MU, centre=(0.0, 0.0, -0.5), spin=(0.0, 0.0, 5.0), gravity=(0.0, 0.0, -G), **words):
    """A body that hangs in a ball joint in the ground."""
    m = kempe.Builder("top", gravity=gravity)
    inertia = Inertia(MASS, centre, np.diag(ABOUT))
    body = m.body(
        "top", at=(0, 0, 0), rotation=kempe.Rotation.identity(), inertia=inertia, spin=spin
    )
    ball = m.add(Spherical(m.ground.at(0, 0, 0), body.at(0, 0, 0)), "ball")
    words = {"radius": RADIUS, "surface": "ball"} | words
    m.force(JointFriction(ball.angle, mu, **words), "rub")
    return m, body


def foot(slope=0.0, mu=0.3, velocity=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0), **words):
    """A block on a plane that falls along x at a slope; z of the plane is its normal."""
    pull = (G * math.sin(slope), 0.0, -G * math.cos(slope))
    m = kempe.Builder("foot", gravity=pull)
    inertia = Inertia(MASS, (0, 0, 0), np.diag([0.02, 0.03, 0.04]))
    block = m.body("block", at=(0, 0, 0), inertia=inertia, velocity=velocity, spin=spin)
    way = m.add(Planar(m.ground.at(0, 0, 0), block.at(0, 0, 0)), "way")
    m.force(JointFriction(way.x, mu, surface="plane", **words), "rub")
    return m, block


@pytest.mark.parametrize("method", METHODS)
def test_the_spin_of_a_hanging_ball_decays_at_one_rate_and_stops(method):
    """I w' = -mu r m g until it stands."""
    m, _ = top()
    rate = MU * RADIUS * MASS * G / ABOUT[2]
    run = m.build().simulate(until=2.0, method=method)
    due = np.maximum(5.0 - rate * run.t, 0.0)
    assert run["ball.angle.rate"].values == pytest.approx(due, abs=1e-6)
    (stick,) = run.events
    assert (stick.name, stick.kind) == ("rub", "stick")
    assert stick.t == pytest.approx(5.0 / rate, rel=STOPS)
    assert run.energy.dissipated[-1] == pytest.approx(0.5 * ABOUT[2] * 25.0, rel=1e-7)
    assert run["rub.torque"].values[3] == pytest.approx([0, 0, -MU * RADIUS * MASS * G], abs=1e-9)


@pytest.mark.parametrize("method", ["dop853", "rodas5p"])
def test_a_ball_spun_about_any_axis_slows_as_its_vector_law_says(method):
    """Equal moments of inertia about the ball's centre: w keeps its axis and shrinks."""
    m = kempe.Builder("wheel", gravity=(0, 0, -G))
    inertia = Inertia(MASS, (0, 0, 0), 0.07 * np.eye(3))
    spin = np.array([3.0, -2.0, 4.0])
    body = m.body("wheel", at=(0, 0, 0), inertia=inertia, spin=spin.tolist())
    ball = m.add(Spherical(m.ground.at(0, 0, 0), body.at(0, 0, 0)), "ball")
    m.force(JointFriction(ball.angle, 0.2, radius=RADIUS, surface="ball"), "rub")
    run = m.build().simulate(until=3.0, method=method)
    rate = 0.2 * RADIUS * MASS * G / 0.07
    left = np.maximum(1.0 - rate * run.t / np.linalg.norm(spin), 0.0)
    found = run["rub.torque"].values
    sliding = left > 0.0
    due = -0.2 * RADIUS * MASS * G * spin / np.linalg.norm(spin)
    assert found[sliding] == pytest.approx(np.tile(due, (int(sliding.sum()), 1)), abs=1e-8)
    assert run.energy.kinetic == pytest.approx(0.5 * 0.07 * spin @ spin * left**2, abs=1e-7)
    assert [e.kind for e in run.events] == ["stick"]


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0, 4.4])
@pytest.mark.parametrize("share", [0.98, 1.02])
def test_a_ball_holds_the_same_torque_about_every_level_axis(angle, share):
    """A weight at arm a turns by m g a about a level axis, and mu N r holds it or does not."""
    arm = share * 0.4 * RADIUS
    centre = (arm * math.cos(angle), arm * math.sin(angle), 0.0)
    m, _ = top(0.3, centre, (0.0, 0.0, 0.0), static=0.4)
    machine = m.build()
    run, rest = machine.simulate(until=0.2), machine.statics()
    if share < 1.0:
        assert not run.events
        assert np.abs(run["rub.torque"].values[:, 2]).max() < 1e-9
        due = np.array([centre[1], -centre[0]]) * MASS * G  # against r x m g
        assert run["rub.torque"].values[-1][:2] == pytest.approx(due, abs=1e-8)
        (hold,) = rest.holds
        assert hold.used == pytest.approx(share, rel=1e-9)
        assert rest["rub.torque"][:2] == pytest.approx(run["rub.torque"].values[-1][:2], abs=1e-8)
    else:
        inertia = 0.1 + MASS * arm**2
        slip = (MASS * G * arm - 0.3 * RADIUS * MASS * G) / inertia
        assert run.energy.kinetic[20] == pytest.approx(
            0.5 * inertia * (slip * run.t[20]) ** 2, rel=2e-2
        )
        assert not rest.outcome.is_done or rest.holds == ()


def coulomb(t, pull, normal, mu, v, until):
    """x(t) of a block pushed along a plane: m v' = F - mu N v/|v|."""

    def slope(_, y):
        v = y[2:]
        return [*v, *(pull - mu * normal * v / np.linalg.norm(v)) / MASS]

    end = solve_ivp(slope, (0, until), [0, 0, *v], rtol=1e-12, atol=1e-13, dense_output=True)
    return end.sol(t)


@pytest.mark.parametrize("method", METHODS)
def test_a_block_pushed_sideways_on_a_slope_turns_downhill_as_coulomb_says(method):
    slope, mu = 0.4, 0.3
    m, _ = foot(slope, mu, velocity=(0.0, 1.5, 0.0))
    run = m.build().simulate(until=1.0, method=method)
    pull = np.array([MASS * G * math.sin(slope), 0.0])
    due = coulomb(run.t, pull, MASS * G * math.cos(slope), mu, (0.0, 1.5), 1.0)
    assert run["way.x"].values == pytest.approx(due[0], abs=1e-6)
    assert run["way.y"].values == pytest.approx(due[1], abs=1e-6)
    assert not run.events
    assert run.energy.dissipated[-1] > 0.0


@pytest.mark.parametrize("method", ["dop853", "gear"])
def test_a_block_thrown_across_a_flat_slope_comes_to_rest_where_coulomb_says(method):
    """With the angle p of v from downhill as the variable: v = C tan(p/2)^(c/g) / sin p.

    dt = -v dp / (g sin p); c = mu g_n, g the pull along the slope over the mass. It stays, since
    tan(slope) < mu.
    """
    slope, mu, start = 0.2, 0.3, (0.3, 1.5)
    m, _ = foot(slope, mu, velocity=(*start, 0.0))
    run = m.build().simulate(until=2.0, method=method)
    g, c, first = G * math.sin(slope), mu * G * math.cos(slope), math.atan2(start[1], start[0])

    def speed(p):
        return math.tan(p / 2) ** (c / g) / math.sin(p)

    C = math.hypot(*start) / speed(first)

    def over(value):  # p = u^6 takes the singular end away
        def along(u):
            p, v = u**6, C * speed(u**6)
            return value(p, v) * v / (g * math.sin(p)) * 6.0 * u**5

        return quad(along, 1e-12, first ** (1 / 6), epsabs=1e-12, epsrel=1e-11)[0]

    (stick,) = run.events
    assert (stick.name, stick.kind) == ("rub", "stick")
    assert stick.t == pytest.approx(over(lambda p, v: 1.0), abs=5e-6)
    x, y = over(lambda p, v: v * math.cos(p)), over(lambda p, v: v * math.sin(p))
    assert [run["way.x"].values[-1], run["way.y"].values[-1]] == pytest.approx([x, y], abs=1e-6)
    assert run["rub.force"].values[-1] == pytest.approx([-MASS * g, 0, 0], abs=1e-8)


@pytest.mark.parametrize("angle", np.linspace(0.0, 6.0, 7).tolist())
@pytest.mark.parametrize("share", [0.99, 1.01])
def test_a_foot_holds_the_same_push_in_every_direction(angle, share):
    m, block = foot(0.0, 0.3, static=0.4)
    push = share * 0.4 * MASS * G * np.array([math.cos(angle), math.sin(angle)])
    m.force(Weight(block.at(0, 0, 0), (*push.tolist(), 0.0)), "push")
    machine = m.build()
    run = machine.simulate(until=0.3)
    if share < 1.0:
        assert np.ptp(run["way.x"].values) + np.ptp(run["way.y"].values) < 1e-12
        assert machine.statics().holds[0].used == pytest.approx(share, rel=1e-9)
    else:
        a = (push - 0.3 * MASS * G * push / np.linalg.norm(push)) / MASS
        assert run["way.x"].values == pytest.approx(0.5 * a[0] * run.t**2, abs=1e-7)
        assert run["way.y"].values == pytest.approx(0.5 * a[1] * run.t**2, abs=1e-7)
        assert not machine.statics().outcome.is_done


def test_push_and_torque_share_what_a_foot_can_hold():
    """(F / mu N)^2 + (T / mu N rho)^2 <= 1."""
    rho, mu = 0.08, 0.4
    m, block = foot(0.0, mu, radius=rho)
    F, T = 0.6 * mu * MASS * G, 0.7 * mu * MASS * G * rho
    m.force(Weight(block.at(0, T / F, 0), (-F, 0.0, 0.0)), "push")
    rest = m.build().statics()
    assert rest.holds[0].used == pytest.approx(math.hypot(0.6, 0.7), rel=1e-9)
    assert rest["rub.torque"] == pytest.approx([0, 0, -T], abs=1e-9)
    assert np.ptp(m.build().simulate(until=0.2)["way.angle"].values) < 1e-12


def test_a_foot_that_spins_slides_on_as_slip_and_spin_in_one_say():
    rho, mu, about = 0.08, 0.4, 0.04
    m, _ = foot(0.0, mu, velocity=(1.0, 0.0, 0.0), spin=(0.0, 0.0, 15.0), radius=rho)
    run = m.build().simulate(until=0.2)

    def slope(_, y):
        s = np.array([y[2], y[3], rho * y[5]])
        e = -mu * MASS * G * s / np.linalg.norm(s)
        return [y[2], y[3], e[0] / MASS, e[1] / MASS, y[5], rho * e[2] / about]

    start = [0, 0, 1.0, 0, 0, 15.0]
    due = solve_ivp(slope, (0, 0.2), start, rtol=1e-12, atol=1e-13, dense_output=True).sol(run.t)
    assert run["way.x"].values == pytest.approx(due[0], abs=1e-7)
    assert run["way.angle"].values == pytest.approx(due[4], abs=1e-7)


def test_creep_makes_the_law_smooth_and_lists_nothing():
    m, _ = foot(0.1, 0.3, creep=1e-2)
    run = m.build().simulate(until=1.0, method="rodas5p")
    v = 1e-2 * math.atanh(math.tan(0.1) / 0.3)  # where friction is as large as the pull
    assert run["way.x.rate"].values[-1] == pytest.approx(v, rel=1e-6)
    assert not run.events


def test_a_surface_that_does_not_fit_is_refused_in_words():
    m = kempe.Builder("wrong", gravity=(0, 0, -G))
    body = m.body("b", at=(0, 0, 0), inertia=Inertia(1.0, (0, 0, -0.1), 0.1 * np.eye(3)))
    pin = m.add(Revolute(m.ground.at(0, 0, 0), body.at(0, 0, 0)), "pin")
    with pytest.raises(BadNumber, match="needs the radius of its ball"):
        JointFriction(pin.angle, 0.1, surface="ball")
    with pytest.raises(BadNumber, match="told by a slide"):
        JointFriction(pin.angle, 0.1, radius=0.1, surface="plane")
    with pytest.raises(BadNumber, match="neither a length nor a lead"):
        JointFriction(pin.angle, 0.1, radius=0.1, length=0.2, surface="ball")
    m.force(JointFriction(pin.angle, 0.1, radius=0.1, surface="ball"), "rub")
    with pytest.raises(BadConnection, match="no ball joint"):
        m.build().simulate(until=0.1)
    n, _ = top(surface=None)
    with pytest.raises(BadConnection, match="give surface='ball'"):
        n.build().simulate(until=0.1)


def test_a_file_keeps_the_surface(tmp_path):
    m, _ = foot(0.1, 0.3, radius=0.05)
    path = tmp_path / "foot.yaml"
    m.build().save(path)
    assert kempe.Mechanism.load(path).model.forces == m.build().model.forces

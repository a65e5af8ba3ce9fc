"""Mass that comes and goes, against Tsiolkovsky, momentum, jet damping and SciPy."""

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson, solve_ivp

from kempe import Builder
from kempe.drives import Ramp
from kempe.errors import BadNumber, ExpressionError
from kempe.events import Stop, Switch
from kempe.forces import AppliedLoad, Axes, MassFlow
from kempe.geometry import Inertia, Rotation
from kempe.joints import Prismatic
from kempe.measures import Distance, Gauge
from kempe.outcome import Ending

G = 9.81
CLOSE = 1e-9  # of the largest: tolerances below are 1e-10 a step
BALANCED = 1e-8  # of the largest energy


def solid(mass, moment=0.0, centre=(0.0, 0.0, 0.0)):
    return Inertia(mass, centre, moment * np.eye(3))


def place(plane, *xy):
    return xy if plane else (*xy, 0.0)


def builder(plane, gravity=G):
    return Builder(plane=plane, gravity=place(plane, 0.0, -gravity))


def relative(found, due):
    return float(np.abs(found - due).max() / np.abs(due).max())


def drift(motion):
    total, kinetic = motion["energy.total"].values, motion["energy.kinetic"].values
    return float(np.ptp(total) / np.abs(kinetic).max())


@pytest.mark.row("C8")
@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
@pytest.mark.parametrize("method", ["dop853", "rodas5p", "gear"])
def test_a_rocket_climbs_as_tsiolkovsky_says(plane, method, plan):
    first, burn, exhaust = 100.0, 1.5, 2500.0
    m = builder(plane)
    rocket = m.body(
        "rocket", at=place(plane, 0, 0), inertia=solid(first, 20.0),
        points={"nozzle": place(plane, 0, -2)},
    )  # fmt: skip
    m.force(MassFlow(rocket.nozzle, f"-{burn}", (0.0, -exhaust, 0.0)), "motor")
    climb = m.build().simulate(until=40, steps=40, method=method, tolerance=1e-10, plan=plan)
    t = climb.t
    left = first - burn * t
    speed = exhaust * np.log(first / left) - G * t
    height = exhaust * (t - left / burn * np.log(first / left)) - G * t**2 / 2
    y = climb["rocket.y"]
    assert relative(y.values, height) < CLOSE
    assert relative(y.rate, speed) < CLOSE
    assert relative(climb["motor.gained"].values, -burn * t) < CLOSE
    assert relative(climb["rocket.force"].values[:, 1], burn * exhaust - G * left) < CLOSE
    assert drift(climb) < BALANCED


def on_a_rail(m, plane, name, x, mass, speed=0.0):
    """A body on a rail along x."""
    body = m.body(
        name, at=place(plane, x, 0), inertia=solid(mass, 0.1), velocity=place(plane, speed, 0)
    )
    along = (1.0, 0.0, 0.0)
    m.add(Prismatic(m.ground.at(0, 0).facing(along), body.at(0, 0).facing(along)), f"{name}_rail")
    return body


def towed(m, body, pull):
    m.force(AppliedLoad(body.at(0, 0), (Ramp(pull), Ramp(0.0), Ramp(0.0))), f"{body.name}_rope")


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
def test_a_bucket_that_fills_gains_momentum_by_what_pulls_it_alone(plane, plan):
    first, rain, fall, pull = 2.0, 0.5, 4.0, 3.0
    m = builder(plane)
    bucket = on_a_rail(m, plane, "bucket", 0, first)
    m.force(MassFlow(bucket.at(0, 0), str(rain), (0, -fall, 0), Axes.WORLD), "rain")
    towed(m, bucket, pull)
    ride = m.build().simulate(until=20, tolerance=1e-10, plan=plan)
    t = ride.t
    assert relative(ride["bucket.x"].rate, pull * t / (first + rain * t)) < CLOSE
    up = ride["bucket_rail.force"].values[:, 1]  # on the bucket: weight, and the rain that stops
    assert relative(up, (first + rain * t) * G + rain * fall) < CLOSE
    assert drift(ride) < BALANCED


def leaking_pendulum(plane, outlet):
    """A rod of 2 kg and a bucket at its end that runs dry through a hole at `outlet` below it."""
    m = builder(plane)
    start = 1.0
    reach = 1.2
    end = (reach * np.cos(start), reach * np.sin(start))
    turned = {"angle": start} if plane else {"rotation": Rotation.planar(start)}
    rod = m.body("rod", at=place(plane, 0, 0), inertia=solid(2.0, 0.3), **turned)
    bucket = m.body("bucket", at=place(plane, *end), inertia=solid(3.0, 0.06), **turned)
    m.revolute(m.ground.at(0, 0), rod.at(0, 0), name="hinge")
    m.fixed(rod.at(reach, 0), bucket.at(0, 0), name="hook")
    m.force(MassFlow(bucket.at(outlet, 0), "-0.4 - 0.1 * gained", (0.7, 0.0, 0.0)), "leak")
    return m.build(), reach


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
@pytest.mark.parametrize("method", ["dop853", "rodas5p", "gear"])
def test_a_pendulum_that_leaks_swings_as_its_own_equation_says(plane, method, plan):
    outlet = 0.25
    pendulum, reach = leaking_pendulum(plane, outlet)
    end = 5.0
    swing = pendulum.simulate(until=end, steps=100, tolerance=1e-10, method=method, plan=plan)

    def rate(t, y):
        angle, w, gained = y
        m, flow = 3.0 + gained, -0.4 - 0.1 * gained
        whole = 0.3 + m * (reach**2 + 0.06 / 3.0)
        carried = 2.0 * reach * outlet + outlet**2 - 0.06 / 3.0  # Coriolis, and the spin it had
        return [w, (-m * G * reach * np.cos(angle) + flow * carried * w) / whole, flow]

    due = solve_ivp(rate, (0, end), (1.0, 0.0, 0.0), t_eval=swing.t, rtol=1e-12, atol=1e-12)
    loose = 1e-7 if method == "gear" else 1e-8
    assert relative(swing["hinge.angle"].values, due.y[0]) < loose
    assert relative(swing["leak.gained"].values, due.y[2]) < loose
    assert drift(swing) < BALANCED * (10 if method == "gear" else 1)


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
def test_a_jet_far_out_damps_the_turning(plane, plan):
    mass, k, lever, burn, spin = 5.0, 0.3, 0.8, 0.2, 4.0
    m = builder(plane, 0.0)
    wheel = m.body(
        "wheel", at=place(plane, 0, 0), inertia=solid(mass, mass * k**2),
        spin=spin if plane else (0, 0, spin),
    )  # fmt: skip
    m.revolute(m.ground.at(0, 0), wheel.at(0, 0), name="hinge")
    m.force(MassFlow(wheel.at(lever, 0), f"-{burn}", (10.0, 0.0, 0.0)), "jet")
    turn = m.build().simulate(until=15, tolerance=1e-10, plan=plan)
    share = 1.0 - burn * turn.t / mass
    due = spin * share ** ((lever / k) ** 2 - 1.0)
    assert relative(turn["hinge.angle"].rate, due) < 1e-8
    assert drift(turn) < BALANCED


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
def test_momentum_of_a_tumbling_tank_is_in_it_in_its_pipe_and_in_what_has_left(plane):
    mass, flow, r, jet = 4.0, -0.3, 0.5, 2.0
    m = builder(plane, 0.0)
    tank = m.body(
        "tank", at=place(plane, 0, 0), inertia=solid(mass, 0.2), velocity=place(plane, 1.0, 0.5),
        spin=3.0 if plane else (0, 0, 3.0), points={"hole": place(plane, r, 0)},
    )  # fmt: skip
    m.force(MassFlow(tank.hole, str(flow), (0.0, jet, 0.0)), "leak")
    tumble = m.build().simulate(until=8, steps=4000, tolerance=1e-11)
    hole, centre = tumble["tank.hole"], tumble["tank"]
    arm = (hole.position - centre.position)[:, :2] / r
    leaves = hole.velocity[:, :2] + jet * np.column_stack([-arm[:, 1], arm[:, 0]])
    gone = cumulative_simpson(-flow * leaves, x=tumble.t, axis=0, initial=0.0)
    held = (mass + flow * tumble.t)[:, None] * centre.velocity[:, :2] - flow * r * arm
    total = held + gone
    assert np.abs(total - total[0]).max() < 1e-8 * np.abs(total).max()
    assert drift(tumble) < BALANCED


def test_a_solid_that_burns_in_space_keeps_eulers_equations_with_its_own_moments():
    moments, mass, flow = np.array([0.3, 0.5, 0.6]), 2.0, -0.1
    m = Builder()
    stone = m.body(
        "stone", at=(0, 0, 0), inertia=Inertia(mass, (0, 0, 0), np.diag(moments)), spin=(3, 0.2, 1)
    )
    m.force(MassFlow(stone.at(0.2, 0.1, -0.3), str(flow), (0.0, 0.4, 1.0)), "vent")
    tumble = m.build().simulate(until=8, tolerance=1e-11)
    r, u, K = np.array([0.2, 0.1, -0.3]), np.array([0.0, 0.4, 1.0]), moments / mass

    def rate(t, w):
        now = mass + flow * t
        torque = flow * (np.cross(r, u) + np.cross(r, np.cross(w, r)) - K * w)
        return (torque - np.cross(w, now * K * w)) / (now * K)

    due = solve_ivp(rate, (0, 8), (3, 0.2, 1), t_eval=tumble.t, rtol=1e-12, atol=1e-12).y.T
    assert relative(tumble.motion.v[:, 3:6], due) < 1e-8
    assert drift(tumble) < BALANCED


@pytest.mark.parametrize("plan", ["small", "large"])
def test_what_has_filled_up_strikes_with_the_mass_it_has_then(plan):
    m = builder(True, 0.0)
    cart = on_a_rail(m, True, "cart", 0, 1.0, 2.0)
    ball = on_a_rail(m, True, "ball", 5, 2.0)
    m.force(MassFlow(cart.at(0, 0), "0.8", (2.0, 0.0, 0.0), Axes.WORLD), "sand")  # as fast as it
    gap = Gauge("gap", Distance(), cart.at(0, 0), ball.at(0, 0))
    m.event(Stop(gap, low=1.0, restitution=0.5), "buffer")
    run = m.build().simulate(until=3, tolerance=1e-10, plan=plan)
    hit = run.events[0]
    assert hit.t == pytest.approx(2.0, abs=1e-9)
    heavy, light = 1.0 + 0.8 * 2.0, 2.0
    together = heavy * 2.0 / (heavy + light)
    assert run["ball.x"].rate[-1] == pytest.approx(together + 0.5 * 2.0 * heavy / (heavy + light))
    assert drift(run) < BALANCED


def test_a_flow_that_is_switched_off_leaves_the_mass_it_has_made():
    m = builder(True, 0.0)
    cart = on_a_rail(m, True, "cart", 0, 1.0)
    m.force(MassFlow(cart.at(0, 0), "0.5"), "sand")
    towed(m, cart, 1.0)
    m.event(Switch("t - 2", off=("sand",)), "shut")
    run = m.build().simulate(until=4, tolerance=1e-10)
    assert run["sand.gained"].values[-1] == pytest.approx(1.0, rel=1e-10)
    assert run["cart.x"].acceleration[-1] == pytest.approx(0.5, rel=1e-10)
    assert drift(run) < BALANCED


def test_what_flows_may_follow_a_measure_and_end_where_it_is_said_to():
    m = builder(True, 0.0)
    cart = on_a_rail(m, True, "cart", 0, 1.0, 1.0)
    rate = "k * x_rate if gained < 0.5 else 0"
    m.force(
        MassFlow(cart.at(0, 0), rate, (0, 0, 0), Axes.WORLD, seen=(cart.x,), names=("x",),
                 constants=("k",), values=(0.3,)), "snow",
    )  # fmt: skip
    run = m.build().simulate(until=4, tolerance=1e-11)
    x = run["cart.x"].values
    gained = run["snow.gained"].values
    assert np.abs(gained - np.minimum(0.3 * x, 0.5)).max() < 1e-9
    assert np.abs((1.0 + gained) * run["cart.x"].rate - 1.0).max() < 1e-9  # momentum is kept


def test_a_body_that_loses_all_it_has_ends_the_run_with_advice():
    for method in ("auto", "gear"):
        m = builder(True)
        tank = m.body("tank", at=(0, 0), inertia=solid(10.0, 1.0))
        m.force(MassFlow(tank.at(0, 0), "-1"), "leak")
        run = m.build().simulate(until=20, method=method)
        assert run.outcome.ending is Ending.LIMIT_REACHED
        assert "nothing is left of the mass of 'tank'" in str(run.outcome)
        assert run.t[-1] < 10.0
        assert np.isfinite(run["tank.y"].values).all()


def test_what_cannot_flow_is_refused():
    m = builder(True)
    frame = m.body("frame", at=(0, 0))
    with pytest.raises(ExpressionError, match="there is no 'k'"):
        MassFlow(frame.at(0, 0), "-k")
    with pytest.raises(BadNumber, match="has 3 components, these are 4"):
        MassFlow(frame.at(0, 0), "-1", (1.0, 2.0, 3.0, 4.0))
    m.force(MassFlow(frame.at(0, 0), "-1"), "leak")
    with pytest.raises(BadNumber, match="'frame' has no mass that force 'leak' could change"):
        m.build().simulate(until=1)


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("method", ["dop853", "tsit5", "rodas5p", "gear"])
def test_a_rate_that_ends_by_what_was_gained_ends_there(method, plan):
    """gained = -0.4 (t + t^2 / 2) until it is -0.3, and no less from there on."""
    m = Builder("tank", plane=True)
    body = m.body("tank", at=(0, 0), inertia=Inertia(3.0, (0, 0, 0), np.eye(3)))
    m.prismatic(m.ground.at(0, 0), body.at(0, 0), along=(1, 0), name="rail")
    rate = "if(gained + 0.3 > 0, -0.4 * (1 + t), 0)"
    m.force(MassFlow(body.at(0, 0), rate, (-5.0, 0, 0)), "leak")
    run = m.build().simulate(until=2.0, steps=20, method=method, plan=plan)
    due = np.maximum(-0.4 * (run.t + run.t**2 / 2), -0.3)
    np.testing.assert_allclose(run["leak.gained"].values, due, atol=1e-12)
    # what is thrown back at 5 m/s: v = 5 log(3 / m)
    np.testing.assert_allclose(run["tank.vx"].values, 5 * np.log(3 / (3 + due)), atol=1e-6)
    assert run.motion.counts["switched"] >= 1

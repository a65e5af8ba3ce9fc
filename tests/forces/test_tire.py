"""A tire against the brush model, the model of one track, and rest."""

import math

import numpy as np
import pytest

from kempe import Builder, Inertia, Rotation
from kempe.drives import Ramp
from kempe.errors import BadNumber
from kempe.forces import AppliedLoad, Tire
from kempe.geometry import Marker
from kempe.joints import Planar

G = 9.81
MASS, MOMENT, AHEAD, BEHIND = 1500.0, 2500.0, 1.2, 1.5
FRONT, REAR, MU, LAG = 80e3, 90e3, 0.9, 0.4
BALANCED = 1e-8


def car(*, steer=0.0, speed=25.0, lag=LAG, radius=None, plane=True, sideways=0.0):
    """A car of one track that floats over the road z = 0, its loads given."""
    m = Builder("car", plane=plane)
    extra = () if plane else (0.0,)
    put = {"angle": 0.0} if plane else {}
    chassis = m.body(
        "car", at=(0, 0, *extra), velocity=(speed, sideways, *extra),
        inertia=Inertia(MASS, (0, 0, 0), MOMENT * np.eye(3)), **put,
    )  # fmt: skip
    if not plane:
        m.add(Planar(m.ground.at(0, 0), chassis.at(0, 0)), "suspension")
    carried = MASS * G / (AHEAD + BEHIND)
    road, wheel = m.ground.at(0, 0), chassis.at(AHEAD, 0).turned(steer)
    more = {"radius": radius}
    m.force(Tire(road, wheel, FRONT, MU, lag, load=carried * BEHIND, **more), "front")
    m.force(Tire(road, chassis.at(-BEHIND, 0), REAR, MU, lag, load=carried * AHEAD, **more), "rear")
    return m.build()


def drift(motion):
    return np.ptp(motion["energy.total"].values) / motion["energy.kinetic"].values.max()


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("speed", [10.0, 25.0])
def test_a_car_that_steers_a_little_turns_by_its_understeer_gradient(speed, plan):
    steer = 1e-6
    turn = car(steer=steer, speed=speed).simulate(until=8, tolerance=1e-10, plan=plan)
    length = AHEAD + BEHIND
    gradient = MASS * (BEHIND * REAR - AHEAD * FRONT) / (length * FRONT * REAR)
    due = speed / (length + gradient * speed**2)
    assert turn["car.angle"].rate[-1] / steer == pytest.approx(due, rel=1e-5)  # slides by 1e-6
    assert drift(turn) < BALANCED


@pytest.mark.parametrize("speed", [10.0, 25.0, 45.0])
def test_small_motions_of_a_car_are_those_of_the_model_of_one_track(speed):
    straight = car(speed=speed)
    state = straight.simulate(until=0.01, steps=1).state(0)
    found = straight.linearize(state).eigenvalues
    A = np.array([  # of sideways speed, yaw rate, and what both tires have yielded
        [0, -speed, -FRONT / LAG / MASS, -REAR / LAG / MASS],
        [0, 0, -AHEAD * FRONT / LAG / MOMENT, BEHIND * REAR / LAG / MOMENT],
        [1, AHEAD, -speed / LAG, 0],
        [1, -BEHIND, 0, -speed / LAG],
    ])  # fmt: skip
    for due in np.linalg.eigvals(A):
        assert np.abs(found - due).min() < 1e-8 * np.abs(due)


def test_a_stiff_carcass_leaves_the_classical_eigenvalues():
    speed = 25.0
    straight = car(speed=speed, lag=1e-5)
    found = straight.linearize(straight.simulate(until=1e-6, steps=1).state(0)).eigenvalues
    A = np.array([  # [Pacejka] section 1.3
        [-(FRONT + REAR) / MASS / speed, -speed - (AHEAD * FRONT - BEHIND * REAR) / MASS / speed],
        [
            -(AHEAD * FRONT - BEHIND * REAR) / MOMENT / speed,
            -(AHEAD**2 * FRONT + BEHIND**2 * REAR) / MOMENT / speed,
        ],
    ])  # fmt: skip
    for due in np.linalg.eigvals(A):
        assert np.abs(found - due).min() < 1e-4 * np.abs(due)


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
def test_with_locked_wheels_a_car_slides_by_friction_alone_and_stands(plane):
    speed, lag = 20.0, 0.05
    slide = car(speed=speed, lag=lag, radius=0.3, plane=plane).simulate(until=6, steps=600)
    x = slide["car.x"].values
    due, yields = speed**2 / (2 * MU * G), 1.1 * 3 * MU * MASS * G * lag / (FRONT + REAR)
    assert due < x.max() < due + yields
    assert x.max() - x[-1] < yields
    assert np.ptp(x[-100:]) < 0.2 * yields  # it rocks, and does not creep
    brakes = slide["car.x"].acceleration[100:200]
    assert np.abs(brakes + MU * G).max() < 1e-6
    assert drift(slide) < BALANCED


def test_a_tire_that_is_pulled_aside_holds_up_to_friction_and_no_further():
    """In the steady state the brush model says how far it slips, by its own cubic."""
    load, C, speed = 4000.0, 60e3, 15.0
    for slip in (0.02, 0.1, 0.5):
        m = Builder(plane=True)
        angle = math.asin(slip)
        cart = m.body("cart", at=(0, 0), angle=-angle, inertia=Inertia(300.0, (0, 0, 0), np.eye(3)))
        m.drive(cart.x, speed=speed)
        m.drive(cart.y, Ramp(0.0))
        m.drive(cart.angle, Ramp(-angle))
        m.force(Tire(m.ground.at(0, 0), cart.at(0, 0), C, MU, 0.3, load=load), "tire")
        run = m.build().simulate(until=1)
        share = C * slip / (3 * MU * load)
        due = C * slip * (1 - share + share**2 / 3) if share < 1 else MU * load
        found = np.linalg.norm(run["tire.force"].values[-1])
        # what slides has V^2 = v_x^2 + s^2 = speed^2, so that the slip is the sine
        assert found == pytest.approx(due, rel=1e-6)


def test_a_wheel_sinks_in_rolls_on_and_is_braked_as_its_own_equations_say():
    mass, moment, r, k, v, brake = 20.0, 0.9, 0.3, 2e5, 10.0, 15.0
    upright = Rotation.about((1.0, 0.0, 0.0), -math.pi / 2)  # z up, y along the axle
    m = Builder(plane=True, gravity=(0, -G))
    wheel = m.body(
        "wheel", at=(0, r - mass * G / k), angle=0.0, velocity=(v, 0.0), spin=-v / r,
        inertia=Inertia(mass, (0, 0, 0), moment * np.eye(3)),
    )  # fmt: skip
    road, axle = (Marker(name, (0.0, 0.0, 0.0), upright) for name in ("ground", "wheel"))
    tire = Tire(road, axle, 1e6, 0.8, 0.1, radius=r, stiffness=k, damping=2e3)
    m.force(tire, "tire")
    zero = (Ramp(0.0),) * 2
    m.force(AppliedLoad(wheel.at(0, 0), torque=(*zero, Ramp(brake))), "brake")
    run = m.build().simulate(until=2, tolerance=1e-9)
    assert run["wheel.y"].values[-1] == pytest.approx(r - mass * G / k, abs=1e-9)
    due = -brake * r / (moment + mass * r**2)
    assert run["wheel.x"].acceleration[-1] == pytest.approx(due, rel=1e-3)  # but for slip, F / C
    assert drift(run) < BALANCED


def test_a_wheel_that_falls_on_the_road_bounces_and_says_when():
    upright = Rotation.about((1.0, 0.0, 0.0), -math.pi / 2)
    m = Builder(plane=True, gravity=(0, -G))
    m.body("wheel", at=(0, 1.3), angle=0.0, inertia=Inertia(20.0, (0, 0, 0), np.eye(3)))
    road, axle = (Marker(name, (0.0, 0.0, 0.0), upright) for name in ("ground", "wheel"))
    m.force(Tire(road, axle, 1e5, 0.8, 0.1, radius=0.3, stiffness=2e5), "tire")
    fall = m.build().simulate(until=1)
    assert fall.events[0].t == pytest.approx(math.sqrt(2 / G), abs=1e-8)
    assert drift(fall) < 1e-7


def test_what_is_no_tire_is_refused():
    road, wheel = Marker("ground"), Marker("wheel")
    for given, why in (
        ({}, "needs a `load`"),
        ({"load": 1.0, "stiffness": 1.0, "radius": 1.0}, "give one of them"),
        ({"stiffness": 1e5}, "no radius"),
        ({"load": 1.0, "damping": 2.0}, "no stiffness"),
        ({"load": -1.0}, "must be positive"),
    ):
        with pytest.raises(BadNumber, match=why):
            Tire(road, wheel, 1e5, 0.9, 0.3, **given)
    with pytest.raises(BadNumber, match="relaxation"):
        Tire(road, wheel, 1e5, 0.9, 0.0, load=1.0)


def test_a_tire_that_creeps_moves_as_a_fast_one_does_at_its_own_scale():
    """Lengths by 2^-10 and times by 2^6: forces by 2^-22, and every place by 2^-10, to rounding."""

    def moved(length, time):
        force = length / time**2
        m = Builder("wheel", plane=True)
        one = m.body(
            "one",
            at=(0, 0),
            angle=0.9,
            inertia=Inertia(1.0, (0, 0, 0), 0.7 * length**2 * np.eye(3)),
            velocity=(3.4 * length / time, -0.6 * length / time),
            spin=-0.3 / time,
        )
        place = one.at(0.4 * length, 1.2 * length)
        m.force(
            Tire(m.ground.at(0, 0), place, 14.5 * force, 0.8, 0.5 * length, load=8.2 * force),
            "tire",
        )
        run = m.build().simulate(until=1.5 * time, steps=6, tolerance=1e-11)
        return run["one"].position / length, run["one.angle"].values

    (fast, turned), (slow, crept) = moved(1.0, 1.0), moved(2.0**-10, 2.0**6)
    assert slow == pytest.approx(fast, abs=1e-9)
    assert crept == pytest.approx(turned, abs=1e-9)

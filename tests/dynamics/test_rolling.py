"""Joints that hold velocities and no places: closed forms of bodies that roll, glide and turn."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from scipy.integrate import quad_vec

import kempe as kp
from kempe.errors import DriveError, FormulaError, ModelError
from kempe.events import Stop
from kempe.joints import KnifeEdge, RollingDisc, RollingEllipsoid, RollingSphere
from tests.dynamics.discs import leaning_disc

G = 9.81
#: Errors of a few hundred steps at 1e-10, beside lengths of some metres.
CLOSE = 2e-8
#: Gear's steps at 1e-8 add up over seconds.
GEAR = 3e-5

METHODS = [
    ({}, CLOSE),
    ({"plan": "large"}, CLOSE),
    ({"executor": "vm"}, CLOSE),
    ({"method": "tsit5"}, CLOSE),
    ({"method": "rodas5p"}, CLOSE),
    ({"method": "gear", "tolerance": 1e-8}, GEAR),
]


def ball(mass, radius, share=0.4):
    return kp.Inertia(mass, (0, 0, 0), share * mass * radius**2 * np.eye(3))


# -- closed forms --------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["dop853", "rodas5p", "gear"])
@pytest.mark.parametrize("radius", [1e-4, 1e-3, 1e-2, 1.0])
def test_a_wheel_of_any_size_rolls_down_a_slope_as_fast_as_its_moment_lets_it(radius, method):
    """x = v t + g sin s t^2 / (2 (1 + k)), over some forty turns."""
    k, slope, until = 0.5, 0.3, 20 * math.sqrt(radius / G)
    m = kp.Builder("wheel", plane=True, gravity=(G * math.sin(slope), -G * math.cos(slope)))
    v = 5.0 * math.sqrt(radius * G)
    given = ball(1.0, radius, k)
    at = {"at": (0, radius), "angle": 0.0, "velocity": (v, 0), "spin": -v / radius}
    body = m.body("wheel", inertia=given, **at)
    ground = m.ground.at(0, 0).facing((0.0, 1.0, 0.0))
    m.add(RollingSphere(ground, body.at(0, 0), radius=radius), name="roll")
    run = m.build().simulate(until=until, steps=10, method=method, tolerance=1e-9)
    assert run.outcome.is_done
    way = v * run.t + G * math.sin(slope) / (1 + k) * run.t**2 / 2
    close = 1e-6 * way[-1] if method == "gear" else 1e-8 * way[-1]
    np.testing.assert_allclose(run["wheel"].position[:, 0], way, atol=close, rtol=0)
    np.testing.assert_allclose(run["wheel.angle"].values, -way / radius, atol=close / radius)


def sleigh(speed=1.0, spin=0.8, a=0.3, mass=2.0, inertia=0.1):
    m = kp.Builder("sleigh", plane=True)
    given = kp.Inertia(mass, (a, 0, 0), inertia * np.eye(3))
    body = m.body("sleigh", at=(0, 0), angle=0.0, inertia=given, velocity=(speed, 0), spin=spin)
    m.add(KnifeEdge(m.ground.at(0, 0), body.at(0, 0)), name="blade")
    return m


@pytest.mark.parametrize(("how", "close"), METHODS)
def test_chaplygin_s_sleigh_glides_as_its_closed_form_says(how, close):
    """u = c tanh s, w = (c/k) sech s, s = a c t / k^2 + b, k^2 = I/m + a^2.

    Source: [NeimarkFufaev].
    """
    a, k = 0.3, math.sqrt(0.1 / 2.0 + 0.3**2)
    c = math.hypot(1.0, k * 0.8)
    b = math.atanh(1.0 / c)
    motion = sleigh().build().simulate(until=5.0, steps=50, **{"tolerance": 1e-10, **how})
    assert motion.outcome.is_done

    def angle(t):
        s = a * c * t / k**2 + b
        return 2 * k / a * (np.arctan(np.tanh(s / 2)) - np.arctan(np.tanh(b / 2)))

    def speed(t):
        return c * np.tanh(a * c * t / k**2 + b)

    np.testing.assert_allclose(motion["sleigh.angle"].values, angle(motion.t), atol=close)
    way = quad_vec(lambda t: speed(t) * np.array([np.cos(angle(t)), np.sin(angle(t))]), 0, 5)[0]
    np.testing.assert_allclose(motion["sleigh"].position[-1], way, atol=close)
    blade = np.linalg.norm(motion["blade.force"].values, axis=1)
    w = c / k / np.cosh(a * c * motion.t / k**2 + b)
    held = 0.1 / k**2 * speed(motion.t) * w  # m u w (1 - a^2 / k^2)
    np.testing.assert_allclose(blade, held, atol=10 * close)


def test_a_skate_on_an_incline_draws_a_cycloid():
    """u' = g cos th, th = w t: x = g sin^2(w t) / 2 w^2, y = g (w t - sin(2 w t) / 2) / 2 w^2."""
    slope, w = G * math.sin(0.4), 1.3
    m = kp.Builder("skate", plane=True, gravity=(slope, 0))
    skate = m.body("skate", at=(0, 0), angle=0.0, inertia=ball(1.5, 0.2), spin=w)
    m.add(KnifeEdge(m.ground.at(0, 0), skate.at(0, 0)), name="blade")
    motion = m.build().simulate(until=6.0, steps=60, tolerance=1e-10)
    t, size = motion.t, slope / (2 * w**2)
    x, y = motion["skate"].position.T
    np.testing.assert_allclose(x, size * np.sin(w * t) ** 2, atol=CLOSE)
    np.testing.assert_allclose(y, size * (w * t - np.sin(2 * w * t) / 2), atol=CLOSE)


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_a_cylinder_rolls_down_an_incline_at_its_known_rate(share):
    """x'' = g sin b / (1 + I / m r^2), and friction m g sin b / (1 + m r^2 / I)."""
    b, mass, r = 0.5, 2.0, 0.3
    m = kp.Builder("incline", plane=True, gravity=(0, -G))
    along, up = (math.cos(b), -math.sin(b), 0.0), (math.sin(b), math.cos(b), 0.0)
    roll = m.body("roll", at=(r * up[0], r * up[1]), angle=0.0, inertia=ball(mass, r, share))
    m.add(RollingSphere(m.ground.at(0, 0).facing(up), roll.at(0, 0), radius=r), name="touch")
    motion = m.build().simulate(until=2.0, steps=20, tolerance=1e-10)
    way = (motion["roll"].position - motion["roll"].position[0]) @ np.array(along[:2])
    rate = G * math.sin(b) / (1 + share)
    np.testing.assert_allclose(way, rate * motion.t**2 / 2, atol=CLOSE)
    np.testing.assert_allclose(motion["roll.angle"].values, -way / r, atol=CLOSE)
    force = motion["touch.force"].values
    np.testing.assert_allclose(force @ np.array(up[:2]), mass * G * math.cos(b), atol=1e-6)
    friction = -mass * G * math.sin(b) * share / (1 + share)
    np.testing.assert_allclose(force @ np.array(along[:2]), friction, atol=1e-6)


@pytest.mark.parametrize("share", [0.4, 2.0 / 3.0])
def test_a_ball_on_a_turntable_goes_round_a_circle_of_its_own(share):
    """v' = w z x v with w = W I / (I + m r^2): 2/7 of the table's W for a solid ball.

    Source: [NeimarkFufaev]; the circle is anywhere, and its radius is v / w.
    """
    W, r = 3.0, 0.1
    w = W * share / (1 + share)
    m = kp.Builder("turntable", gravity=(0, 0, -G))
    table = m.body("table", at=(0, 0, 0), inertia=ball(1.0, 1.0))
    axle = m.revolute(m.ground.at(0, 0, 0), table.at(0, 0, 0), name="axle")
    m.drive(axle.angle, speed=W)
    rolling = ball(0.7, r, share)
    round_ = m.body("ball", at=(1.0, 0, r), inertia=rolling, velocity=(0.2, 0.5, 0))
    m.add(RollingSphere(table.at(0, 0, 0), round_.at(0, 0, 0), radius=r), name="roll")
    motion = m.build().simulate(until=10.0, steps=100, tolerance=1e-10)
    p, v = motion["ball"].position, motion["ball"].velocity[0]
    centre = p[0, :2] + np.array([-v[1], v[0]]) / w
    arm = p[0, 0] - centre[0] + 1j * (p[0, 1] - centre[1])
    circle = centre[0] + 1j * centre[1] + arm * np.exp(1j * w * motion.t)
    np.testing.assert_allclose(p[:, 0] + 1j * p[:, 1], circle, atol=CLOSE)
    energy = motion.energy
    balance = energy.kinetic + energy.potential - energy.driven
    assert np.ptp(balance) < 1e-8 * energy.kinetic.max()


@pytest.mark.parametrize(("how", "close"), METHODS)
def test_a_leaning_disc_goes_round_at_its_closed_rate(how, close):
    mechanism, W = leaning_disc()
    motion = mechanism.simulate(until=3.0, steps=30, **{"tolerance": 1e-10, **how})
    assert motion.outcome.is_done
    assert not motion.notes  # the velocities given are those of rolling
    p = motion["disc"].position
    np.testing.assert_allclose(p[:, 0], 0.8 * np.cos(W * motion.t), atol=close)
    np.testing.assert_allclose(p[:, 1], 0.8 * np.sin(W * motion.t), atol=close)
    np.testing.assert_allclose(p[:, 2], p[0, 2], atol=close)


def test_an_ellipsoid_with_equal_axes_is_a_ball_and_a_flat_one_a_disc():
    """The same start rolls alike as a ball, as an ellipsoid, and as a disc that is all crown."""
    ends = []
    for joint, own in (
        (RollingSphere, {"radius": 0.3}),
        (RollingEllipsoid, {"a": 0.3, "b": 0.3, "c": 0.3}),
        (RollingDisc, {"radius": 0.3, "crown": 0.3 - 1e-13}),
    ):
        m = kp.Builder("ball", gravity=(0.4, 0, -G))
        given = kp.Inertia(1.0, (0.02, 0.01, -0.05), np.diag([0.02, 0.03, 0.04]))
        body = m.body("ball", at=(0, 0, 0.3), inertia=given, spin=(1.0, 2.0, 0.5))
        m.add(joint(m.ground.at(0, 0, 0), body.at(0, 0, 0).facing((1, 0, 0)), **own), name="roll")
        ends.append(m.build().simulate(until=2.0, steps=4, tolerance=1e-10)["ball"].position)
    np.testing.assert_allclose(ends[1], ends[0], atol=CLOSE)
    np.testing.assert_allclose(ends[2], ends[0], atol=CLOSE)


# -- counts, fights and refusals -----------------------------------------------------------------


def test_a_report_tells_freedoms_of_places_from_those_of_velocities():
    report = leaning_disc()[0].check()
    assert (report.mobility, report.speeds, report.freedom_left) == (5, 3, 3)
    assert "DOF 5 of places, 3 of velocities" in str(report)
    assert len(report.free) == 3
    assert "rolling disc roll, of velocities" in report.count_table()


def test_blades_side_by_side_repeat_each_other_and_it_glides_all_the_same():
    one = sleigh().build().simulate(until=2.0, steps=10, tolerance=1e-10)
    m = sleigh()
    m.add(KnifeEdge(m.ground.at(0, 0), kp.Marker("sleigh", (0.0, 0.2, 0.0))), name="other")
    both = m.build()
    assert both.check().rolling[1].redundant == 1
    motion = both.simulate(until=2.0, steps=10, tolerance=1e-10)
    assert motion.outcome.is_done
    assert motion.motion.redundant == ("other",)
    np.testing.assert_allclose(motion["sleigh"].position, one["sleigh"].position, atol=CLOSE)
    assert not all(motion["blade.force"].unique)


def test_two_blades_that_are_not_parallel_turn_it_about_where_their_normals_meet():
    m = sleigh(speed=0.0, spin=1.0)
    turned = kp.Marker("sleigh", (1.0, 0.0, 0.0), kp.Rotation.planar(math.pi / 4))
    m.add(KnifeEdge(m.ground.at(0, 0), turned), name="front")
    motion = m.build().simulate(until=3.0, steps=30, tolerance=1e-10)
    assert motion.outcome.is_done
    centre = np.array([0.0, 1.0])  # normals x = 0 and x + y = 1
    away = np.linalg.norm(motion["sleigh"].position - centre, axis=1)
    np.testing.assert_allclose(away, 1.0, atol=CLOSE)


def test_three_blades_lock_it_and_the_outcome_says_so():
    m = sleigh()
    for k, (place, angle) in enumerate((((1, 0), 0.7), ((0, 1), -0.4))):
        marker = kp.Marker("sleigh", (*map(float, place), 0.0), kp.Rotation.planar(angle))
        m.add(KnifeEdge(m.ground.at(0, 0), marker), name=f"blade{k}")
    motion = m.build().simulate(until=1.0)
    assert motion.outcome.name == "Locked"


def test_drives_that_hold_what_a_blade_holds_are_refused():
    m = kp.Builder("sleigh", plane=True)
    body = m.body("sleigh", at=(0, 0), angle=0.0, inertia=ball(1.0, 0.3))
    m.add(KnifeEdge(m.ground.at(0, 0), body.at(0, 0)), name="blade")
    m.drive(body.x, start=0.0, speed=0.5)
    m.drive(body.y, start=0.0)
    m.drive(body.angle, start=0.0)
    with pytest.raises(DriveError, match="'blade' holds already"):
        m.build().simulate(until=1.0)


@pytest.mark.parametrize(
    ("ask", "word"),
    [
        (lambda m: m.kinematics(until=1.0), "simulate"),
        (lambda m: m.statics(), "damper"),
        (lambda m: m.equilibria(("roll.x", 0, 1)), "damper"),
        (lambda m: m.motions(), "take it out"),
        (lambda m: m.assemblies(), "take it out"),
        (lambda m: m.drag(), "sideways"),
        (lambda m: m.solver("roll.x"), "simulate"),
    ],
)
def test_what_has_no_answer_for_rolling_is_refused_with_advice(ask, word):
    with pytest.raises(ModelError, match=word) as refusal:
        ask(leaning_disc()[0])
    assert refusal.value.facts["joints"] == ("roll",)


def test_a_wheel_that_bounces_off_a_wall_rolls_back():
    """Rows of velocities count in an impulse: v+ = -e v- and w+ = -e w-, and 1 - e^2 is lost."""
    m = kp.Builder("wall", plane=True, gravity=(0, -G))
    wheel = m.body("wheel", at=(0, 0.3), angle=0.0, inertia=ball(2.0, 0.3, 0.5), velocity=(1, 0))
    m.add(RollingSphere(m.ground.at(0, 0).facing((0, 1, 0)), wheel.at(0, 0), radius=0.3), name="r")
    m.event(Stop(wheel.x, name="wall", high=0.5, restitution=0.6))
    motion = m.build().simulate(until=1.0, steps=20, tolerance=1e-10)
    assert [event.name for event in motion.events] == ["wall"]
    assert motion.events[0].t == pytest.approx(0.5, abs=CLOSE)
    assert motion["wheel.x"].rate[-1] == pytest.approx(-0.6, abs=CLOSE)
    assert motion["wheel.angle"].rate[-1] == pytest.approx(0.6 / 0.3, abs=CLOSE)
    kinetic = motion.energy.kinetic
    assert kinetic[-1] == pytest.approx(0.36 * kinetic[0], abs=CLOSE)


# -- a user's own --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Belt(kp.AbstractJoint):
    """The origin of J is carried along x of I at a speed, and nothing else is held."""

    speed: float = 0.0

    velocity_rows: ClassVar[tuple[str, ...]] = ("m",)

    def psi(self, X_WI, V_WI, X_WJ, V_WJ):
        return [X_WI.axis(kp.X) @ (V_WJ.v - V_WI.v) - self.speed]


@dataclass(frozen=True)
class Bent(Belt):
    def psi(self, X_WI, V_WI, X_WJ, V_WJ):
        return [V_WJ.v @ V_WJ.v - self.speed]


def carried(joint, *more):
    m = kp.Builder("belt", plane=True, gravity=(0, -G))
    box = m.body("box", at=(0, 0), angle=0.0, inertia=ball(2.0, 0.1), velocity=(0.0, 3.0))
    for k, one in enumerate((joint, *more)):
        m.add(one(m.ground.at(0, 0), box.at(0, 0)), name=f"belt{k}")
    return m.build()


@pytest.mark.parametrize("plan", ["small", "large"])
def test_a_row_of_one_s_own_with_a_speed_carries_a_body_along(plan):
    mechanism = carried(lambda I, J: Belt(I, J, speed=0.7))
    motion = mechanism.simulate(until=1.0, steps=10, tolerance=1e-10, plan=plan)
    x, y = motion["box"].position.T
    np.testing.assert_allclose(x, 0.7 * motion.t, atol=CLOSE)
    np.testing.assert_allclose(y, 3.0 * motion.t - G * motion.t**2 / 2, atol=CLOSE)


def test_rows_of_velocities_that_fight_are_refused():
    fast, slow = (lambda I, J, s=s: Belt(I, J, speed=s) for s in (0.7, 0.5))
    with pytest.raises(ModelError, match="fight each other"):
        carried(fast, slow).simulate(until=1.0)


def test_a_row_that_is_not_linear_in_the_twists_is_refused():
    with pytest.raises(FormulaError, match="not linear in the twists"):
        carried(Bent).simulate(until=1.0)


# -- numbers -------------------------------------------------------------------------------------


def test_a_fast_disc_keeps_its_energy_for_a_minute():
    """No work is done where nothing slips: to 1e-8 over 60 s of nutation."""
    m = kp.Builder("disc", gravity=(0, 0, -G))
    disc = m.body(
        "disc",
        at=(0, 0, 0.5 * math.cos(0.2)),
        rotation=kp.Rotation.with_z((math.cos(0.2), 0.0, math.sin(0.2))),
        inertia=kp.Inertia(1.0, (0, 0, 0), np.diag([0.0625, 0.0625, 0.125])),
        spin=(-8.0, 0.3, 0.5),
    )
    m.add(RollingDisc(m.ground.at(0, 0, 0), disc.at(0, 0, 0), radius=0.5), name="roll")
    motion = m.build().simulate(until=60.0, steps=60, tolerance=1e-12)
    assert motion.outcome.is_done
    energy = motion.energy
    assert np.ptp(energy.mechanical) < 1e-8 * energy.kinetic.max()


def test_efforts_that_would_move_a_wheel_count_what_does_not_slip():
    """A cylinder pushed at its centre takes m (1 + I / m r^2) x''."""
    m = kp.Builder("pushed", plane=True, gravity=(0, -G))
    wheel = m.body("wheel", at=(0, 0.3), angle=0.0, inertia=ball(2.0, 0.3, 0.5))
    m.add(RollingSphere(m.ground.at(0, 0).facing((0, 1, 0)), wheel.at(0, 0), radius=0.3), name="r")
    m.drive(wheel.x, lambda t: 0.7 * t * t)
    motion = m.build().simulate(until=1.0, steps=10, tolerance=1e-10)
    np.testing.assert_allclose(motion["wheel.x.effort"].values, 2.0 * 1.5 * 1.4, atol=1e-7)
    efforts = motion.efforts("wheel.x")["wheel.x"].effort.values
    np.testing.assert_allclose(efforts, 2.0 * 1.5 * 1.4, atol=1e-7)

"""Points and bars on curves move under forces: beads on wires, planks on rollers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from kempe import Builder, Inertia, Marker, Mechanism, Rotation, gallery
from kempe.events import Crossing, Release
from kempe.forces import Callback, SpringDamper
from kempe.geometry import X
from kempe.geometry.curves import BSpline, Circle, Ellipse, Line, Segment
from kempe.joints import BarOnCurve, PointFromCurve, PointOnCurve, Prismatic, Revolute
from kempe.measures import Displacement, Gauge

G = 9.81
#: Ten times the tolerance of the runs, over a few seconds at sizes of 1.
CLOSE = 1e-7
TIGHT = 1e-10
BEAD = Inertia(1.0, (0, 0, 0), 0.1 * np.eye(3))


def on_wire(curve, at, **start):
    m = Builder("bead on a wire", plane=True, gravity=(0, -G))
    bead = m.body("bead", at=at, angle=0.0, inertia=BEAD, **start)
    m.add(PointOnCurve(m.ground.at(0, 0), bead.at(0, 0), curve=curve), "wire")
    return m, bead


def test_a_bead_on_a_hoop_swings_as_a_pendulum():
    m, _ = on_wire(Circle((0, 0), 1.0), (1, 0))
    motion = m.build().simulate(until=2.0, steps=20, tolerance=TIGHT)
    other = Builder("pendulum", plane=True, gravity=(0, -G))
    arm = other.bar("arm", 1.0, at=(0, 0), angle=0.0, inertia=Inertia(1.0, (1, 0, 0), np.zeros(9)
                    .reshape(3, 3)))  # fmt: skip
    other.revolute(other.ground.at(0, 0), arm.start, name="pivot")
    known = other.build().simulate(until=2.0, steps=20, tolerance=TIGHT)
    assert motion.outcome.is_done
    assert np.abs(motion["bead"].position - known["arm.end"].position).max() < CLOSE
    assert np.abs(motion["wire.force"].values - known["pivot.force"].values).max() < 1e-6
    assert np.abs(motion["wire.torque"].values).max() < 1e-9  # a bead turns freely on its wire
    assert motion["wire.force"].unique == (True, True)
    assert np.ptp(motion.energy.total) < 1e-8


def test_a_bead_on_an_ellipse_moves_as_lagrange_says():
    """(x'^2 + y'^2) t'' + (x' x'' + y' y'') t'^2 = -g y',  x = 2 cos t, y = sin t."""

    def rate(_, state):
        t, w = state
        xs, ys, xss, yss = -2 * math.sin(t), math.cos(t), -2 * math.cos(t), -math.sin(t)
        return [w, (-G * ys - (xs * xss + ys * yss) * w * w) / (xs * xs + ys * ys)]

    times = np.linspace(0.0, 3.0, 31)
    known = solve_ivp(rate, (0, 3), [0.4, 2.0], t_eval=times, rtol=1e-11, atol=1e-12).y[0]
    speed = (-2 * math.sin(0.4) * 2.0, math.cos(0.4) * 2.0)
    at = (2 * math.cos(0.4), math.sin(0.4))
    m, _ = on_wire(Ellipse((0, 0), (2, 0), (0, 1)), at, velocity=speed)
    motion = m.build().simulate(until=3.0, steps=30, tolerance=TIGHT)
    expected = np.column_stack([2 * np.cos(known), np.sin(known)])
    assert np.abs(motion["bead"].position - expected).max() < CLOSE
    # The last coordinate is where on the curve it is.
    assert np.abs(motion.motion.q[:, -1] - known).max() < CLOSE


def test_a_bead_in_a_turning_hoop_stays_where_the_balance_says():
    """cos a = g / (w^2 R): a driven hoop carries its curve along, and the drive pays for it."""
    w, R = 5.0, 0.8
    a = math.acos(G / (w * w * R))
    m = Builder("turning hoop", gravity=(0, 0, -G))
    hoop = m.body("hoop", at=(0, 0, 0), inertia=Inertia(1.0, (0, 0, 0), 0.2 * np.eye(3)))
    place = (R * math.sin(a), 0, -R * math.cos(a))
    bead = m.body("bead", at=place, inertia=BEAD)
    spindle = m.add(Revolute(m.ground.at(0, 0, 0), hoop.at(0, 0, 0)), "spindle")
    m.drive(spindle.angle, speed=w)
    upright = replace(hoop.at(0, 0, 0), rotation=Rotation.about((1, 0, 0), math.pi / 2))
    m.add(PointOnCurve(upright, bead.at(0, 0, 0), curve=Circle((0, 0), R)), "hoop_wire")
    motion = m.build().simulate(until=1.0, steps=20, tolerance=TIGHT)
    p = motion["bead"].position
    assert np.abs(p[:, 2] + R * math.cos(a)).max() < CLOSE
    assert np.abs(p[:, 0] - R * math.sin(a) * np.cos(w * motion.t)).max() < CLOSE
    force = np.linalg.norm(motion["hoop_wire.force"].values, axis=1)
    assert force == pytest.approx(math.hypot(G, w * w * R * math.sin(a)), abs=1e-6)


def test_a_plank_on_a_roller_keeps_its_energy_and_is_pushed_square_to_itself():
    m = Builder("plank", plane=True, gravity=(0, -G))
    plank = Inertia(3.0, (1.0, 0, 0), np.diag([0, 1.0, 1.0]))
    bar = m.bar("plank", 2.0, at=(0, 0), angle=0.6, inertia=plank)
    m.revolute(m.ground.at(0, 0), bar.start, name="hinge")
    reach = 0.3 / math.tan(0.3)
    cart = m.body("cart", at=(reach, 0), angle=0.0, inertia=Inertia(2.0, (0, 0, 0), np.eye(3)))
    rail = (1, 0, 0)
    m.add(Prismatic(m.ground.at(0, 0).facing(rail), cart.at(0, 0).facing(rail)), "rail")
    m.force(SpringDamper(cart.x, 200.0, free=reach), "buffer")
    roller = Circle((0, 0), 0.3)
    m.add(BarOnCurve(cart.at(0, 0), bar.start, K=bar.end, curve=roller), "contact")
    motion = m.build().simulate(until=1.0, steps=40, tolerance=TIGHT)
    assert motion.outcome.is_done
    assert np.ptp(motion["plank.angle"].values) > 0.05
    assert np.ptp(motion.energy.total) < 1e-7
    angle = motion["plank.angle"].values
    along = np.column_stack([np.cos(angle), np.sin(angle)])
    push = motion["contact.force"].values
    assert np.abs((push * along).sum(axis=1)).max() < 1e-7 * np.abs(push).max()
    x = motion["cart.x"].values
    assert np.abs(x * np.sin(angle) - 0.3).max() < 1e-9  # it touches all along


@pytest.mark.parametrize("segment", [False, True])
def test_a_contact_that_keeps_to_its_bar_moves_as_one_that_need_not(segment):
    """Two numbers of its own, where on the curve and where on the bar, ride along."""
    m = Builder("plank", plane=True, gravity=(0, -G))
    plank = Inertia(3.0, (1.0, 0, 0), np.diag([0, 1.0, 1.0]))
    bar = m.bar("plank", 2.0, at=(0, 0.5), angle=0.2, inertia=plank)
    m.add(BarOnCurve(m.ground.at(1, 0.2), bar.start, K=bar.end, curve=Circle((0, 0), 0.4), bar=2.0,
                     segment=segment), "contact")  # fmt: skip
    motion = m.build().simulate(until=0.3, steps=10, tolerance=TIGHT)
    assert motion.outcome.is_done
    assert motion.motion.q.shape == (11, 3 + 1 + segment)
    assert np.ptp(motion.energy.total) < 1e-8


def test_a_ball_at_a_distance_from_a_rail_rolls_along_it():
    m = Builder("ball", plane=True, gravity=(0, -G))
    ball = m.body("ball", at=(0.0, 0.2), angle=0.0, inertia=BEAD)
    slope = Line((0.0, 0.0), (1.0, -0.5))
    m.add(PointFromCurve(m.ground.at(0, 0), ball.at(0, 0), curve=slope, length=0.15), "slope")
    motion = m.build().simulate(until=1.0, steps=10, tolerance=TIGHT)
    fallen = np.linalg.norm(motion["ball"].position - motion["ball"].position[0], axis=1)
    steep = math.sin(math.atan(0.5))
    assert fallen == pytest.approx(0.5 * G * steep * motion.t**2, abs=CLOSE)
    assert np.linalg.norm(motion["slope.force"].values, axis=1) == pytest.approx(
        G * math.cos(math.atan(0.5)), abs=1e-6
    )


def test_a_bead_that_runs_off_its_wire_ends_the_run_there():
    wire = BSpline(((0, 1), (0.5, 0), (1, 0.4), (1.6, 0)))
    m, _ = on_wire(wire, (0, 1))
    motion = m.build().simulate(until=5.0, steps=500)
    assert motion.outcome.name == "LimitReached"
    assert "'wire' runs off its curve" in motion.outcome.message
    assert 10 < len(motion) < 500
    assert motion["bead"].position[-1] == pytest.approx([1.6, 0.0], abs=0.1)
    assert np.isfinite(motion.motion.a).all()
    assert len(motion.energy.total) == len(motion)


def test_where_a_bead_is_put_beside_its_wire_is_told():
    m, _ = on_wire(Circle((0, 0), 1.0), (1.2, 0.1))
    motion = m.build().simulate(until=0.1, steps=2)
    assert any("'bead'" in note for note in motion.notes)
    assert not any("place of" in note for note in motion.notes)


def test_a_bead_that_two_curves_and_a_pin_hold_stays_and_names_only_what_the_user_made():
    m, bead = on_wire(Circle((0, 0), 1.0), (1, 0))
    m.add(PointOnCurve(m.ground.at(0, 0), bead.at(0, 0), curve=Line((0, -2), (1, 2))), "other")
    m.revolute(m.ground.at(1, 0), bead.at(0, 0), name="pin")
    motion = m.build().simulate(until=0.5, steps=2)
    assert motion.outcome.is_done
    assert np.abs(motion["bead"].position - [1.0, 0.0]).max() < 1e-12
    assert set(motion.redundant) <= {"wire", "other", "pin"}
    assert motion.motion.multipliers.shape == (3, 6)


@pytest.mark.parametrize("name", ["barton_piston", "barton_two_tracks", "barton_tangent"])
def test_mechanisms_with_curves_and_drives_move_under_their_weight_as_their_drives_say(name):
    """A drive on every freedom: simulated and swept, they are at the same places."""
    mechanism = gallery.MECHANISMS[name]()
    bodies = [
        body if body.name == "ground" else replace(body, inertia=BEAD)
        for body in mechanism.model.bodies
    ]
    heavy = Mechanism(replace(mechanism.model, bodies=tuple(bodies), gravity=(0.0, -G, 0.0)))
    swept = heavy.kinematics(until=0.2, steps=10)
    moved = heavy.simulate(until=0.2, steps=10, tolerance=TIGHT)
    assert moved.outcome.is_done
    assert np.abs(swept.motion.q - moved.motion.q).max() < 1e-6
    for joint in heavy.model.joints:
        forces = [motion[f"{joint.name}.force"] for motion in (swept, moved)]
        if all(forces[0].unique):
            largest = np.abs(forces[0].values).max()
            assert np.abs(forces[0].values - forces[1].values).max() < 1e-6 * max(largest, 1.0)


def asked_bead(until, steps, speed, **how):
    """A bead on a wavy wire, held by a Python function: the run, and when it was asked."""
    wire = BSpline(((-2, 0.5), (-1, -1), (0, 0.4), (1, -1), (2, 0.5)))
    m, _ = on_wire(wire, (-0.4, 0.0), velocity=(speed, 0.0))
    times = []

    def spring(now):
        times.append(now.t)
        return -200.0 * now.gauges[0].value

    x = Gauge("x", Displacement(X), Marker("ground"), Marker("bead"))
    m.force(Callback(spring, along=x), "spring")
    return m.build().simulate(until=until, steps=steps, **how), np.array(times)


@pytest.mark.parametrize("how", [{}, {"method": "gear"}, {"method": "fixed"}], ids=str)
def test_whoever_pushes_a_rider_is_asked_by_one_run_alone(how):
    """A controller with a memory would be led back to the start by a second one."""
    for speed, name in ((0.1, "Done"), (60.0, "LimitReached")):
        steps = 400 if how.get("method") == "fixed" else 3
        run, times = asked_bead(1.0, steps, speed, **how)
        assert run.outcome.name == name
        assert times.max() > 0.02  # far beyond the first step
        assert times[np.argmax(times > 0.01) :].min() > 0.005


def test_a_bead_that_leaves_and_comes_back_within_a_sample_is_seen_to_leave():
    """Thrown up a slope, s = v t - g t^2 / 2, it turns beyond the end at t = v / g and is back."""
    m, _ = on_wire(Segment((0, 0), (0, 1)), (0, 0.1), velocity=(0, 4.4))
    motion = m.build().simulate(until=0.85, steps=1)  # back at 0.1 + 0.196
    leaves = (4.4 - math.sqrt(4.4**2 - 2 * G * 0.9)) / G
    assert motion.outcome.name == "LimitReached"
    assert motion.outcome.facts["t"] == pytest.approx(leaves, rel=1e-6)
    assert len(motion) == 1
    m, _ = on_wire(Segment((0, 0), (0, 1)), (0, 0.1), velocity=(0, 4.1))  # up to 0.957
    assert m.build().simulate(until=0.8, steps=1).outcome.is_done


def thrown_bead(*events):
    """A bead thrown up a wire of 1 m: s = 0.1 + 3 t - g t^2 / 2, back at its foot at 0.643 s."""
    m, _ = on_wire(Segment((0, 0), (0, 1)), (0, 0.1), velocity=(0, 3.0))
    for number, event in enumerate(events):
        m.event(event, f"event {number}")
    return m.build().simulate(until=1.0, steps=10)


def test_a_bead_whose_wire_is_let_go_flies_on():
    """Its place on the wire is a body without mass, which nothing moves any more."""
    run = thrown_bead(Release("bead.y - 0.4", parts=("wire",)))
    assert run.outcome.is_done
    assert run["bead"].position[:, 1] == pytest.approx(
        0.1 + 3 * run.t - G / 2 * run.t**2, abs=CLOSE
    )
    assert np.abs(run["wire.force"].values).max() < 1e-9


def test_events_that_read_a_wire_end_where_the_bead_leaves_it():
    """What they read is asked for beyond the end of the wire too, on the way to where that is."""
    never = Crossing("wire.force.x - 100")
    late, early = Crossing("bead.y + 0.5"), Crossing("bead.y - 0.4")
    run = thrown_bead(never, late, early)
    assert run.outcome.name == "LimitReached"
    assert run.outcome.facts["t"] == pytest.approx((3 + math.sqrt(9 + 0.2 * G)) / G, abs=1e-7)
    assert [event.name for event in run.events] == ["event 2", "event 2"]
    assert len(run) == len(run.energy.total) == 7

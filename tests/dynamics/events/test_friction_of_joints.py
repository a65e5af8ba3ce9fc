"""Friction in screws, sleeves, slots and crosses: closed forms, and joints that must agree."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadConnection, BadNumber
from kempe.forces import JointFriction, Weight
from kempe.geometry import Inertia
from kempe.joints import Cylindrical, PinInSlot, Planar, Screw, Spherical, Universal

G, CLOSE = 9.81, 1e-9
WEIGHT, RADIUS = 100.0, 0.01  # kg, m
ACROSS = 0.2  # kg m^2


def jack(lead, mu, *, speed=None, **words):
    """A spindle that carries a weight and turns in a nut in the ground, upright."""
    m = kempe.Builder("jack", gravity=(0, 0, -G))
    spindle = m.body(
        "spindle", at=(0, 0, 0), inertia=Inertia(WEIGHT, (0, 0, 0), ACROSS * np.eye(3))
    )
    m.add(Screw(m.ground.at(0, 0, 0), spindle.at(0, 0, 0), lead=lead), "screw")
    turn = m.part("screw").angle
    m.force(JointFriction(turn, mu, radius=RADIUS, lead=lead, **words), "thread")
    if speed:
        m.drive(turn, speed=speed)
    return m.build()


@pytest.mark.parametrize("lead", [0.004, 0.02, -0.01])
@pytest.mark.parametrize("mu", [0.08, 0.25])
@pytest.mark.parametrize("speed", [1.5, -1.5])
def test_a_screw_jack_takes_the_torque_of_its_angles_of_lead_and_friction(lead, mu, speed):
    """T = W r tan(lambda + phi) upwards, W r tan(lambda - phi) downwards."""
    slope, phi = math.atan(lead / (math.tau * RADIUS)), math.atan(mu)
    is_up = speed * lead > 0
    way = math.copysign(1.0, speed)
    due = WEIGHT * G * RADIUS * math.tan(slope + way * phi)
    run = jack(lead, mu, speed=speed).simulate(until=0.3)
    assert run["screw.angle.effort"].values == pytest.approx(due, rel=CLOSE)
    if is_up:  # the efficiency of lifting
        useful = WEIGHT * G * abs(lead) / math.tau
        assert useful / abs(due) == pytest.approx(
            math.tan(abs(slope)) / math.tan(abs(slope) + phi), rel=CLOSE
        )
    spent = run.energy.driven[-1] - (run.energy.potential[-1] - run.energy.potential[0])
    assert run.energy.dissipated[-1] == pytest.approx(spent, rel=1e-9)


@pytest.mark.parametrize("share", [0.95, 1.05])
def test_a_screw_locks_itself_where_its_lead_is_less_steep_than_its_friction(share):
    mu = 0.15
    lead = share * mu * math.tau * RADIUS
    machine = jack(lead, 0.12, static=mu)
    run, rest = machine.simulate(until=0.5), machine.statics()
    if share < 1.0:
        assert np.ptp(run["screw.angle"].values) < 1e-12
        assert rest.holds[0].used == pytest.approx(share, rel=1e-9)
    else:
        assert not rest.outcome.is_done
        # M r z'' = W r tan(lambda - phi) with the turning inertia reduced to the axis
        t, f = lead / (math.tau * RADIUS), 0.12
        push = WEIGHT * G * RADIUS * (t - f) / (1 + f * t)
        heavy = ACROSS + WEIGHT * (RADIUS * t) * RADIUS * (t - f) / (1 + f * t)
        due = -0.5 * push / heavy * run.t**2
        assert run["screw.angle"].values == pytest.approx(due, rel=1e-7, abs=1e-12)


def test_a_stribeck_screw_reads_speeds_by_its_turn():
    """mu(v) = mu_k + (mu_s - mu_k) exp(-(v / v_s)^2), v the rate of the turn."""
    words = {"static": 0.3, "fading": 2.0, "viscous": 0.7}
    run = jack(0.01, 0.1, speed=3.0, **words).simulate(until=0.1)
    mu = 0.1 + 0.2 * math.exp(-((3.0 / 2.0) ** 2))
    t = 0.01 / (math.tau * RADIUS)
    axial = (WEIGHT * G + 0.7 * 3.0 / (1 + t * t) * t / RADIUS) / (1 - mu * t)
    due = axial * RADIUS * (t + mu) + 0.7 * 3.0 / (1 + t * t)
    assert run["screw.angle.effort"].values == pytest.approx(due, rel=CLOSE)


def sleeve(slope, joint, mu=0.2):
    """A sleeve on a rod that falls along x at a slope, in space; the rod keeps it from turning."""
    m = kempe.Builder("sleeve", gravity=(0, 0, -G))
    along = (math.cos(slope), 0, -math.sin(slope))
    body = m.body("sleeve", at=(0, 0, 0), inertia=Inertia(2.0, (0, 0, 0), 0.1 * np.eye(3)))
    ends = m.ground.at(0, 0, 0).facing(along), body.at(0, 0, 0).facing(along)
    if joint == "cylindrical":
        way = m.add(Cylindrical(*ends), "way")
        way = m.part("way").displacement
    else:
        way = m.prismatic(m.ground.at(0, 0, 0), body.at(0, 0, 0), along=along, name="way")
        way = way.displacement
    m.force(JointFriction(way, mu), "rub")
    return m


@pytest.mark.parametrize("slope", [0.1, 0.6])
def test_a_sleeve_slides_down_its_rod_as_a_block_does(slope):
    run = sleeve(slope, "cylindrical").build().simulate(until=1.0)
    a = max(0.0, G * (math.sin(slope) - 0.2 * math.cos(slope)))
    assert run["way.displacement"].values == pytest.approx(0.5 * a * run.t**2, abs=1e-9)


def test_a_sleeve_that_carries_a_moment_rubs_as_a_slider_does():
    ends = []
    for joint in ("cylindrical", "prismatic"):
        m = sleeve(0.7, joint, mu=0.05)
        m.force(Weight(m.part("sleeve").at(0, 0.3, 0.1), (0.0, 0.0, -4.0)), "aside")
        if joint == "cylindrical":  # what a slider's way keeps from turning
            m.drive(m.part("way").angle, speed=0.0)
        ends.append(m.build().simulate(until=0.5)["way.displacement"].values)
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


@pytest.mark.parametrize("fork", ["heading", "back_heading"])
def test_a_pendulum_on_a_cross_swings_as_one_on_a_hinge(fork):
    """Either arm of the cross lies along y and turns; the other stands still."""
    found = []
    for is_cross in (True, False):
        m = kempe.Builder("pendulum", gravity=(0, 0, -G))
        inertia = Inertia(2.0, (0.5, 0, 0), np.diag([0.01, 0.2, 0.2]))
        rod = m.body("rod", at=(0, 0, 0), rotation=kempe.Rotation.identity(), inertia=inertia)
        y, other = (0, 1, 0), (0, 0, 1)
        if is_cross:
            first, second = (y, other) if fork == "heading" else (other, y)
            joint = Universal(m.ground.at(0, 0, 0).facing(first), rod.at(0, 0, 0).facing(second))
            m.add(joint, "cross")
            turn = getattr(m.part("cross"), fork)
        else:
            turn = m.revolute(
                m.ground.at(0, 0, 0).facing(y), rod.at(0, 0, 0).facing(y), name="pin"
            ).angle
        m.force(JointFriction(turn, 0.3, radius=0.05), "rub")
        run = m.build().simulate(until=2.5, tolerance=1e-10)
        found.append((run["rod.z"].values, run.events, run))
    assert len(found[0][1]) == len(found[1][1]) > 1
    for a, b in zip(found[0][1], found[1][1], strict=True):
        assert a.t == pytest.approx(b.t, abs=1e-7)
    lost = [one[2].energy.dissipated[-1] for one in found]
    assert lost[0] == pytest.approx(lost[1], rel=1e-7)


def test_a_pin_in_a_slot_rubs_along_its_slot_as_a_block_does():
    m = kempe.Builder("slot", plane=True, gravity=(0, -G))
    body = m.body("pin", at=(0, 0), angle=0.0, inertia=Inertia(2.0, (0, 0, 0), 0.1 * np.eye(3)))
    slope = 0.6
    slot = m.ground.at(0, 0).facing((math.cos(slope), -math.sin(slope)))
    m.add(PinInSlot(slot, body.at(0, 0)), "slot")
    m.force(JointFriction(m.part("slot").displacement, 0.2), "rub")
    run = m.build().simulate(until=1.0)
    a = G * (math.sin(slope) - 0.2 * math.cos(slope))
    assert run["slot.displacement"].values == pytest.approx(0.5 * a * run.t**2, abs=1e-9)


def test_what_friction_of_a_joint_needs_is_said():
    m = kempe.Builder("joints")
    a, b = m.body("a", inertia=Inertia(1, (0, 0, 0), np.eye(3))), m.ground
    m.add(Screw(b.at(0, 0, 0), a.at(0, 0, 0), lead=0.01), "screw")
    screw = m.part("screw").angle
    with pytest.raises(BadNumber, match="rubs in a thread"):
        JointFriction(screw, 0.1, radius=0.01, length=0.1, lead=0.01)
    with pytest.raises(BadNumber, match="lead"):
        JointFriction(screw, 0.1, radius=0.01, lead=0.0)
    for lead, said in ((None, "has no lead: give lead=0.01"), (0.02, "a lead of 0.02 m")):
        again = kempe.Builder("joints")
        a = again.body("a", inertia=Inertia(1, (0, 0, 0), np.eye(3)))
        again.add(Screw(again.ground.at(0, 0, 0), a.at(0, 0, 0), lead=0.01), "screw")
        turn = again.part("screw").angle
        again.force(JointFriction(turn, 0.1, radius=0.01, lead=lead), "rub")
        with pytest.raises(BadConnection, match=said):
            again.build().simulate(until=0.1)
    for joint, word in ((Spherical, "about_x"), (Planar, "x")):
        again = kempe.Builder("joints")
        a = again.body("a", inertia=Inertia(1, (0, 0, 0), np.eye(3)))
        again.add(joint(again.ground.at(0, 0, 0), a.at(0, 0, 0)), "joint")
        gauge = getattr(again.part("joint"), word)
        radius = 0.01 if gauge.unit == "rad" else None
        again.force(JointFriction(gauge, 0.1, radius=radius), "rub")
        with pytest.raises(BadConnection, match="several directions at once"):
            again.build().simulate(until=0.1)


def test_friction_of_a_screw_is_a_word_of_files(tmp_path):
    machine = jack(0.004, 0.1)
    again = kempe.load(machine.save(tmp_path / "jack.yaml"))
    assert again.model.forces == machine.model.forces
    assert again.statics().holds[0].used == pytest.approx(
        0.004 / (math.tau * RADIUS * 0.1), rel=1e-9
    )

"""What drives must exert, put in and spend, against closed forms."""

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, DriveError, UnknownName
from kempe.events import Latch, Release, Stop, Switch
from kempe.forces import JointFriction, SpringDamper, TorsionSpring
from kempe.measures import Gauge

MASS, HALF, MOMENT, G = 2.0, 0.4, 0.15, 9.81
INERTIA = kempe.Inertia(MASS, (HALF, 0, 0), np.diag([0.01, MOMENT, MOMENT]))
SOLVED = 1e-11  # of the largest: the sweep and one linear system
INTEGRATED = 1e-7  # of the energies: a cubic spline over 400 samples


def arm(*, law=None, plane=True, speed=None) -> kempe.Mechanism:
    m = kempe.Builder("arm", plane=plane, gravity=(0, -G) if plane else (0, -G, 0))
    rod = m.bar("rod", 1.0, inertia=INERTIA, angle=0.3)
    hinge = m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    if law is not None:
        m.drive(hinge.angle, law, name="motor")
    return m.build()


@pytest.mark.parametrize("plane", [True, False])
def test_effort_power_and_work_of_a_drive_are_those_of_the_closed_form(plane) -> None:
    turn = arm(law=lambda t: 0.3 + 0.8 * kempe.sin(3 * t), plane=plane).kinematics(2.0, steps=400)
    t = turn.t
    angle, rate, second = 0.3 + 0.8 * np.sin(3 * t), 2.4 * np.cos(3 * t), -7.2 * np.sin(3 * t)
    about = MOMENT + MASS * HALF**2
    effort = about * second + MASS * G * HALF * np.cos(angle)
    energy = 0.5 * about * rate**2 + MASS * G * HALF * np.sin(angle)
    told = turn.efforts()["hinge.angle"]
    scale = np.abs(effort).max()
    assert np.abs(told.effort.values - effort).max() < SOLVED * scale
    assert np.abs(told.power.values - effort * rate).max() < SOLVED * scale * 3
    assert np.abs(told.work.values - (energy - energy[0])).max() < INTEGRATED * np.ptp(energy)
    assert np.array_equal(turn["motor.work"].values, turn["hinge.angle.work"].values)
    assert told.peak_effort == pytest.approx(scale, rel=1e-12)
    assert told.rms_effort == pytest.approx(np.sqrt(np.trapezoid(effort**2, t) / 2.0), rel=1e-4)
    assert told.put_in > told.energy  # some was given back on the way


def test_a_motion_that_forces_made_needs_no_effort_and_a_held_back_one_needs_it() -> None:
    swing = arm().simulate(until=1.0, steps=50)
    free = swing.efforts("hinge.angle")["hinge.angle"]
    assert free.peak_effort < 1e-7 * MASS * G * HALF
    m = arm().edit()
    m.force(SpringDamper(m.part("hinge").angle, damping=2.0), "brake")
    brake = m.build().simulate(until=1.0, steps=50)
    alone = kempe.Trajectory(arm().layout, brake.motion)  # the same motion with no brake in it
    told = alone.efforts("hinge.angle")["hinge.angle"]
    rate = brake["hinge.angle"].rate
    assert np.abs(told.effort.values + 2.0 * rate).max() < 1e-7 * np.abs(rate).max()


def test_efforts_along_measures_that_no_drive_holds_do_the_same_work() -> None:
    m = kempe.Builder("heavy four-bar", plane=True, gravity=(0, -G))
    light = kempe.Inertia(1.0, (0.5, 0, 0), np.diag([0.01, 0.02, 0.02]))
    sizes = {"crank": 1.0, "coupler": 3.0, "rocker": 2.5}
    crank, coupler, rocker = (m.bar(n, size, inertia=light) for n, size in sizes.items())
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(rocker.start, m.ground.at(3, 0))
    m.drive(crank.angle, rpm=60)
    turn = m.build().kinematics(until=1.0, steps=200)
    own = turn.efforts()["crank.angle"]
    other = turn.efforts("rocker.angle")["rocker.angle"]
    middle = slice(20, 60)  # away from the dead points of the rocker
    assert np.abs(other.power.values - own.power.values)[middle].max() < 1e-8 * own.peak_power


def test_measures_that_cannot_make_the_motion_are_refused() -> None:
    pair = kempe.gallery.double_pendulum().simulate(until=0.2, steps=4)
    joint = pair.subject.joints[0].name
    with pytest.raises(BadNumber, match="named twice"):
        pair.efforts(f"{joint}.angle", f"{joint}.angle")
    with pytest.raises(UnknownName, match="hinje"):
        pair.efforts("hinje.angle")
    still = kempe.gallery.four_bar().kinematics(until=0.1, steps=2)
    assert len(still.efforts()) == 0  # nothing weighs anything
    falling = arm(law=lambda t: 0.3 + t * t).kinematics(1.0, steps=5)
    with pytest.raises(DriveError, match="must push 'rod'"):
        kempe.Trajectory(falling.layout, falling.motion).efforts("rod.x")


def held_arm() -> tuple[kempe.Builder, Gauge]:
    m = arm().edit()
    m.rate(m.part("hinge").angle, 0.0)
    return m, m.part("hinge").angle


def by_stop(m, angle) -> str:
    m.event(Stop(angle, low=-0.5), "floor")
    return "floor"


def by_latch(m, angle) -> str:
    m.event(Latch("hinge.angle + 0.5", (angle,)), "hook")
    return "hook"


def by_friction(m, angle) -> str:
    m.force(JointFriction(angle, 0.9, radius=0.6), "rub")
    return "rub"


def by_spring_until_released(m, angle) -> str:
    m.force(TorsionSpring(angle, 9.0), "coil")
    m.event(Release("t - 0.4", ("coil",)), "cut")
    return "coil"


def by_motor_from_a_switch_on(m, angle) -> str:
    m.force(TorsionSpring(angle, 9.0), "coil")
    m.event(Switch("t - 0.4", on=("coil",)), "clutch")
    return "coil"


@pytest.mark.parametrize(
    "held", [by_stop, by_latch, by_friction, by_spring_until_released, by_motor_from_a_switch_on]
)
def test_what_holds_in_a_simulation_holds_without_a_motor(held) -> None:
    """Whatever made the motion goes on: no motor on the hinge has anything to do.

    What it is that acts beside gravity follows from the motion by hand: tau = I a + m g l cos.
    """
    m, angle = held_arm()
    name = held(m, angle)
    run = m.build().simulate(until=1.0, steps=20)
    turn = run["hinge.angle"]
    about = MOMENT + MASS * HALF**2
    tau = about * turn.acceleration + MASS * G * HALF * np.cos(turn.values)
    assert np.abs(run[f"{name}.effort"].values - tau).max() < 1e-7 * MASS * G * HALF
    assert np.abs(tau).max() > 0.1
    assert run.efforts("hinge.angle")["hinge.angle"].peak_effort < 1e-7 * MASS * G * HALF


def test_a_force_that_was_switched_off_before_a_run_exerts_nothing_in_it() -> None:
    m, angle = held_arm()
    by_spring_until_released(m, angle)
    model = m.build()
    later = model.simulate(until=1.0, steps=10, start=model.simulate(until=0.6).state(-1))
    turn = later["hinge.angle"]
    tau = (MOMENT + MASS * HALF**2) * turn.acceleration + MASS * G * HALF * np.cos(turn.values)
    assert np.abs(tau).max() < 1e-7 * MASS * G * HALF
    for word in ("effort", "power", "energy"):
        assert not later[f"coil.{word}"].values.any()
    assert later.efforts("hinge.angle")["hinge.angle"].peak_effort < 1e-7 * MASS * G * HALF


def test_a_joint_that_was_released_holds_nothing() -> None:
    """A rod let go by its pin flies; only its hinge's old measure is asked for."""
    m, _ = held_arm()
    m.event(Release("t - 0.4", ("hinge",)), "cut")
    run = m.build().simulate(until=1.0, steps=20)
    assert run.efforts("rod.angle")["rod.angle"].peak_effort < 1e-7 * MASS * G * HALF

"""Starts and positions keep the whole turns that poses do not show."""

import math
import pickle

import numpy as np
import pytest

import kempe as kp
from kempe.couplers import GearPair, RackAndPinion
from kempe.forces import SpringDamper
from kempe.joints import Revolute

ONE = kp.Inertia(1.0, (0, 0, 0), np.eye(3))
EXACT = 1e-7  # of a simulation to 1e-8
WOUND = (10.0, -7.0, 3.0 * math.pi, 100.0)  # rad


def sprung_hinge(plane):
    """A body of 1 kg m^2 on a hinge with 1 N m/rad: its angle is a cos(t)."""
    m = kp.Builder("hinge", plane=plane)
    origin = (0, 0) if plane else (0, 0, 0)
    body = m.body("body", inertia=ONE)
    hinge = m.revolute(m.ground.at(*origin), body.at(*origin), name="hinge")
    m.force(SpringDamper(hinge.angle, stiffness=1.0), "spring")
    return m.build()


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("angle", WOUND)
def test_a_wound_spring_swings_as_its_closed_form_says(angle, plane):
    mechanism = sprung_hinge(plane)
    start = mechanism.assemble(values={"hinge.angle": angle})
    assert start["hinge.angle"] == pytest.approx(angle)
    swing = mechanism.simulate(until=0.8, steps=8, start=start)
    np.testing.assert_allclose(
        swing["hinge.angle"].values, angle * np.cos(swing.t), atol=EXACT * abs(angle)
    )
    assert swing["spring.effort"].values[0] == pytest.approx(-angle)


@pytest.mark.parametrize("angle", WOUND)
@pytest.mark.parametrize("through", ["state", "trajectory", "file"])
def test_a_run_that_goes_on_from_another_keeps_its_turns(angle, through, tmp_path):
    mechanism = sprung_hinge(plane=False)
    first = mechanism.simulate(
        until=0.8, steps=8, start=mechanism.assemble(values={"hinge.angle": angle})
    )
    start = {"state": first.state(), "trajectory": first}.get(through)
    if start is None:
        start = kp.Trajectory.load(first.save(tmp_path / "first.npz")).state()
    then = mechanism.simulate(until=0.7, steps=7, start=start)
    np.testing.assert_allclose(
        then["hinge.angle"].values, angle * np.cos(0.8 + then.t), atol=EXACT * abs(angle)
    )


@pytest.mark.parametrize("measure", ["hinge.angle", "slide.displacement"])
def test_a_rack_starts_as_far_as_its_pinion_has_turned(measure):
    m = kp.Builder("rack")
    pinion, rack = m.body("pinion", inertia=ONE), m.body("rack", inertia=ONE)
    hinge = m.revolute(m.ground.at(0, 0, 0), pinion.at(0, 0, 0), name="hinge")
    slide = m.prismatic(m.ground.at(0, -0.1, 0), rack.at(0, 0, 0), name="slide")
    m.couple(RackAndPinion((slide.displacement, hinge.angle), radius=0.1, constant=0.0), "mesh")
    m.force(SpringDamper(hinge.angle, stiffness=1.0), "spring")
    mechanism = m.build()
    start = mechanism.assemble(values={measure: 7.0 if measure == "hinge.angle" else 0.7})
    run = mechanism.simulate(until=0.1, steps=2, start=start)
    assert run["hinge.angle"].values[0] == pytest.approx(7.0)
    assert run["slide.displacement"].values[0] == pytest.approx(0.7)
    assert run["spring.effort"].values[0] == pytest.approx(-7.0)


def test_an_assembly_near_a_state_has_its_turns():
    mechanism = sprung_hinge(plane=False)
    state = mechanism.simulate(
        until=0.1, steps=2, start=mechanism.assemble(values={"hinge.angle": 9.0})
    ).state()
    assert mechanism.assemble(near=state)["hinge.angle"] == pytest.approx(9.0 * math.cos(0.1))


OVER = [[1, 0, 0], [0, -1, 0], [0, 0, -1]]
ROTATIONS = {
    "planar": kp.Rotation.planar(0.3),
    "about": kp.Rotation.about((0, 0, 1), 0.3),
    "matrix": kp.Rotation.from_matrix(kp.Rotation.planar(0.3).matrix()),
    "turned over": kp.Rotation.from_matrix(OVER),
}
TEETH = (20, 10)


def geared(plane: bool, R: kp.Rotation, start: float) -> kp.Mechanism:
    """Two wheels about one axis, a : b as their teeth; the first turns by 10 rad/s."""
    m = kp.Builder("wheels", plane=plane)
    for name in "ab":
        m.body(name, at=(0, 0) if plane else (0, 0, 0))
        pair = [kp.Marker(on, (0, 0, 0), R) for on in ("ground", name)]
        m.add(Revolute(*pair), f"h{name}")
    A, B = m.part("ha").angle, m.part("hb").angle
    m.couple(GearPair((A, B), teeth=TEETH))
    m.drive(A, speed=10.0, start=start)
    return m.build()


@pytest.mark.parametrize("spelt", ROTATIONS)
@pytest.mark.parametrize("plane", [True, False])
def test_positions_of_geared_wheels_have_the_turns_of_their_samples(plane, spelt):
    wheels = geared(plane, ROTATIONS[spelt], 0.0)
    turn = wheels.kinematics(until=3.0, steps=3)
    for k, t in enumerate(turn.t):
        now = turn.state(k)
        assert [now["ha.angle"], now["hb.angle"]] == pytest.approx([10 * t, -20 * t], abs=1e-9)
    on = geared(plane, ROTATIONS[spelt], 30.0).kinematics(until=3.0, steps=3, start=turn.state())
    np.testing.assert_allclose(on["ha.angle"].values, 30.0 + 10.0 * on.t, atol=1e-9)
    np.testing.assert_allclose(on["hb.angle"].values, -60.0 - 20.0 * on.t, atol=1e-9)


@pytest.mark.parametrize("spelt", ROTATIONS)
@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("door", ["assemble", "drag", "solver", "values", "at"])
def test_every_door_reads_the_turns_of_geared_wheels(door, plane, spelt):
    wheels = geared(plane, ROTATIONS[spelt], 0.0)
    end = wheels.kinematics(until=3.0, steps=3).state()
    position = {
        "assemble": lambda: wheels.assemble(end),
        "drag": lambda: wheels.drag(start=end).trajectory.state(),
        "solver": lambda: wheels.solver().update({"ha.angle": 30.0}),
        "values": lambda: wheels.assemble(values={"ha.angle": 30.0}),
        "at": lambda: wheels.assemble(at=3.0),
    }[door]()
    found = [position["ha.angle"], position["hb.angle"]]
    assert found == pytest.approx([30.0, -60.0], abs=1e-9)
    again = pickle.loads(pickle.dumps(position))
    assert [again["ha.angle"], again["hb.angle"]] == found


def test_what_is_set_counts_before_what_a_start_has_turned():
    wheels = geared(False, ROTATIONS["planar"], 0.0)
    end = wheels.kinematics(until=3.0, steps=3).state()
    back = wheels.assemble(end, values={"ha.angle": 30.0 - 4 * math.tau})
    assert back["ha.angle"] == pytest.approx(30.0 - 4 * math.tau)
    assert back["hb.angle"] == pytest.approx(-60.0 + 8 * math.tau)


@pytest.mark.parametrize(
    "name",
    ["wobble_plate", "cardan", "rssr", "bennett", "spatial_slider_crank", "whitworth", "four_bar"],
)
def test_a_position_reads_every_angle_as_its_sample_does(name):
    turn = getattr(kp.gallery, name)().kinematics(until=2.0, steps=24)
    last = turn.state()
    kept = pickle.loads(pickle.dumps(last))
    for word in (n for n, known in turn.registry.channels.items() if known.unit == "rad"):
        right = pytest.approx(turn[word].values[-1], abs=1e-9, nan_ok=True)
        assert last[word] == right, word
        assert kept[word] == right, word


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("more", [0.0, 0.3])
def test_wheels_turn_as_often_as_a_drive_that_starts_elsewhere_than_the_state(plane, more):
    """The drive begins at 0 again, and 20 A + 31 W = 0 as where the gears were meshed."""
    m = kp.Builder("gears", plane=plane)
    a, w = m.bar("a", 0.3, at=(0, 0), angle=0.0), m.bar("w", 0.2, at=(3, 0), angle=0.0)
    m.revolute(m.ground.at(0, 0), a.start, name="A")
    m.revolute(m.ground.at(3, 0), w.start, name="W")
    m.couple(GearPair((a.angle, w.angle), teeth=(20, 31)))
    m.drive(a.angle, speed=1.0)
    mechanism = m.build()
    solver = mechanism.solver()
    solver.update({"a.angle": 2000 * math.pi + more})
    run = mechanism.kinematics(until=1.0, steps=10, start=solver.state)
    np.testing.assert_allclose(run["A.angle"].values, run.t, atol=1e-9)
    np.testing.assert_allclose(run["W.angle"].values, -20 / 31 * run.t, atol=1e-9)

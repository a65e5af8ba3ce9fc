"""Equilibria against closed forms: where it rests, whether it stays, what joints carry."""

import numpy as np
import pytest

import kempe
from kempe.drives import Ramp
from kempe.errors import BadNumber, ModelError, UnknownName
from kempe.events import Stop
from kempe.forces import (
    Acting,
    Actuator,
    AppliedLoad,
    Axes,
    Callback,
    LineSpring,
    SpringDamper,
    TorsionSpring,
    Weight,
)
from kempe.geometry import Inertia
from kempe.joints import Spherical

G = 9.81
EXACT = 1e-11  # m, rad, or of a force: Newton's method ends in rounding
BAR = Inertia(2.0, (0.4, 0, 0), np.diag([0.01, 0.15, 0.15]))


def pendulum(angle: float, *, plane: bool = True) -> kempe.Builder:
    m = kempe.Builder("pendulum", plane=plane, gravity=(0, -G) if plane else (0, -G, 0))
    rod = m.bar("rod", 1.0, inertia=BAR, angle=angle)
    m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    return m


def carriage(*, stiffness: float = 0.0, mass: float = 3.0, at: float = 0.3) -> kempe.Builder:
    """A mass on an upright rail, and a spring under it."""
    m = kempe.Builder("carriage", plane=True, gravity=(0, -G))
    body = m.body("mass", at=(0, at), inertia=Inertia(mass, np.zeros(3), np.eye(3)))
    m.prismatic(m.ground.at(0, 0), body.at(0, 0), along=(0, 1, 0), name="rail")
    if stiffness:
        spring = LineSpring(m.ground.at(0, -1), body.at(0, 0), stiffness=stiffness, free=1.0)
        m.force(spring, "spring")
    return m


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("angle", [0.3, 1.5, 3.0, -1.0])
def test_a_pendulum_hangs_and_its_hinge_carries_the_weight(plane, angle):
    rest = pendulum(angle, plane=plane).build().statics()
    assert rest.outcome.is_done
    assert rest.stable is True
    assert abs(np.cos(rest["hinge.angle"])) < EXACT
    assert np.sin(rest["hinge.angle"]) < 0
    assert rest["hinge.force"][:2] == pytest.approx([0.0, 2.0 * G], abs=1e-12)
    # J for one rad, the rod's centre 0.4 from the hinge: of a displacement whose length, with the
    # centre's way in sizes of the machine, is 1
    size = rest.trajectory.layout.size
    assert rest.stiffness == pytest.approx([2.0 * G * 0.4 / (1.0 + (0.4 / size) ** 2)], rel=1e-9)
    assert rest.found.motion.potential == pytest.approx([-2.0 * G * 0.4])


def test_a_pendulum_balanced_upright_is_pushed_off_and_says_so_or_stays_on_request():
    upright = pendulum(np.pi / 2).build()
    fallen = upright.statics()
    assert fallen.stable is True
    assert "balanced where it does not stay" in fallen.notes[0]
    kept = upright.statics(seek="nearest")
    assert kept.stable is False
    assert kept.verdict == "unstable"
    assert abs(kept["hinge.angle"] - np.pi / 2) < EXACT
    assert "rod turns about (0, 0)" in kept.report
    near = pendulum(1.4).build().statics(seek="nearest")
    assert near.stable is False


def test_a_mass_on_a_spring_sinks_by_its_weight_over_the_stiffness():
    rest = carriage(stiffness=500.0).build().statics()
    assert rest["rail.displacement"] == pytest.approx(-3.0 * G / 500.0, abs=1e-13)
    assert rest["spring.length"] == pytest.approx(1.0 - 3.0 * G / 500.0)
    assert rest.stable is True


def test_a_spring_as_soft_as_a_thread_is_followed_a_long_way_down():
    m = carriage(mass=3.0)
    spring = SpringDamper(m.part("rail").displacement, stiffness=1e-3)
    m.force(spring, "thread")
    rest = m.build().statics()
    assert rest["rail.displacement"] == pytest.approx(-3.0 * G / 1e-3, rel=1e-12)


def test_a_torsion_spring_is_unwound_over_many_turns():
    m = kempe.Builder("drum", plane=True)
    drum = m.body("drum", inertia=Inertia(1.0, np.zeros(3), np.eye(3)))
    hinge = m.revolute(m.ground.at(0, 0), drum.at(0, 0), name="hinge")
    m.force(TorsionSpring(hinge.angle, stiffness=0.5, theta_0=0.0), "coil")
    m.force(Actuator(hinge.angle, Ramp(20.0)), "motor")
    rest = m.build().statics()
    assert rest.stable is True
    assert rest["coil.angle"] == pytest.approx(40.0, rel=1e-12)


def wheel(angle: float, free: float) -> kempe.Mechanism:
    """A wheel in space that a torsion spring of 2 N m/rad turns to an angle of many turns."""
    m = kempe.Builder("wheel")
    turned = kempe.Rotation.about((0, 0, 1), angle)
    inertia = Inertia(1.0, np.zeros(3), np.eye(3))
    body = m.body("wheel", at=(0, 0, 0), rotation=turned, inertia=inertia)
    hinge = m.revolute(m.ground.at(0, 0, 0), body.at(0, 0, 0), name="hinge")
    m.force(SpringDamper(hinge.angle, stiffness=2.0, free=free), "spring")
    return m.build()


def test_whole_turns_in_space_are_those_that_the_spring_has_counted():
    machine = wheel(0.5, 9.0)
    rest = machine.statics()
    assert rest["hinge.angle"] == pytest.approx(9.0, abs=EXACT)
    assert rest["spring.effort"] == pytest.approx(0.0, abs=EXACT)
    assert rest["spring.energy"] == pytest.approx(0.0, abs=EXACT)
    assert machine.linearize().state["hinge.angle"] == pytest.approx(9.0, abs=EXACT)
    swing = machine.simulate(until=1.0, steps=2, start=rest)
    np.testing.assert_allclose(swing["hinge.angle"].values, 9.0, atol=1e-9)
    path = machine.equilibria(("spring.free", 0.5, 20.0), steps=3)
    np.testing.assert_allclose(path["hinge.angle"], [0.5, 7.0, 13.5, 20.0], atol=1e-9)


def test_it_rests_where_only_rounding_pushes_it():
    rest = wheel(0.5, 0.5).statics()
    assert rest.outcome.is_done
    assert rest["hinge.angle"] == pytest.approx(0.5, abs=EXACT)


@pytest.mark.parametrize("length", [1e-3, 1.0, 1e3])
def test_the_stiffness_of_a_lever_is_the_same_at_every_size(length):
    """m g L = 1 J at 45 degrees to its size: half of it goes with a way of one size."""
    m = kempe.Builder("lever", plane=True, gravity=(0, -1.0 / length))
    inertia = Inertia(1.0, (length, 0, 0), 0.1 * length**2 * np.eye(3))
    arm = m.body("arm", at=(0, 0), angle=-1.0, inertia=inertia)
    m.revolute(m.ground.at(0, 0), arm.at(0, 0), name="hinge")
    assert m.build().statics().stiffness[0] == pytest.approx(0.5, rel=1e-9)


@pytest.mark.parametrize("stiffness", [1e-9, 1.0, 1e12])
def test_a_preload_of_any_size_is_found(stiffness):
    """0.3 m above a spring that is free at 1 m: it takes 0.7 m times its stiffness."""
    m = carriage()
    m.gravity = (0.0, 0.0, 0.0)
    spring = SpringDamper(m.part("rail").displacement, stiffness=stiffness, free=1.0)
    m.force(spring, "spring")
    held = m.build().preload("spring.preload")
    assert held.values["spring.preload"] == pytest.approx(-0.7 * stiffness, rel=1e-9)


def toggle(y: float) -> kempe.Mechanism:
    """A point on an upright rail between two springs that are too long for the straight line."""
    m = kempe.Builder("toggle", plane=True)
    body = m.body("pin", at=(0, y), inertia=Inertia(1.0, np.zeros(3), np.eye(3)))
    m.prismatic(m.ground.at(0, 0), body.at(0, 0), along=(0, 1, 0), name="rail")
    for side in (-1.0, 1.0):
        spring = LineSpring(m.ground.at(side, 0), body.at(0, 0), stiffness=100.0, free=1.25)
        m.force(spring, f"spring{side:g}")
    m.force(Weight(body.at(0, 0), (0.0, 0.0, 0.0)), "load")
    return m.build()


def test_a_toggle_has_two_stable_equilibria_and_an_unstable_one_between_them():
    for y, end in ((0.2, 0.75), (-0.1, -0.75), (2.0, 0.75)):
        rest = toggle(y).statics()
        assert rest.stable is True
        assert rest["rail.displacement"] == pytest.approx(end, abs=EXACT)
    flat = toggle(0.05).statics(seek="nearest")
    assert flat.stable is False
    assert abs(flat["rail.displacement"]) < EXACT
    assert flat.stiffness == pytest.approx([2 * 100.0 * (1 - 1.25) * flat_size(flat) ** 2])


def flat_size(rest) -> float:
    return rest.trajectory.layout.size


def test_a_toggle_snaps_through_at_the_largest_load_it_can_carry():
    """P(y) = 2 k y (1 - L0 / sqrt(1 + y^2)) is largest where (1 + y^2)^(3/2) = L0."""
    y = np.sqrt(1.25 ** (2 / 3) - 1.0)
    largest = -2 * 100.0 * y * (1.0 - 1.25 / np.sqrt(1 + y * y))

    @kempe.parametric
    def pressed(push=0.0):
        m = toggle(0.7).edit()
        m.remove("load")
        m.force(Weight(m.part("pin").at(0, 0), (0.0, -float(push), 0.0)), "load")
        return m.build()

    path = pressed().equilibria(("push", 0.1, 2.0 * largest), steps=24)
    assert path.outcome.name == "Bifurcation"
    assert path.outcome.advice == (
        'It snaps to another one: through="snap" goes on there. The equilibria so far are kept.'
    )
    assert path.outcome.facts["value"] == pytest.approx(largest, rel=2e-3)
    assert path.stable.all()
    places = path["rail.displacement"]
    pushes = -2 * 100.0 * places * (1.0 - 1.25 / np.sqrt(1 + places**2))
    assert pushes == pytest.approx(-path.values, abs=1e-8) or pushes == pytest.approx(
        path.values, abs=1e-8
    )
    snapped = pressed().equilibria(("push", 0.1, 2.0 * largest), steps=24, through="snap")
    assert snapped.outcome.is_done
    assert len(snapped.snaps) == 1
    assert snapped["rail.displacement"][-1] < -0.75
    assert len(path.plot("rail.displacement").axes) == 1
    assert set(path.columns("pin")) == {"push", "stable", "pin.x", "pin.y"}


def test_a_held_measure_is_moved_through_its_equilibria_and_tells_its_effort():
    path = pendulum(0.0).build().equilibria(("hinge.angle", "0 deg", "90 deg"), steps=6)
    angles = np.radians(np.linspace(0, 90, 7))
    assert path["hinge.angle"] == pytest.approx(angles, abs=1e-12)
    assert path["hinge.angle.effort"] == pytest.approx(2.0 * G * 0.4 * np.cos(angles), abs=1e-10)
    assert path.trajectory.names == path.equilibria[0].trajectory.names


def test_drives_hold_what_they_hold_at_the_time_that_is_asked_for():
    m = pendulum(0.0)
    m.drive(m.part("hinge").angle, start=0.2, speed=0.5)
    rest = m.build().statics(at="2 s")
    assert rest["hinge.angle"] == pytest.approx(1.2)
    assert rest["hinge.angle.effort"] == pytest.approx(2.0 * G * 0.4 * np.cos(1.2), rel=1e-12)
    assert rest.stable is True
    assert "hold all of it" in rest.report


def test_what_nothing_holds_falls_for_ever_and_that_is_said():
    loose = carriage().build().statics()
    assert loose.outcome.name == "Diverged"
    assert "'mass' goes on for ever along y" in loose.outcome.message
    assert "Hold 'mass'" in loose.outcome.advice
    assert loose.stable is None
    assert np.isfinite(loose["mass"]).all()
    m = kempe.Builder("free", gravity=(0, 0, -G))
    m.body("stone", inertia=Inertia(1.0, (0.1, 0, 0), np.eye(3)))
    free = m.build().statics()
    assert free.outcome.name == "Diverged"
    assert "'stone' goes on for ever along z" in free.outcome.message


def test_a_motor_stronger_than_the_weight_turns_for_ever():
    m = pendulum(0.0)
    m.force(Actuator(m.part("hinge").angle, Ramp(12.0)), "motor")
    spun = m.build().statics()
    assert spun.outcome.name == "Diverged"
    assert "'rod' turns on for ever" in spun.outcome.message
    weak = pendulum(0.0)
    weak.force(Actuator(weak.part("hinge").angle, Ramp(4.0)), "motor")
    rest = weak.build().statics()
    assert rest.stable is True
    assert 2.0 * G * 0.4 * np.cos(rest["hinge.angle"]) == pytest.approx(4.0, rel=1e-11)
    none = m.build().statics(seek="nearest")
    assert none.outcome.name == "Diverged"


def test_a_body_that_may_slide_freely_is_marginal_and_named():
    m = kempe.Builder("slide", plane=True, gravity=(0, -G))
    body = m.body("sled", inertia=Inertia(1.0, np.zeros(3), np.eye(3)))
    m.prismatic(m.ground.at(0, 0), body.at(0, 0), along=(1, 0, 0))
    rest = m.build().statics()
    assert rest.outcome.is_done
    assert rest.stable is None
    assert rest.verdict == "marginal"
    assert rest.directions[0].bodies == ("sled",)
    assert "sled slides along" in rest.report


def test_springs_alone_hold_bodies_without_mass():
    m = kempe.Builder("two springs", plane=True)
    body = m.body("knot", at=(0.3, 0.4))
    m.prismatic(m.ground.at(0, 0), body.at(0, 0), along=(1, 0, 0), name="rail")
    m.force(LineSpring(m.ground.at(-1, 0), body.at(0, 0), stiffness=30.0, free=0.2), "left")
    m.force(LineSpring(m.ground.at(1, 0), body.at(0, 0), stiffness=10.0, free=0.2), "right")
    rest = m.build().statics()
    # 30 (1 + x - 0.2) = 10 (1 - x - 0.2)
    assert rest["rail.displacement"] == pytest.approx(-0.4, abs=EXACT)
    assert rest.stable is True


@pytest.mark.parametrize("angle", [0.0, 0.5, -2.0])  # at 0 the rope begins where it ends
def test_a_rope_that_hangs_loose_still_lets_the_rest_find_its_place(angle):
    m = pendulum(angle)
    rod = m.part("rod")
    m.force(
        LineSpring(m.ground.at(1, 0), rod.end, stiffness=50.0, free=0.8, acting=Acting.TENSION),
        "rope",
    )
    rest = m.build().statics()
    angle = rest["hinge.angle"]
    assert rest.outcome.is_done
    along = 2.0 * G * 0.4 * np.cos(angle)  # the torque of the weight
    end = np.array([np.cos(angle), np.sin(angle)])
    reach = np.array([1.0, 0.0]) - end
    length = np.linalg.norm(reach)
    pull = 50.0 * max(length - 0.8, 0.0) * reach / length
    assert end[0] * pull[1] - end[1] * pull[0] == pytest.approx(along, abs=1e-9)


def test_a_function_of_the_users_own_is_balanced_too():
    m = pendulum(0.0)
    hinge = m.part("hinge")
    m.force(Callback(lambda now: -3.0 * now.gauges[0].value, along=hinge.angle), "magnet")
    rest = m.build().statics()
    angle = rest["hinge.angle"]
    assert rest.outcome.is_done
    assert -3.0 * angle == pytest.approx(2.0 * G * 0.4 * np.cos(angle), abs=1e-8)


def test_a_follower_force_beyond_its_bound_makes_a_column_flutter():
    """Ziegler's column: two bars, springs c, tip force along the last; it flutters at 2.086 c/l.

    Masses 2 m at the joint and m at the tip. Source: [Ziegler] (P = (7/2 - sqrt 2) c / l).
    """
    bound = 3.5 - np.sqrt(2.0)

    def column(push: float) -> kempe.Mechanism:
        m = kempe.Builder("column", plane=True)
        lower = m.bar("lower", 1.0, inertia=Inertia(2.0, (1, 0, 0), np.zeros((3, 3))), angle=0.0)
        upper = m.bar("upper", 1.0, inertia=Inertia(1.0, (1, 0, 0), np.zeros((3, 3))), angle=0.0)
        first = m.revolute(m.ground.at(0, 0), lower.start, name="first")
        second = m.revolute(lower.end, upper.start, name="second")
        m.force(SpringDamper(first.angle, stiffness=1.0), "c1")
        m.force(SpringDamper(second.angle, stiffness=1.0), "c2")
        laws = (Ramp(-push), Ramp(0.0), Ramp(0.0))
        m.force(AppliedLoad(upper.end, force=laws, axes=Axes.MARKER), "follower")
        return m.build()

    below, above = column(bound - 1e-3).statics(), column(bound + 1e-3).statics()
    assert below.stable is True
    assert not below.found.is_conservative
    assert above.stable is False
    assert above.found.flutters
    assert "flutters" in above.report


def test_a_bead_rests_at_the_bottom_of_its_wire():
    bead = kempe.gallery.bead_on_wire()
    rest = bead.statics()
    assert rest.outcome.is_done
    lower = bead.simulate(until=0.05, steps=2)
    assert rest.found.motion.potential[0] <= lower.energy.potential.min() + 1e-12


def rest_of_a_loop(m):
    """Where three bars rest that hang in a row from two pivots, by hinges A, B, C and D."""
    sizes = {"a": 1.0, "b": 2.0, "c": 1.5}
    turns = {"a": -1.0, "b": -0.2, "c": -1.5}
    a, b, c = (m.bar(n, s, inertia=BAR, angle=turns[n]) for n, s in sizes.items())
    m.revolute(m.ground.at(0, 0), a.start, name="A")
    m.revolute(a.end, b.start, name="B")
    m.revolute(b.end, c.end, name="C")
    m.revolute(c.start, m.ground.at(2, 0), name="D")
    return m.build().statics()


def test_redundant_hinges_rest_and_say_which_forces_are_not_determined():
    rest = rest_of_a_loop(kempe.Builder("spatial loop", gravity=(0, -G, 0)))
    same = rest_of_a_loop(kempe.Builder("flat loop", plane=True, gravity=(0, -G)))
    assert rest.stable is True
    assert rest.found.motion.redundant
    assert not all(rest.trajectory["A.torque"].unique)
    for joint in "ABCD":
        assert rest[f"{joint}.force"][:2] == pytest.approx(same[f"{joint}.force"], rel=1e-7)


def test_a_rigid_body_hung_by_a_ball_finds_its_lowest_place_from_anywhere(rng):
    for _ in range(4):
        m = kempe.Builder("bob", gravity=(0, 0, -G))
        way = kempe.Rotation.with_z(tuple(rng.normal(size=3)))
        body = m.body("bob", rotation=way, inertia=Inertia(1.0, (0, 0, -0.6), np.eye(3) * 0.1))
        m.add(Spherical(m.ground.at(0, 0, 0), body.at(0, 0, 0)), "ball")
        rest = m.build().statics()
        assert rest.outcome.is_done
        assert rest.found.motion.potential[0] == pytest.approx(-0.6 * G, rel=1e-12)
        assert rest.verdict == "marginal"  # it may turn about the upright line
        assert (rest.stiffness[1:] > 0).all()


def test_an_equilibrium_starts_other_analyses_and_stays_put():
    mechanism = carriage(stiffness=500.0).build()
    rest = mechanism.statics()
    run = mechanism.simulate(until=1.0, steps=10, start=rest)
    assert np.ptp(run["rail.displacement"].values) < 1e-12
    again = mechanism.statics(rest)
    assert again["rail.displacement"] == pytest.approx(rest["rail.displacement"], abs=1e-13)
    assert again.found.motion.counts["steps"] <= 2


def test_a_preload_holds_a_pose_that_was_asked_for():
    m = pendulum(0.6)
    m.force(SpringDamper(m.part("hinge").angle, stiffness=7.0), "coil")
    wanted = m.build()
    held = wanted.preload("coil.preload")
    assert held.outcome.is_done
    need = 2.0 * G * 0.4 * np.cos(0.6) + 7.0 * 0.6
    assert held.values == {"coil.preload": pytest.approx(need, rel=1e-11)}
    assert held.mechanism.statics()["hinge.angle"] == pytest.approx(0.6, abs=1e-10)
    free = wanted.preload("coil.free")
    assert free.values["coil.free"] == pytest.approx(0.6 + 2.0 * G * 0.4 * np.cos(0.6) / 7.0)
    pose = wanted.preload("coil.preload", wanted.assemble(values={"hinge.angle": -0.2}))
    assert pose.values["coil.preload"] == pytest.approx(2 * G * 0.4 * np.cos(0.2) - 1.4, rel=1e-10)


def test_a_preload_that_cannot_hold_a_pose_says_what_is_left():
    double = kempe.gallery.double_pendulum().edit()
    hinge = double.build().model.joints[0].name
    double.force(SpringDamper(double.part(hinge).angle, stiffness=1.0), "coil")
    failed = double.build().preload("coil.preload")
    assert failed.outcome.name == "Diverged"
    assert "2 freedoms" in failed.outcome.advice
    assert failed.equilibrium.stable is None


def test_nonsense_is_refused_in_one_sentence():
    hung = pendulum(0.3).build()
    with pytest.raises(BadNumber, match="seek='best'"):
        hung.statics(seek="best")
    with pytest.raises(ModelError, match="no masses and no forces"):
        kempe.gallery.four_bar().statics()
    with pytest.raises(BadNumber, match="a start is"):
        hung.statics(start=3)
    with pytest.raises(UnknownName, match=r"no parameter 'coil.preload'"):
        hung.preload("coil.preload")
    with pytest.raises(BadNumber, match="over="):
        hung.equilibria("hinge.angle")
    with pytest.raises(BadNumber, match="steps"):
        hung.equilibria(("hinge.angle", 0, 1), steps=0)
    with pytest.raises(BadNumber, match="two different ends"):
        hung.equilibria(("hinge.angle", 1, 1))
    with pytest.raises(UnknownName):
        hung.equilibria(("hinje.angle", 0, 1))
    with pytest.raises(BadNumber, match="each once"):
        hung.preload(())


def test_a_stop_carries_what_a_spring_does_not():
    m = carriage(stiffness=500.0)
    m.event(Stop(m.part("rail").displacement, low=0.2), "buffer")
    rest = m.build().statics()
    assert rest["rail.displacement"] == pytest.approx(0.2, abs=1e-12)
    assert rest["buffer.effort"] == pytest.approx(3.0 * G + 500.0 * 0.2, rel=1e-12)


def test_drives_stand_where_the_motion_that_it_starts_from_has_left_them():
    m = pendulum(0.0)
    m.drive(m.part("hinge").angle, start=0.2, speed=0.5)
    driven = m.build()
    turn = driven.kinematics(until=2.0, steps=4)
    for start, angle in ((turn, 1.2), (turn.state(2), 0.7)):
        assert driven.statics(start)["hinge.angle"] == pytest.approx(angle)


def test_what_is_found_can_be_sent_to_another_process():
    import pickle

    mechanism = carriage(stiffness=500.0).build()
    rest = mechanism.statics()
    again = pickle.loads(pickle.dumps(rest))
    assert again["rail.displacement"] == rest["rail.displacement"]
    assert again.report == rest.report
    swing = pickle.loads(pickle.dumps(mechanism.linearize(rest)))
    assert swing.frequencies == pytest.approx([np.sqrt(500.0 / 3.0) / (2 * np.pi)])


def test_a_preload_that_cannot_hold_everything_says_what_more_is_needed():
    m = pendulum(0.6)
    arm = m.bar("arm", 0.5, inertia=BAR)
    m.revolute(m.part("rod").end, arm.start, name="elbow")
    m.force(SpringDamper(m.part("hinge").angle, stiffness=7.0), "coil")
    outcome = m.build().preload("coil.preload").outcome
    assert outcome.name == "Diverged"
    assert outcome.message.startswith("no value of 'coil.preload' holds 'pendulum' there: ")
    assert outcome.advice == (
        "What was found is the nearest. It has 2 freedoms there, and 1 parameter is free: name more"
        " of them."
    )
    m.force(SpringDamper(m.part("elbow").angle, stiffness=7.0), "other")
    assert m.build().preload(["coil.preload", "other.preload"]).outcome.is_done

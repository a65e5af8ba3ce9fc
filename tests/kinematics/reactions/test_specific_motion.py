"""A mechanism's constraints and forces in specific coordinates are those in twists."""

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, ModelError, SingularCoordinates, UnknownName
from kempe.events import Latch, Release
from kempe.forces import LineSpring, TorsionSpring
from kempe.geometry.rotations import GimbalLock
from kempe.geometry.specific import (
    AbstractOrientator,
    BodyCoordinates,
    Cylindrical,
    DirectionCosines,
    EulerAngles,
    EulerParameters,
    RodriguesParameters,
    TwoAxes,
)
from kempe.kinematics.reactions.specific_motion import specific_motion

# Relative to the largest number of what is compared.
EQUAL = 1e-12
# The sweep itself solves for accelerations with redundant rows left out: its rounding comes on top.
SWEPT = 1e-10
ORIENTATORS: list[AbstractOrientator] = [
    EulerAngles("XYX"),
    EulerAngles("XYZ"),
    EulerAngles("zyx"),
    EulerParameters(),
    RodriguesParameters(),
    TwoAxes(),
    DirectionCosines(),
]
ROD = kempe.Inertia(2.0, np.array([0.05, 0.02, -0.03]), np.diag([0.02, 0.05, 0.06]))


def apart(a: np.ndarray, b: np.ndarray) -> float:
    return float(abs(a - b).max() / max(1.0, abs(b).max()))


def arms(*, driven: bool) -> kempe.Mechanism:
    """A swinging arm with a second arm on a skew axis, both heavy."""
    m = kempe.Builder("skew arms", gravity=(0.0, 0.0, -9.81))
    upper = m.bar("upper", 0.8, inertia=ROD)
    lower = m.bar("lower", 0.5, inertia=ROD)
    shoulder = m.revolute(m.ground.at(1, 0.5, 1).facing((1, 2, 1)), upper.start.facing((1, 0, 2)))
    elbow = m.revolute(upper.end.facing((0, 1, 1)), lower.start.facing((1, 1, 0)))
    if driven:
        m.drive(shoulder.angle, lambda t: 0.6 * kempe.sin(2 * t))
        m.drive(elbow.angle, start=0.4, speed=0.8)
    return m.build()


@pytest.fixture(scope="module")
def turn() -> kempe.Trajectory:
    return arms(driven=True).kinematics(until=1.0, steps=20)


@pytest.mark.parametrize("orientator", ORIENTATORS, ids=repr)
def test_the_constraints_hold_in_specific_coordinates(turn, orientator) -> None:
    for translator in (None, Cylindrical()):
        found = specific_motion(turn.layout, turn.motion, orientator, translator)
        left = np.einsum("kmn,kn->km", found.jacobian, found.second)
        assert apart(left, found.gamma) < SWEPT
        assert len(found.names) == found.s.shape[1]


@pytest.mark.row("D8")
@pytest.mark.parametrize("orientator", ORIENTATORS, ids=repr)
def test_accelerations_and_multipliers_are_those_of_the_equations_in_twists(
    turn, orientator
) -> None:
    found = specific_motion(turn.layout, turn.motion, orientator)
    bodies = found.system.bodies
    n = 6 * len(bodies)
    # one drive let go, so that the motion follows from the forces
    J, gamma = found.twist_jacobian[:, :-1], found.twist_gamma[:, :-1]
    second, lam = found.system.accelerations(found.s, found.rate, found.weight, J, gamma)
    V_rate = np.einsum("kij,kj->ki", found.system.B(found.s), second) + np.einsum(
        "kij,kj->ki", found.system.B_rate(found.s, found.rate), found.rate
    )
    parts = np.split(found.s, len(bodies), axis=1), np.split(found.rate, len(bodies), axis=1)
    for k in range(len(found.s)):
        K, b = np.zeros((n + J.shape[1],) * 2), np.zeros(n + J.shape[1])
        for i, body in enumerate(bodies):
            at = slice(6 * i, 6 * i + 6)
            K[at, at] = body.twist_mass(parts[0][i][k])
            b[at] = found.weight[k, at] - body.twist_bias(parts[0][i][k], parts[1][i][k])
        K[n:, :n], K[:n, n:], b[n:] = J[k], -J[k].T, gamma[k]
        x = np.linalg.solve(K, b)
        assert apart(V_rate[k], x[:n]) < EQUAL
        assert apart(lam[k], x[n:]) < EQUAL


def test_what_joints_exert_is_the_same_in_any_coordinates(turn) -> None:
    results = [specific_motion(turn.layout, turn.motion, o).accelerations()[1] for o in ORIENTATORS]
    for other in results[1:]:
        assert apart(other, results[0]) < SWEPT
    efforts = sorted(
        abs(turn[f"{drive.gauge.name}.effort"].values[5]) for drive in turn.layout.model.drives
    )
    assert efforts == pytest.approx(sorted(abs(results[0][5, -2:])), rel=1e-9)


@pytest.mark.parametrize("orientator", ORIENTATORS, ids=repr)
def test_a_simulated_motion_obeys_the_equations_in_specific_coordinates(orientator) -> None:
    swing = arms(driven=False).simulate(until=0.3, steps=6)
    found = swing.specific(orientator)
    second, _ = found.accelerations()
    assert abs(swing.motion.v[-1]).max() > 1.0  # it moves
    assert apart(second, found.second) < SWEPT


@pytest.mark.parametrize(
    "mechanism",
    [kempe.gallery.rssr(), kempe.gallery.bennett(), kempe.gallery.four_bar(plane=False)],
    ids=lambda m: m.name,
)
def test_the_constraints_of_closed_loops_hold_whether_rows_repeat_or_not(mechanism) -> None:
    turn = mechanism.kinematics(until=0.2, steps=10)
    for orientator in (EulerParameters(), TwoAxes()):
        found = turn.specific(orientator)
        left = np.einsum("kmn,kn->km", found.jacobian, found.second)
        assert apart(left, found.gamma) < SWEPT
        assert apart(found.accelerations()[0], found.second) < SWEPT


def test_a_mechanism_of_the_plane_and_a_gimbal_lock_are_refused() -> None:
    flat = kempe.gallery.four_bar().kinematics(until=1.0, steps=4)
    with pytest.raises(ModelError, match="plane=False"):
        specific_motion(flat.layout, flat.motion, EulerParameters())
    upright = kempe.gallery.four_bar(plane=False).kinematics(until=1.0, steps=4)
    with pytest.warns(GimbalLock), pytest.raises(SingularCoordinates, match="ZXY"):
        specific_motion(upright.layout, upright.motion, EulerAngles("ZXZ"))


@pytest.mark.parametrize("orientator", ORIENTATORS[:4], ids=repr)
def test_accelerations_feel_the_springs_and_loads_of_the_model(orientator) -> None:
    """Of a motion that the forces made, s'' by the equations is the s'' of the motion."""
    m = kempe.Builder("sprung arm", gravity=(0.0, 0.0, -9.81))
    arm = m.bar("arm", 0.8, inertia=ROD)
    hinge = m.revolute(m.ground.at(1, 0.5, 1).facing((1, 2, 1)), arm.start.facing((1, 0, 2)))
    m.force(TorsionSpring(hinge.angle, stiffness=40.0, damping=0.5, theta_0=0.7), "coil")
    m.force(LineSpring(m.ground.at(0, 0, 0), arm.end, stiffness=300.0, free=0.4), "spring")
    found = m.build().simulate(until=0.5, steps=10).specific(orientator)
    second, _ = found.accelerations()
    assert abs(found.load).max() > 1.0  # N: there is something to be left out
    assert apart(second, found.second) < SWEPT


def sprung_arms() -> kempe.Mechanism:
    m = arms(driven=False).edit()
    end = m.part("lower").end
    m.force(LineSpring(m.ground.at(0, 0, 0), end, stiffness=300.0, free=0.4), "spring")
    return m.build()


def test_each_body_may_have_coordinates_of_its_own() -> None:
    swing = sprung_arms().simulate(until=0.3, steps=6)
    own = {"upper": EulerAngles("XYZ"), "lower": BodyCoordinates(EulerParameters(), Cylindrical())}
    found = swing.specific(own)
    assert found.names[3:6] == tuple(f"upper.{w}" for w in EulerAngles("XYZ").names)
    assert found.names[6:] == tuple(f"lower.{w}" for w in own["lower"].names)
    second, lam = found.accelerations()
    assert abs(found.load).max() > 1.0  # N
    assert apart(second, found.second) < SWEPT
    assert apart(lam, swing.specific(EulerParameters()).accelerations()[1]) < SWEPT


def test_koh_parks_pendulum_feels_its_torsion_spring_in_any_coordinates() -> None:
    swing = kempe.gallery.koh_park_pendulum().simulate(until=0.4, steps=8)
    found = swing.specific({"bar": EulerParameters(), "bar2": EulerAngles("XYZ")})
    second, _ = found.accelerations()
    assert apart(second, found.second) < SWEPT
    without = found.system.accelerations(
        found.s, found.rate, found.weight, found.twist_jacobian, found.twist_gamma
    )[0]
    assert apart(without, found.second) > 0.05  # what is left out where the spring is


def test_coordinates_of_unknown_or_forgotten_bodies_are_refused() -> None:
    swing = arms(driven=False).simulate(until=0.1, steps=2)
    with pytest.raises(UnknownName, match=r"'uper', no moving body.*'upper'"):
        swing.specific({"uper": EulerParameters(), "lower": EulerParameters()})
    with pytest.raises(BadNumber, match="no coordinates are given for 'lower'"):
        swing.specific({"upper": EulerParameters()})
    with pytest.raises(BadNumber, match="not 'XYZ'"):
        swing.specific("XYZ")  # type: ignore[arg-type]


@pytest.mark.parametrize("switched", [True, False])
def test_what_holds_and_what_is_switched_off_act_as_in_the_simulation(switched) -> None:
    """An arm that comes to rest on a stop, and one whose spring is let go: s'' is the motion's."""
    m = kempe.Builder("held arm", gravity=(0.0, 0.0, -9.81))
    arm = m.bar("arm", 0.8, inertia=ROD)
    hinge = m.revolute(m.ground.at(0, 0, 0).facing((1, 2, 0)), arm.start.facing((0, 1, 2)))
    m.force(TorsionSpring(hinge.angle, 3.0), "coil")
    if switched:
        m.event(Release("t - 0.3", ("coil",)), "cut")
    else:
        m.event(Latch("t - 0.3", (hinge.angle,)), "hook")
    run = m.build().simulate(until=1.0, steps=20)
    found = run.specific(EulerParameters())
    assert apart(found.accelerations()[0], found.second) < 1e-8


def test_a_joint_that_is_let_go_has_no_rows_for_the_whole_run():
    """Before it goes a pendulum is held by its hinge, after it nothing holds: refused, in words."""
    m = kempe.Builder("dropped")
    bar = m.bar("bar", 0.8, inertia=ROD)
    m.revolute(m.ground.at(0, 0), bar.start, name="hinge")
    m.event(Release("t - 0.25", ("hinge",)), "lets go")
    machine = m.build()
    before = machine.simulate(until=0.2, steps=4).specific(EulerParameters())
    assert before.jacobian.shape[1] == 5
    with pytest.raises(ModelError, match=r"'hinge' does not act .* first not at t = 0\.3 s"):
        machine.simulate(until=0.5, steps=5).specific(EulerParameters())

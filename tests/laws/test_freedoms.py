"""What a joint leaves free is what it says, and which way round is decided by its sides."""

import dataclasses

import numpy as np
import pytest

from kempe.compile.layout.layout import Layout
from kempe.compile.program.tape_programs import tape_program
from kempe.compile.small.kinematic_tape import kinematic_tape
from kempe.compile.trace.tracing import trace
from kempe.equations import Equations
from kempe.errors import BadConnection
from kempe.geometry import GROUND, Pose, Rotation, Vector, X, Y, Z
from kempe.kinematics.closing.closing import ASSEMBLED, close
from kempe.kinematics.closing.placement import body_pose, coordinates
from kempe.model import Body, Model

#: Rows are products of direction cosines and lengths of size 1: a singular value below this is
#: rounding, one above it is not; random poses leave nothing between.
RANK = 1e-8
STEPS, NEWTON = 36, 3  # of a way of at most half a turn a freedom: 5 degrees each
NEAR = 1e-6  # of a pose found by Newton's iteration with differences of step 1e-6
ROUNDING = 1e-9  # of rows at an assembled pose, ten thousand times what the assembly leaves


@pytest.fixture
def assembled(joint, workshop):
    """The joint between two bodies anywhere in space, put together from near its home."""
    joint = workshop.placed(joint, plane=False)
    X_WI = workshop.pose(plane=False)
    X_WA = X_WI @ joint.I.pose.inverse()
    off = Pose(
        Vector(*workshop.rng.uniform(-0.3, 0.3, 3).tolist()),
        Rotation.about(workshop.rng.normal(size=3), 0.3),
    )
    X_WB = X_WI @ joint.home @ off @ joint.J.pose.inverse()
    bodies = (Body("a", guess=X_WA), Body("b", guess=X_WB))
    layout = Layout(Model("pair", False, bodies, (joint,)))
    program = tape_program(kinematic_tape(trace(layout), [], None))
    q = coordinates(layout, {b.name: b.guess for b in bodies})
    found = close(Equations(layout, program), q, 0.0)
    assert found.residual <= ASSEMBLED
    _, entries, _ = program.evaluate(layout.parameters, found.q, 0.0, found.turns)
    frames = [body_pose(layout, found.q, m.body) @ m.pose for m in (joint.I, joint.J)]
    return joint, frames, program.dense_jacobian(entries)


def implied(joint):
    return sum(constraint.implied for constraint in joint.constraints)


def is_a_pair(joint):
    """Whether the rows follow from where J is in I, without unknowns of its own."""
    return len(joint.markers) == 2 and not joint.unknowns


def rank(matrix):
    return int((np.linalg.svd(matrix, compute_uv=False) > RANK).sum())


def test_no_row_of_a_joint_repeats_another(assembled):
    joint, _, J = assembled
    assert len(J) == len(joint.row_units) + len(joint.held)
    assert rank(J) == len(J) - implied(joint)


def test_the_freedoms_of_a_joint_are_those_it_declares(assembled):
    joint, _, J = assembled
    own = len(joint.unknowns)
    free = 6 + own - rank(J[:, 6:])  # of b, with a held
    if joint.freedom:
        assert free == len(joint.freedom)
    else:
        assert free == 6 + own + implied(joint) - len(J)


def test_every_declared_freedom_moves_its_measure_and_no_two_are_one(joint, assembled, workshop):
    """With all declared freedoms held, the joint is a weld."""
    joint, frames, J = assembled
    if not joint.freedom:
        pytest.skip("declares no freedom")
    drives = []
    for k, measure in enumerate(joint.freedom):
        drive = workshop.driven(measure, plane=False)
        gauge = dataclasses.replace(drive.gauge, name=f"g{k}", I=joint.I, J=joint.J)
        drives.append(dataclasses.replace(drive, gauge=gauge))
    system = workshop.System(workshop.model(plane=False, drives=drives))
    poses = [X @ m.pose.inverse() for X, m in zip(frames, joint.markers, strict=True)]
    _, G, _, _ = system.numbers(poses)
    assert rank(np.vstack([J[:, 6:], G[:, 6:]])) == 6


def test_a_common_motion_of_both_bodies_costs_nothing(assembled, workshop):
    joint, frames, J = assembled
    a, b = (X @ m.pose.inverse() for X, m in zip(frames, joint.markers, strict=False))
    v, w = (Vector(*workshop.rng.normal(size=3).tolist()) for _ in range(2))
    twists = []
    for X_WB in (a, b):  # v of the origin in world axes, w in body axes
        twists += [*(v + w.cross(X_WB.position)), *X_WB.rotation.inverse().apply(w)]
    assert np.abs(J[:, :12] @ np.array(twists, dtype=float)).max() < ROUNDING


# -- sides -----------------------------------------------------------------------------------


def signs(joint, X_WI, X_WJ):
    return [side.value(X_WI, X_WJ) for side in joint.sides]


def test_all_sides_are_positive_where_the_joint_is_assembled(assembled):
    joint, frames, _ = assembled
    assert all(sign > 0.0 for sign in signs(joint, *frames))


@pytest.fixture
def reached(moved, sensitivity, number):
    """Whether a joint's freedoms, led from one pose of J to another in small steps, get there."""

    def led(joint, X_WI, X_WJ, goal):
        def readings(a, b):
            return np.array([number(m.value(a, b)) for m in joint.freedom])

        def opened(a, b):
            off = readings(a, b) - wanted
            off = np.where(turns, (off + np.pi) % (2.0 * np.pi) - np.pi, off)
            return np.array([*joint.phi(a, b), *off], dtype=float)

        turns = [m.unit == "rad" for m in joint.freedom]
        start, end = readings(X_WI, X_WJ), readings(X_WI, goal)
        for share in np.linspace(0.0, 1.0, STEPS + 1)[1:]:
            wanted = start + share * (end - start)
            for _ in range(NEWTON):
                J = sensitivity(opened, X_WI, X_WJ)
                X_WJ = moved(X_WJ, -np.linalg.lstsq(J, opened(X_WI, X_WJ))[0])
        return np.abs(X_WJ.matrix() - goal.matrix()).max() < NEAR

    return led


@pytest.mark.parametrize("axis", [X, Y, Z])
def test_a_mirrored_assembly_fails_a_side(joint, axis, assembled, reached):
    """A half turn of J that satisfies phi fails a side, unless the joint can get there itself."""
    joint, (X_WI, X_WJ), J = assembled
    if joint.held:
        pytest.skip("holds angles, which know the way round")
    if not is_a_pair(joint):
        pytest.skip("holds points, which have no way round")
    if joint.velocity_units:
        pytest.skip("rolls from every place on the plane to every other, however it is turned")
    turned = Pose(Vector(0.0, 0.0, 0.0), Rotation.about(np.eye(3)[axis.value], np.pi))
    flipped = X_WJ @ turned
    if max(abs(float(row)) for row in joint.phi(X_WI, flipped)) > ROUNDING:
        return
    X_WB = X_WJ @ joint.J.pose.inverse()
    w = X_WB.rotation.inverse().apply(X_WJ.axis(axis))
    v = X_WJ.axis(axis).cross(X_WB.position - X_WJ.position)
    is_free = np.abs(J[:, 6:] @ np.array([*v, *w], dtype=float)).max() < ROUNDING
    if is_free or min(signs(joint, X_WI, flipped), default=1.0) < 0.0:
        return
    assert joint.freedom
    assert reached(joint, X_WI, X_WJ, flipped)


def test_home_is_an_assembled_position_on_the_right_side(joint, workshop):
    if not is_a_pair(joint):
        pytest.skip("more than the place of J in I decides")
    X_WI = workshop.pose(plane=False)
    X_WJ = X_WI @ joint.home
    if not joint.held:
        assert max(abs(float(row)) for row in joint.phi(X_WI, X_WJ)) < ROUNDING
    assert all(sign > 0.0 for sign in signs(joint, X_WI, X_WJ))


def test_a_flipped_joint_is_assembled_where_its_axes_oppose(joint):
    flipped = joint.flipped()
    assert flipped.J.rotation.z @ joint.J.rotation.z == -1.0
    assert flipped.I == joint.I
    back = flipped.flipped().J.rotation.matrix()
    np.testing.assert_array_equal(back, joint.J.rotation.matrix())


def test_a_joint_needs_two_bodies(joint):
    with pytest.raises(BadConnection, match="connects body 'ground' to itself"):
        joint.moved(lambda marker: dataclasses.replace(marker, body=GROUND))

"""The frames of a mechanism that moved close around its loops."""

import numpy as np
import pytest

import kempe
from kempe.frames import FrameGraph, KinematicState, Sampled, closure_errors
from kempe.front.trajectory import Trajectory
from kempe.geometry.rotations import exp_so3

# Positions of links of about a metre are solved to 1e-13, and rates are a few times that.
CLOSED = 1e-12
NUMERIC = 1e-6  # central differences with a step of 1e-4 of a motion of some rad/s


def hinge(trajectory: Trajectory, joint: str) -> Sampled:
    """What a hinge allows: marker J turned against marker I about z, and nothing else."""
    angle = trajectory[f"{joint}.angle"]
    z = np.array([0.0, 0.0, 1.0])
    turn = KinematicState(
        f"{joint}.J",
        f"{joint}.I",
        rotation=exp_so3(angle.values[:, None] * z),
        angular_velocity=angle.rate[:, None] * z,
        angular_acceleration=angle.acceleration[:, None] * z,
    )
    return Sampled(trajectory.t, turn)


@pytest.fixture(scope="module")
def turn() -> Trajectory:
    return kempe.gallery.four_bar().kinematics(until=1.0, steps=90)


def test_the_frames_of_a_four_bar_close_around_its_loop_with_their_velocities(turn) -> None:
    mechanism, loop = turn.frames(), FrameGraph("ground")
    here = "ground"
    for joint in turn.layout.model.joints[:3]:  # ground, crank, coupler, rocker, by the hinges
        turned = hinge(turn, joint.name).states
        near, far = (joint.I, joint.J) if joint.I.body == here else (joint.J, joint.I)
        swing = turned if near is joint.I else turned.inverse()
        there, pin = far.body, f"{joint.name} on"
        loop.add(f"{pin} {here}", here, near.pose)
        loop.add(f"{pin} {there}", f"{pin} {here}", Sampled(turn.t, swing))
        loop.add(there, f"{pin} {there}", far.pose.inverse())
        here = there
    assert here == "rocker"
    loop.close(here, "ground", mechanism.edge(here))
    (error,) = closure_errors(loop, turn.t)
    assert error.position.shape == turn.t.shape
    assert error.largest < CLOSED


def test_every_hinge_of_a_four_bar_allows_what_its_bodies_do(turn) -> None:
    graph = turn.frames()
    for joint in turn.layout.model.joints:
        graph.close(f"{joint.name}.J", f"{joint.name}.I", hinge(turn, joint.name))
    errors = closure_errors(graph, turn.t)
    assert len(errors) == 4
    assert max(e.largest for e in errors) < CLOSED


def test_a_spatial_four_bar_closes_as_well() -> None:
    turn = kempe.gallery.four_bar(plane=False).kinematics(until=1.0, steps=30)
    graph = turn.frames()
    for joint in turn.layout.model.joints:
        graph.close(f"{joint.name}.J", f"{joint.name}.I", hinge(turn, joint.name))
    assert max(e.largest for e in closure_errors(graph, turn.t)) < CLOSED


def test_points_are_where_the_trajectory_says_and_move_as_it_says(turn) -> None:
    P, seen = turn["coupler.P"], turn.frames().state("coupler.P", "ground", turn.t)
    np.testing.assert_allclose(seen.position[:, :2], P.position, atol=CLOSED)
    np.testing.assert_allclose(seen.velocity[:, :2], P.velocity, atol=CLOSED * 10)
    np.testing.assert_allclose(seen.acceleration[:, :2], P.acceleration, atol=CLOSED * 1e3)


def test_rates_seen_from_a_moving_body_are_the_derivatives_of_what_is_seen(turn) -> None:
    graph, h = turn.frames(), 1e-4
    before, now, after = (graph.state("rocker", "crank", 0.4 + k * h) for k in (-1, 0, 1))
    v = (after.position - before.position) / (2 * h)
    a = (after.velocity - before.velocity) / (2 * h)
    np.testing.assert_allclose(now.velocity, v, atol=NUMERIC * 10)
    np.testing.assert_allclose(now.acceleration, a, atol=NUMERIC * 100)

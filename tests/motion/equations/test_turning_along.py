"""What is asked of the world's axes in space, whichever way the first hinge of the ground lies."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Turn

import kempe as kp
from kempe.constraints import Coincident, Perpendicular
from kempe.measures import Coordinate, Displacement, Distance, Heading
from kempe.motion.equations.turning_along import turns_along

AXES = [(0, 0, 1), (1, 0, 0), (0, 1, 0), (0.3, -0.8, 0.5), (0, 0, -1)]
NEAR = 1e-9  # of an arm of 1


def arm(axis):
    """An arm on a hinge of the ground along an axis, and the place of its tip by an angle."""
    m = kp.Builder("arm")
    bar = m.bar("arm", 1.0)
    hinge = m.ground.at(0.2, 0.3, 0.4).facing(axis)
    m.add(kp.joints.Revolute(hinge, bar.start), name="hinge")
    for word, e in zip("xyz", (kp.X, kp.Y, kp.Z), strict=True):
        m.gauge(f"tip_{word}", Coordinate(e), m.ground.at(0, 0, 0), bar.at(1, 0, 0))
    unit = np.array(axis) / np.linalg.norm(axis)
    base = np.array(hinge.rotation.matrix(), float)[:, 0]
    place = np.array([0.2, 0.3, 0.4])
    return m.build(), lambda t: place + Turn.from_rotvec(t * unit).apply(base)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("k", range(3))
def test_a_coordinate_that_is_held_is_that_of_the_world(axis, k):
    mechanism, tip = arm(axis)
    values = np.array([tip(t)[k] for t in np.linspace(0, math.tau, 721)])
    if np.ptp(values) < NEAR:
        return
    value = float(values.mean() + 0.3 * np.ptp(values))
    found = mechanism.assemblies(held={f"tip_{'xyz'[k]}": value})
    assert (len(found), found.outcome) == (2, "complete")
    for state in found:
        np.testing.assert_allclose(
            [state[f"tip_{word}"] for word in "xyz"], tip(state["hinge.angle"]), atol=NEAR
        )
        assert state[f"tip_{'xyz'[k]}"] == pytest.approx(value, abs=NEAR)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("k", range(3))
def test_limits_of_a_coordinate_cut_a_loop_where_the_world_says(axis, k):
    mechanism, tip = arm(axis)
    turns = np.linspace(0, math.tau, 7201)
    values = np.array([tip(t)[k] for t in turns])
    swing = np.ptp(values)
    if swing < NEAR:
        return
    low, high = values.mean() - 0.2 * swing, values.mean() + 0.35 * swing
    found = mechanism.motions(limits={f"tip_{'xyz'[k]}": (float(low), float(high))})
    assert (len(found.components), found.outcome) == (2, "complete")
    for arc in found.components:
        reached = mechanism.follow(arc)[f"tip_{'xyz'[k]}"].values
        np.testing.assert_allclose([reached.min(), reached.max()], [low, high], atol=1e-6)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("k", range(3))
def test_a_coordinate_turns_back_where_it_does_in_the_world(axis, k):
    mechanism, tip = arm(axis)
    values = np.array([tip(t)[k] for t in np.linspace(0, math.tau, 7201)])
    if np.ptp(values) < NEAR:
        return
    found = mechanism.turning_points(f"tip_{'xyz'[k]}")
    tips = [s.q[:3] + Turn.from_quat(np.roll(s.q[3:7], -1)).apply([1, 0, 0]) for s in found]
    read = sorted(float(place[k]) for place in tips)
    np.testing.assert_allclose(read, [values.min(), values.max()], atol=1e-6)


def test_a_limit_of_what_cannot_change_leaves_all_or_nothing():
    rssr = kp.gallery.rssr()  # its rocker stands on a slanted hinge at z = 1
    held = {"crank.angle": 0.9}
    assert len(rssr.assemblies(held, limits={"rocker.z": (0.99, 1.01)})) == 2
    assert len(rssr.assemblies(held, limits={"rocker.z": (-0.1, 0.1)})) == 0


def test_coordinates_ask_for_the_world_and_what_lies_between_markers_does_not():
    assert not turns_along(Coordinate(kp.X).value)
    relative = (Displacement(), Distance(), Heading(kp.Z, kp.X))
    assert all(turns_along(measure.value) for measure in relative)
    assert all(turns_along(c.phi) for c in (Coincident(), Perpendicular(kp.X, kp.Y)))

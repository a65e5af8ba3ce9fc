"""The plane is a chart: its rows are those of space without the dead ones, or a typed refusal."""

import re

import numpy as np
import pytest

from kempe.errors import BadConnection

pytestmark = pytest.mark.row("A5")

ROUNDING = 1e-13  # sums of a few products of numbers up to 2, in two orders
COLUMNS = [0, 1, 5, 6, 7, 11]  # v_x, v_y, w_z of two spatial bodies

LYING = [pytest.param(False, id="axes up"), pytest.param(True, id="axes in the plane")]


def both(workshop, joint):
    """The joint compiled in space and in the plane; the refusal where the plane cannot hold it."""
    space = workshop.System(workshop.model(plane=False, joints=[joint]))
    try:
        return space, workshop.System(workshop.model(plane=True, joints=[joint])), None
    except BadConnection as refusal:
        return space, None, refusal


def turns(system, joint, poses):
    """What the joint's readings are in the plane, where turns are counted by themselves."""
    frames = [X @ m.pose for X, m in zip(poses, (joint.I, joint.J), strict=True)]
    readings = [m.number(*frames) for held in joint.held for m in held.measures]
    return np.array([readings[reading] for _, reading in system.traced.counted], dtype=float)


@pytest.mark.parametrize("lying", LYING)
def test_planar_rows_are_the_spatial_rows_without_the_dead_ones(joint, lying, workshop):
    joint = workshop.placed(joint, plane=True, lying=lying)
    space, plane, refusal = both(workshop, joint)
    for _ in range(3):
        poses = [workshop.pose(plane=True), workshop.pose(plane=True)]
        phi, J, _, _ = space.numbers(poses, last=turns(space, joint, poses))
        if refusal is not None:
            # the named row is wrong by the named amount, whatever the bodies do
            row = [r.place for r in space.traced.rows].index(refusal.facts["row"])
            assert phi[row] == pytest.approx(refusal.facts.get("value", phi[row]), abs=ROUNDING)
            assert np.abs(J[row][COLUMNS]).max() < ROUNDING
            continue
        places = {r.place: k for k, r in enumerate(space.traced.rows)}
        flat, J_flat, _, _ = plane.numbers(poses, last=turns(plane, joint, poses))
        alive = [places[r.place] for r in plane.traced.rows]
        np.testing.assert_allclose(flat, phi[alive], rtol=0, atol=ROUNDING)
        columns = [*COLUMNS, *range(12, space.m)]  # the unknowns of the joint itself come last
        np.testing.assert_allclose(J_flat, J[alive][:, columns], rtol=0, atol=ROUNDING)
        dead = sorted(set(places.values()) - set(alive))
        assert np.abs(phi[dead]).max(initial=0.0) < ROUNDING
        assert np.abs(J[dead][:, COLUMNS]).max(initial=0.0) < ROUNDING


@pytest.mark.parametrize("lying", LYING)
def test_a_refusal_of_the_plane_says_which_joint_and_what_to_do(joint, lying, workshop):
    _, _, refusal = both(workshop, workshop.placed(joint, plane=True, lying=lying))
    if refusal is None:
        return
    assert re.search(r"joint 'sample' cannot hold in the plane: its row \d+ is", str(refusal))
    assert "plane=False" in str(refusal)


@pytest.mark.parametrize("lying", LYING)
def test_no_row_of_the_plane_is_empty(joint, lying, workshop):
    """A row without any derivative is no constraint: it must have vanished or been refused."""
    space, plane, refusal = both(workshop, workshop.placed(joint, plane=True, lying=lying))
    assert all(space.traced.jacobian)
    assert refusal is not None or all(plane.traced.jacobian)

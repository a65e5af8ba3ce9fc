"""What every constraint of the room holds, and where it stops holding."""

import numpy as np
import pytest

import kempe.constraints
from kempe import constraints
from kempe.geometry import Pose, Rotation, Vector, X, Y, Z

HOLDS = 1e-14  # a few products of numbers of size 1
RANK = 1e-6  # of central differences: what is no derivative leaves 1e-10

# A constraint and a pose of J in I where it holds; the frames are otherwise of no special kind.
SKEW = Rotation.about((0.3, -0.5, 0.2), 1.1)
ABOUT_Z = Rotation.planar(0.7)
HELD = [
    (constraints.Coincident(), Pose(Vector(0.0, 0.0, 0.0), SKEW)),
    (constraints.InPlane(Y, 0.3), Pose(Vector(0.4, 0.3, -0.7), SKEW)),
    (constraints.OnLine(X), Pose(Vector(0.6, 0.0, 0.0), SKEW)),
    (constraints.OnLine(Z), Pose(Vector(0.0, 0.0, -0.6), SKEW)),
    (constraints.Distance(0.5), Pose(Vector(0.3, 0.0, 0.4), SKEW)),
    (constraints.DistanceFromLine(Z, 0.5), Pose(Vector(0.3, 0.4, 0.9), SKEW)),
    (constraints.Perpendicular(Z, X), Pose(Vector(0.1, 0.2, 0.3), ABOUT_Z)),
    (constraints.Parallel(Z, Z), Pose(Vector(0.1, 0.2, 0.3), ABOUT_Z)),
    (constraints.SameOrientation(), Pose(Vector(0.1, 0.2, 0.3), Rotation.identity())),
    (
        constraints.AtAngle(Z, Z, 1.1),
        Pose(Vector(0.1, 0.2, 0.3), Rotation.about((0.6, 0.8, 0.0), 1.1)),
    ),
    (constraints.SameSpin(), Pose(Vector(0.1, 0.2, 0.3), Rotation.about((0.6, 0.0, 0.8), np.pi))),
]


def held(case, X_WI):
    constraint, X_IJ = case
    return constraint, X_WI @ X_IJ


def test_every_constraint_of_two_frames_is_in_the_list():
    """Those of bars and curves see more frames, or have unknowns of their own."""
    exported = (getattr(kempe.constraints, name) for name in kempe.constraints.__all__)
    family = constraints.AbstractConstraint
    kinds = {k for k in exported if issubclass(k, family) and not k.__name__.startswith("Abstract")}
    pairs = {k for k in kinds if k.frames == 2 and k.unknowns is family.unknowns}
    assert pairs == {type(constraint) for constraint, _ in HELD}


@pytest.mark.parametrize("case", HELD, ids=lambda c: repr(c[0]))
def test_the_rows_vanish_where_it_holds(case, anywhere):
    X_WI = anywhere()
    constraint, X_WJ = held(case, X_WI)
    rows = constraint.phi(X_WI, X_WJ)
    assert len(rows) == len(constraint.rows)
    assert np.abs(rows).max() < HOLDS


@pytest.mark.parametrize("case", HELD, ids=lambda c: repr(c[0]))
def test_the_rows_are_independent_where_it_holds(case, anywhere, sensitivity):
    X_WI = anywhere()
    constraint, X_WJ = held(case, X_WI)
    J = sensitivity(constraint.phi, X_WI, X_WJ)
    assert np.linalg.matrix_rank(J, tol=RANK) == len(constraint.rows)


@pytest.mark.parametrize("case", HELD, ids=lambda c: repr(c[0]))
def test_the_rows_do_not_vanish_anywhere_else(case, anywhere, moved, sensitivity, rng):
    """A push along the rows' own directions opens it by as much."""
    X_WI = anywhere()
    constraint, X_WJ = held(case, X_WI)
    J = sensitivity(constraint.phi, X_WI, X_WJ)
    push = J.T @ rng.normal(size=len(J))
    push *= 0.1 / np.linalg.norm(push)
    assert np.abs(constraint.phi(X_WI, moved(X_WJ, push))).max() > 0.01


@pytest.mark.parametrize("case", HELD, ids=lambda c: repr(c[0]))
def test_the_world_s_frame_does_not_matter(case, anywhere):
    constraint, _ = case
    X_WI, X_WJ, X_VW = anywhere(), anywhere(), anywhere()
    here, there = constraint.phi(X_WI, X_WJ), constraint.phi(X_VW @ X_WI, X_VW @ X_WJ)
    if isinstance(
        constraint, constraints.Coincident
    ):  # its rows are a vector, which turns with the world
        here, there = [float(np.linalg.norm(rows)) for rows in (here, there)]
    np.testing.assert_allclose(there, here, rtol=0, atol=1e-13)

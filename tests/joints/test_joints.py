"""Every joint: its home is an assembled position, and from there it moves as it says."""

import dataclasses
import math
from dataclasses import replace

import numpy as np
import pytest

import kempe.joints
from kempe.constraints import Coincident, OnLine, Perpendicular
from kempe.draw import SYMBOLS
from kempe.errors import BadConnection
from kempe.geometry import Marker, Pose, X, Y, Z
from kempe.joints import (
    Absolute,
    AbstractJoint,
    Angle,
    ConstantVelocity,
    Cylindrical,
    CylSph,
    Fixed,
    Joint,
    LineInPlane,
    NoRotation,
    ParallelAxes,
    PerpendicularAxes,
    PinInSlot,
    Planar,
    PointInPlane,
    PointOnLine,
    Prismatic,
    RevCyl,
    Revolute,
    RevRev,
    Rod,
    Screw,
    Spherical,
    Universal,
)
from kempe.measures import Displacement, Heading, Held, Turn
from tests.joints.joint_rows import rows_of

HOLDS = 1e-14  # a few products of numbers of size 1
RANK = 1e-6  # of central differences: what is no derivative leaves 1e-10
ENDS = (Marker("a"), Marker("b"))

# A joint and the number of rows it has in space.
JOINTS = [
    (Absolute(*ENDS, x=0.3, angle=0.4), 2),
    (Absolute(*ENDS, z=0.3, about_y=0.4), 2),
    (Angle(*ENDS, angle=0.8), 1),
    (ConstantVelocity(*ENDS), 4),
    (Cylindrical(*ENDS), 4),
    (CylSph(*ENDS, length=0.6), 1),
    (Fixed(*ENDS), 6),
    (Joint(*ENDS, constraints=(Coincident(), Perpendicular(Z, X)), freedom=(Heading(Z, X),)), 4),
    (Joint(*ENDS, held=(Held((Turn(Z),)),)), 1),
    (LineInPlane(*ENDS, offset=0.2), 2),
    (NoRotation(*ENDS), 3),
    (ParallelAxes(*ENDS), 2),
    (PerpendicularAxes(*ENDS), 1),
    (PinInSlot(*ENDS), 4),
    (Planar(*ENDS, offset=-0.2), 3),
    (PointInPlane(*ENDS, offset=0.2), 1),
    (PointOnLine(*ENDS), 2),
    (Prismatic(*ENDS), 5),
    (RevCyl(*ENDS, length=0.6), 3),
    (RevRev(*ENDS, length=0.6), 4),
    (Revolute(*ENDS), 5),
    (Rod(*ENDS, length=0.6), 1),
    (Screw(*ENDS, lead=0.3, start=0.1), 5),
    (Spherical(*ENDS), 3),
    (Universal(*ENDS), 4),
]


def each(argument):
    return pytest.mark.parametrize(
        argument, JOINTS if "," in argument else [j for j, _ in JOINTS], ids=_short
    )


def _short(value):
    return type(value).__name__ if isinstance(value, AbstractJoint) else str(value)


def test_every_joint_of_two_frames_is_in_the_list():
    """Those of bars, curves and surfaces hold more places or unknowns, what rolls more rows."""
    exported = (getattr(kempe.joints, name) for name in kempe.joints.__all__)
    made = (k for k in exported if not k.__name__.startswith("Abstract"))
    kinds = {k for k in made if issubclass(k, AbstractJoint)}
    kinds = {k for k in kinds if not k.velocity_rows}
    pairs = {
        k for k in kinds if not {"K", "curve", "surface"} & {f.name for f in dataclasses.fields(k)}
    }
    assert pairs == {type(joint) for joint, _ in JOINTS}


@each("joint")
def test_the_rows_vanish_at_home(joint, anywhere):
    X_WI = anywhere()
    assert np.abs(rows_of(joint)(X_WI, X_WI @ joint.home)).max() < HOLDS


@each("joint, count")
def test_the_rows_are_independent_at_home(joint, count, anywhere, sensitivity):
    X_WI = anywhere()
    J = sensitivity(rows_of(joint), X_WI, X_WI @ joint.home)
    assert np.linalg.matrix_rank(J, tol=RANK) == len(J) == count
    assert len(joint.row_units) + len(joint.held) == count


@each("joint")
def test_what_is_declared_free_completes_the_rows(joint, anywhere, sensitivity):
    """Rows and freedoms together hold all six motions, and none twice."""
    X_WI = anywhere()
    X_WJ = X_WI @ joint.home
    J = sensitivity(rows_of(joint), X_WI, X_WJ)
    free = sensitivity(lambda a, b: [m.number(a, b) for m in joint.freedom], X_WI, X_WJ)
    if not joint.freedom:
        return
    both = np.vstack([J, free])
    whole = 6 if not isinstance(joint, Joint) else len(both)
    assert np.linalg.matrix_rank(both, tol=RANK) == len(both) == whole


@each("joint")
def test_home_is_on_the_right_side(joint, anywhere):
    X_WI = anywhere()
    X_WJ = X_WI @ joint.home
    assert all(side.value(X_WI, X_WJ) > 0.0 for side in joint.sides)


@each("joint")
def test_the_words_of_a_joint_s_measures_are_different(joint):
    words = [m.word for m in joint.measures]
    assert len(set(words)) == len(words)


@each("joint")
def test_a_joint_is_drawn_by_a_known_symbol(joint):
    assert joint.symbol in SYMBOLS


@pytest.mark.parametrize("joint", [Fixed(*ENDS), Prismatic(*ENDS), NoRotation(*ENDS)], ids=_short)
@pytest.mark.parametrize("axis", [X, Y, Z], ids=lambda a: a.name)
def test_two_sides_tell_a_frame_from_all_its_half_turns(joint, axis, anywhere):
    from kempe.geometry import Rotation, Vector

    half = Pose(Vector(0.0, 0.0, 0.0), Rotation.about(np.eye(3)[axis.value], math.pi))
    X_WI = anywhere()
    turned = X_WI @ joint.home @ half
    assert np.abs(rows_of(joint)(X_WI, turned)).max() < HOLDS  # the rows cannot tell
    assert min(side.value(X_WI, turned) for side in joint.sides) < 0.0


def test_a_screw_s_displacement_is_read_although_its_turn_is_its_freedom():
    words = [m.word for m in Screw(*ENDS, lead=0.3).measures]
    assert words == ["angle", "displacement"]


def test_a_pin_in_a_slot_slides_along_the_slot():
    assert PinInSlot(*ENDS).freedom == (Displacement(Z), Turn(X))


# -- combinations on the spot ----------------------------------------------------------------


def test_constraints_in_a_row_make_a_joint():
    """A point in common and two axes square: a universal joint about z and x."""
    ends = Marker("a"), Marker("b")
    cross = Joint(*ends, Coincident(), Perpendicular(Z, X), name="cross")
    assert cross.row_units == ("m", "m", "m", "1")
    assert cross == Joint(*ends, constraints=(Coincident(), Perpendicular(Z, X)), name="cross")
    assert replace(cross, name="other").constraints == cross.constraints


def test_a_held_measure_stands_among_them():
    ends = Marker("a"), Marker("b")
    joint = Joint(*ends, OnLine(Z), Held((Displacement(Z),), value=0.2))
    assert (joint.constraints, joint.held) == ((OnLine(Z),), (Held((Displacement(Z),), value=0.2),))


def test_a_combination_without_places_says_what_it_needs():
    with pytest.raises(BadConnection, match="two places before its constraints"):
        Joint(Coincident(), Perpendicular(Z, X))

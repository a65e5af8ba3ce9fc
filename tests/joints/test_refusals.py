"""What a joint cannot be made with, and what cannot hold in the plane."""

import math

import pytest

import kempe
from kempe.constraints import Perpendicular
from kempe.errors import BadConnection, BadNumber
from kempe.geometry import Marker, Z
from kempe.joints import (
    Absolute,
    Angle,
    CylSph,
    Joint,
    LineInPlane,
    PerpendicularAxes,
    Planar,
    RevCyl,
    RevRev,
    Rod,
    Screw,
    Universal,
)

ENDS = (Marker("ground"), Marker("b"))


@pytest.mark.parametrize("kind", [Rod, CylSph, RevCyl, RevRev])
@pytest.mark.parametrize("length", [0.0, -1.0, math.nan, None])
def test_a_link_needs_a_positive_length(kind, length):
    with pytest.raises(BadNumber, match="length"):
        kind(*ENDS, length=length)


@pytest.mark.parametrize("angle", [0.0, math.pi, math.inf])
def test_axes_at_a_flat_angle_are_refused(angle):
    with pytest.raises(BadNumber):
        Angle(*ENDS, angle=angle)


def test_a_screw_without_a_lead_is_refused():
    with pytest.raises(BadNumber, match="must not be zero"):
        Screw(*ENDS, lead=0.0)


def test_an_offset_is_a_number():
    with pytest.raises(BadNumber, match="offset"):
        Planar(*ENDS, offset=math.nan)


def test_a_joint_of_nothing_is_refused():
    with pytest.raises(BadConnection, match="constrains nothing"):
        Joint(*ENDS)
    with pytest.raises(BadConnection, match="made of constraints"):
        Joint(*ENDS, constraints=("Coincident",))
    with pytest.raises(BadNumber, match="holds nothing"):
        Absolute(*ENDS)


@pytest.mark.parametrize(
    "joint",
    [
        Universal(*ENDS),
        PerpendicularAxes(*ENDS),
        LineInPlane(*ENDS),
        Angle(*ENDS, angle=0.5),
        Joint(*ENDS, constraints=(Perpendicular(Z, Z),)),
    ],
    ids=lambda j: type(j).__name__,
)
def test_a_row_that_never_vanishes_in_the_plane_is_refused_by_name(joint):
    m = kempe.Builder("flat", plane=True)
    m.body("b", at=(0, 0))
    m.add(joint, name="wrong")
    m.drive(m.hold(kempe.front.parts.BodyPart(m, "b"), x=0.0).y, speed=1.0)
    with pytest.raises(BadConnection, match="'wrong' cannot hold in the plane"):
        m.build().kinematics(until=1.0)

"""What a joint leaves free is found by its rows: a user's joint is what it does, not its class."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import kempe
from kempe.constraints import Coincident, OnLine, Parallel, Perpendicular
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector
from kempe.joints import (
    Absolute,
    AbstractJoint,
    Cylindrical,
    Fixed,
    Joint,
    Kind,
    NoRotation,
    PinInSlot,
    PointInPlane,
    Prismatic,
    Revolute,
    Rod,
    SameWay,
    Screw,
    Spherical,
    Universal,
)

X, Y, Z = kempe.X, kempe.Y, kempe.Z


def ends(*, facing=False):
    a, b = Marker("a"), Marker("b")
    return (a.facing((1, 0)), b.facing((1, 0))) if facing else (a, b)


SPACE = [
    (Revolute(*ends()), Kind.HINGE),
    (Prismatic(*ends()), Kind.SLIDER),
    (Cylindrical(*ends()), Kind.SLEEVE),
    (PinInSlot(*ends()), Kind.SLOT),
    (Spherical(*ends()), Kind.BALL),
    (Rod(*ends(), length=0.3), Kind.ROD),
    (NoRotation(*ends()), Kind.UNTURNED),
    (Fixed(*ends()), Kind.WELD),
    (Universal(*ends()), None),
    (Screw(*ends(), lead=0.01), None),
    (PointInPlane(*ends(), offset=0.2), None),
    (Absolute(*ends(), x=0.0, y=0.0), None),
]


@pytest.mark.parametrize(("joint", "kind"), SPACE, ids=lambda x: type(x).__name__)
def test_a_joint_in_space_is_what_it_lets_move(joint, kind):
    assert joint.ways(plane=False).kind is kind


PLANE = [
    (Revolute(*ends()), Kind.HINGE),
    (Spherical(*ends()), Kind.HINGE),
    (Prismatic(*ends(facing=True)), Kind.SLIDER),
    (PinInSlot(ends(facing=True)[0], Marker("b")), Kind.SLOT),
    (Rod(*ends(), length=0.3), Kind.ROD),
    (Rod(*ends(facing=True), length=0.3), Kind.ROD),
    (NoRotation(*ends()), Kind.UNTURNED),
    (Fixed(*ends(facing=True)), Kind.WELD),
]


@pytest.mark.parametrize(("joint", "kind"), PLANE, ids=lambda x: type(x).__name__)
def test_a_joint_in_the_plane_is_what_it_lets_move_there(joint, kind):
    assert joint.ways(plane=True).kind is kind


def test_the_axes_of_a_turn_and_a_slide_are_told_for_both_markers():
    ways = PinInSlot(*ends()).ways(plane=False)
    assert ways.turn == (X, Z)
    assert ways.slide == (Z, None)  # of the pin, which turns, no axis stays along the slot
    assert Prismatic(*ends()).ways(plane=False).axes == (Z, Z)
    assert PinInSlot(*ends()).ways(plane=False).axes is None


def test_a_joint_of_constraints_is_what_they_leave():
    hinge = Joint(*ends(), Coincident(), Parallel(Z, Z))
    repeated = Joint(*ends(), Coincident(), Parallel(Z, Z), Perpendicular(Y, Z))
    cross_hinge = Joint(*ends(), Coincident(), Parallel(X, X))
    assert (
        hinge.ways(plane=False) == repeated.ways(plane=False) == Revolute(*ends()).ways(plane=False)
    )
    assert cross_hinge.ways(plane=False).turn == (X, X)
    assert not cross_hinge.ways(plane=False).has_z
    assert Joint(*ends(), OnLine(Z)).ways(plane=True).kind is Kind.HINGE


@dataclass(frozen=True)
class Strut(AbstractJoint):
    """A rod whose author says nothing but its formula: its home is not put together."""

    length: float = 0.4
    rows: ClassVar[tuple[str, ...]] = ("m",)

    def phi(self, X_WI, X_WJ):
        return [((X_WJ.position - X_WI.position).square - self.length**2) / (2.0 * self.length)]


def test_a_home_that_is_not_put_together_is_closed_first():
    assert Strut(*ends()).ways(plane=False).kind is Kind.ROD
    assert Strut(*ends()).ways(plane=True).kind is Kind.ROD


@dataclass(frozen=True)
class OffsetHinge(AbstractJoint):
    """A hinge whose markers lie apart: lengths between markers say nothing about it."""

    rows: ClassVar[tuple[str, ...]] = ("m", "m")

    def phi(self, X_WI, X_WJ):
        d = X_WJ.position - X_WI.position
        return [d @ X_WI.axis(X) - 0.1, d @ X_WI.axis(Y)]

    @property
    def home(self):
        return Pose(Vector(0.1, 0.0, 0.0), Rotation.identity())


def test_a_hinge_whose_markers_lie_apart_is_not_taken_for_one_whose_markers_meet():
    assert OffsetHinge(*ends()).ways(plane=True).kind is None


@dataclass(frozen=True)
class Traced(AbstractJoint):
    """A joint whose formula takes traced values only, and one whose field cannot be hashed."""

    table: np.ndarray | None = None
    rows: ClassVar[tuple[str, ...]] = ("m",)

    def phi(self, X_WI, X_WJ):
        return [(X_WJ.position - X_WI.position).x.sin()]


def test_a_formula_that_takes_no_plain_numbers_is_unknown():
    assert Traced(*ends()).ways(plane=True).kind is None
    assert Traced(*ends(), table=np.zeros(3)).ways(plane=True).kind is None


@dataclass(frozen=True)
class Nowhere(AbstractJoint):
    """A joint whose formula has no value anywhere."""

    rows: ClassVar[tuple[str, ...]] = ("m",)

    def phi(self, X_WI, X_WJ):
        return [np.sqrt(-1.0 - (X_WJ.position - X_WI.position).square)]


@pytest.mark.filterwarnings("error")
def test_a_formula_without_a_value_is_unknown_and_warns_of_nothing():
    assert Nowhere(*ends()).ways(plane=True).kind is None


@dataclass(frozen=True)
class Unturned(AbstractJoint):
    """A body that does not turn, as a user of the plane would write it."""

    rows: ClassVar[tuple[str, ...]] = ("1",)

    def phi(self, X_WI, X_WJ):
        return [X_WI.axis(X) @ X_WJ.axis(Y)]


@dataclass(frozen=True)
class Upright(Unturned):
    """It also says which way round."""

    sides: ClassVar = (SameWay(X, X),)


def test_a_joint_is_level_only_where_it_says_which_way_round():
    assert NoRotation(*ends()).ways(plane=True).is_level
    assert Upright(*ends()).ways(plane=True).is_level
    assert not Unturned(*ends()).ways(plane=True).is_level  # half a turn fits its rows as well
    assert Unturned(*ends()).ways(plane=True).kind is Kind.UNTURNED


def test_ways_do_not_depend_on_where_a_joint_is():
    here = Revolute(Marker(GROUND), Marker("b"))
    there = Revolute(Marker("a", (1.0, 2.0, 0.0)), Marker("b", (3.0, 0.0, 0.0)).turned(0.3), "pin")
    assert here.ways(plane=True) is there.ways(plane=True)


@pytest.mark.parametrize("length", [1e-12, 1e-6, 1e3, 1e6, 1e12])
def test_a_rod_is_a_rod_at_every_length(length):
    for plane in (True, False):
        assert Rod(*ends(), length=length).ways(plane=plane).kind is Kind.ROD


@pytest.mark.parametrize("scale", [1e-9, 1e6])
def test_the_transmission_angle_of_a_large_machine_is_that_of_a_small_one(scale):
    def angle(s):
        m = kempe.Builder("two cranks and a rod", plane=True)
        a = m.bar("a", 0.6 * s, at=(0, 0), angle="55 deg")
        b = m.bar("b", 0.8 * s, at=(1.6 * s, 0), angle="100 deg")
        m.revolute(m.ground.at(0, 0), a.start)
        m.revolute(m.ground.at(1.6 * s, 0), b.start)
        m.add(Rod(a.end, b.end, length=1.3 * s))
        m.drive(a.angle, start="55 deg", speed="60 deg/s")
        return m.build().kinematics(until=1.0, steps=2)["transmission.angle"].values

    np.testing.assert_allclose(angle(scale), angle(1.0), atol=1e-9)


@pytest.mark.parametrize("weight", [1e-9, 1e-6, 1e6, 1e9])
def test_a_hinge_is_one_however_its_rows_are_counted(weight):
    @dataclass(frozen=True)
    class Weighed(AbstractJoint):
        """A hinge whose rows are multiplied by a number."""

        constraints: ClassVar = ()

        def phi(self, X_WI, X_WJ):
            d = X_WI.rotation.inverse().apply(X_WJ.position - X_WI.position)
            z = X_WJ.axis(Z)
            square = [X_WI.axis(X) @ z, X_WI.axis(Y) @ z]
            return [weight * row for row in (*d, *square)]

    assert Weighed(*ends()).ways(plane=False).kind is Kind.HINGE

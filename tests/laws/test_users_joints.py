"""A user's joint is a full citizen: each analysis answers for it as for kempe's own.

Here every hinge, slider, slot, rod and the like of a mechanism is exchanged for one that a user
wrote: another class with another name, and one formula in place of kempe's constraints.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import kempe
from kempe.errors import AssemblyError
from kempe.geometry import Pose, Rotation, Vector
from kempe.joints import (
    AbstractJoint,
    Cylindrical,
    Fixed,
    NoRotation,
    PinInSlot,
    Prismatic,
    Revolute,
    Rod,
    SameWay,
    Spherical,
)
from kempe.measures import Bearing, Displacement, Turn
from kempe.pictures.animation import scene_of

X, Y, Z = kempe.X, kempe.Y, kempe.Z
SAME = 1e-9  # rounding: the formulas are written another way, so the last digits differ

pytestmark = pytest.mark.core


def place(X_WI, X_WJ):
    """The coordinates of J's origin in the frame of I."""
    d = X_WJ.position - X_WI.position
    return [d @ X_WI.axis(axis) for axis in (X, Y, Z)]


def leaning(X_WI, X_WJ, a=Z):
    """How far z of J leans from an axis of I."""
    return [X_WI.axis(b) @ X_WJ.axis(Z) for b in a.others]


@dataclass(frozen=True)
class Pivot(AbstractJoint):
    rows: ClassVar = ("m", "m", "m", "1", "1")
    sides: ClassVar = (SameWay(Z, Z),)
    freedom: ClassVar = (Turn(Z),)
    symbol: ClassVar = "pin"

    def phi(self, X_WI, X_WJ):
        return [*place(X_WI, X_WJ), *leaning(X_WI, X_WJ)]


@dataclass(frozen=True)
class Rail(AbstractJoint):
    rows: ClassVar = ("m", "m", "1", "1", "1")
    sides: ClassVar = (SameWay(X, X), SameWay(Z, Z))
    freedom: ClassVar = (Displacement(Z),)
    symbol: ClassVar = "slider"

    def phi(self, X_WI, X_WJ):
        spin = X_WI.axis(X) @ X_WJ.axis(Y)
        return [*place(X_WI, X_WJ)[:2], spin, *leaning(X_WI, X_WJ)]


@dataclass(frozen=True)
class Groove(AbstractJoint):
    rows: ClassVar = ("m", "m", "1", "1")
    sides: ClassVar = (SameWay(X, Z),)
    freedom: ClassVar = (Displacement(Z), Turn(X))
    symbol: ClassVar = "slot"

    def phi(self, X_WI, X_WJ):
        return [*place(X_WI, X_WJ)[:2], *leaning(X_WI, X_WJ, X)]

    @property
    def home(self):
        return Pose(Vector(0.0, 0.0, 0.0), Rotation.with_z((1.0, 0.0, 0.0)))


@dataclass(frozen=True)
class Tube(AbstractJoint):
    rows: ClassVar = ("m", "m", "1", "1")
    sides: ClassVar = (SameWay(Z, Z),)
    freedom: ClassVar = (Displacement(Z), Turn(Z))
    symbol: ClassVar = "sleeve"

    def phi(self, X_WI, X_WJ):
        return [*place(X_WI, X_WJ)[:2], *leaning(X_WI, X_WJ)]


@dataclass(frozen=True)
class Socket(AbstractJoint):
    rows: ClassVar = ("m", "m", "m")
    freedom: ClassVar = (Turn(X), Turn(Y), Turn(Z))
    symbol: ClassVar = "ball"

    def phi(self, X_WI, X_WJ):
        return place(X_WI, X_WJ)


@dataclass(frozen=True)
class Strut(AbstractJoint):
    length: float = 1.0

    rows: ClassVar = ("m",)
    freedom: ClassVar = (Bearing(Y), Bearing(Z), Turn(X), Turn(Y), Turn(Z))
    symbol: ClassVar = "rod"

    def phi(self, X_WI, X_WJ):
        d = X_WJ.position - X_WI.position
        return [(d.square - self.length * self.length) / (2.0 * self.length)]

    @property
    def home(self):
        return Pose(Vector(self.length, 0.0, 0.0), Rotation.identity())


@dataclass(frozen=True)
class Compass(AbstractJoint):
    rows: ClassVar = ("1", "1", "1")
    sides: ClassVar = (SameWay(X, X), SameWay(Z, Z))
    freedom: ClassVar = (Displacement(X), Displacement(Y), Displacement(Z))
    symbol: ClassVar = "aligned"

    def phi(self, X_WI, X_WJ):
        return [
            X_WI.axis(X) @ X_WJ.axis(Y),
            X_WI.axis(X) @ X_WJ.axis(Z),
            X_WI.axis(Y) @ X_WJ.axis(Z),
        ]


@dataclass(frozen=True)
class Glue(AbstractJoint):
    rows: ClassVar = ("m", "m", "m", "1", "1", "1")
    sides: ClassVar = (SameWay(X, X), SameWay(Z, Z))
    symbol: ClassVar = "fixed"

    def phi(self, X_WI, X_WJ):
        return [*place(X_WI, X_WJ), *Compass.phi(self, X_WI, X_WJ)]


USERS = {
    Revolute: Pivot,
    Prismatic: Rail,
    PinInSlot: Groove,
    Cylindrical: Tube,
    Spherical: Socket,
    Rod: Strut,
    NoRotation: Compass,
    Fixed: Glue,
}


def exchanged(mechanism):
    """The mechanism with a user's joint in place of every one of kempe's."""

    def own(joint):
        more = (joint.length,) if isinstance(joint, Rod) else ()
        return USERS[type(joint)](joint.I, joint.J, joint.name, *more)

    model = mechanism.model
    return kempe.Mechanism(replace(model, joints=tuple(own(joint) for joint in model.joints)))


def renamed(text):
    """What is said of a user's joints, in kempe's words."""
    for kind, users in USERS.items():
        text = text.replace(users.__name__, kind.__name__)
        text = text.replace(users.__name__.lower(), kind.__name__.lower())
    return text


@pytest.mark.row("A3")
@pytest.mark.parametrize("kind", USERS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("plane", [True, False])
def test_a_user_s_joint_leaves_free_what_kempe_s_own_leaves(kind, plane):
    more = {"length": 0.5} if kind is Rod else {}
    for turned in (False, True):
        a, b = kempe.Marker("a"), kempe.Marker("b")
        a = a.facing((1, 0)) if turned else a
        b = b.facing((1, 0)) if turned and kind is not PinInSlot else b
        assert USERS[kind](a, b, **more).ways(plane=plane) == kind(a, b, **more).ways(plane=plane)


# -- transmission --------------------------------------------------------------------------------


def rod_crank(*, plane=True):
    """A crank and a rocker with a massless rod between them."""
    m = kempe.Builder("crank and rod", plane=plane)
    crank, rocker = m.bar("crank", 0.3, angle=0.4), m.bar("rocker", 0.7, at=(1, 0), angle=1.5)
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(m.ground.at(1, 0), rocker.start, name="D")
    m.add(Rod(crank.end, rocker.end, length=0.9), "rod")
    m.drive(crank.angle, start=0.4, rpm=60)
    return m.build()


def four_bar_in_space(tilt=0.0, reach=0.9):
    """A crank-rocker of hinges in space, the axis of one turned by a little."""
    m = kempe.Builder("frame")
    crank, coupler, rocker = m.bar("crank", 0.3), m.bar("coupler", reach), m.bar("rocker", 0.7)
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, coupler.start, name="B")
    m.revolute(coupler.end, rocker.end, name="C")
    m.revolute(m.ground.at(1, 0), rocker.start, name="D")
    m.drive(crank.angle, rpm=60)
    marker = m.build().model.joint("C").I
    m.reattach("C", I=replace(marker, rotation=marker.rotation @ Rotation.about((1, 0, 0), tilt)))
    return m.build()


def trammel():
    """Two sliders with a rod between them: nothing turns but the rod."""
    m = kempe.Builder("trammel", plane=True)
    a, b = m.body("a", at=(0.6, 0)), m.body("b", at=(0, 0.8))
    m.prismatic(m.ground.at(0, 0), a.at(0, 0), name="along_x")
    m.prismatic(m.ground.at(0, 0), b.at(0, 0), along=(0, 1), name="along_y")
    m.add(Rod(a.at(0, 0), b.at(0, 0), length=1.0), "rod")
    m.drive(a.x, start=0.6, speed=0.1)
    return m.build()


HANDED_ON = {
    "four_bar": (kempe.gallery.four_bar, None),
    "slider_crank": (kempe.gallery.slider_crank, None),
    "quick_return": (kempe.gallery.quick_return, "lever"),
    "rod": (rod_crank, None),
    "in space": (four_bar_in_space, None),
}


@pytest.mark.parametrize("name", HANDED_ON)
def test_the_transmission_angle_is_told(name):
    make, output = HANDED_ON[name]
    own, users = (
        m.kinematics(until=0.4, steps=20).transmission for m in (make(), exchanged(make()))
    )
    mine, theirs = (t.angle(output) for t in (own, users))
    assert str(theirs.name) == str(mine.name)
    for word in ("values", "rate", "acceleration"):
        np.testing.assert_allclose(getattr(theirs, word), getattr(mine, word), rtol=1e-7, atol=1e-7)


def test_a_rod_between_sliders_has_a_transmission_angle():
    """sin of the angle between the rod and what holds its upper end, square to the guide: 0.6."""
    for mechanism in (trammel(), exchanged(trammel())):
        angle = mechanism.kinematics(until=1.0, steps=10).transmission.angle()
        x = 0.6 + 0.1 * angle.t
        np.testing.assert_allclose(np.abs(np.cos(angle.values)), x, atol=SAME)


# -- loosening, links, tilt ----------------------------------------------------------------------

CHECKED = {
    "bennett": kempe.gallery.bennett,
    "hinges in space": four_bar_in_space,
    "four_bar": kempe.gallery.four_bar,
}


@pytest.mark.parametrize("name", CHECKED)
def test_a_check_says_the_same_words(name):
    own, users = CHECKED[name]().check(), exchanged(CHECKED[name]()).check()
    assert renamed(str(users)) == str(own)
    assert [renamed(str(x)) for x in users.looser] == [str(x) for x in own.looser]
    assert [loop.kind for loop in users.loops] == [loop.kind for loop in own.loops]


def test_a_link_that_is_too_long_is_named():
    said = []
    for mechanism in (four_bar_in_space(reach=5.0), exchanged(four_bar_in_space(reach=5.0))):
        with pytest.raises(AssemblyError, match="'coupler' is 5 m") as caught:
            mechanism.check()
        said.append(caught.value.message.partition(" m. ")[0])  # remedies may stand in any order
    assert said[0] == said[1]


def test_a_tilted_axis_is_named_and_straightened():
    tilt = 1e-3
    for mechanism in (four_bar_in_space(tilt), exchanged(four_bar_in_space(tilt))):
        with pytest.raises(AssemblyError, match=r"the axis of 'C' is 0\.001 rad") as caught:
            mechanism.check()
        assert caught.value.facts["joint"] == "C"
        (turned,) = mechanism.check(align=2.0 * tilt).straightened
        assert (turned.joint, turned.body) == ("C", "coupler")
        assert turned.angle == pytest.approx(tilt, rel=1e-6)


# -- readings and pictures -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "quick_return"])
def test_everything_is_read_and_drawn(name):
    make = getattr(kempe.gallery, name)
    own, users = (m.kinematics(until=0.4, steps=8) for m in (make(), exchanged(make())))
    assert [str(n) for n in users.names] == [str(n) for n in own.names]
    for column in ("t", *(j.name + "." + m.word for j in make().model.joints for m in j.freedom)):
        if column in own.names:
            np.testing.assert_allclose(users[column].values, own[column].values, atol=1e-7)
    mine, theirs = (scene_of(turn) for turn in (own, users))
    assert [j.symbol for j in theirs.joints] == [j.symbol for j in mine.joints]
    assert [(b.name, repr(b.shapes)) for b in theirs.bodies] == [
        (b.name, repr(b.shapes)) for b in mine.bodies
    ]


def triangle():
    """Points and bars of the plane: a bar turns about a fixed point, another closes it."""
    m = kempe.Builder("triangle", plane=True)
    a, b = m.point("a", at=(1.0, 0.2)), m.point("b", at=(1.2, 1.0))
    m.stick("first", m.ground.at(0, 0), a, 1.0)
    m.stick("second", a, b, 0.8)
    m.stick("third", m.ground.at(2, 0), b, 1.4)
    return m.build()


def test_points_and_rods_are_drawn_and_every_motion_is_found():
    own, users = (m.motions() for m in (triangle(), exchanged(triangle())))
    assert len(own.components) == len(users.components) > 0
    mine, theirs = (
        m.pictures(found).placements(0, 4)
        for m, found in ((triangle(), own), (exchanged(triangle()), users))
    )
    assert theirs.count("<path") == mine.count("<path")
    assert theirs.count("<circle") == mine.count("<circle")

"""Surfaces that meet and part: a cam, a hoop in a trough, a vibrating table, a mass on a floor."""

import math
from typing import Any

import numpy as np

from kempe.drives import Cycloidal, Harmonic, Ramp
from kempe.errors import BadNumber
from kempe.forces import (
    AppliedLoad,
    BoxOnPlane,
    CornersOnPlane,
    EdgeOnSurface,
    LineSpring,
    RollerOnCam,
)
from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch_of_masses import DOWN, G, arc, let_go, ring
from kempe.geometry import Inertia, Rotation, Y
from kempe.geometry.curves import Circle, Ellipse
from kempe.geometry.number import positive
from kempe.geometry.solids import Cuboid, Cylinder, Plate
from kempe.geometry.surfaces import CylinderSurface

NOTHING = Ramp(0.0, 0.0, 0.0)


def block(
    m: Builder, name: str, width: float, height: float, mass: float, at: tuple[float, float]
) -> BodyPart:
    """A block of one material with its middle M at `at`, drawn by its corners; m and kg."""
    x, y = 0.5 * width, 0.5 * height
    corners = {"a": (-x, -y), "b": (x, -y), "c": (x, y), "d": (-x, y)}
    solid = Cuboid((width, height, width))
    return m.body(
        name,
        points={"M": (0, 0), **corners},
        outline=tuple(corners),
        at=at,
        angle=0.0,
        inertia=solid.inertia(mass=mass),
    )


@let_go(0.2, "roller.P")
def cam_follower(
    *, speed: float = 80.0, preload: float = 20.0, spring: float = 2000.0, mass: float = 0.4,
    roller: float = 0.01,
) -> Mechanism:  # fmt: skip
    """An elliptic cam lifts a roller twice a turn; a spring brings it back, too late at full speed.

    `speed` (rad/s) turns the cam, `preload` (N) and `spring` (N/m) press a follower of `mass` (kg)
    and a roller of radius `roller` (m) on it. Where that is less than the follower's inertia it
    lifts off, flies and lands: these moments are in `events`.

    Own: masses and sizes.

    Examples:
        >>> import kempe
        >>> fast = kempe.gallery.cam_follower().simulate(until=0.2)
        >>> fast.events[0].kind
        'lift-off'
        >>> slow = kempe.gallery.cam_follower(speed=40.0).simulate(until=0.2)
        >>> len(slow.events)
        0
    """
    a, b, stiffness = 0.03, 0.022, 5e6
    m = Builder("cam and follower", plane=True, gravity=DOWN)
    disc = Cylinder(a, 0.01).inertia(mass=0.5)
    cam = m.body("cam", at=(0, 0), angle=0.0, inertia=disc)
    edge = tuple((x, y * b / a) for x, y in arc(a, 0.0, 2.0 * math.pi, corners=65)[:-1])
    m.shape(cam, Plate(edge, 0.01))
    shaft = m.revolute(m.ground.at(0, 0), cam.at(0, 0), name="shaft")
    m.drive(shaft.angle, speed=speed)
    radius = positive(roller, "the radius of the roller")
    pushed = mass * G + preload
    lowest = b + radius - pushed / stiffness
    follower = m.body(
        "roller",
        points={"P": (0, 0), "top": (0, 4 * a)},
        at=(0, lowest),
        angle=0.0,
        inertia=Cylinder(radius, 0.01).inertia(mass=positive(mass, "the mass of the follower")),
    )
    m.shape(follower, Cylinder(radius, 0.01))
    m.prismatic(m.ground.at(0, 0), follower.at(0, 0), along=(0, 1), name="guide")
    above = 0.15
    free = above - lowest + preload / positive(spring, "the stiffness of the spring")
    m.force(LineSpring(m.ground.at(0, above), follower.P, stiffness=spring, free=free), "spring")
    ellipse = Ellipse((0.0, 0.0), (a, 0.0), (0.0, b))
    law: dict[str, Any] = {"stiffness": stiffness, "dissipation": 0.4}
    m.force(RollerOnCam(cam.at(0, 0), follower.P, ellipse, radius, **law), "nose")
    return m.build()


@let_go(0.8, "hoop.r1")
def hoop_in_trough(
    *, radius: float = 0.1, trough: float = 0.16, mass: float = 0.2, fall: float = 0.03,
    lean: float = 0.25,
) -> Mechanism:  # fmt: skip
    """A hoop drops into a round trough, meets both its sides, and hops and rocks in it.

    The hoop, a thin ring of `radius` (m) and `mass` (kg), lies flat but for a `lean` (rad) across
    the trough, whose radius is `trough` (m), and is let go by `fall` (m) above where it would lie.
    Its rim touches the trough in two places, or in one as it stands on its edge.

    Own.

    Examples:
        >>> import kempe
        >>> drop = kempe.gallery.hoop_in_trough(lean=0.0).simulate(until=0.1)
        >>> [(event.kind, event.direction) for event in drop.events[:2]]
        [('touch', 'place 1'), ('touch', 'place 2')]
        >>> [event.kind for event in drop.events[2:]]
        ['lift-off', 'lift-off']
    """
    if not positive(radius, "the radius of a hoop") < positive(trough, "the radius of a trough"):
        raise BadNumber(f"a hoop of {radius:g} m does not go into a trough of {trough:g} m.")
    m = Builder("hoop in a trough", gravity=(0, 0, -G))
    rim = ring(radius, corners=24)
    moment = positive(mass, "the mass of a hoop", "kg") * radius * radius
    wide, high = radius * math.cos(lean), radius * abs(math.sin(lean))
    lowest = high - math.sqrt(trough**2 - wide**2)
    hoop = m.body(
        "hoop",
        points=rim,
        outline=tuple(rim),
        at=(0, 0, positive(fall, "the fall of a hoop") + lowest),
        rotation=Rotation.about((0, 1, 0), lean),
        inertia=Inertia(mass, np.zeros(3), moment * np.diag([0.5, 0.5, 1.0])),
    )
    round_about = CylinderSurface((0, 0, 0), trough, (0.0, 1.0, 0.0), (-1.5 * radius, 1.5 * radius))
    law: dict[str, Any] = {"stiffness": 2e4, "dissipation": 0.3, "friction": 0.2, "creep": 0.01}
    here, middle = m.ground.at(0, 0, 0), hoop.at(0, 0, 0)
    edge = Circle((0, 0), radius)
    m.force(EdgeOnSurface(here, middle, round_about, edge, inside=True, **law), "rim")
    return m.build()


@let_go(1.0, "part.M")
def vibrating_table(
    *, stroke: float = 0.002, frequency: float = 15.0, slope: float = math.radians(30.0),
    friction: float = 0.4,
) -> Mechanism:  # fmt: skip
    """A table shakes to and fro along a line at a `slope`, and a part on it travels to the right.

    The table moves by `stroke` (m) either way, `frequency` times a second. As it goes up and right
    it presses the part down and takes it along, as it goes back the part is light and slides: where
    stroke (2 pi frequency)^2 sin(slope) > g it even leaves the table.

    Own: masses and sizes.

    Examples:
        >>> import kempe
        >>> shaken = kempe.gallery.vibrating_table().simulate(until=1.0)
        >>> bool(shaken["part.x"].values[-1] > 0.03)
        True
    """
    m = Builder("vibrating table", plane=True, gravity=DOWN)
    bed = {"a": (-0.1, 0.0), "b": (0.4, 0.0), "c": (0.4, -0.02), "d": (-0.1, -0.02)}
    plate = Cuboid((0.5, 0.02, 0.2)).inertia(mass=5.0)
    table = m.body("table", points=bed, outline=tuple(bed), at=(0, 0), angle=0.0, inertia=plate)
    along = (math.cos(slope), math.sin(slope))
    leaf = m.prismatic(m.ground.at(0, 0), table.at(0, 0), along=along, name="leaf_spring")
    m.drive(
        leaf.displacement,
        Harmonic(mean=stroke, amplitude=stroke, frequency=frequency, phase=-0.5 * math.pi),
    )
    stiffness, mass = 2e4, 0.2
    sunk = mass * G / (2.0 * stiffness)
    part = block(m, "part", 0.03, 0.02, mass, (0.0, 0.01 - sunk))
    corners = ((-0.015, -0.01, 0.0), (0.015, -0.01, 0.0))
    law: dict[str, Any] = {
        "stiffness": stiffness,
        "damping": 20.0,
        "friction": friction,
        "creep": 2e-3,
    }
    m.force(CornersOnPlane(table.at(0, 0), part.M, Y, corners, **law), "bed")
    return m.build()


@let_go(1.5, "mass.M")
def spring_mass_on_floor(
    *, push: float = 60.0, spring: float = 400.0, damper: float = 4.0, friction: float = 0.1
) -> Mechanism:
    """A mass between a wall and a load slides on a floor, held by a spring and a damper.

    A load of `push` (N) that grows over a tenth of a second pulls it from the wall, against a
    `spring` (N/m), a `damper` (N s/m) and the friction of the floor on its corners.

    Source: [KohPark] fig. 4; a floor that it lies on in place of a joint, and all numbers: Own.

    Examples:
        >>> import kempe
        >>> pulled = kempe.gallery.spring_mass_on_floor().simulate(until=1.5)
        >>> bool(0.1 < pulled["mass.x"].values[-1] - 0.35 < 0.2)
        True
    """
    m = Builder("spring and mass on a floor", plane=True, gravity=DOWN)
    width, height, mass, stiffness = 0.12, 0.08, 2.0, 4e4
    sunk = mass * G / (4.0 * stiffness)  # a box has two corners behind each other at either end
    body = block(m, "mass", width, height, mass, (0.35, 0.5 * height - sunk))
    wall = m.ground.at(0.0, 0.5 * height)
    m.force(LineSpring(wall, body.M, stiffness=spring, damping=damper, free=0.35), "spring")
    pull = Cycloidal(rise=push, duration=0.1)
    m.force(AppliedLoad(body.M, (pull, NOTHING, NOTHING)), "load")
    law: dict[str, Any] = {
        "stiffness": stiffness,
        "damping": 100.0,
        "friction": friction,
        "creep": 2e-3,
    }
    m.force(BoxOnPlane(m.ground.at(0, 0), body.M, Y, width, height, width, **law), "floor")
    return m.build()

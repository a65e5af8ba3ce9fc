"""Tops and gyroscopes: heavy, free of torque, in gimbals, and one that turns over."""

import math

import numpy as np

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_in_space import X_AXIS, Y_AXIS
from kempe.gallery.sketch_of_masses import G, let_go, ring
from kempe.geometry import Inertia, Pose, Rotation, Vector
from kempe.geometry.solids import Cuboid, Cylinder, Revolution
from kempe.joints import Revolute, Spherical

THICK = 0.2  # of a disc, in radii


@let_go(3.0, "top.P")
def heavy_top(
    *, height: float = 0.1, radius: float = 0.06, mass: float = 0.5, spin: float = 150.0,
    tilt: float = math.radians(30.0),
) -> Mechanism:  # fmt: skip
    """A disc on a pointed stem that spins about its axis, leans, and goes round with a nod.

    It is let go with its axis at rest, at `tilt` from upright, spinning at `spin` (rad/s); the tip
    of the axis draws arches with cusps.

    Source: Joseph-Louis Lagrange, 1788; [LandauLifshitz] section 35.

    Examples:
        >>> import kempe
        >>> top = kempe.gallery.heavy_top().simulate(until=3.0)
        >>> about_its_axis = top.motion.v[:, 5]
        >>> print(f"{about_its_axis.min():.4f} to {about_its_axis.max():.4f} rad/s")
        150.0000 to 150.0000 rad/s
    """
    m = Builder("heavy top", gravity=(0, 0, -G))
    axis = np.array([math.sin(tilt), 0.0, math.cos(tilt)])
    rim = {"left": (-radius, 0.0, height), "right": (radius, 0.0, height)}
    up = Pose(Vector(0.0, 0.0, height), Rotation.identity())
    top = m.body(
        "top",
        points={"foot": (0.0, 0.0, 0.0), "P": (0.0, 0.0, 1.4 * height), **rim},
        outline=("foot", "P", *rim),
        at=(0, 0, 0),
        rotation=Rotation.with_z(axis),
        inertia=Cylinder(radius, THICK * radius).inertia(mass=mass, at=up),
        spin=tuple((spin * axis).tolist()),
    )
    m.shape(top, _turned(height, radius))
    m.add(Spherical(m.ground.at(0, 0, 0), top.foot), "floor")
    return m.build()


def _turned(height: float, radius: float) -> Revolution:
    """The disc on its stem, as it comes off a lathe; it is drawn and weighs nothing."""
    stem, half = 0.12 * radius, 0.5 * THICK * radius
    low, high, top = height - half, height + half, 1.4 * height
    stem_at = min(0.3 * height, 0.5 * low)
    disc = ((radius, low), (radius, high)) if low > stem_at else ()
    return Revolution(
        ((0, 0), (stem, stem_at), (stem, low), *disc, (stem, high), (stem, top), (0, top))
    )


@let_go(10.0, "block.P")
def free_body(
    *, length: float = 0.3, width: float = 0.2, thickness: float = 0.05, mass: float = 1.0,
    spin: float = 6.0,
) -> Mechanism:  # fmt: skip
    """A block thrown spinning, seen by one who flies with it: no force, no torque, and it tumbles.

    It starts turning about an axis between its longest and its shortest; angular momentum and
    energy stay, its axis of turning does not.

    Source: Leonhard Euler, 1758; [LandauLifshitz] section 37.

    Examples:
        >>> import kempe
        >>> flight = kempe.gallery.free_body().simulate(until=10.0)
        >>> kinetic = flight.energy.kinetic
        >>> bool(abs(kinetic - kinetic[0]).max() < 1e-7 * kinetic[0])
        True
    """
    return _thrown("free body", (length, width, thickness), mass, (0.8 * spin, 0.0, 0.6 * spin))


@let_go(20.0, "block.P")
def dzhanibekov(
    *, length: float = 0.3, width: float = 0.2, thickness: float = 0.05, mass: float = 1.0,
    spin: float = 6.0, off: float = 1e-3,
) -> Mechanism:  # fmt: skip
    """A body turning about its middle axis: steady for a while, then it somersaults, and again.

    Turning about the axis of the largest or of the smallest moment is stable, about the middle one
    it is not: `off` (of the spin) beside it is enough. Vladimir Dzhanibekov saw it in a wing nut on
    board of Salyut 7, 1985.

    Source: [LandauLifshitz] section 37.

    Examples:
        >>> import kempe
        >>> flight = kempe.gallery.dzhanibekov().simulate(until=20.0)
        >>> middle = flight.motion.v[:, 4]
        >>> int((middle[1:] * middle[:-1] < 0).sum())  # how often it has turned over
        4
    """
    spins = (spin * off, spin, spin * off)
    return _thrown("Dzhanibekov's block", (length, width, thickness), mass, spins)


def _thrown(
    name: str, sides: tuple[float, float, float], mass: float, spin: tuple[float, float, float]
) -> Mechanism:
    m = Builder(name)
    x, y, _ = (0.5 * side for side in sides)
    corners = {"a": (x, y, 0.0), "b": (-x, y, 0.0), "c": (-x, -y, 0.0), "P": (x, -y, 0.0)}
    inertia = Cuboid(sides).inertia(mass=mass)
    m.body(
        "block", points=corners, outline=tuple(corners), at=(0, 0, 0), inertia=inertia, spin=spin
    )
    return m.build()


RIM = 12  # corners of the rotor's picture


@let_go(4.0, "frame.P")
def gyroscope(
    *, radius: float = 0.05, mass: float = 0.5, spin: float = 300.0, arm: float = 0.08,
    weight: float = 0.05,
) -> Mechanism:  # fmt: skip
    """A rotor in two rings with a weight on its axle: the axle goes round instead of down.

    The fork turns about the vertical, the frame in it about a level axis, the rotor in the frame
    about its axle; `weight` (kg) hangs on the axle `arm` from the middle. With `spin` (rad/s) high
    it goes round at about weight g arm / (I spin), with a quick little nod.

    Own.

    Examples:
        >>> import kempe
        >>> gyro = kempe.gallery.gyroscope().simulate(until=4.0)
        >>> turn = gyro["column.angle"].values
        >>> print(f"{(turn[-1] - turn[0]) / 4.0:.3f} rad/s")
        0.209 rad/s
    """
    m = Builder("gyroscope", gravity=(0, 0, -G))
    outer = 1.5 * radius
    # The axle lies along y; the frame turns about x; its z axis is up at the start.
    fork = m.body(
        "fork",
        points={"foot": (0, 0, -1.5 * outer), "left": (-outer, 0, 0), "right": (outer, 0, 0)},
        outline=("foot", "left", "right"),
        at=(0, 0, 0),
        inertia=Inertia(0.02, np.zeros(3), 0.02 * outer**2 * np.eye(3)),
    )
    hung = Inertia(weight, np.array([0.0, arm, 0.0]), np.zeros((3, 3)))
    light = Inertia(0.02, np.zeros(3), 0.02 * outer**2 * np.eye(3))
    frame = m.body(
        "frame",
        points={
            "P": (0, arm, 0),
            "end": (0, -arm, 0),
            "left": (-outer, 0, 0),
            "right": (outer, 0, 0),
        },
        outline=("P", "left", "end", "right"),
        at=(0, 0, 0),
        inertia=light + hung,
    )
    # The disc's own axis is its z, turned into the world's y.
    rotor = m.body(
        "rotor",
        points=ring(radius, RIM),
        outline=tuple(ring(radius, RIM)),
        at=(0, 0, 0),
        rotation=Rotation.with_z(Y_AXIS),
        inertia=Cylinder(radius, 0.3 * radius).inertia(mass=mass),
        spin=(0.0, spin, 0.0),
    )
    m.add(Revolute(m.ground.at(0, 0, -1.5 * outer), fork.foot), "column")
    m.add(Revolute(fork.right.facing(X_AXIS), frame.right.facing(X_AXIS)), "trunnion")
    m.add(Revolute(frame.at(0, 0, 0).facing(Y_AXIS), rotor.at(0, 0, 0)), "axle")
    return m.build()

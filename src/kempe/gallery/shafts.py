"""Shafts out of line, joined: by crosses, by a constant-velocity joint, by Oldham's coupling."""

import math

from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart, JointPart
from kempe.gallery.sketch import entry, polar, xy
from kempe.gallery.sketch_in_space import (
    X_AXIS,
    Y_AXIS,
    forked_shaft,
    in_place,
    marker,
    placed,
    shifted,
    turned,
)
from kempe.gallery.sketch_of_masses import let_go
from kempe.geometry import GROUND, Pose, Rotation, Vector
from kempe.geometry.solids import Cylinder
from kempe.joints import ConstantVelocity, Cylindrical, Revolute, Universal


@entry
def cardan(
    *, bend: float = math.radians(30.0), shaft: float = 0.2, fork: float = 0.05, start: float = 0.0
) -> Mechanism:
    """Two shafts that meet at an angle, joined by a cross: the output lags and hurries by turns.

    The input lies along z, the output is bent from it by `bend` (rad) about x; at angle 0 the
    input's fork holds the cross along x. tan(output) = cos(bend) tan(input), so the speeds are as
    cos(bend) / (1 - sin^2(bend) sin^2(input)) to 1: between 0.866 and 1.155 at 30 degrees.

    Source: Gerolamo Cardano; Robert Hooke, 1676; [Shigley] ch. 1.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.cardan().kinematics(until=1.0)
        >>> ratio = turn["output_bearing.angle"].rate / turn["input_bearing.angle"].rate
        >>> print(f"{ratio.min():.4f} {ratio.max():.4f}")
        0.8660 1.1547
    """
    m = Builder("Cardan joint")
    bent = in_place(Rotation.about(X_AXIS, bend))
    lag = math.atan2(math.cos(bend) * math.sin(start), math.cos(start))
    first = forked_shaft(m, "input", turned(start), -shaft, fork, "x")
    second = forked_shaft(m, "output", bent @ turned(lag), shaft, fork, "y")
    drive = _bearings(m, first, second, bent, shaft)
    m.add(Universal(first.at(0, 0).facing(X_AXIS), second.at(0, 0).facing(Y_AXIS)), "cross")
    m.drive(drive.angle, start=start, rpm=60)
    return m.build()


@entry
def double_cardan(
    *, bend: float = math.radians(30.0), shaft: float = 0.15, middle: float = 0.3,
    fork: float = 0.05, start: float = 0.0,
) -> Mechanism:  # fmt: skip
    """A propeller shaft: two equal Cardan joints undo each other, and output follows input exactly.

    Input and output are parallel, along z; the middle shaft is bent from them by `bend` (rad) about
    x, and its two forks lie in one plane. The middle shaft turns unevenly, the output not at all;
    the output's bearing lets it slide.

    Source: [Shigley] ch. 1.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.double_cardan().kinematics(until=1.0)
        >>> bool(abs(turn["output.angle"].values - turn["input.angle"].values).max() < 1e-12)
        True
    """
    m = Builder("double Cardan joint")
    bent = in_place(Rotation.about(X_AXIS, bend))
    lag = math.atan2(math.cos(bend) * math.sin(start), math.cos(start))
    beyond = shifted(*bent.point(Vector(0.0, 0.0, middle)))
    first = forked_shaft(m, "input", turned(start), -shaft, fork, "x")
    tips = {
        "left": (0.0, -fork, 0.0),
        "right": (0.0, fork, 0.0),
        "far_left": (0.0, -fork, middle),
        "far_right": (0.0, fork, middle),
    }
    second = placed(m, "middle", bent @ turned(lag), tips)
    third = forked_shaft(m, "output", beyond @ turned(start), shaft, fork, "x")
    support = marker(GROUND, beyond @ shifted(0.0, 0.0, shaft))
    m.revolute(m.ground.at(0, 0, -shaft), first.bearing, name="input_bearing")
    m.add(Cylindrical(support, third.bearing), "output_bearing")
    m.add(Universal(first.at(0, 0).facing(X_AXIS), second.at(0, 0).facing(Y_AXIS)), "first_cross")
    near, end = second.at(0, 0, middle).facing(Y_AXIS), third.at(0, 0).facing(X_AXIS)
    m.add(Universal(near, end), "second_cross")
    m.drive(first.angle, start=start, rpm=60)
    return m.build()


@let_go(2.0, "output.P")
def cardan_shaft(
    *, bend: float = math.radians(35.0), shaft: float = 0.2, fork: float = 0.05,
    driver: float = 0.5, driven: float = 2.0, spin: float = 10.0,
) -> Mechanism:  # fmt: skip
    """Two flywheels on shafts that meet at an angle: neither can turn evenly, they trade speed.

    The wheels weigh `driver` and `driven` (kg). No torque acts and the energy stays, so that the
    input turns with w^2 (I1 + I2 n^2) = const, n = cos(bend) / (1 - sin^2(bend) sin^2(a)).

    Source: [Shigley] ch. 1 for the ratio n.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.cardan_shaft().simulate(until=2.0)
        >>> speed = turn["input_bearing.angle"].rate
        >>> print(f"{speed.min():.3f} to {speed.max():.3f} rad/s")
        7.275 to 10.000 rad/s
    """
    m = Builder("Cardan shaft")
    bent = in_place(Rotation.about(X_AXIS, bend))
    wheel = Cylinder(fork, 0.4 * fork)
    light, heavy = wheel.inertia(mass=driver), wheel.inertia(mass=driven)
    first = forked_shaft(m, "input", Pose.identity(), -shaft, fork, "x", inertia=light)
    second = forked_shaft(m, "output", bent, shaft, fork, "y", tip="P", inertia=heavy)
    turn = _bearings(m, first, second, bent, shaft)
    m.add(Universal(first.at(0, 0).facing(X_AXIS), second.at(0, 0).facing(Y_AXIS)), "cross")
    m.rate(turn.angle, spin)
    return m.build()


def _bearings(
    m: Builder, first: BodyPart, second: BodyPart, bent: Pose, shaft: float
) -> JointPart[Revolute]:
    """The input's bearing, which is given back, and the output's, `shaft` from where they meet."""
    drive = m.revolute(m.ground.at(0, 0, -shaft), first.bearing, name="input_bearing")
    support = marker(GROUND, bent @ shifted(0.0, 0.0, shaft))
    m.revolute(support, second.bearing, name="output_bearing")
    return drive


@entry
def constant_velocity(
    *, bend: float = math.radians(30.0), shaft: float = 0.2, fork: float = 0.05, start: float = 0.0
) -> Mechanism:
    """Two shafts that meet at an angle and turn alike at every moment, as at a driven front wheel.

    The input lies along z, the output is bent from it by `bend` (rad) about x. What joins them, six
    balls in grooves or a tripod, is left to the joint: it keeps both spins equal.

    Source: [Hunt] on constant-velocity couplings; Alfred Rzeppa, 1927.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.constant_velocity().kinematics(until=1.0)
        >>> ratio = turn["output_bearing.angle"].rate / turn["input_bearing.angle"].rate
        >>> bool(abs(ratio - 1.0).max() < 1e-12)
        True
    """
    m = Builder("constant-velocity joint")
    bent = in_place(Rotation.about(X_AXIS, bend))
    first = forked_shaft(m, "input", turned(start), -shaft, fork, "x")
    second = forked_shaft(m, "output", bent @ turned(start), shaft, fork, "x")
    drive = _bearings(m, first, second, bent, shaft)
    m.add(ConstantVelocity(first.at(0, 0), second.at(0, 0)), "joint", flip=True)
    m.drive(drive.angle, start=start, rpm=60)
    return m.build()


@entry
def oldham(*, offset: float = 0.02, radius: float = 0.05, start: float = 0.3) -> Mechanism:
    """Two parallel shafts that are out of line, joined by a disc with two tongues at right angles.

    The driving shaft turns about (0, 0), the driven one about (offset, 0). They turn alike at every
    moment; the disc's middle P runs round the circle over `offset` twice per turn.

    Source: John Oldham, 1821; [Shigley] ch. 1.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.oldham().kinematics(until=1.0)
        >>> bool(abs(turn["driven.angle"].values - turn["driving.angle"].values).max() < 1e-12)
        True
    """
    m = Builder("Oldham's coupling", plane=True)
    across, along = {"a": (-radius, 0.0), "b": (radius, 0.0)}, {"a": (0, -radius), "b": (0, radius)}
    u = polar(1.0, start)
    middle = offset * u.real * u
    first = m.body("driving", points=across, at=(0, 0), angle=start, outline=("a", "b"))
    second = m.body("driven", points=along, at=(offset, 0), angle=start, outline=("a", "b"))
    edge = 0.5 * radius
    corners = {"e": (edge, 0.0), "n": (0.0, edge), "w": (-edge, 0.0), "s": (0.0, -edge)}
    disc = m.body(
        "disc", points={"P": (0, 0), **corners}, at=xy(middle), angle=start, outline=tuple(corners)
    )
    m.revolute(m.ground.at(0, 0), first.at(0, 0), name="A")
    m.revolute(m.ground.at(offset, 0), second.at(0, 0), name="B")
    m.prismatic(first.at(0, 0), disc.at(0, 0), along=(1, 0), name="first_tongue")
    m.prismatic(second.at(0, 0), disc.at(0, 0), along=(0, 1), name="second_tongue")
    m.drive(first.angle, start=start, rpm=60)
    return m.build()

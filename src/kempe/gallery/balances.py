"""Mechanisms that come to rest: a four-bar that hangs, a toggle that rests on either side."""

import cmath
import math

from kempe.forces import LineSpring
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_of_masses import bob, let_go, slender
from kempe.geometry.number import positive


@let_go(6.0, "B.end")
def hanging_four_bar(
    *, length: float = 4.0, ground: float = 2.0, mass: float = 20.0, start: float = 1.0
) -> Mechanism:
    """Three heavy bars of one length that hang between two hinges, let go at `start` from level.

    At rest the middle bar is level and the outer ones lean by cos(a) = (length - ground) /
    (2 length); with the dimensions given a = 75.52 degrees.

    Source: [Drake] four_bar: bars of 4 m and 20 kg, hinges 2 m apart.

    Examples:
        >>> import math
        >>> import kempe
        >>> rest = kempe.gallery.hanging_four_bar().statics()
        >>> print(f"{-math.degrees(rest['WA.angle']):.2f} deg, stable: {rest.stable}")
        75.52 deg, stable: True
        >>> swing = kempe.gallery.hanging_four_bar().linearize(rest)
        >>> print(f"{swing.frequencies[0]:.4f} Hz")
        0.2764 Hz
    """
    m = Builder("hanging four-bar", plane=True, gravity=(0.0, -9.8))
    inertia = slender(mass, positive(length, "the length of a bar"))
    P, W = length * cmath.rect(1.0, -start), complex(-ground, 0.0)
    across = W - P
    rise = math.sqrt(max(length**2 - abs(across) ** 2 / 4.0, 0.0))
    Q = P + across / 2.0 + 1j * rise * across / abs(across)  # where B and C meet
    A = m.bar("A", length, at=(0, 0), angle=-start, inertia=inertia)
    B = m.bar("B", length, at=(P.real, P.imag), angle=cmath.phase(Q - P), inertia=inertia)
    C = m.bar("C", length, at=(W.real, W.imag), angle=cmath.phase(Q - W), inertia=inertia)
    m.revolute(m.ground.at(0, 0), A.start, name="WA")
    m.revolute(A.end, B.start, name="AB")
    m.revolute(B.end, C.end, name="BC")
    m.revolute(m.ground.at(-ground, 0), C.start, name="WC")
    return m.build()


@let_go(3.0)
def snap_toggle(
    *, half: float = 1.0, free: float = 1.25, stiffness: float = 100.0, mass: float = 1.0
) -> Mechanism:
    """A slider between two springs too long for the straight line: it rests on either side of it.

    Both sides, y = +- sqrt(free^2 - half^2), are stable and the middle is not. A load across snaps
    it through where (half^2 + y^2)^(3/2) = free half^2.

    Examples:
        >>> import kempe
        >>> rest = kempe.gallery.snap_toggle().statics()
        >>> middle = kempe.gallery.snap_toggle().statics(seek="nearest")
        >>> print(f"{rest['rail.displacement']:.4f} m, {rest.verdict}; middle {middle.verdict}")
        0.7500 m, stable; middle unstable
    """
    m = Builder("snap toggle", plane=True)
    pin = bob(m, 0.05 * half, mass, (0.0, 0.08 * half), name="pin")
    m.prismatic(m.ground.at(0, 0), pin.P, along=(0, 1, 0), name="rail")
    for name, side in (("left", -half), ("right", half)):
        m.force(LineSpring(m.ground.at(side, 0), pin.P, stiffness=stiffness, free=free), name)
    return m.build()

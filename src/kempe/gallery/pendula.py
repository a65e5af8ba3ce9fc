"""Pendula: one mass in the plane, over a sphere, round a cone, on a spring; several in a row."""

import math

from kempe.forces import LineSpring
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import count, polar, xy
from kempe.gallery.sketch_of_masses import DOWN, G, bob, let_go, particle, slender
from kempe.geometry.number import positive
from kempe.joints import Rod

BOB = 0.04  # radius of a bob in pictures, of the length
DOWNWARD = -0.5 * math.pi


@let_go(10.0)
def simple_pendulum(
    *, length: float = 1.0, mass: float = 1.0, start: float = math.radians(60.0)
) -> Mechanism:
    """A point mass on a light arm that swings in the plane, let go at `start` from below.

    Small swings take 2 pi sqrt(l / g), 2.006 s for a metre; this one 4 K(sin(start / 2)) / w0.

    Source: [IFToMM] A01 is this one let go level.

    Examples:
        >>> import kempe
        >>> swing = kempe.gallery.simple_pendulum().simulate(until=10.0)
        >>> print(f"{swing['arm.P'].speed.values.max():.2f} m/s")  # sqrt(g l)
        3.13 m/s
    """
    m = Builder("simple pendulum", plane=True, gravity=DOWN)
    end = {"P": (length, 0.0)}
    at_end = particle(mass, length)
    arm = m.bar("arm", length, points=end, at=(0, 0), angle=DOWNWARD + start, inertia=at_end)
    m.revolute(m.ground.at(0, 0), arm.start, name="pivot")
    return m.build()


@let_go(10.0, "bob.P")
def spherical_pendulum(
    *,
    length: float = 1.0,
    mass: float = 1.0,
    start: float = math.radians(60.0),
    going_round: float = 3.0,
) -> Mechanism:
    """A point mass on a thread that goes round and nods, never coming down to the lowest point.

    It starts at `start` from below and goes round at `going_round` (rad/s). Its height runs to and
    fro between two roots of a cubic; it leads by more than half a turn from each lowest place to
    the next, so its path is a rosette that turns.

    Source: [Whittaker] ch. IV.

    Examples:
        >>> import kempe
        >>> bob = kempe.gallery.spherical_pendulum().simulate(until=10.0)["bob.P"].position
        >>> print(f"{bob[:, 2].min():.3f} m to {bob[:, 2].max():.3f} m")
        -0.754 m to -0.500 m
    """
    return _threaded("spherical pendulum", length, mass, start, going_round)


@let_go(6.0, "bob.P")
def conical_pendulum(
    *, length: float = 1.5, mass: float = 2.0, start: float = math.radians(40.0)
) -> Mechanism:
    """A point mass on a thread that goes round at just the speed at which it keeps its height.

    w^2 = g / (l cos(start)), and the thread pulls with m g / cos(start).

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.conical_pendulum().simulate(until=6.0)
        >>> print(f"{turn['thread.force'].magnitude.values[-1]:.3f} N")
        25.612 N
    """
    height = max(length * math.cos(start), 1e-12)
    return _threaded("conical pendulum", length, mass, start, math.sqrt(G / height))


def _threaded(name: str, length: float, mass: float, start: float, going_round: float) -> Mechanism:
    m = Builder(name, gravity=(0, 0, -G))
    out = length * math.sin(start)
    at, velocity = (out, 0.0, -length * math.cos(start)), (0.0, out * going_round, 0.0)
    end = bob(m, BOB * length, mass, at, velocity=velocity).P
    m.add(Rod(m.ground.at(0, 0, 0), end, length=length), "thread")
    return m.build()


@let_go(10.0, "bob.P")
def elastic_pendulum(
    *, length: float = 1.0, mass: float = 1.0, stiffness: float = 40.0, reach: float = 0.6
) -> Mechanism:
    """A point mass on a spring, let go `reach` beside the plumb line: it swings and it bounces.

    `length` is that of the spring at rest, `stiffness` in N/m. Where k = 3 m g / l the bounce and
    two swings take the same time and hand their energy to each other; 40 N/m is near it.

    Own.

    Examples:
        >>> import kempe
        >>> bounce = kempe.gallery.elastic_pendulum().simulate(until=10.0)
        >>> print(bounce["bob.P"].position[-1].round(4).tolist())
        [0.5027, -1.0807]
    """
    m = Builder("elastic pendulum", plane=True, gravity=DOWN)
    end = bob(m, BOB * length, mass, (reach, -length)).P
    m.force(LineSpring(m.ground.at(0, 0), end, stiffness=stiffness, free=length), "spring")
    return m.build()


@let_go(10.0, "lower.P")
def double_pendulum(
    *, upper: float = 1.0, lower: float = 1.0, mass: float = 1.0, start: float = math.radians(120.0)
) -> Mechanism:
    """Two thin bars in the plane, hinged, both let go at `start` from below: it tumbles.

    `mass` (kg) is that of either bar. Its motion is chaotic: two starts a hair apart part by a
    factor of e about every third of a second.

    Own.

    Examples:
        >>> import kempe
        >>> tumble = kempe.gallery.double_pendulum().simulate(until=10.0)
        >>> drift = tumble.energy.mechanical - tumble.energy.mechanical[0]
        >>> bool(abs(drift).max() < 1e-5)
        True
    """
    m = Builder("double pendulum", plane=True, gravity=DOWN)
    angle = DOWNWARD + start
    a = m.bar("upper", upper, at=(0, 0), angle=angle, inertia=slender(mass, upper))
    end = {"P": (lower, 0.0)}
    at = xy(polar(upper, angle))
    b = m.bar("lower", lower, points=end, at=at, angle=angle, inertia=slender(mass, lower))
    m.revolute(m.ground.at(0, 0), a.start, name="top")
    m.revolute(a.end, b.start, name="middle")
    return m.build()


@let_go(5.0)
def pendulum_chain(*, links: int = 8, length: float = 2.0, mass: float = 1.0) -> Mechanism:
    """A chain of equal thin links, let go level: it falls, whips up and lashes about.

    `length` (m) and `mass` (kg) are those of the whole chain.

    Own.

    Examples:
        >>> import kempe
        >>> chain = kempe.gallery.pendulum_chain(links=4).simulate(until=2.0)
        >>> chain.outcome.name
        'Done'
    """
    count(links, "pendulum_chain: links", 1, 10_000)
    m = Builder(f"chain of {links}", plane=True, gravity=DOWN)
    each = positive(length, "pendulum_chain: length") / links
    before = m.ground.at(0, 0)
    for k in range(1, links + 1):
        end = {"P": (each, 0.0)} if k == links else None
        link = m.bar(
            f"link{k}",
            each,
            points=end,
            at=((k - 1) * each, 0),
            angle=0.0,
            inertia=slender(mass / links, each),
        )
        m.revolute(before, link.start, name=f"hinge{k}")
        before = link.end
    return m.build()

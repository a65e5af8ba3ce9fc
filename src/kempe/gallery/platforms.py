"""Platforms on legs of changing length, in the plane and in space."""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from kempe.drives import Harmonic, Ramp
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import TINY, bar, dyad, entry, polar, root, swing, xy
from kempe.gallery.sketch_in_space import FloatArray, frame, marker, placed, triple, turned
from kempe.geometry import GROUND, Pose, Rotation, Vector
from kempe.joints import NoRotation, Prismatic, Rod, Spherical, Universal
from kempe.measures import Distance, Gauge

BASE = (2.14211962768857, 1.0727735915972545, 2.70866492198894)
SIDES = (2.8410029007057567, 2.5882142668935026, 2.705926109558127)
LEGS = (2.8187300513023654, 3.1461464000712254, 3.317923947043593)
FIRST_LOOK = 720  # angles of the first leg
SWING = 0.05  # m, by which the first leg goes out and in


@entry
def planar_platform(
    *,
    base: tuple[float, float, float] = BASE,
    sides: tuple[float, float, float] = SIDES,
    legs: tuple[float, float, float] = LEGS,
    left: bool = True,
    swing: float = SWING,
) -> Mechanism:
    """A triangle PQR of three bars on three telescopic legs; the first of them swings.

    The legs stand on (0, 0), (base[0], 0) and (base[1], base[2]) and are given by their lengths;
    `sides` are PQ, QR and RP: a 3-RPR platform. With these dimensions the triangle can be put on
    its legs in 6 ways, and in 6 more with its corners the other way round. The first leg goes out
    and in by `swing` (m) once a second: with much of it some of these ways die and are born.

    Source: [Hunt] for the 3-RPR platform; Own dimensions.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.planar_platform().assemblies(at=0))
        planar platform: 12 assemblies - complete.
        >>> print(kempe.gallery.planar_platform(swing=0.8).timeline(0.25, 0.65).events[1])
        death of 1 and 2 at 0.589949744 s
    """
    m = Builder("planar platform", plane=True)
    feet = (0j, complex(base[0]), complex(base[1], base[2]))
    P, Q, R = _corners(feet, sides, legs, left=left)
    PQ, QR, RP = (
        bar(m, "PQ", P, Q, sides[0]),
        bar(m, "QR", Q, R, sides[1]),
        bar(m, "RP", R, P, sides[2]),
    )
    m.revolute(PQ.end, QR.start, name="Q")
    m.revolute(QR.end, RP.start, name="R")
    m.revolute(RP.end, PQ.start, name="P")
    first = Harmonic(mean=legs[0], amplitude=swing, frequency=1.0)
    laws = (first, Ramp(legs[1]), Ramp(legs[2]))
    for k, (foot, corner, law) in enumerate(zip(feet, (PQ, QR, RP), laws, strict=True)):
        leg = Gauge(f"leg{k + 1}.length", Distance(), m.ground.at(*xy(foot)), corner.start)
        m.drive(leg, law)
    return m.build()


def _corners(
    feet: tuple[complex, complex, complex],
    sides: tuple[float, float, float],
    legs: tuple[float, float, float],
    *,
    left: bool,
) -> tuple[complex, complex, complex]:
    """Corners of an assembly: at the first angle of the first leg where the third leg fits."""

    def placed(angle: float) -> tuple[complex, complex, complex]:
        P = feet[0] + polar(legs[0], angle)
        Q = dyad(P, feet[1], sides[0], legs[1])
        return P, Q, dyad(P, Q, sides[2], sides[1]) if left else dyad(Q, P, sides[1], sides[2])

    def gap(angle: float) -> float:
        P, Q, R = placed(angle)
        fits = abs(abs(Q - feet[1]) - legs[1]) < TINY and abs(abs(Q - P) - sides[0]) < TINY
        return abs(R - feet[2]) - legs[2] if fits else math.nan

    angles = [math.tau * k / FIRST_LOOK for k in range(FIRST_LOOK + 1)]
    for low, high in itertools.pairwise(angles):
        if gap(low) * gap(high) <= 0.0:  # False where one has no value
            for _ in range(80):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if gap(low) * gap(middle) > 0.0 else (low, middle)
            return placed(0.5 * (low + high))
    return placed(0.0)  # cannot be put together: said when it is asked to move


SIXTHS = tuple(k * math.tau / 6.0 for k in range(6))


@entry
def stewart(
    *, base: float = 0.5, platform: float = 0.3, height: float = 0.6,
    spread: float = math.radians(20.0), stroke: float = 0.06, phases: tuple[float, ...] = SIXTHS,
) -> Mechanism:  # fmt: skip
    """A platform on six legs of changing length: the flight simulator and the positioning hexapod.

    The legs' feet stand on a circle of radius `base` in pairs, `spread` (rad) to either side of
    three spokes; their heads on one of radius `platform`, in pairs between those. The platform P
    starts level at `height`, and every leg swings by `stroke` about its length, once per second,
    each with its phase. Given the platform's pose, each length is the distance of two points.

    Source: [Stewart]; Gough's tyre-testing machine, 1954.

    Examples:
        >>> import kempe
        >>> heave = kempe.gallery.stewart(phases=(0.0,) * 6).kinematics(until=1.0)
        >>> bool(abs(heave["platform.P"].position[:, :2]).max() < 1e-12)  # alike: straight up
        True
    """
    m = Builder("Stewart platform")
    feet, heads = _ring(base, spread), _ring(platform, math.pi / 3.0 - spread)
    up = np.array([0.0, 0.0, height])
    corners = {f"head{k + 1}": triple(heads[k]) for k in range(6)}
    pose = Pose(Vector(0.0, 0.0, height), Rotation.identity())
    plate = placed(m, "platform", pose, {**corners, "P": (0.0, 0.0, 0.0)})
    for k, phase in zip(range(6), phases, strict=True):
        leg = heads[k] + up - feet[k]
        length = float(np.linalg.norm(leg))
        across = np.cross((0.0, 0.0, 1.0), feet[k])
        turn = frame(leg, across)
        name, piston = f"leg{k + 1}", 0.6 * length
        barrel = placed(
            m,
            name,
            Pose(Vector(*triple(feet[k])), turn),
            {"start": (0, 0, 0), "end": (0.6 * length, 0, 0)},
        )
        rod = placed(
            m,
            f"rod{k + 1}",
            Pose(Vector(*triple(heads[k] + up)), turn),
            {"piston": (-piston, 0, 0), "head": (0, 0, 0)},
        )
        foot = marker(GROUND, Pose(Vector(*triple(feet[k])), Rotation.with_z(across)))
        m.add(Universal(foot, barrel.start), f"foot{k + 1}")
        along = (1.0, 0.0, 0.0)
        bore = m.add(
            Prismatic(barrel.start.facing(along), rod.piston.facing(along)), f"bore{k + 1}"
        )
        m.add(Spherical(rod.head, plate.point(f"head{k + 1}")), f"ball{k + 1}")
        swing(m, bore.displacement, length - piston, stroke, phase)
    return m.build()


THIRDS = tuple(k * math.tau / 3.0 for k in range(3))


@entry
def delta_robot(
    *,
    base: float = 0.2,
    platform: float = 0.05,
    arm: float = 0.2,
    forearm: float = 0.45,
    start: float = math.radians(30.0),
    amplitude: float = math.radians(20.0),
) -> Mechanism:
    """Three cranks carry a plate that never turns: the robot that sorts what runs past on a belt.

    The cranks' hinges lie on a circle of radius `base`, square to its spokes; the forearms meet the
    plate on one of radius `platform`. A forearm is a rod from ball to ball: that the two parallel
    rods of a real one keep the plate level is said by a joint of its own. The cranks start `start`
    (rad) below the level and swing by `amplitude`, a third of a second apart. Given the cranks the
    plate hangs at one of two points where three spheres meet; given the plate, each crank has two
    angles: sqrt(A^2 + B^2) cos(a - b) = C.

    Source: [Clavel]; Own dimensions.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.delta_robot().assemblies(at=0))
        Delta robot: 2 assemblies - complete.
    """
    m = Builder("Delta robot")
    angles = [start + amplitude * math.sin(phase) for phase in THIRDS]
    spokes = [np.array([math.cos(t), math.sin(t), 0.0]) for t in THIRDS]
    down = np.array([0.0, 0.0, -1.0])
    knees = [
        (base + arm * math.cos(a)) * d + arm * math.sin(a) * down
        for a, d in zip(angles, spokes, strict=True)
    ]
    corners = {f"corner{k}": triple(platform * d) for k, d in enumerate(spokes, start=1)}
    # the plate is the lower point that is `forearm` from all knees, each less its corner
    there = _hung([knee - platform * d for knee, d in zip(knees, spokes, strict=True)], forearm)
    plate = placed(
        m,
        "plate",
        Pose(Vector(*triple(there)), Rotation.identity()),
        {**corners, "P": (0.0, 0.0, 0.0)},
    )
    for k, (d, angle, phase) in enumerate(zip(spokes, angles, THIRDS, strict=True), start=1):
        hip = Pose(Vector(*triple(base * d)), frame(d, down))
        at = hip @ turned(angle)
        crank = placed(m, f"arm{k}", at, {"start": (0, 0, 0), "end": (arm, 0, 0)})
        hinge = m.revolute(marker(GROUND, hip), crank.start, name=f"hip{k}")
        m.add(Rod(crank.end, plate.point(f"corner{k}"), length=forearm), f"forearm{k}")
        law = Harmonic(mean=start, amplitude=amplitude, frequency=1.0, phase=phase)
        m.drive(hinge.angle, law)
    m.add(NoRotation(m.ground.at(0, 0, 0), plate.P), "level")
    return m.build()


def _hung(feet: Sequence[FloatArray], length: float) -> FloatArray:
    """The lower point at one distance from three others, or the nearest there is."""
    a, b, c = feet
    u, v = b - a, c - a
    n = np.cross(u, v)
    square = float(n @ n) or math.nan
    middle = (float(u @ u) * np.cross(v, n) + float(v @ v) * np.cross(n, u)) / (2.0 * square)
    rest = root(length * length - float(middle @ middle))
    n = n * (-1.0 if n[2] > 0.0 else 1.0)
    found: FloatArray = a + middle + n * (rest / math.sqrt(square))
    return found


@entry
def octahedral_platform(
    *, base: float = 1.0, platform: float = 0.6, height: float = 1.0, stroke: float = 0.1
) -> Mechanism:
    """A platform on six rods between the corners of two triangles: the edges of an octahedron.

    The feet are the corners of a triangle on a circle of radius `base`, the heads those of one on a
    circle of radius `platform`, turned by 60 degrees; two rods meet in every corner. The platform P
    starts level at `height`; the first rod swings by `stroke` (m) about its length, once per
    second, the others keep theirs. It has up to 16 assemblies, of which as many are mirrored in
    the plane of its feet.

    Source: [Stewart]; the number of assemblies: [Merlet].

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.octahedral_platform().assemblies(at=0))
        octahedral platform: 8 assemblies - complete.
    """
    m = Builder("octahedral platform")
    feet, heads = (_triangle(r, turn) for r, turn in ((base, 0.0), (platform, math.pi / 3.0)))
    corners = {f"head{k + 1}": triple(heads[k]) for k in range(3)}
    pose = Pose(Vector(0.0, 0.0, height), Rotation.identity())
    plate = placed(m, "platform", pose, {**corners, "P": (0.0, 0.0, 0.0)})
    for k in range(6):
        foot, head = (k + 1) // 2 % 3, k // 2
        way = heads[head] + np.array([0.0, 0.0, height]) - feet[foot]
        length = float(np.linalg.norm(way))
        swings = Harmonic(mean=length, amplitude=stroke, frequency=1.0)
        ends = m.ground.at(*triple(feet[foot])), plate.point(f"head{head + 1}")
        rod = Gauge(f"rod{k + 1}.length", Distance(), *ends)
        m.drive(rod, Ramp(length) if k else swings)
    return m.build()


def _triangle(radius: float, turn: float) -> FloatArray:
    """The corners of a triangle on a circle, the first at an angle `turn` (rad)."""
    angles = [turn + k * math.tau / 3.0 for k in range(3)]
    return radius * np.array([[math.cos(a), math.sin(a), 0.0] for a in angles])


def _ring(radius: float, spread: float) -> FloatArray:
    """Six points of a circle, in pairs `spread` to either side of three spokes."""
    angles = [spoke * math.tau / 3.0 + side * spread for spoke in range(3) for side in (-1, 1)]
    return radius * np.array([[math.cos(a), math.sin(a), 0.0] for a in angles])

"""Loops of hinges in space that move although their count says that they cannot."""

import math

import numpy as np

from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import arc_cosine, entry, share, swing
from kempe.gallery.sketch_in_space import Y_AXIS, hinge_loop, marker, placed, triple
from kempe.gallery.sketch_of_masses import G, let_go
from kempe.geometry import GROUND, Inertia, Pose, Rotation, Vector
from kempe.joints import Revolute


@entry
def bennett(
    *,
    short: float = 0.3,
    long: float = 0.4,
    twist: float = math.radians(40.0),
    start: float = math.radians(60.0),
) -> Mechanism:
    """Four hinges in space that should not move, and do: opposite links are alike.

    The axes of a short link are twisted by `twist` (rad), those of a long one by the angle b with
    sin b / long = sin twist / short. One turn of hinge 1 per second takes hinge 2 round once:
    tan(a1 / 2) tan(a2 / 2) = sin((b + twist) / 2) / sin((b - twist) / 2). Three rows of its joints
    repeat what the others say.

    Source: [Bennett]; the relation of the angles: [Hunt].

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.bennett().kinematics(until=1.0)
        >>> turn.outcome.name, len(turn.redundant) > 0
        ('Done', True)
    """
    sine = share(long * math.sin(twist), short) if math.isfinite(twist) else math.nan
    if not (short > 0.0 and abs(sine) <= 1.0):
        raise BadNumber(
            f"bennett: a long link of {long!r} needs a twist whose sine is {sine:g}: make it"
            " shorter, or the twist of the short one smaller."
        )
    other = math.asin(sine)
    second = _beside(twist, other, start)
    m = Builder("Bennett's linkage")
    links = [(short, twist), (long, other), (short, twist), (long, other)]
    joints = hinge_loop(m, links, [start, second, -start, -second])
    m.drive(joints[0].angle, start=start, rpm=60)
    return m.build()


@entry
def goldberg(
    *,
    short: float = 0.3,
    long: float = 0.4,
    longer: float = 0.35,
    twist: float = math.radians(40.0),
    start: float = math.radians(70.0),
) -> Mechanism:
    """Five hinges in space that move: two linkages of Bennett joined, less the link they share.

    Both have short links with axes twisted by `twist` (rad); their others are `long` and `longer`,
    with twists of the same sine per length. Two of these make one straight link. Hinges 1 and 2
    keep the relation of the one linkage, 4 and 3 that of the other. Hinge 1 turns once a second.
    Two rows of the joints repeat what the others say.

    Source: [Goldberg]; the relation of the angles: [Hunt].

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.goldberg().kinematics(until=1.0)
        >>> turn.outcome.name, len(turn.redundant)
        ('Done', 2)
    """
    sines = [share(side * math.sin(twist), short) for side in (long, longer)]
    if not (short > 0.0 and math.isfinite(twist) and all(abs(sine) <= 1.0 for sine in sines)):
        raise BadNumber(
            f"goldberg: links of {long!r} and {longer!r} need twists whose sines are"
            f" {sines[0]:g} and {sines[1]:g}: make them shorter, or the twist of the short ones"
            " smaller."
        )
    one, other = (math.asin(sine) for sine in sines)
    second = _beside(twist, one, start)
    fourth = math.pi - start
    third = _beside(other, twist, -fourth)
    m = Builder("Goldberg's linkage")
    links = [(short, twist), (long + longer, one + other), (short, twist), (longer, other)]
    angles = [start, second, third, fourth, math.pi - third - second]
    joints = hinge_loop(m, [*links, (long, one)], angles)
    m.drive(joints[0].angle, start=start, rpm=60)
    return m.build()


def _beside(twist: float, other: float, angle: float) -> float:
    """The angle at the next hinge of a linkage of Bennett, over a link with that twist."""
    ratio = share(math.sin(0.5 * (other + twist)), math.sin(0.5 * (other - twist)))
    return 2.0 * math.atan2(ratio, math.tan(0.5 * angle))


@entry
def bricard(
    *, link: float = 1.0, start: float = math.radians(90.0), amplitude: float = math.radians(25.0)
) -> Mechanism:
    """Six equal links along the edges of a cube, each hinge square to the next.

    Every other hinge stands at the same angle: cos a + cos b + cos a cos b = 0. At the start the
    links lie on the cube's edges, a = b = 90 degrees; hinge 1 swings by `amplitude` (rad) about
    `start`, once per second.

    Source: [Bricard]; the relation of the angles: [ChenYouTarnai] with a twist of 90 degrees;
    the links on a cube: the IFToMM benchmark A04.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.bricard().kinematics(until=1.0)
        >>> turn.outcome.name, len(turn.redundant) > 0
        ('Done', True)
    """
    quarter = 0.5 * math.pi
    other = arc_cosine(-share(math.cos(start), 1.0 + math.cos(start)))
    m = Builder("Bricard's linkage")
    links = [(link, quarter if k % 2 else -quarter) for k in range(6)]
    joints = hinge_loop(m, links, [start, other] * 3)
    swing(m, joints[0].angle, start, amplitude)
    return m.build()


THICK = 0.1  # of a rod, in lengths
CORNERS = ((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1))
AXES = "yzxyzx"


@let_go(10.0, "rod3.P")
def falling_bricard(*, link: float = 1.0, mass: float = 1.0) -> Mechanism:
    """Five equal rods along the edges of a cube, hinged in a loop, that fall and rise for ever.

    By count it could not move at all; of its thirty rows one says nothing new, whatever the
    position, so it moves with one freedom. Square rods a tenth as thick as they are long.

    Source: [IFToMM] A04; [Bricard].

    Examples:
        >>> import kempe
        >>> fall = kempe.gallery.falling_bricard().simulate(until=10.0)
        >>> fall.outcome.name, len(fall.redundant)
        ('Done', 1)
    """
    m = Builder("Bricard's mechanism", gravity=(0, -G, 0))
    corners = link * np.array(CORNERS, dtype=np.float64)
    rods = []
    for k in range(5):
        way = corners[k + 1] - corners[k]
        thin = (THICK * link) ** 2
        across = np.where(np.abs(way) > 0.0, thin + thin, thin + link**2)
        points = {"start": (0.0, 0.0, 0.0), "P" if k == 2 else "end": triple(way)}
        rods.append(
            m.body(
                f"rod{k + 1}",
                points=points,
                outline=tuple(points),
                at=triple(corners[k]),
                inertia=Inertia(mass, way / 2.0, np.diag(mass * across / 12.0)),
            )
        )
    for k, axis in enumerate(AXES):
        z = tuple(float(axis == letter) for letter in "xyz")
        before = rods[k - 1].at(*triple(corners[k] - corners[k - 1])) if k else m.ground.at(0, 0, 0)
        after = rods[k].start if k < 5 else m.ground.at(*triple(corners[5]))
        m.add(Revolute(before.facing(z), after.facing(z)), f"hinge{k + 1}")
    return m.build()


@entry
def sarrus(
    *,
    arm: float = 0.3,
    width: float = 0.15,
    start: float = math.radians(40.0),
    amplitude: float = math.radians(30.0),
) -> Mechanism:
    """Two pairs of arms, folding at right angles to each other, lift a plate exactly straight.

    Each pair is hinged to the base and to the plate `width` from their middle, one along x, one
    along y. The plate P stays level over the base, at 2 arm sin a, a being the angle of the lower
    arms, which swing by `amplitude` about `start` (rad). It was the first linkage to move exactly
    straight.

    Source: Pierre-Frederic Sarrus, 1853.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.sarrus().kinematics(until=1.0)
        >>> bool(abs(turn["plate.P"].position[:, :2]).max() < 1e-12)
        True
    """
    m = Builder("linkage of Sarrus")
    rise = 2.0 * arm * math.sin(start) if math.isfinite(start) else start
    w = width
    points = {
        "P": (0.0, 0.0, 0.0),
        "a": (w, -w, 0.0),
        "b": (w, w, 0.0),
        "c": (-w, w, 0.0),
        "d": (-w, -w, 0.0),
    }
    plate = placed(m, "plate", Pose(Vector(0.0, 0.0, rise), Rotation.identity()), points)
    hinge = Rotation.about((1.0, 0.0, 0.0), 0.5 * math.pi)  # its axis is -y
    for word, turn in (("x", 0.0), ("y", 0.5 * math.pi)):
        face = Pose(Vector(0.0, 0.0, 0.0), Rotation.planar(turn))
        edge = face @ Pose(Vector(width, 0.0, 0.0), hinge)
        tip = Pose(Vector(arm, 0.0, 0.0), Rotation.identity())
        ends = {"start": (0.0, 0.0, 0.0), "end": (arm, 0.0, 0.0)}
        at_lower = face @ Pose(Vector(width, 0.0, 0.0), Rotation.about(Y_AXIS, -start))
        at_upper = (
            at_lower
            @ tip
            @ Pose(Vector(0.0, 0.0, 0.0), Rotation.about(Y_AXIS, 2.0 * start - math.pi))
        )
        placed(m, f"lower_{word}", at_lower, ends)
        placed(m, f"upper_{word}", at_upper, ends)
        near, far = Pose(Vector(0.0, 0.0, 0.0), hinge), tip @ Pose(Vector(0.0, 0.0, 0.0), hinge)
        foot = m.revolute(marker(GROUND, edge), marker(f"lower_{word}", near), name=f"foot_{word}")
        m.revolute(
            marker(f"lower_{word}", far), marker(f"upper_{word}", near), name=f"elbow_{word}"
        )
        m.revolute(marker(f"upper_{word}", far), marker(plate.name, edge), name=f"top_{word}")
        if word == "x":
            swing(m, foot.angle, start, amplitude)
    return m.build()

"""The Stewart platform."""

import math

import numpy as np

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, swing
from kempe.gallery.sketch_in_space import FloatArray, frame, marker, placed, triple
from kempe.geometry import GROUND, Pose, Rotation, Vector
from kempe.joints import Prismatic, Spherical, Universal

SIXTHS = tuple(k * math.tau / 6.0 for k in range(6))


@entry
def stewart(
    *,
    base: float = 0.5,
    platform: float = 0.3,
    height: float = 0.6,
    spread: float = math.radians(20.0),
    stroke: float = 0.06,
    phases: tuple[float, ...] = SIXTHS,
) -> Mechanism:
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


def _ring(radius: float, spread: float) -> FloatArray:
    """Six points of a circle, in pairs `spread` to either side of three spokes."""
    angles = [spoke * math.tau / 3.0 + side * spread for spoke in range(3) for side in (-1, 1)]
    return radius * np.array([[math.cos(a), math.sin(a), 0.0] for a in angles])

"""An arm of six hinges whose hand is led along a line."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, swing
from kempe.gallery.sketch_in_space import link_pose, marker, placed, shifted, turned
from kempe.geometry import GROUND, Marker, Pose
from kempe.joints import Prismatic

LENGTHS = (0.15, 0.6, 0.2, 0.15, 0.1, 0.1)
OFFSETS = (0.4, 0.1, 0.0, 0.5, 0.1, 0.15)
TWISTS = tuple(math.radians(angle) for angle in (-90.0, 20.0, -70.0, 80.0, -90.0, 30.0))
START = tuple(math.radians(angle) for angle in (20.0, -60.0, 50.0, 30.0, 60.0, -20.0))


@entry
def six_r_arm(
    *, lengths: tuple[float, ...] = LENGTHS, offsets: tuple[float, ...] = OFFSETS,
    twists: tuple[float, ...] = TWISTS, start: tuple[float, ...] = START, stroke: float = 0.1,
) -> Mechanism:  # fmt: skip
    """A robot's arm of six hinges; its hand P is led along a line without turning.

    Link k has the four numbers of Hartenberg and Denavit: its angle at hinge k, an offset (m) along
    that hinge, a length (m) and a twist (rad) to the next. The hand starts where the angles `start`
    (rad) bring it and swings by `stroke` (m) along its own z axis, once per second. Asked for its
    assemblies, the arm says in how many ways it can hold its hand there: 16 at most.

    Source: [HartenbergDenavit]; the bound of 16: [Primrose]; Own dimensions.

    Examples:
        >>> import kempe
        >>> ways = kempe.gallery.six_r_arm().assemblies(at=0)
        >>> str(ways.outcome), len(ways) <= 16
        ('complete', True)
    """
    m = Builder("arm of six hinges")
    here, before = Pose.identity(), Marker(GROUND)
    numbers = zip(lengths, offsets, twists, start, strict=True)
    for k, (length, offset, twist, angle) in enumerate(numbers):
        here = here @ turned(angle)
        name, far = f"link{k + 1}", shifted(0.0, 0.0, offset) @ link_pose(length, twist)
        tip = "P" if k == len(lengths) - 1 else "end"
        points = {
            "start": (0.0, 0.0, 0.0),
            "corner": (0.0, 0.0, offset),
            tip: (length, 0.0, offset),
        }
        body = placed(m, name, here, points)
        m.revolute(before, body.start, name=f"hinge{k + 1}")
        before, here = marker(name, far), here @ far
    rail = m.add(Prismatic(marker(GROUND, here), before), "rail")
    swing(m, rail.displacement, 0.0, stroke)
    return m.build()

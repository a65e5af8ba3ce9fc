"""Bricard's linkage."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import arc_cosine, entry, share, swing
from kempe.gallery.sketch_in_space import hinge_loop


@entry
def bricard(
    *,
    link: float = 1.0,
    start: float = math.radians(90.0),
    amplitude: float = math.radians(25.0),
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

"""Bennett's linkage."""

import math

from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, share
from kempe.gallery.sketch_in_space import hinge_loop


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
    half = math.tan(0.5 * start)
    ratio = share(math.sin(0.5 * (other + twist)), math.sin(0.5 * (other - twist)))
    second = 2.0 * math.atan2(ratio, half)
    m = Builder("Bennett's linkage")
    links = [(short, twist), (long, other), (short, twist), (long, other)]
    joints = hinge_loop(m, links, [start, second, -start, -second])
    m.drive(joints[0].angle, start=start, rpm=60)
    return m.build()

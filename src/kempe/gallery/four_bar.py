"""The four-bar linkage."""

import math

from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, four_bar_loop


@entry
def four_bar(
    *,
    crank: float = 1.0,
    coupler: float = 3.5,
    rocker: float = 3.0,
    ground: float = 4.0,
    point: tuple[float, float] | None = None,
    start: float | None = None,
    plane: bool = True,
    units: str = "m",
) -> Mechanism:
    """Crank, coupler and rocker on the ground; the crank makes one turn per second.

    The crank turns about (0, 0), the rocker about (ground, 0); lengths in `units`. `point` places
    P on the coupler (x along it, y to its left; its middle, half its length up, if omitted). The
    crank starts at `start` (rad), or where the open assembly is far from a dead point. With
    plane=False the same four hinges stand in space.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.four_bar(crank=30, coupler=90, rocker=70, ground=100, units="mm")
        >>> print(turn.kinematics(until=1.0)["rocker.angle"].ptp("deg"))
        51.77 deg
    """
    lengths = {"crank": crank, "coupler": coupler, "rocker": rocker, "ground": ground}
    for name, length in lengths.items():
        if not (math.isfinite(length) and length > 0):
            raise BadNumber(
                f"four_bar: {name} is {length!r}: every length must be a positive number."
            )
    angle = _start(crank, coupler, rocker, ground) if start is None else float(start)
    P = (0.5 * coupler, 0.5 * coupler) if point is None else point
    m = Builder("four-bar", plane=plane, units=units)
    moving, points = (crank, coupler, rocker), (None, {"P": P}, None)
    loop = four_bar_loop(m, 0, complex(ground), moving, angle, points=points)
    m.drive(loop.crank.angle, start=angle, rpm=60)
    return m.build()


def _start(crank: float, coupler: float, rocker: float, ground: float) -> float:
    """A crank angle that can be reached, 0 where that is not near a dead point.

    The diagonal from the crank's end to the rocker's pivot must lie between |coupler - rocker| and
    coupler + rocker; the cosine of the crank angle is linear in its square.
    """
    least, most = abs(coupler - rocker), coupler + rocker
    span = sorted((abs(ground - crank), ground + crank))
    low, high = max(least, span[0]), min(most, span[1])
    if low > high:
        return 0.0  # cannot be put together: said when it is asked to move
    diagonal = math.hypot(low, high) / math.sqrt(2.0)
    if low < span[0] + 0.05 * (high - low) and least < span[0]:
        return 0.0
    cosine = (ground**2 + crank**2 - diagonal**2) / (2 * ground * crank)
    return math.acos(max(-1.0, min(1.0, cosine)))

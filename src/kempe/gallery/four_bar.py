"""The four-bar linkage."""

import math

from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry


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
    end = (crank * math.cos(angle), crank * math.sin(angle))
    top = _closing(end, (ground, 0.0), coupler, rocker)
    a = m.bar("crank", crank, at=(0, 0), angle=angle)
    b = m.bar(
        "coupler",
        coupler,
        points={"P": P},
        at=end,
        angle=math.atan2(top[1] - end[1], top[0] - end[0]),
    )
    c = m.bar("rocker", rocker, at=(ground, 0), angle=math.atan2(top[1], top[0] - ground))
    m.revolute(m.ground.at(0, 0), a.start, name="A")
    m.revolute(a.end, b.start, name="B")
    m.revolute(b.end, c.end, name="C")
    m.revolute(m.ground.at(ground, 0), c.start, name="D")
    m.drive(a.angle, start=angle, rpm=60)
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


def _closing(
    a: tuple[float, float], d: tuple[float, float], r: float, s: float
) -> tuple[float, float]:
    """The point at r from a and s from d, left of the line from a to d; nearest where none is."""
    dx, dy = d[0] - a[0], d[1] - a[1]
    distance = math.hypot(dx, dy) or 1e-12
    along = (r * r - s * s + distance * distance) / (2 * distance)
    height = math.sqrt(max(0.0, r * r - along * along))
    ux, uy = dx / distance, dy / distance
    return a[0] + along * ux - height * uy, a[1] + along * uy + height * ux

"""The slider-crank."""

import math

from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry


@entry
def slider_crank(
    *,
    crank: float = 1.0,
    rod: float = 3.0,
    offset: float = 0.0,
    start: float | None = None,
    plane: bool = True,
    units: str = "m",
) -> Mechanism:
    """Crank, rod and a slider that moves along x at the height `offset`; one turn per second.

    The crank turns about (0, 0); the slider stays to its right. Lengths in `units`.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.slider_crank(crank=1, rod=3).kinematics(until=1.0)
        >>> print(turn["slider.x"].ptp())
        2 m
    """
    for name, length in (("crank", crank), ("rod", rod)):
        if not (math.isfinite(length) and length > 0):
            raise BadNumber(
                f"slider_crank: {name} is {length!r}: every length must be a positive number."
            )
    if not math.isfinite(offset):
        raise BadNumber(f"slider_crank: offset is {offset!r}: it must be a finite number.")
    angle = _start(crank, rod, offset) if start is None else float(start)
    end = (crank * math.cos(angle), crank * math.sin(angle))
    rise = offset - end[1]
    reach = math.sqrt(max(0.0, rod * rod - rise * rise))
    m = Builder("slider-crank", plane=plane, units=units)
    a = m.bar("crank", crank, at=(0, 0), angle=angle)
    b = m.bar("rod", rod, at=end, angle=math.atan2(rise, reach))
    c = m.body("slider", at=(end[0] + reach, offset))
    m.revolute(m.ground.at(0, 0), a.start, name="A")
    m.revolute(a.end, b.start, name="B")
    m.revolute(b.end, c.at(0, 0), name="C")
    m.prismatic(m.ground.at(0, offset), c.at(0, 0), name="guide")
    m.drive(a.angle, start=angle, rpm=60)
    return m.build()


def _start(crank: float, rod: float, offset: float) -> float:
    """0 where the rod reaches the guide from there with room to spare, else the best angle."""
    if abs(offset) < 0.95 * rod:
        return 0.0
    return math.asin(max(-1.0, min(1.0, offset / crank)))

"""A wheel that rolls inside a ring."""

import math

from kempe.couplers import GearPair
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, polar, xy


@entry
def hypocycloid(
    *,
    ring: float = 0.2,
    planet: float = 0.1,
    pen: float | None = None,
    start: float = math.radians(30.0),
) -> Mechanism:
    """A wheel rolls inside a ring, carried by a crank; a point of it draws a hypocycloid.

    `ring` and `planet` are radii of the pitch circles, P lies at `pen` from the wheel's middle (on
    its rim if omitted). Where the ring is twice as large P moves along a diameter, exactly, as if a
    crank and a cross-head led it; three times give the deltoid, four times the astroid.

    Source: Gerolamo Cardano; Philippe de La Hire, 1706; James White's straight-line gear, 1801.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.hypocycloid().kinematics(until=1.0)
        >>> bool(abs(turn["planet.P"].position[:, 1]).max() < 1e-12)
        True
    """
    m = Builder("hypocycloid gear", plane=True)
    radius = planet if pen is None else pen
    # rolling from where P touches the ring at angle 0
    spin = start - ring / planet * start if planet else math.nan
    axle = polar(ring - planet, start)
    fixed = m.body("ring", at=(0, 0), angle=0)
    wheel = m.body("planet", points={"P": (radius, 0.0)}, at=xy(axle), angle=spin)
    crank = m.bar("crank", ring - planet, at=(0, 0), angle=start)
    m.fixed(m.ground.at(0, 0), fixed.at(0, 0), name="frame")
    m.revolute(m.ground.at(0, 0), crank.start, name="bearing")
    m.revolute(crank.end, wheel.at(0, 0), name="axle")
    angles = (fixed.angle, wheel.angle, crank.angle)
    m.couple(GearPair(angles, "mesh", teeth=(ring, planet), internal=True, constant=0.0))
    m.drive(crank.angle, start=start, rpm=60)
    return m.build()

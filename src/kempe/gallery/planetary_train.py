"""The planetary gear train."""

import math

from kempe.couplers import GearPair
from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import count, entry, polar, xy

HELD = ("ring", "sun", "carrier")


@entry
def planetary_train(
    *,
    sun: int = 24,
    planet: int = 18,
    planets: int = 3,
    module: float = 0.004,
    held: str = "ring",
) -> Mechanism:
    """Sun, planets on a carrier, and ring; one of the three is held, another turns once per second.

    `sun` and `planet` are numbers of teeth; the ring has sun + 2 planet. With the ring or the
    carrier held the sun is driven, with the sun held the ring. Speeds obey
    (w_sun - w_carrier) / (w_ring - w_carrier) = -ring / sun: with 24, 18 and 60 teeth the carrier
    makes 2/7 of a turn. Every planet after the first repeats what it says.

    Source: Robert Willis, Principles of Mechanism, 1841; [Shigley] on mechanism trains.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.planetary_train().kinematics(until=1.0)
        >>> print(f"{turn['carrier.angle'].ptp() * 7 / (4 * 3.141592653589793):.6f}")
        1.000000
    """
    count(sun, "planetary_train: sun", 6)
    count(planet, "planetary_train: planet", 6)
    count(planets, "planetary_train: planets", 1, 12)
    if held not in HELD:
        raise BadNumber(f"planetary_train: held is {held!r}: one of {', '.join(HELD)}.")
    m = Builder("planetary train", plane=True)
    distance = 0.5 * module * (sun + planet)
    arm, outer, inner = (m.body(name, at=(0, 0), angle=0) for name in ("carrier", "ring", "sun"))
    for part in (inner, arm, outer):
        m.revolute(m.ground.at(0, 0), part.at(0, 0), name=f"{part.name}_bearing")
    for k in range(planets):
        axle = polar(distance, math.tau * k / planets)
        wheel = m.body(f"planet{k + 1}", at=xy(axle), angle=0)
        m.revolute(arm.at(*xy(axle)), wheel.at(0, 0), name=f"axle{k + 1}")
        pairs = ((inner, (sun, planet), False), (outer, (sun + 2 * planet, planet), True))
        for other, teeth, internal in pairs:
            angles = (other.angle, wheel.angle, arm.angle)
            m.couple(GearPair(angles, f"{other.name}_mesh{k + 1}", teeth=teeth, internal=internal))
    still = {"ring": outer, "sun": inner, "carrier": arm}[held]
    m.drive(still.angle, speed=0.0)
    m.drive((outer if held == "sun" else inner).angle, rpm=60)
    return m.build()

"""Gear trains whose axles move: planets, a wheel inside a ring, the differential of a car."""

import math

from kempe.couplers import GearPair
from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import count, entry, polar, xy
from kempe.gallery.sketch_in_space import X_AXIS, Y_AXIS, placed
from kempe.geometry import Pose
from kempe.measures import Gauge, Turn

HELD = ("ring", "sun", "carrier")


@entry
def planetary_train(
    *, sun: int = 24, planet: int = 18, planets: int = 3, module: float = 0.004, held: str = "ring"
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


@entry
def differential(
    *, side: float = 0.06, pinion: float = 0.04, axle: float = 0.2, gain: float = 0.25
) -> Mechanism:
    """Two half axles share the turn of a case: what one gains in a bend, the other loses.

    Axles and case turn about x; a bevel pinion, on a pin of the case along y, meshes with both side
    gears. `side` and `pinion` are the radii of the gears, `axle` is how far a half axle reaches.
    The case makes one turn per second, the left axle 1 + `gain`: the right one makes 1 - gain, and
    the pinion turns on its pin by gain side / pinion.

    Source: Onesiphore Pecqueur, 1827; Willis' equation.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.differential().kinematics(until=1.0)
        >>> print(f"{turn['right_bearing.angle'].ptp() / (2 * 3.141592653589793):.6f}")
        0.750000
    """
    m = Builder("bevel differential")
    here = Pose.identity()
    case = placed(m, "case", here, {"start": (0, 0, 0), "pin": (0, 1.4 * side, 0)})
    left = placed(m, "left", here, {"end": (-axle, 0, 0), "start": (-pinion, 0, 0)})
    right = placed(m, "right", here, {"end": (axle, 0, 0), "start": (pinion, 0, 0)})
    bevel = placed(m, "pinion", here, {"start": (0, side, 0)})
    turns = {}
    for part, x in ((case, 0.0), (left, -axle), (right, axle)):
        bearing = m.ground.at(x, 0, 0).facing(X_AXIS), part.at(x, 0, 0).facing(X_AXIS)
        turns[part.name] = m.revolute(*bearing, name=f"{part.name}_bearing").angle
    pin = case.at(0, side, 0).facing(Y_AXIS), bevel.start.facing(Y_AXIS)
    spin = m.revolute(*pin, name="pin").angle
    # each side gear is read against the case, about the axis that points away from the pinion
    for part, away in ((left, (-1.0, 0.0, 0.0)), (right, X_AXIS)):
        I, J = (p.at(away[0] * pinion, 0, 0).facing(away) for p in (case, part))
        seen = Gauge(f"{part.name}.gain", Turn(), I, J)
        m.couple(GearPair((seen, spin), f"{part.name}_mesh", teeth=(side, pinion), constant=0.0))
    m.drive(turns["case"], rpm=60)
    m.drive(turns["left"], speed=math.tau * (1.0 + gain))
    return m.build()

"""Klann's leg."""

import cmath
import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry, polar, xy

# The leg of the patent, drawn with the crank to the left; the foot stands on the origin.
SHAFT, PIN = 1.599 + 0.750j, 1.331 + 0.750j
UPPER_AXLE, HIP = 1.366 + 1.366j, 0.866 + 1.500j
LOWER_AXLE, ELBOW = 1.009 + 0.574j, 0.741 + 0.750j
KNEE, FOOT = 0.232 + 0.866j, 0.0 + 0.0j


@entry
def klann(*, scale: float = 0.1, start: float = math.pi) -> Mechanism:
    """The leg of a mechanical spider: a six-bar that walks with one crank and two rockers.

    The crank turns about (0, 0); the foot P runs nearly level for half of the turn and is lifted
    high for the other half. `scale` is the length of the patent's unit in m.

    Source: [Klann] the coordinates of the example.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.klann().kinematics(until=1.0)
        >>> (turn["leg.P"].position[0] / 0.1).round(3).tolist()  # the origin, seen from the shaft
        [-1.599, -0.75]
    """
    m = Builder("Klann's leg", plane=True)
    length = {
        "crank": abs(PIN - SHAFT) * scale,
        "rod": abs(ELBOW - PIN) * scale,
        "lower": abs(ELBOW - LOWER_AXLE) * scale,
        "upper": abs(HIP - UPPER_AXLE) * scale,
        "leg": abs(KNEE - HIP) * scale,
    }
    at_knee = scale * (KNEE - PIN) / ((ELBOW - PIN) / abs(ELBOW - PIN))
    at_foot = scale * (FOOT - HIP) / ((KNEE - HIP) / abs(KNEE - HIP))
    upper_axle, lower_axle = (scale * (z - SHAFT) for z in (UPPER_AXLE, LOWER_AXLE))
    pin = polar(length["crank"], start)
    elbow = dyad(lower_axle, pin, length["lower"], length["rod"])
    knee = pin + at_knee * cmath.rect(1.0, cmath.phase(elbow - pin))
    hip = dyad(knee, upper_axle, length["leg"], length["upper"])
    crank = m.bar("crank", length["crank"], at=(0, 0), angle=start)
    rod = bar(m, "rod", pin, elbow, length["rod"], {"knee": xy(at_knee)})
    lower = bar(m, "lower_rocker", lower_axle, elbow, length["lower"])
    upper = bar(m, "upper_rocker", upper_axle, hip, length["upper"])
    leg = bar(m, "leg", hip, knee, length["leg"], {"P": xy(at_foot)})
    m.revolute(m.ground.at(0, 0), crank.start, name="shaft")
    m.revolute(m.ground.at(*xy(lower_axle)), lower.start, name="lower_axle")
    m.revolute(m.ground.at(*xy(upper_axle)), upper.start, name="upper_axle")
    m.revolute(crank.end, rod.start, name="pin")
    m.revolute(rod.end, lower.end, name="elbow")
    m.revolute(upper.end, leg.start, name="hip")
    m.revolute(rod.knee, leg.end, name="knee_pin")
    m.drive(crank.angle, start=start, rpm=60)
    return m.build()

"""Walking legs: one crank, and a foot that steps."""

import cmath
import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry, polar, xy

HOLY_NUMBERS = {
    "a": 38.0,  # crank shaft to the leg's pivot, across
    "b": 41.5,  # upper plate: pivot to crown
    "c": 39.3,  # pivot to knee
    "d": 40.1,  # upper plate: pivot to shoulder
    "e": 55.8,  # upper plate: crown to shoulder
    "f": 39.4,  # shoulder to heel
    "g": 36.7,  # lower plate: knee to heel
    "h": 65.7,  # lower plate: heel to toe
    "i": 49.0,  # lower plate: knee to toe
    "j": 50.0,  # crank to crown
    "k": 61.9,  # crank to knee
    "l": 7.8,  # crank shaft above the leg's pivot
    "m": 15.0,  # the crank
}


@entry
def jansen(*, scale: float = 0.01, start: float = 0.0) -> Mechanism:
    """A leg of the Strandbeest: eleven lengths turn a crank's circle into a walking step.

    The crank turns about (0, 0); the toe P runs nearly level for more than half of the turn, then
    is lifted and brought forward. `scale` is the length of Jansen's unit, a centimetre if omitted.

    Source: [Jansen] the "eleven holy numbers".

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.jansen().kinematics(until=1.0)
        >>> x, y = turn["foot.P"].position.T
        >>> print(f"{x.max() - x.min():.3f}")  # the stride, m
        0.679
    """
    n = {letter: length * scale for letter, length in HOLY_NUMBERS.items()}
    pivot = complex(-n["a"], -n["l"])
    pin = polar(n["m"], start)
    crown = dyad(pivot, pin, n["b"], n["j"])
    knee = dyad(pin, pivot, n["k"], n["c"])
    shoulder = dyad(pivot, crown, n["d"], n["e"])
    heel = dyad(knee, shoulder, n["g"], n["f"])
    at_shoulder = dyad(0, complex(n["b"]), n["d"], n["e"])
    at_toe = dyad(0, complex(n["g"]), n["i"], n["h"])
    m = Builder("Jansen's leg", plane=True)
    crank = m.bar("crank", n["m"], at=(0, 0), angle=start)
    upper = bar(m, "plate", pivot, crown, n["b"], {"shoulder": xy(at_shoulder)})
    lower = bar(m, "foot", knee, heel, n["g"], {"P": xy(at_toe)})
    to_crown = bar(m, "top_rod", pin, crown, n["j"])
    to_knee = bar(m, "bottom_rod", pin, knee, n["k"])
    thigh = bar(m, "thigh", pivot, knee, n["c"])
    shin = bar(m, "shin", shoulder, heel, n["f"])
    m.revolute(m.ground.at(0, 0), crank.start, name="shaft")
    m.revolute(m.ground.at(*xy(pivot)), upper.start, name="pivot_plate")
    m.revolute(m.ground.at(*xy(pivot)), thigh.start, name="pivot_thigh")
    m.revolute(crank.end, to_crown.start, name="pin_top")
    m.revolute(crank.end, to_knee.start, name="pin_bottom")
    m.revolute(to_crown.end, upper.end, name="crown")
    m.revolute(to_knee.end, lower.start, name="knee_rod")
    m.revolute(thigh.end, lower.start, name="knee_thigh")
    m.revolute(upper.shoulder, shin.start, name="shoulder_pin")
    m.revolute(shin.end, lower.end, name="heel")
    m.drive(crank.angle, start=start, rpm=60)
    return m.build()


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

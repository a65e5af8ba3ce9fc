"""Jansen's leg."""

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

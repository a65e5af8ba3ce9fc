"""The toggle press."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry, polar, root, xy


@entry
def toggle_press(
    *, upper: float = 0.4, lower: float = 0.4, crank: float = 0.07, rod: float = 0.5,
    shaft: tuple[float, float] = (-0.6, -0.39), start: float = math.pi,
) -> Mechanism:  # fmt: skip
    """A crank straightens a knee of two links, which presses the ram down with ever more force.

    The upper link hangs from (0, 0), the ram moves along y below it, and the crank turns about
    `shaft`. The ram's height is -(sqrt(upper^2 - x^2) + sqrt(lower^2 - x^2)), x being how far the
    knee stands off the line: its speed against the knee's falls as x does.

    Source: [Shigley] ch. 1, toggle mechanism; Own dimensions.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.toggle_press().kinematics(until=1.0, steps=3600)["ram.y"].min())
        -0.7977 m
    """
    m = Builder("toggle press", plane=True)
    K = complex(*shaft)
    pin = K + polar(crank, start)
    knee = dyad(0, pin, upper, rod) if shaft[0] < 0 else dyad(pin, 0, rod, upper)
    ram = complex(0.0, knee.imag - root(lower * lower - knee.real**2))
    a = m.bar("crank", crank, at=shaft, angle=start)
    b = bar(m, "rod", pin, knee, rod)
    c = bar(m, "upper", 0, knee, upper)
    d = bar(m, "lower", knee, ram, lower)
    e = m.body("ram", points={"P": (0, 0)}, at=xy(ram))
    m.revolute(m.ground.at(*shaft), a.start, name="shaft")
    m.revolute(a.end, b.start, name="pin")
    m.revolute(m.ground.at(0, 0), c.start, name="top")
    m.revolute(b.end, c.end, name="knee")
    m.revolute(c.end, d.start, name="knee_lower")
    m.revolute(d.end, e.at(0, 0), name="wrist")
    m.prismatic(m.ground.at(0, 0), e.at(0, 0), along=(0, 1), name="guide")
    m.drive(a.angle, start=start, rpm=60)
    return m.build()

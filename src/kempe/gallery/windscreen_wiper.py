"""The windscreen wiper."""

import cmath
import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry, polar, xy


@entry
def windscreen_wiper(
    *, crank: float = 0.04, rod: float = 0.29, lever: float = 0.06, spacing: float = 0.55,
    blade: float = 0.5, motor: tuple[float, float] = (0.28, -0.06),
    lean: float = math.radians(10.0),
) -> Mechanism:  # fmt: skip
    """A motor swings two wipers side by side: a crank-rocker with a parallelogram behind it.

    The left wiper turns about (0, 0), the right one about (spacing, 0); their levers, of length
    `lever`, hang below, and a bar as long as the spacing keeps them parallel. The motor at `motor`
    drives the left lever by a rod. `lean` (rad) turns the blades against the levers.

    Source: Own dimensions.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.windscreen_wiper().kinematics(until=1.0, steps=3600)
        >>> print(turn["left.angle"].ptp("deg"))
        84.93 deg
    """
    m = Builder("windscreen wiper", plane=True)
    K = complex(*motor)
    pin = K + crank
    L = dyad(pin, 0, rod, lever)
    knob = -polar(lever, -lean)  # of the lever, seen from the blade
    left, right = (
        m.bar(
            name, blade, at=at, angle=cmath.phase(L) - cmath.phase(knob), points={"lever": xy(knob)}
        )
        for name, at in (("left", (0.0, 0.0)), ("right", (spacing, 0.0)))
    )
    a = m.bar("crank", crank, at=motor, angle=0.0)
    b = bar(m, "rod", pin, L, rod)
    c = m.bar("tie", spacing, at=xy(L), angle=0.0)
    m.revolute(m.ground.at(*motor), a.start, name="motor")
    m.revolute(a.end, b.start, name="pin")
    m.revolute(m.ground.at(0, 0), left.start, name="left_pivot")
    m.revolute(m.ground.at(spacing, 0), right.start, name="right_pivot")
    m.revolute(b.end, left.lever, name="left_knob")
    m.revolute(c.start, left.lever, name="left_tie")
    m.revolute(c.end, right.lever, name="right_tie")
    m.drive(a.angle, rpm=60)
    return m.build()

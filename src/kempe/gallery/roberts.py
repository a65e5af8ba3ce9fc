"""Roberts' linkage."""

import cmath
import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import dyad, entry, four_bar_loop, opposite, swing


@entry
def roberts(*, base: float = 2.0, arm: float = 1.2) -> Mechanism:
    """Two equal arms carry an isosceles plate, whose tip P runs along the line of the pivots.

    The left arm turns about (0, 0), the right one about (base, 0); the plate is half as wide as
    the base, and its sides are as long as the arms. P passes through both pivots and the middle
    between them; from pivot to pivot it is driven to and fro once per second.

    Source: Richard Roberts, about 1860; [Kempe].

    Examples:
        >>> import kempe
        >>> swing = kempe.gallery.roberts().kinematics(until=1.0)
        >>> x, y = swing["plate.P"].position.T
        >>> print(f"{x.max() - x.min():.3f}")
        2.000
    """
    m = Builder("Roberts' linkage", plane=True)
    width = 0.5 * base
    # P stands over the left pivot where the right arm and the plate's right side lean on each other
    right = opposite(arm, base, arm)
    C = complex(base) + arm * cmath.exp(1j * (math.pi - right))
    B = dyad(0, C, arm, width)
    most, least = cmath.phase(B), right  # of the left arm
    middle = 0.5 * (most + least)
    depth = math.sqrt(max(0.0, arm * arm - 0.25 * width * width))
    loop = four_bar_loop(
        m,
        0,
        complex(base),
        (arm, width, arm),
        middle,
        names=("left", "plate", "right"),
        points=(None, {"P": (0.5 * width, -depth)}, None),
    )
    swing(m, loop.crank.angle, middle, 0.5 * (most - least))
    return m.build()

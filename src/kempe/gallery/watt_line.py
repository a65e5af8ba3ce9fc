"""Watt's straight-line linkage."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, four_bar_loop, swing


@entry
def watt_line(
    *,
    arm: float = 1.0,
    link: float = 0.6,
    amplitude: float = math.radians(22.0),
) -> Mechanism:
    """Two level arms with a short upright link between them, whose middle P runs up and down.

    The left arm turns about (0, 0), the right one about (2 arm, -link); the left one swings by
    `amplitude` (rad) either way, once per second. P draws a part of Watt's curve, a flat figure of
    eight whose middle stretch touches the line x = arm to the fourth order.

    Source: James Watt, patent of 1784; [Kempe].

    Examples:
        >>> import kempe
        >>> swing = kempe.gallery.watt_line().kinematics(until=1.0)
        >>> bool(abs(swing["link.P"].position[:, 0] - 1.0).max() < 0.01)
        True
    """
    m = Builder("Watt's linkage", plane=True)
    loop = four_bar_loop(
        m,
        0,
        complex(2.0 * arm, -link),
        (arm, link, arm),
        0.0,
        names=("left", "link", "right"),
        left=False,
        points=(None, {"P": (0.5 * link, 0.0)}, None),
    )
    swing(m, loop.crank.angle, 0.0, amplitude)
    return m.build()

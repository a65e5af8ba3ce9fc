"""Chebyshev's linkage with crossed arms."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, four_bar_loop, opposite, root


@entry
def chebyshev_crossed(
    *,
    base: float = 4.0,
    arm: float = 5.0,
    coupler: float = 2.0,
) -> Mechanism:
    """Two crossed arms and a short coupler, whose middle P runs straight for half its round.

    The left arm turns about (0, 0), the right one about (base, 0); the coupler, which can turn
    all the way round, is driven and starts level. With 4 : 5 : 2 P passes through (0, 4), (2, 4)
    and (4, 4) and stays within 0.0098 of that line between them, as that of the lambda linkage,
    its cognate, does.

    Source: [Chebyshev].

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.chebyshev_crossed().kinematics(until=1.0)
        >>> turn["coupler.P"].position[0].round(9).tolist()
        [2.0, 4.0]
    """
    m = Builder("Chebyshev's linkage", plane=True)
    reach = 0.5 * (base + coupler)  # of an arm, to the far end of the level coupler
    angle = opposite(reach, arm, root(arm * arm - reach * reach))
    loop = four_bar_loop(
        m,
        0,
        complex(base),
        (arm, coupler, arm),
        angle,
        names=("left", "coupler", "right"),
        left=False,
        points=(None, {"P": (0.5 * coupler, 0.0)}, None),
    )
    m.drive(loop.coupler.angle, start=math.pi, rpm=60)
    return m.build()

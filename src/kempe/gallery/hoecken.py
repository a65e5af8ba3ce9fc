"""Hoecken's linkage."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, four_bar_loop


@entry
def hoecken(
    *,
    crank: float = 0.1,
    ground: float = 0.22,
    coupler: float = 0.28,
    start: float = math.pi,
) -> Mechanism:
    """A four-bar whose point P runs straight while the crank makes half a turn, then hurries back.

    The crank turns about (0, 0), the rocker about (ground, 0); coupler and rocker are equally long,
    and P lies as far beyond their hinge. The default proportions 1 : 2.2 : 2.8 give the straightest
    line over 180 degrees of the crank: 4.181 cranks long, 0.096 % of that high.

    Source: [NortonMachinery] table 3-1; Chebyshev's lambda linkage has the same shape.

    Examples:
        >>> import kempe
        >>> m = kempe.gallery.hoecken(start=3.141592653589793 / 2)
        >>> x, y = m.kinematics(until=0.5)["coupler.P"].position.T
        >>> print(f"{(x.max() - x.min()) / 0.1:.3f}")
        4.181
    """
    m = Builder("Hoecken's linkage", plane=True)
    lengths = (crank, coupler, coupler)
    on_coupler = {"P": (2.0 * coupler, 0.0)}
    loop = four_bar_loop(m, 0, complex(ground), lengths, start, points=(None, on_coupler, None))
    m.drive(loop.crank.angle, start=start, rpm=60)
    return m.build()

"""Chebyshev's lambda linkage."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, four_bar_loop


@entry
def chebyshev_lambda(
    *,
    crank: float = 1.0,
    ground: float = 2.0,
    coupler: float = 2.5,
    rocker: float = 2.5,
    extension: float = 2.5,
    start: float = math.pi,
) -> Mechanism:
    """A four-bar in the shape of a lambda: half a turn of the crank moves P along a line, nearly.

    The crank turns about (0, 0), the rocker about (ground, 0); P lies on the coupler, `extension`
    beyond its hinge with the rocker. With 1 : 2 : 2.5 : 2.5 : 2.5 the line is as long as four
    cranks and P leaves it by 0.0098 cranks in all.

    Source: [Chebyshev]; the legs of his plantigrade machine are of this kind.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.chebyshev_lambda().kinematics(until=1.0)
        >>> turn["coupler.P"].position[0].round(9).tolist()
        [2.0, 4.0]
    """
    m = Builder("Chebyshev's lambda linkage", plane=True)
    lengths = (crank, coupler, rocker)
    on_coupler = {"P": (coupler + extension, 0.0)}
    loop = four_bar_loop(m, 0, complex(ground), lengths, start, points=(None, on_coupler, None))
    m.drive(loop.crank.angle, start=start, rpm=60)
    return m.build()

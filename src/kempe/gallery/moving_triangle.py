"""A triangle of bars that two cranks carry."""

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry, four_bar_loop


@entry
def moving_triangle(
    *,
    crank: float = 1.0,
    rocker: float = 2.5,
    ground: float = 2.8,
    sides: tuple[float, float, float] = (3.0, 2.0, 1.8),
    start: float = 1.0,
) -> Mechanism:
    """Three hinged bars form a triangle PQR; a crank carries P, a rocker Q.

    `sides` are PQ, PR and QR. As the triangle is made of bars it may be put together on either side
    of PQ: where the four-bar has two loops of motion this one has four.

    Source: [Barton] fig. 1e, with invented dimensions.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.moving_triangle().motions())
        moving triangle: 4 loops - complete.
    """
    m = Builder("moving triangle", plane=True)
    moving = (crank, sides[0], rocker)
    loop = four_bar_loop(m, 0, complex(ground), moving, start, names=("crank", "PQ", "rocker"))
    R = dyad(loop.B, loop.C, sides[1], sides[2])
    left, right = bar(m, "PR", loop.B, R, sides[1]), bar(m, "QR", loop.C, R, sides[2])
    m.revolute(loop.crank.end, left.start, name="P")
    m.revolute(loop.coupler.end, right.start, name="Q")
    m.revolute(left.end, right.end, name="R")
    m.drive(loop.crank.angle, start=start, rpm=60)
    return m.build()

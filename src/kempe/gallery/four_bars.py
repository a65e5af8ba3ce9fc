"""Four-bars: crank-rocker, the other classes after Grashof, and a triangle on two cranks.

With s the shortest and l the longest of the four lengths and p, q the others: where s + l < p + q a
bar goes all the way round and the positions fall into two circuits, where s + l > p + q none does
and they make one, where s + l = p + q the circuits meet in positions with all bars in line.
"""

import math

from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry, four_bar_loop, four_bar_with_point, swing


@entry
def four_bar(
    *, crank: float = 1.0, coupler: float = 3.5, rocker: float = 3.0, ground: float = 4.0,
    point: tuple[float, float] | None = None, start: float | None = None, plane: bool = True,
    units: str = "m",
) -> Mechanism:  # fmt: skip
    """Crank, coupler and rocker on the ground; the crank makes one turn per second.

    The crank turns about (0, 0), the rocker about (ground, 0); lengths in `units`. `point` places
    P on the coupler (x along it, y to its left; its middle, half its length up, if omitted). The
    crank starts at `start` (rad), or where the open assembly is far from a dead point. With
    plane=False the same four hinges stand in space.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.four_bar(crank=30, coupler=90, rocker=70, ground=100, units="mm")
        >>> print(turn.kinematics(until=1.0)["rocker.angle"].ptp("deg"))
        51.77 deg
    """
    lengths = {"crank": crank, "coupler": coupler, "rocker": rocker, "ground": ground}
    for name, length in lengths.items():
        if not 0 < length < math.inf:
            raise BadNumber(
                f"four_bar: {name} is {length!r}: every length must be a positive number."
            )
    angle = _start(crank, coupler, rocker, ground) if start is None else float(start)
    P = (0.5 * coupler, 0.5 * coupler) if point is None else point
    m = Builder("four-bar", plane=plane, units=units)
    moving, points = (crank, coupler, rocker), (None, {"P": P}, None)
    loop = four_bar_loop(m, 0, ground, moving, angle, points=points)
    m.drive(loop.crank.angle, start=angle, rpm=60)
    return m.build()


def _start(crank: float, coupler: float, rocker: float, ground: float) -> float:
    """A crank angle that can be reached, 0 where that is not near a dead point.

    The diagonal from the crank's end to the rocker's pivot must lie between |coupler - rocker| and
    coupler + rocker; the cosine of the crank angle is linear in its square.
    """
    least, most = abs(coupler - rocker), coupler + rocker
    span = sorted((abs(ground - crank), ground + crank))
    low, high = max(least, span[0]), min(most, span[1])
    if low > high:
        return 0.0  # cannot be put together: said when it is asked to move
    diagonal = math.hypot(low, high) / math.sqrt(2.0)
    if low < span[0] + 0.05 * (high - low) and least < span[0]:
        return 0.0
    cosine = (ground**2 + crank**2 - diagonal**2) / (2 * ground * crank)
    return math.acos(max(-1.0, min(1.0, cosine)))


@entry
def drag_link(
    *, crank: float = 3.0, coupler: float = 2.5, rocker: float = 3.2, ground: float = 1.0
) -> Mechanism:
    """The ground is shortest: both crank and rocker go all the way round.

    Source: Franz Grashof, Theoretische Maschinenlehre, 1883.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.drag_link().motions())
        drag link: 2 loops - complete.
    """
    P = (0.5 * coupler, 0.5 * coupler)
    m, loop = four_bar_with_point("drag link", ground, (crank, coupler, rocker), 0.5, P)
    m.drive(loop.crank.angle, start=0.5, rpm=60)
    return m.build()


@entry
def double_rocker(
    *, crank: float = 3.0, coupler: float = 1.0, rocker: float = 2.5, ground: float = 3.2,
    start: float = math.radians(48.0), amplitude: float = math.radians(18.0),
) -> Mechanism:  # fmt: skip
    """The coupler is shortest: it goes all the way round, and both others swing.

    The crank swings by `amplitude` about `start` (rad).

    Source: Franz Grashof, Theoretische Maschinenlehre, 1883.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.double_rocker().motions())
        double rocker: 2 loops - complete.
        >>> len(kempe.gallery.double_rocker().turning_points("crank.angle"))
        4
    """
    return _swinging("double rocker", ground, (crank, coupler, rocker), start, amplitude)


@entry
def triple_rocker(
    *, crank: float = 2.0, coupler: float = 3.0, rocker: float = 2.2, ground: float = 4.0,
    start: float = 0.0, amplitude: float = math.radians(100.0),
) -> Mechanism:  # fmt: skip
    """Shortest and longest are longer than the others together: no bar goes all the way round.

    The crank swings by `amplitude` about `start` (rad).

    Source: Franz Grashof, Theoretische Maschinenlehre, 1883.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.triple_rocker().motions())
        triple rocker: 1 loop - complete.
    """
    return _swinging("triple rocker", ground, (crank, coupler, rocker), start, amplitude)


def _swinging(
    name: str, ground: float, moving: tuple[float, float, float], start: float, amplitude: float
) -> Mechanism:
    """A four-bar whose crank swings by `amplitude` about `start` (rad), with P over its coupler."""
    P = (0.5 * moving[1], 0.5 * moving[1])
    m, loop = four_bar_with_point(name, ground, moving, start, P)
    swing(m, loop.crank.angle, start, amplitude)
    return m.build()


@entry
def parallelogram(
    *,
    crank: float = 1.0,
    ground: float = 2.0,
    start: float = 0.5 * math.pi,
    amplitude: float = math.radians(80.0),
) -> Mechanism:
    """Opposite bars are equal: parallel and crossed motion meet where all bars lie in line.

    The crank swings by `amplitude` about `start` (rad), clear of those positions; `motions()` lists
    the four arcs that lead into them.

    Source: Franz Grashof, Theoretische Maschinenlehre, 1883.

    Examples:
        >>> import kempe
        >>> found = kempe.gallery.parallelogram().motions()
        >>> print(len(found.components), [len(place.branches) for place in found.singular])
        4 [4, 4]
    """
    P = (0.5 * ground, 0.5 * ground)
    m, loop = four_bar_with_point("parallelogram", ground, (crank, ground, crank), start, P)
    swing(m, loop.crank.angle, start, amplitude)
    return m.build()


@entry
def moving_triangle(
    *, crank: float = 1.0, rocker: float = 2.5, ground: float = 2.8,
    sides: tuple[float, float, float] = (3.0, 2.0, 1.8), start: float = 1.0,
) -> Mechanism:  # fmt: skip
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

"""The classes of four-bars after Grashof, one of each beside the crank-rocker, and change points.

With s the shortest and l the longest of the four lengths and p, q the others: where s + l < p + q a
bar goes all the way round and the positions fall into two circuits, where s + l > p + q none does
and they make one, where s + l = p + q the circuits meet in positions with all bars in line.
"""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import FourBar, entry, four_bar_loop, swing


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
    m, loop = _loop("drag link", (crank, coupler, rocker, ground), 0.5)
    m.drive(loop.crank.angle, start=0.5, rpm=60)
    return m.build()


@entry
def double_rocker(
    *,
    crank: float = 3.0,
    coupler: float = 1.0,
    rocker: float = 2.5,
    ground: float = 3.2,
    start: float = math.radians(48.0),
    amplitude: float = math.radians(18.0),
) -> Mechanism:
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
    m, loop = _loop("double rocker", (crank, coupler, rocker, ground), start)
    swing(m, loop.crank.angle, start, amplitude)
    return m.build()


@entry
def triple_rocker(
    *,
    crank: float = 2.0,
    coupler: float = 3.0,
    rocker: float = 2.2,
    ground: float = 4.0,
    start: float = 0.0,
    amplitude: float = math.radians(100.0),
) -> Mechanism:
    """Shortest and longest are longer than the others together: no bar goes all the way round.

    The crank swings by `amplitude` about `start` (rad).

    Source: Franz Grashof, Theoretische Maschinenlehre, 1883.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.triple_rocker().motions())
        triple rocker: 1 loop - complete.
    """
    m, loop = _loop("triple rocker", (crank, coupler, rocker, ground), start)
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
    m, loop = _loop("parallelogram", (crank, ground, crank, ground), start)
    swing(m, loop.crank.angle, start, amplitude)
    return m.build()


def _loop(
    name: str, lengths: tuple[float, float, float, float], start: float
) -> tuple[Builder, FourBar]:
    """Crank, coupler, rocker and ground, with P above the middle of the coupler."""
    crank, coupler, rocker, ground = lengths
    m = Builder(name, plane=True)
    points = (None, {"P": (0.5 * coupler, 0.5 * coupler)}, None)
    moving = (crank, coupler, rocker)
    return m, four_bar_loop(m, 0j, complex(ground), moving, start, points=points)

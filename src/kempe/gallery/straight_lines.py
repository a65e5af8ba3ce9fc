"""Linkages with a point that runs straight, nearly or exactly, without a guide for it."""

import cmath
import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import dyad, entry, four_bar_with_point, opposite, polar, root, swing, xy


@entry
def watt_line(
    *, arm: float = 1.0, link: float = 0.6, amplitude: float = math.radians(22.0)
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
    D, P, names = complex(2.0 * arm, -link), (0.5 * link, 0.0), ("left", "link", "right")
    lengths = (arm, link, arm)
    m, loop = four_bar_with_point("Watt's linkage", D, lengths, 0.0, P, names=names, left=False)
    swing(m, loop.crank.angle, 0.0, amplitude)
    return m.build()


@entry
def chebyshev_lambda(
    *, crank: float = 1.0, ground: float = 2.0, coupler: float = 2.5, rocker: float = 2.5,
    extension: float = 2.5, start: float = math.pi,
) -> Mechanism:  # fmt: skip
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
    lengths, P = (crank, coupler, rocker), (coupler + extension, 0.0)
    m, loop = four_bar_with_point("Chebyshev's lambda linkage", ground, lengths, start, P)
    m.drive(loop.crank.angle, start=start, rpm=60)
    return m.build()


@entry
def chebyshev_crossed(*, base: float = 4.0, arm: float = 5.0, coupler: float = 2.0) -> Mechanism:
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
    reach = 0.5 * (base + coupler)  # of an arm, to the far end of the level coupler
    angle = opposite(reach, arm, root(arm * arm - reach * reach))
    lengths, P = (arm, coupler, arm), (0.5 * coupler, 0.0)
    names = ("left", "coupler", "right")
    m, loop = four_bar_with_point(
        "Chebyshev's linkage", base, lengths, angle, P, names=names, left=False
    )
    m.drive(loop.coupler.angle, start=math.pi, rpm=60)
    return m.build()


@entry
def hoecken(
    *, crank: float = 0.1, ground: float = 0.22, coupler: float = 0.28, start: float = math.pi
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
    lengths, P = (crank, coupler, coupler), (2.0 * coupler, 0.0)
    m, loop = four_bar_with_point("Hoecken's linkage", ground, lengths, start, P)
    m.drive(loop.crank.angle, start=start, rpm=60)
    return m.build()


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
    width = 0.5 * base
    # P stands over the left pivot where the right arm and the plate's right side lean on each other
    right = opposite(arm, base, arm)
    C = complex(base) + arm * cmath.exp(1j * (math.pi - right))
    B = dyad(0, C, arm, width)
    most, least = cmath.phase(B), right  # of the left arm
    middle = 0.5 * (most + least)
    depth = math.sqrt(max(0.0, arm * arm - 0.25 * width * width))
    lengths, P, names = (arm, width, arm), (0.5 * width, -depth), ("left", "plate", "right")
    m, loop = four_bar_with_point("Roberts' linkage", base, lengths, middle, P, names=names)
    swing(m, loop.crank.angle, middle, 0.5 * (most - least))
    return m.build()


@entry
def scott_russell(
    *, crank: float = 1.0, start: float = 0.0, amplitude: float = math.radians(80.0)
) -> Mechanism:
    """A crank holds the middle of a rod twice its length; one end slides, the other runs square.

    The crank turns about (0, 0), the slider moves along x, and the far end P moves along y exactly:
    y = 2 crank sin(angle). The crank swings by `amplitude` about `start` (rad) once per second; at
    90 degrees the slider stands on the pivot, a change point.

    Source: William Freemantle, patent of 1803; named after John Scott Russell.

    Examples:
        >>> import kempe
        >>> swing = kempe.gallery.scott_russell().kinematics(until=1.0)
        >>> print(f"{swing['rod.P'].position[:, 1].max():.4f}")  # 2 sin(80 deg)
        1.9696
    """
    m = Builder("Scott Russell linkage", plane=True)
    B = polar(crank, start)
    foot = complex(2.0 * B.real)
    a = m.bar("crank", crank, at=(0, 0), angle=start)
    b = m.bar(
        "rod", 2.0 * crank, points={"P": (2.0 * crank, 0.0)}, at=xy(foot), angle=math.pi - start
    )
    c = m.body("slider", at=xy(foot))
    m.revolute(m.ground.at(0, 0), a.start, name="A")
    m.revolute(a.end, b.at(crank, 0), name="B")
    m.revolute(b.start, c.at(0, 0), name="C")
    m.prismatic(m.ground.at(0, 0), c.at(0, 0), name="guide")
    swing(m, a.angle, start, amplitude)
    return m.build()

"""Inversors: linkages in the plane that draw an exact straight line."""

import math

from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch import bar, dyad, entry, polar, root, share, swing


@entry
def peaucellier_lipkin(
    *, crank: float = 1.0, arm: float = 2.5, side: float = 1.3, start: float = 0.0,
    amplitude: float = math.radians(90.0),
) -> Mechanism:  # fmt: skip
    """Seven bars that draw an exact straight line: the first linkage in the plane that did.

    Two arms from O = (0, 0) hold a rhombus by opposite corners, so that |OC| |OP| is constant; the
    crank moves C on a circle about (crank, 0) through O, and P runs along the line
    x = (arm^2 - side^2) / (2 crank). The crank swings by `amplitude` about `start` (rad) once per
    second; where |OC| = arm - side, at 106 degrees here, the arms are folded and it cannot go on.

    Source: Charles-Nicolas Peaucellier, 1864; Yom Tov Lipman Lipkin, 1871; [Kempe].

    Examples:
        >>> import kempe
        >>> swing = kempe.gallery.peaucellier_lipkin().kinematics(until=1.0)
        >>> bool(abs(swing["far_left.P"].position[:, 0] - 2.28).max() < 1e-12)
        True
    """
    m = Builder("Peaucellier-Lipkin linkage", plane=True)
    C = crank + polar(crank, start)
    driver = bar(m, "crank", complex(crank), C, crank)
    m.revolute(m.ground.at(crank, 0), driver.start, name="Q")
    ends: dict[str, tuple[BodyPart, BodyPart, BodyPart]] = {}
    corners = {"left": dyad(0, C, arm, side), "right": dyad(C, 0, side, arm)}
    P = sum(corners.values()) - C
    for word, corner in corners.items():
        near = bar(m, f"near_{word}", C, corner, side)
        far = bar(m, f"far_{word}", corner, P, side, {"P": (side, 0.0)})
        long = bar(m, f"arm_{word}", 0, corner, arm)
        m.revolute(m.ground.at(0, 0), long.start, name=f"O_{word}")
        m.revolute(driver.end, near.start, name=f"C_{word}")
        m.revolute(long.end, near.end, name=f"near_pin_{word}")
        m.revolute(long.end, far.start, name=f"far_pin_{word}")
        ends[word] = (near, far, long)
    m.revolute(ends["left"][1].end, ends["right"][1].end, name="tip")
    swing(m, driver.angle, start, amplitude)
    return m.build()


@entry
def hart(
    *, short: float = 2.0, long: float = 4.0, crank: float = 1.2, split: float = 0.5,
    start: float = 0.0, amplitude: float = math.radians(100.0),
) -> Mechanism:  # fmt: skip
    """Five bars that draw an exact straight line, by way of a crossed parallelogram A B C D.

    AB and CD are short, AD and BC long and crossed. Points that divide AB, AD and CB at the share
    `split` from A, A and C lie on one line O, N, P with |ON| |OP| = split (1 - split) (long^2 -
    short^2). O is pinned at (0, 0), the crank leads N on a circle about (crank, 0) through O, and P
    runs along x = |ON| |OP| / (2 crank). The crank swings by `amplitude` about `start` (rad).

    Source: Harry Hart, 1874; [Kempe].

    Examples:
        >>> import kempe
        >>> swing = kempe.gallery.hart().kinematics(until=1.0)
        >>> bool(abs(swing["BC.P"].position[:, 0] - 1.25).max() < 1e-12)
        True
    """
    if not 0.0 < split < 1.0:
        raise BadNumber(f"hart: split is {split!r}: it is a share of a bar, between 0 and 1.")
    m = Builder("Hart's inversor", plane=True)
    N = crank + polar(crank, start)
    u = N / (abs(N) or 1.0)
    # the four corners lie on two lines along u: A and C on one, B and D on the other
    BD = abs(N) / split
    AC = share(long * long - short * short, BD)
    lean = 0.5 * (BD - AC)
    w = -u * complex(lean, root(short * short - lean * lean))  # from A to B
    A = -split * w
    B, C, D = A + w, A + AC * u, A + w + BD * u
    driver = bar(m, "crank", complex(crank), N, crank)
    ab = bar(m, "AB", A, B, short)
    cd = bar(m, "CD", C, D, short)
    ad = bar(m, "AD", A, D, long)
    bc = bar(m, "BC", B, C, long, {"P": ((1.0 - split) * long, 0.0)})
    m.revolute(m.ground.at(crank, 0), driver.start, name="Q")
    m.revolute(m.ground.at(0, 0), ab.at(split * short, 0), name="O")
    m.revolute(driver.end, ad.at(split * long, 0), name="N")
    m.revolute(ab.start, ad.start, name="A")
    m.revolute(ab.end, bc.start, name="B")
    m.revolute(bc.end, cd.start, name="C")
    m.revolute(ad.end, cd.end, name="D")
    swing(m, driver.angle, start, amplitude)
    return m.build()

"""Wheels in mesh, proved again to be where one shaft puts them."""

import math
from fractions import Fraction
from typing import Any

from kempe.compile.layout.elements import JointElement
from kempe.compile.layout.layout import Layout
from kempe.errors import UnsolvableKind
from kempe.geometry import GROUND, Z
from kempe.measures import Turn
from kempe.motion.equations.gears import linear_law, whole_ratios
from kempe.motion.equations.meshing import meshes

Way = tuple[Fraction, int]  # angle of a wheel = the first + the second times that of the shaft


def shafts(layout: Layout) -> dict[str, dict[str, Way]]:
    """By coupler: how both wheels follow their shaft, which goes once round.

    k a + l b = turn, modulo whole turns, has the solutions a = u turn + l phi, b = v turn - k phi:
    they are solutions as k u + l v = 1; they are all, as (a, b) is that of
    phi = v a - u b; and none comes twice, for l phi and k phi are whole turns together only where
    phi = (k u + l v) phi is one.
    """
    elements: list[Any] = list(layout.elements[: layout.first_drive])
    chosen = meshes(layout)
    found = {}
    for element in elements:
        if isinstance(element, JointElement) or element.name not in chosen:
            continue
        signs: list[tuple[str, int]] = []
        for gauge in element.coupler.gauges:
            bodies = gauge.I.body, gauge.J.body
            level = gauge.I.rotation.angle == 0.0 and gauge.J.rotation.angle == 0.0
            if gauge.measure != Turn(Z) or not level or bodies.count(GROUND) != 1:
                raise UnsolvableKind(f"{element.name!r} reads more than the turn of a wheel.")
            signs.append((bodies[1], 1) if bodies[0] == GROUND else (bodies[0], -1))
        shares, constant = linear_law(element.coupler, element.name)
        (k, l), unit = whole_ratios(shares, element.name)
        if math.gcd(k, l) != 1 or signs[0][0] == signs[1][0]:
            raise UnsolvableKind(f"{element.name!r} does not put two wheels in step.")
        u = next(u for u in range(abs(l)) if (1 - k * u) % l == 0)
        v = (1 - k * u) // l
        turn = constant / unit
        (first, one), (second, other) = signs
        found[element.name] = {
            first: (one * u * turn, one * l),
            second: (other * v * turn, -other * k),
        }
    return found


def says_no_more(coupler: Any, name: str, ways: dict[str, Way]) -> bool:
    """Whether a coupler holds at every angle of a shaft that its wheels follow.

    With a_i = p_i + r_i phi the sum of k_i a_i is that of k_i p_i where that of k_i r_i is 0.
    """
    shares, constant = linear_law(coupler, name)
    whole, unit = whole_ratios(shares, name)
    start, ratio = -constant / unit, 0
    for gauge, k in zip(coupler.gauges, whole, strict=True):
        bodies = gauge.I.body, gauge.J.body
        level = gauge.I.rotation.angle == 0.0 and gauge.J.rotation.angle == 0.0
        if gauge.measure != Turn(Z) or not level or bodies.count(GROUND) != 1:
            return False
        wheel, sign = (bodies[1], 1) if bodies[0] == GROUND else (bodies[0], -1)
        if wheel not in ways:
            return False
        p, r = ways[wheel]
        start, ratio = start + sign * k * p, ratio + sign * k * r
    return start == 0 and ratio == 0

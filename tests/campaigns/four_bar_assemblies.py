"""Promise: `assemblies` of a four-bar with its crank held lists every one, and no other.

Oracle: the two circles about the ends of the rocker's and the coupler's lengths, cut in rational
arithmetic (how many) and in closed form (where).
"""

import math
from fractions import Fraction

import numpy as np

import kempe as kp

CASES = 20
TOLERANCE = 1e-9  # of a length of 1: the closed form itself loses some digits near touching


def attempt(rng: np.random.Generator) -> list[str]:
    """A four-bar at a scale from 1e-6 to 1e6 m, its crank along a side of Pythagoras' triangles."""
    scale = 10.0 ** rng.integers(-6, 7)
    crank, coupler, rocker, ground = (float(k) / 64.0 for k in rng.integers(16, 192, 4))
    m, n = sorted(rng.integers(1, 12, 2).tolist())
    n = n + 1 if m == n else n
    c, s = Fraction(n * n - m * m, n * n + m * m), Fraction(2 * m * n, n * n + m * m)
    angle = math.atan2(s, c)

    tip = (c * Fraction(crank), s * Fraction(crank))
    away = (tip[0] - Fraction(ground), tip[1])
    gap2 = away[0] ** 2 + away[1] ** 2
    longest, shortest = Fraction(coupler + rocker) ** 2, Fraction(coupler - rocker) ** 2
    margin = min(abs(gap2 - longest), abs(gap2 - shortest), gap2 - Fraction(1, 100))
    if margin < Fraction(1, 10**6):
        return []  # nearly touching: the angle is a rounded one, so the count is not decided
    expected = 2 if shortest < gap2 < longest else 0

    b = kp.Builder("four-bar", plane=True)
    one, two, three = (
        b.bar(name, length * scale)
        for name, length in (("crank", crank), ("coupler", coupler), ("rocker", rocker))
    )
    b.revolute(b.ground.at(0, 0), one.start)
    b.revolute(one.end, two.start)
    b.revolute(two.end, three.end)
    b.revolute(three.start, b.ground.at(ground * scale, 0))
    found = b.build().assemblies({"crank.angle": angle})

    case = f"{crank, coupler, rocker, ground} x {scale:g} at {angle!r} rad"
    if len(found) != expected:
        return [f"{len(found)} assemblies instead of {expected}: {case}"]
    gap = math.sqrt(gap2)
    lean = math.acos((rocker**2 + gap2 - coupler**2) / (2.0 * rocker * gap)) if expected else 0.0
    towards = math.atan2(away[1], away[0])
    wrong = []
    for turn in (towards + lean, towards - lean)[:expected]:
        distances = [abs(math.remainder(float(one.q[8]) - turn, math.tau)) for one in found]
        if min(distances) > TOLERANCE / rocker:
            wrong.append(f"no assembly with the rocker at {turn} rad: {case}")
    return wrong

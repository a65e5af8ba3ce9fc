"""Jansen's leg in closed form, dyad by dyad: what every contestant's toe is compared with."""

import numpy as np

from yardsticks.closed_form import RATE, FloatArray, Hinge, dyad, fixed, worst

CRANK = 15.0
PIVOT = (-38.0, -7.8)
# A hinge, the two it hangs on, and its distances from them: it lies left of the way between them.
DYADS = (
    ("crown", "pivot", "pin", 41.5, 50.0),
    ("knee", "pin", "pivot", 61.9, 39.3),
    ("shoulder", "pivot", "crown", 40.1, 55.8),
    ("heel", "knee", "shoulder", 36.7, 39.4),
    ("toe", "knee", "heel", 49.0, 65.7),
)


def hinges(t: FloatArray) -> dict[str, Hinge]:
    """Every hinge at the times, the crank starting at angle 0."""
    angle = RATE * t
    e = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    across = np.stack([-e[:, 1], e[:, 0]], axis=1)
    pin = Hinge(CRANK * e, CRANK * RATE * across, -CRANK * RATE**2 * e)
    found = {"pin": pin, "pivot": fixed(*PIVOT, len(t))}
    for name, P, Q, p, q in DYADS:
        found[name] = dyad(found[P], found[Q], p, q)
    return found


def worst_error(t: FloatArray, p: FloatArray, v: FloatArray, a: FloatArray) -> float:
    """Of the toe's position, velocity and acceleration (n, 2), per radian, over the crank."""
    toe = hinges(t)["toe"]
    return worst((p - toe.p, (v - toe.v) / RATE, (a - toe.a) / RATE**2)) / CRANK

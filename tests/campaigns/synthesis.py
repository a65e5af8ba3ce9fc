"""Promise: a four-bar is among those that are listed for positions it takes, and is judged rightly.

Oracle: the law of cosines. A random crank-rocker is moved to five random angles of its crank; its
poses, angles and points are given, and it must come back, without defects where the angles were in
order.
"""

import cmath
import math

import numpy as np

from kempe.synthesis import function_generators, motion_generators, path_generators

CASES = 4
NEAR = 1e-6  # of a length of 1


def attempt(rng: np.random.Generator) -> list[str]:
    """A random crank-rocker on pivots (0, 0) and (1, 0), and its positions as a task."""
    crank = float(rng.uniform(0.15, 0.45))
    coupler, rocker = (float(x) for x in rng.uniform(0.7, 1.3, 2))
    bars = (crank, coupler, rocker, 1.0)
    if min(bars) + max(bars) > 0.95 * (sum(bars) - min(bars) - max(bars)):
        return []
    p = complex(*rng.uniform(-0.8, 0.8, 2))
    count = int(rng.integers(3, 6))
    angles = np.sort(rng.uniform(0.0, math.tau, count))
    if np.diff(angles).min() < 0.15:
        return []
    places = [_at(bars, p, float(angle)) for angle in angles]
    poses = [(P.real, P.imag, turn) for P, turn, _ in places]
    kind = ("path", "motion", "function")[int(rng.integers(3))]
    if kind == "path":
        if count == 5 and rng.random() < 0.8:
            return []  # some seconds each
        lengths = dict([("crank", crank), ("rocker", rocker)][: 5 - count])
        found = path_generators([pose[:2] for pose in poses], [(0, 0), (1, 0)], **lengths)
    elif kind == "motion":
        given = {3: {"pivots": ((0, 0), (1, 0))}, 4: {"pivots_on": ((0, 0), (1, 0))}, 5: {}}[count]
        found = motion_generators(poses, **given)
    else:
        turns = [turn for *_, turn in places]
        starts = [("input_start", float(angles[0])), ("output_start", turns[0])]
        found = function_generators(angles, turns, **dict(starts[: 5 - count]))
    case = f"{kind}, bars {bars}, P {p}, crank at {angles.tolist()}"
    if found.outcome != "complete":
        return []  # nothing is promised
    mine = [
        one
        for one in found
        if all(abs(a - b) < NEAR for a, b in zip(one.lengths.values(), bars, strict=True))
    ]
    swapped = [
        one
        for one in found
        if all(abs(a - b) < NEAR for a, b in zip(one.lengths.values(), bars[2::-1], strict=False))
    ]
    if not mine and not (kind == "motion" and swapped):
        return [f"it is not listed: {case}"]
    if mine and not any(one.is_sound for one in mine):
        return [f"it is said to have defects {mine[0].defects}: {case}"]
    if mine and min(one.error for one in mine) > NEAR:
        return [f"it misses its positions by {min(one.error for one in mine)}: {case}"]
    return []


def _at(
    bars: tuple[float, float, float, float], p: complex, angle: float
) -> tuple[complex, float, float]:
    """Coupler point, angle of the coupler, angle of the rocker."""
    crank, coupler, rocker, ground = bars
    B = cmath.rect(crank, angle)
    gap = ground - B
    d = abs(gap)
    x = (coupler**2 - rocker**2 + d * d) / (2.0 * d)
    C = B + gap / d * complex(x, math.sqrt(coupler**2 - x * x))
    along = (C - B) / coupler
    return B + p * along, cmath.phase(along), cmath.phase(C - ground)

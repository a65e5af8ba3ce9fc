"""Promise: `motions` of wheels in whole ratios lists every loop once, with its turns, at any scale.

Trains of two or three wheels on the ground: pairs, stages in series, differentials of three turns,
some said again times a factor, with limits narrower or wider than a turn.

Oracle: whole numbers. The turns k a = b modulo whole turns, k a matrix of rank n - 1 whose rows
have no common factor, are as many circles as the greatest common divisor of its largest minors
says, and each runs round along the vector of these minors, made primitive. A limit narrower than a
turn cuts a circle as often as it goes round there.
"""

import math

import numpy as np

import kempe as kp
from kempe.couplers import Combination

CASES = 15
REMEMBERED = (45, 110_000_165)
SAME = 1e-6  # rad, of whole turns along a loop


def attempt(rng: np.random.Generator) -> list[str]:
    """One train, its motions counted."""
    n = int(rng.integers(2, 4))
    ratios = _ratios(rng, n)
    minors = _minors(ratios)
    loops = math.gcd(*minors)
    if loops == 0:
        return []
    turns = [abs(x) // loops for x in minors]
    scale = 10.0 ** int(rng.integers(-6, 7))
    m = kp.Builder("train", plane=True)
    wheels = [m.body(f"w{k}", at=(3.0 * k * scale, 0.0), angle=0.1 * k) for k in range(n)]
    for k, wheel in enumerate(wheels):
        m.revolute(m.ground.at(3.0 * k * scale, 0.0), wheel.at(0, 0))
    again = rng.random() < 0.4
    for i, row in enumerate(ratios):
        seen = [k for k in range(n) if row[k]]
        offset = float(rng.uniform(-3.0, 3.0))
        for factor in (1.0, float(rng.choice([-2.0, 0.5, 4.0])))[: 2 if again else 1]:
            shares = tuple(factor * row[k] for k in seen)
            gauges = tuple(wheels[k].angle for k in seen)
            name = f"mesh{i} x {factor:g}"
            m.couple(Combination(gauges, name, constant=factor * offset, coefficients=shares))
    arcs, limits = 0, {}
    which = int(rng.integers(n))
    if rng.random() < 0.4 and turns[which]:
        low = float(rng.uniform(-3.0, 3.0))
        wide = float(rng.choice([0.7, 2.0, 5.0, 7.0, 20.0]))
        limits[f"w{which}.angle"] = (low, low + wide)
        arcs = loops * turns[which] if wide < math.tau else 0
    said = f"{ratios}{' (twice)' if again else ''}, limits {limits}, x {scale:g}"
    found = m.build().motions(limits=limits, effort=kp.Effort(seconds=30.0))
    return [f"{fault} ({found.outcome}): {said}" for fault in _faults(found, loops, arcs, turns)]


def _faults(found, loops: int, arcs: int, turns: list[int]) -> list[str]:  # type: ignore[no-untyped-def]
    if found.outcome not in ("complete", "numerical"):
        return ["it did not end"]
    closed = [c.closed for c in found.components]
    if closed != ([False] * arcs if arcs else [True] * loops):
        wanted = f"{arcs} arcs" if arcs else f"{loops} loops"
        return [f"{closed.count(True)} loops, {closed.count(False)} arcs instead of {wanted}"]
    wrong = []
    for k, component in enumerate(() if arcs else found.components):
        q = component.sample(0.05).q[:, 2::3]
        went = np.unwrap(np.vstack([q, q[:1]]), axis=0)
        round_ = np.abs(went[-1] - went[0]) / math.tau
        if np.abs(round_ - turns).max() > SAME:
            wrong.append(f"loop {k} goes round {round_.tolist()} times instead of {turns}")
    return wrong


def _ratios(rng: np.random.Generator, n: int) -> list[list[int]]:
    """n - 1 rows of whole numbers without a common factor: pairs of neighbours, or all of them."""
    rows = []
    for i in range(n - 1):
        seen = range(n) if n == 3 and rng.random() < 0.4 else (i, i + 1)
        row = [0] * n
        for k in seen:
            row[k] = int(rng.choice([-3, -2, -1, 1, 2, 3]))
        common = math.gcd(*row)
        rows.append([x // common for x in row])
    return rows


def _minors(rows: list[list[int]]) -> list[int]:
    """The largest minors of n - 1 rows of n whole numbers, with alternating signs."""
    if len(rows) == 1:
        return [rows[0][1], -rows[0][0]]
    a, b = rows
    return [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]

"""Promise: motions of a free point, asked by bars that can shrink to nothing, are all listed.

Oracle: the lines, rays and circles that plane geometry gives for a distance from a bar, an angle to
a bar and the angle under which two points are seen. Every point of theirs inside the bounds, and
clear of the places where a bar vanishes, lies on a listed component, and every sample on theirs.
"""

import math

import numpy as np

import kempe as kp
from kempe.results.promise import Promise

CASES = 12
STEP = 0.04  # of the bounds' width, between samples
ON = 1e-7  # of the bounds' width: how near a sample must be to its line or circle

Points = np.ndarray


def attempt(rng: np.random.Generator) -> list[str]:
    """One question at a scale from 1e-3 to 1e3 m, its hole often in the middle of the bounds."""
    scale = 10.0 ** rng.integers(-3, 4)
    anchor = rng.integers(-4, 5, 2) / 2.0
    half = float(rng.integers(3, 9))
    middle = anchor if rng.random() < 0.5 else anchor + rng.uniform(-1.5, 1.5, 2)
    low, high = middle - half, middle + half
    kind = int(rng.integers(3))
    m = kp.Builder("free point", plane=True)
    P = m.point("P")
    bar = m.stick("b", m.ground.at(*(scale * anchor)), P)
    if kind == 0:
        expected, case = _tangents(rng, m, bar, anchor, scale)
    elif kind == 1:
        expected, case = _rays(rng, m, bar, anchor, scale)
    else:
        expected, case = _circles(rng, m, P, bar, anchor, scale)
    case += f", anchor {anchor.tolist()}, bounds {low.tolist()} ... {high.tolist()} x {scale:g}"
    bounds = {f"P.{e}": (scale * low[k], scale * high[k]) for k, e in enumerate("xy")}
    found = m.build().motions(limits=bounds)
    if found.outcome not in (Promise.COMPLETE, Promise.COMPLETE_EXCEPT):
        return [f"{found.outcome}: {case}"]
    if any(place.size > 1e-2 * half for place in found.singular):
        return [f"a place as large as {max(p.size for p in found.singular):g}: {case}"]
    step = STEP * half
    listed = [c.sample(step / 4).q[:, :2] / scale for c in found.components]
    samples = np.concatenate(listed) if listed else np.zeros((0, 2))
    wrong = []
    inside = ((expected > low) & (expected < high)).all(axis=1)
    for p in expected[inside]:
        if not len(samples) or np.linalg.norm(samples - p, axis=1).min() > step:
            wrong.append(f"{p.tolist()} is on no listed component: {case}")
            break
    if len(samples):
        away = _distance(samples, expected).max()
        if away > ON * half + 0.02 * half:
            wrong.append(f"a sample is {away:g} away from where it must be: {case}")
    return wrong


def _distance(samples: Points, expected: Points) -> Points:
    """Of samples from the nearest expected point, which lie 0.02 apart at most."""
    return np.array([np.linalg.norm(expected - p, axis=1).min() for p in samples])


def _line(anchor: Points, turns: list[float]) -> Points:
    """Points of rays from an anchor, not too near it."""
    s = np.arange(0.05, 30.0, 0.02)[:, None]
    return np.concatenate([anchor + s * np.array([math.cos(a), math.sin(a)]) for a in turns])


def _tangents(rng, m, bar, anchor, scale):  # type: ignore[no-untyped-def]
    away = rng.uniform(0.8, 2.5)
    turn = rng.uniform(0.0, math.tau)
    point = anchor + away * np.array([math.cos(turn), math.sin(turn)])
    gap = float(rng.integers(1, 6)) / 8.0
    bar.clear_of(m.ground.at(*(scale * point)), scale * gap)
    d = point - anchor
    towards, lean = math.atan2(d[1], d[0]), math.asin(gap / math.hypot(*d))
    turns = [towards + s * lean + k * math.pi for s in (-1, 1) for k in (0, 1)]
    return _line(anchor, turns), f"{gap} clear of {point.tolist()}"


def _rays(rng, m, bar, anchor, scale):  # type: ignore[no-untyped-def]
    base = float(rng.integers(0, 24)) * math.pi / 12.0
    angle = math.radians(float(rng.integers(2, 35)) * 5.0)
    start = anchor + rng.integers(-3, 4, 2)
    end = start + np.array([math.cos(base), math.sin(base)])
    other = m.stick("c", m.ground.at(*(scale * start)), m.ground.at(*(scale * end)))
    bar.angle_to(other, angle)
    told = f"{math.degrees(angle):g} degrees to a bar at {math.degrees(base):g}"
    return _line(anchor, [base + angle, base - angle]), told


def _circles(rng, m, P, bar, anchor, scale):  # type: ignore[no-untyped-def]
    turn, apart = rng.uniform(0.0, math.tau), rng.uniform(0.7, 2.0)
    other = anchor + apart * np.array([math.cos(turn), math.sin(turn)])
    angle = math.radians(float(rng.integers(6, 17)) * 5.0)
    second = m.stick("c", m.ground.at(*(scale * other)), P)
    bar.angle_to(second, angle, oriented=False)
    radius = apart / (2.0 * math.sin(angle))
    up = np.array([-math.sin(turn), math.cos(turn)])
    a = np.arange(0.0, math.tau, 0.02 / radius / 1.1)[:, None]
    around = radius * np.hstack([np.cos(a), np.sin(a)])
    centres = [(anchor + other) / 2 + s * radius * math.cos(angle) * up for s in (-1, 1)]
    circles = np.concatenate([c + around for c in centres])
    clear = np.minimum(*(np.linalg.norm(circles - e, axis=1) for e in (anchor, other))) > 0.05
    return circles[clear], f"seen with {other.tolist()} at {math.degrees(angle):g} degrees"

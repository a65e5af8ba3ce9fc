"""Promise: motions of a free point, asked by bars that can shrink to nothing, are all listed.

Oracle: the lines, rays and circles that plane geometry gives for a distance from a bar, an angle to
a bar and the angle under which two points are seen. Every point of theirs inside the bounds, and
clear of the places where a bar vanishes, lies on a listed component; every sample lies on one of
these lines and circles, by its distance from them in closed form.
"""

import math
from collections.abc import Callable

import numpy as np

import kempe as kp
from kempe.results.maps.certificate import Promise

CASES = 12
REMEMBERED = (30153, 30182, 30197)
STEP = 0.04  # of the bounds' width, between samples
ON = 1e-7  # of the bounds' width: how near a sample must be to its line or circle

Points = np.ndarray
Curves = tuple[Points, Callable[[Points], Points]]  # some points of theirs, how far points are off


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
        (expected, off), case = _tangents(rng, m, bar, anchor, scale)
    elif kind == 1:
        (expected, off), case = _rays(rng, m, bar, anchor, scale)
    else:
        (expected, off), case = _circles(rng, m, P, bar, anchor, scale)
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
        away = off(samples).max()
        if away > ON * half:
            wrong.append(f"a sample is {away:g} away from where it must be: {case}")
    return wrong


def _rays_from(anchor: Points, turns: list[float]) -> Curves:
    """Rays from an anchor: points not too near it, and the distance from the nearest ray."""
    s = np.arange(0.05, 30.0, 0.02)[:, None]
    ways = [np.array([math.cos(a), math.sin(a)]) for a in turns]

    def off(p: Points) -> Points:
        arms = p - anchor
        across = [np.abs(arms[:, 0] * w[1] - arms[:, 1] * w[0]) for w in ways]
        behind = [arms @ w < 0.0 for w in ways]
        apart = np.linalg.norm(arms, axis=1)
        found = [np.where(b, apart, a) for a, b in zip(across, behind, strict=True)]
        return np.asarray(np.min(found, axis=0))

    return np.concatenate([anchor + s * w for w in ways]), off


def _tangents(rng, m, bar, anchor, scale):  # type: ignore[no-untyped-def]
    away = rng.uniform(0.8, 2.5)
    turn = rng.uniform(0.0, math.tau)
    point = anchor + away * np.array([math.cos(turn), math.sin(turn)])
    gap = float(rng.integers(1, 6)) / 8.0
    bar.clear_of(m.ground.at(*(scale * point)), scale * gap)
    d = point - anchor
    towards, lean = math.atan2(d[1], d[0]), math.asin(gap / math.hypot(*d))
    turns = [towards + s * lean + k * math.pi for s in (-1, 1) for k in (0, 1)]
    return _rays_from(anchor, turns), f"{gap} clear of {point.tolist()}"


def _rays(rng, m, bar, anchor, scale):  # type: ignore[no-untyped-def]
    base = float(rng.integers(0, 24)) * math.pi / 12.0
    angle = math.radians(float(rng.integers(2, 35)) * 5.0)
    start = anchor + rng.integers(-3, 4, 2)
    end = start + np.array([math.cos(base), math.sin(base)])
    other = m.stick("c", m.ground.at(*(scale * start)), m.ground.at(*(scale * end)))
    bar.angle_to(other, angle)
    told = f"{math.degrees(angle):g} degrees to a bar at {math.degrees(base):g}"
    return _rays_from(anchor, [base + angle, base - angle]), told


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

    def off(p: Points) -> Points:
        return np.asarray(
            np.min([np.abs(np.linalg.norm(p - c, axis=1) - radius) for c in centres], axis=0)
        )

    return (circles[clear], off), f"seen with {other.tolist()} at {math.degrees(angle):g} degrees"

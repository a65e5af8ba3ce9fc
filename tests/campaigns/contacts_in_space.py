"""Promise: `motions` lists every loop and arc of a follower on a surface that turns.

A crank about z carries a surface, leaning and beside its axis; a follower goes up and down beside
the axis and keeps its point, or its ball, on the surface.

Oracle: at angles of the crank, all places at which the follower's line meets the surface, or its
offset, by Newton's method from a grid of parameters in NumPy: each lies on one component, and what
is listed lies on the surface.
"""

import math

import numpy as np

import kempe as kp
from kempe.errors import Unbounded
from kempe.geometry import GROUND, Marker, Rotation
from kempe.geometry.curves import Circle, Through
from kempe.geometry.surfaces import (
    AbstractSurface,
    BSplineSurface,
    ConeSurface,
    CylinderSurface,
    RuledSurface,
    SphereSurface,
    TorusSurface,
)
from kempe.geometry.surfaces.abstract import drawn_between
from kempe.joints import PointFromSurface, PointOnSurface, Prismatic

CASES = 2
ANGLES = 12
GRID = 14
STEPS = 30
SOLVED = 1e-11  # m, of machines of the size of 1
EDGE = 1e-4  # of a domain: nearer to its edge, rounding decides
STEEP = 1e-3  # of the slopes' determinant: nearer to 0 the line touches the surface
REACH = 3.0  # m, of the follower
EFFORT = kp.Effort(seconds=20.0)
STEP = 0.05


def attempt(rng: np.random.Generator) -> list[str]:
    """One surface, place and follower."""
    surface = _surface(rng)
    length = float(rng.choice([0.0, rng.uniform(0.05, 0.2), -rng.uniform(0.05, 0.2)]))
    away = float(rng.uniform(0.1, 0.7))
    lean = Rotation.about(rng.normal(size=3), float(rng.uniform(0.0, 0.6)))
    at = tuple(float(c) for c in rng.uniform(-0.2, 0.2, 3))
    m = kp.Builder("follower")
    crank, slider = m.body("crank"), m.body("slider", points={"P": (0, 0, 0)})
    m.revolute(Marker(GROUND), crank.at(0, 0, 0), name="hinge")
    m.add(Prismatic(Marker(GROUND, (away, 0.0, 0.0)), slider.P), "guide")
    on = Marker("crank", at, lean)
    if length:
        m.add(PointFromSurface(on, slider.P, surface=surface, length=length), "touch")
    else:
        m.add(PointOnSurface(on, slider.P, surface=surface), "touch")
    mechanism = m.build()
    told = f"{surface!r} at {at}, {lean.matrix().tolist()}, {away=}, {length=}"
    limits = {"guide.displacement": (-REACH, REACH)}
    try:
        found = mechanism.motions(limits=limits, effort=EFFORT)
    except Unbounded:
        return [f"it has no bounds: {told}"]
    wrong = _off(mechanism, found, surface, on, length)
    if str(found.outcome) in ("complete", "complete_except"):
        for angle in rng.uniform(-3.0, 3.0, ANGLES):
            for z in _heights(surface, on, away, length, float(angle)):
                if not _is_listed(found, float(angle), away, z):
                    wrong.append(f"not listed: {angle=}, {z=}, {found}")
    return [f"{one}: {told}" for one in wrong]


def _surface(rng: np.random.Generator) -> AbstractSurface:
    place = tuple(float(c) for c in rng.uniform(-0.2, 0.2, 3))
    kind = int(rng.integers(6))
    if kind == 0:
        return SphereSurface(place, float(rng.uniform(0.5, 1.2)))
    if kind == 1:
        return TorusSurface(place, float(rng.uniform(0.5, 0.9)), float(rng.uniform(0.25, 0.4)))
    if kind == 2:
        return CylinderSurface(place, float(rng.uniform(0.5, 1.0)), limits=(-0.8, 0.9))
    if kind == 3:
        return ConeSurface(place, float(rng.uniform(0.4, 1.0)), limits=(0.1, 1.5))
    if kind == 4:
        heights = rng.uniform(-0.3, 0.3, 6)
        turns = math.tau * np.arange(6) / 6
        rim = np.column_stack([np.cos(turns), np.sin(turns), heights]).tolist()
        places = tuple((x, y, z) for x, y, z in rim)
        return RuledSurface(Circle((0.0, 0.0, 0.0), 0.2), Through(places, closed=True))
    x = np.linspace(-1.0, 1.0, 4)
    rows = tuple(tuple((float(a), float(b), float(rng.uniform(-0.4, 0.4))) for b in x) for a in x)
    return BSplineSurface(rows)


def _seen(on: Marker, away: float, angle: float) -> tuple[np.ndarray, np.ndarray]:
    """The foot and the direction of the follower's line in the frame of the surface."""
    R, p = on.rotation.matrix(), np.array(on.position)
    foot = np.array([away * math.cos(angle), -away * math.sin(angle), 0.0])
    return R.T @ (foot - p), R.T @ np.array([0.0, 0.0, 1.0])


def _heights(
    surface: AbstractSurface, on: Marker, away: float, length: float, angle: float
) -> list[float]:
    """Where the follower's line meets the surface or its offset, well inside and at an angle."""
    foot, way = _seen(on, away, angle)
    ends = [drawn_between(d, REACH) for d in surface.domains]
    grid = [np.linspace(low, high, GRID + 2)[1:-1] for low, high in ends]
    u, v = (x.ravel() for x in np.meshgrid(*grid))
    x = np.column_stack([u, v, np.zeros(len(u))])
    scales = np.array([*surface.speeds, 1.0])
    with np.errstate(all="ignore"):
        x[:, 2] = (_places(surface, x, length) - foot) @ way
        for _ in range(STEPS):
            f, J = _rows(surface, x, length, foot, way, scales)
            step = -_solved(J, f)
            size = np.abs(step).max(axis=1, keepdims=True)
            x = x + step / scales * np.minimum(1.0, 0.2 / np.maximum(size, 1e-300))
        f, J = _rows(surface, x, length, foot, way, scales)
        good = (np.abs(f).max(axis=1) < SOLVED) & (np.abs(np.linalg.det(J)) > STEEP)
    for k, domain in enumerate(surface.domains):
        if domain.period:
            continue
        low, high = (domain.low, domain.high) if domain.is_bounded else (-np.inf, np.inf)
        room = EDGE * (high - low) if domain.is_bounded else 0.0
        good &= (x[:, k] > low + room) & (x[:, k] < high - room)
    found: list[float] = []
    for z in x[good & (np.abs(x[:, 2]) < 0.99 * REACH), 2]:
        if not any(abs(z - other) < 1e-7 for other in found):
            found.append(float(z))
    return found


def _solved(J: np.ndarray, f: np.ndarray) -> np.ndarray:
    return np.linalg.solve(J + 1e-13 * np.eye(3), f[:, :, None])[:, :, 0]


def _places(surface: AbstractSurface, x: np.ndarray, length: float) -> np.ndarray:
    inside = [
        x[:, k] if d.period else np.clip(x[:, k], d.low, d.high)
        for k, d in enumerate(surface.domains)
    ]
    places = np.asarray(surface(*inside), float)
    if not length:
        return places
    n = np.cross(surface(*inside, (1, 0)), surface(*inside, (0, 1)))
    return places + length * n / np.linalg.norm(n, axis=1, keepdims=True)


def _rows(
    surface: AbstractSurface,
    x: np.ndarray,
    length: float,
    foot: np.ndarray,
    way: np.ndarray,
    scales: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Rows (k, 3) and slopes (k, 3, 3), by differences, in lengths along the parameters."""

    def rows(x: np.ndarray) -> np.ndarray:
        return _places(surface, x, length) - foot - x[:, 2:] * way

    f, J = rows(x), np.empty((len(x), 3, 3))
    for k in range(3):
        h = np.zeros(3)
        h[k] = 1e-6 / scales[k]
        J[:, :, k] = (rows(x + h) - rows(x - h)) / 2e-6
    return f, J


def _is_listed(found: kp.MotionMap, angle: float, away: float, z: float) -> bool:
    c, s = math.cos(0.5 * angle), math.sin(0.5 * angle)
    q = np.array([0, 0, 0, c, 0, 0, s, away, 0, z, 1, 0, 0, 0], float)
    return found.component_of(q) is not None


def _off(
    mechanism: kp.Mechanism,
    found: kp.MotionMap,
    surface: AbstractSurface,
    on: Marker,
    length: float,
) -> list[str]:
    """Positions that are listed and whose point is not where the surface has it."""
    for component in found.components:
        turn = mechanism.follow(component, STEP)
        angles, places = turn["hinge.angle"].values, turn["slider.P"].position
        for angle, place in list(zip(angles, places, strict=True))[:: max(1, len(angles) // 12)]:
            foot, way = _seen(on, float(place[0]), float(angle))
            near = surface.nearest(foot + float(place[2]) * way)
            # an offset is stationary, not nearest: it is no nearer than its length
            if near.distance > abs(length) + 1e-7 or (not length and near.distance > 1e-7):
                return [f"component {component.number} is {near.distance:.3g} off"]
    return []

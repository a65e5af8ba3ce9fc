"""Promise: `assemblies` and `motions` of points on surfaces in space list all there is, no more.

One point on a plane, sphere, cylinder, ring or spline, or two of them, with bars to anchors:
so many that nothing is left free, or all but one. Every surface is put askew.

Oracle: Newton's method from many starts in NumPy, on formulas of the surfaces by hand: each place
that it finds is listed, and of a motion each one lies on a component; what is listed keeps all
lengths, and lies on its surface by its own equation.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

import kempe as kp
from kempe.geometry import surfaces

Array = NDArray[np.float64]

CASES = 6
STARTS = 60
ROWS = 1e-8  # of lengths, in machines of the size of 1
SOLVED = 1e-11
NEAR = 1e-5  # of a place that is listed and one that Newton's method found
STEP, BESIDE = 0.02, 0.1  # between samples in unknowns; from a place to the nearest, in metres
EDGE = 1e-6  # of a parameter: nearer to an edge rounding decides


class Sheet:
    """A surface by hand: S(u, v), and the same one of kempe."""

    def __init__(self, rng: np.random.Generator, kind: str) -> None:
        z = rng.normal(size=3)
        self.z = z / np.linalg.norm(z)
        x = np.cross(self.z, [0.3, 0.5, -0.8])
        self.x = x / np.linalg.norm(x)
        self.y = np.cross(self.z, self.x)
        self.c = rng.uniform(-0.5, 0.5, 3)
        self.kind = kind
        self.R, self.r = float(rng.uniform(0.8, 1.2)), float(rng.uniform(0.2, 0.5))
        self.heights = rng.uniform(-0.6, 0.6, (4, 4))

    def at(self, u: float, v: float) -> Array:
        """The place at u and v from 0 to 1."""
        turn, out = np.cos(2 * np.pi * u) * self.x + np.sin(2 * np.pi * u) * self.y, self.R
        local: dict[str, Callable[[], Array]] = {
            "plane": lambda: 3.0 * ((u - 0.5) * self.x + (v - 0.5) * self.y),
            "sphere": lambda: out * (np.sin(np.pi * v) * turn - np.cos(np.pi * v) * self.z),
            "cylinder": lambda: out * turn + 2.0 * (v - 0.5) * self.z,
            "ring": lambda: (
                (out + self.r * np.cos(2 * np.pi * v)) * turn
                + self.r * np.sin(2 * np.pi * v) * self.z
            ),
            "spline": lambda: (
                3.0 * ((u - 0.5) * self.x + (v - 0.5) * self.y)
                + bernstein(u) @ self.heights @ bernstein(v) * self.z
            ),
        }
        return np.asarray(self.c + local[self.kind]())

    def off(self, p: Array) -> float:
        """How far (m) a place is from it, or 0 where only its parameters tell."""
        d = p - self.c
        h = float(d @ self.z)
        rho = float(np.linalg.norm(d - h * self.z))
        if self.kind == "spline":
            u, v = (float(d @ e) / 3.0 + 0.5 for e in (self.x, self.y))
            return h - float(bernstein(u) @ self.heights @ bernstein(v))
        distances = {
            "plane": h,
            "sphere": float(np.linalg.norm(d)) - self.R,
            "cylinder": rho - self.R,
            "ring": float(np.hypot(rho - self.R, h)) - self.r,
        }
        return distances[self.kind]

    def surface(self) -> surfaces.AbstractSurface:
        """The same one in kempe."""
        c, z = plain(self.c), plain(self.z)
        makers: dict[str, Callable[[], surfaces.AbstractSurface]] = {
            "plane": lambda: surfaces.PlaneSurface(c, z),
            "sphere": lambda: surfaces.SphereSurface(c, self.R),
            "cylinder": lambda: surfaces.CylinderSurface(c, self.R, z, (-1.0, 1.0)),
            "ring": lambda: surfaces.TorusSurface(c, self.R, self.r, z),
            "spline": lambda: surfaces.BSplineSurface(
                tuple(
                    tuple(
                        plain(
                            self.c
                            + 3.0 * ((i / 3 - 0.5) * self.x + (j / 3 - 0.5) * self.y)
                            + h * self.z
                        )
                        for j, h in enumerate(row)
                    )
                    for i, row in enumerate(self.heights)
                )
            ),
        }
        return makers[self.kind]()

    def holds(self, u: float, v: float) -> bool:
        """Whether it goes as far as u and v, and no edge is near."""
        if self.kind == "spline":
            return min(u, v) > EDGE and max(u, v) < 1.0 - EDGE
        return self.kind != "cylinder" or EDGE < v < 1.0 - EDGE


def plain(x: Array) -> tuple[float, float, float]:
    """Three floats."""
    return float(x[0]), float(x[1]), float(x[2])


def bernstein(t: float) -> Array:
    """The four cubic polynomials of Bernstein."""
    return np.array([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])


def attempt(rng: np.random.Generator) -> list[str]:
    """One or two points, with a freedom or without."""
    kinds = ["plane", "sphere", "cylinder", "ring", "spline"]
    sheets = [Sheet(rng, str(rng.choice(kinds))) for _ in range(int(rng.integers(1, 3)))]
    moving = bool(rng.integers(2))
    count = 2 * len(sheets) - moving
    params = rng.uniform(0.2, 0.8, (len(sheets), 2))
    at = [s.at(*uv) for s, uv in zip(sheets, params, strict=True)]
    bars: list[tuple[int, Any, float]] = []  # point, other point or anchor, length
    if len(sheets) == 2:
        bars.append((0, 1, float(np.linalg.norm(at[0] - at[1]))))
    order = [k % len(sheets) for k in range(count - len(bars))]
    for k in order:
        anchor = rng.uniform(-1.5, 1.5, 3)
        bars.append((k, anchor, float(np.linalg.norm(at[k] - anchor))))
    m = kp.Builder("points")
    points = [
        m.point(f"P{k}", at=plain(p), on=s.surface())
        for k, (p, s) in enumerate(zip(at, sheets, strict=True))
    ]
    for n, (k, end, length) in enumerate(bars):
        other = points[end] if isinstance(end, int) else m.ground.at(*plain(end))
        m.stick(f"bar{n}", other, points[k], length)
    mechanism = m.build()
    found = mechanism.motions() if moving else mechanism.assemblies()
    if str(found.outcome) not in ("complete", "complete_except"):
        return [] if str(found.outcome) == "certified_partial" else [f"it is {found.outcome}"]
    states = (
        np.vstack([c.sample(STEP).q for c in found.components] or [np.zeros((0, 7 * len(at)))])
        if moving
        else np.array([s.q for s in found]).reshape(-1, 7 * len(at))
    )
    listed = states.reshape(len(states), len(at), 7)[:, :, :3]
    wrong = _wrong(listed, sheets, bars)
    if str(found.outcome) == "complete":
        wrong += _missing(rng, listed, sheets, bars, BESIDE if moving else NEAR)
    return wrong


def _rows(places: Array, bars: list[tuple[int, Any, float]]) -> Array:
    """How far the lengths (k,) of bars are off, of places (..., points, 3)."""
    ends = [places[..., end, :] if isinstance(end, int) else end for _, end, _ in bars]
    apart = [np.linalg.norm(places[..., k, :] - e, axis=-1) - length
             for (k, _, length), e in zip(bars, ends, strict=True)]  # fmt: skip
    return np.stack(apart, axis=-1)


def _wrong(listed: Array, sheets: list[Sheet], bars: list[tuple[int, Any, float]]) -> list[str]:
    if not len(listed):
        return ["nothing is listed, and it was built from a place of it"]
    wrong = []
    off = float(np.abs(_rows(listed, bars)).max())
    if off > ROWS:
        wrong.append(f"lengths are off by {off:.1e}")
    for k, sheet in enumerate(sheets):
        far = max(abs(sheet.off(p)) for p in listed[:, k])
        if far > ROWS:
            wrong.append(f"a point is {far:.1e} off the {sheet.kind}")
    return wrong


def _missing(
    rng: np.random.Generator,
    listed: Array,
    sheets: list[Sheet],
    bars: list[tuple[int, Any, float]],
    near: float,
) -> list[str]:
    def places(x: Array) -> Array:
        return np.array([s.at(*uv) for s, uv in zip(sheets, x.reshape(-1, 2), strict=True)])

    for start in rng.uniform(0, 1, (STARTS, 2 * len(sheets))):
        got = least_squares(
            lambda x: _rows(places(x), bars), start, xtol=1e-15, ftol=1e-15, gtol=1e-15
        )
        inside = all(s.holds(*uv) for s, uv in zip(sheets, got.x.reshape(-1, 2), strict=True))
        if np.abs(got.fun).max() < SOLVED and inside:
            apart = np.abs(listed - places(got.x)).max(axis=(1, 2)).min()
            if apart > near:
                return [f"not listed: {places(got.x).tolist()}, {apart:.1e} from the nearest"]
    return []

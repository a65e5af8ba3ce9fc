"""Places and curves of F(q) = 0 by brute force: Newton from many starts, and steps along curves.

Nothing here is certified and nothing is shared with kempe: rows are functions of numbers, their
derivatives come from complex steps, and ranks from singular values.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Rows = Callable[[NDArray[np.generic]], NDArray[np.generic]]  # (k, n) -> (k, rows)

TINY = 1e-30  # a complex step: derivatives are exact but for roundings
CLOSED = 1e-10  # residual of a place
STEP = 0.08  # along a curve, lengths of 1 and radians
SMALLEST = 2e-4  # a step; where it is too long the curve has a corner, or a crossing
STEPS = 1500  # of all curves of a case
SINGULAR = 2e-3  # a singular value that should not vanish and nearly does
GRAZE = 0.02  # a limit that a curve touches, or nearly does


@dataclass
class Curve:
    """A stretch of positions: closed, ended by limits, or given up (`why`)."""

    q: Array
    closed: bool = False
    why: str = ""  # singular, long, graze
    weakest: float = math.inf  # smallest singular value along it


@dataclass
class System:
    """Rows, limits as (measure, low, high, period), and which unknowns are angles."""

    rows: Rows
    limits: list[tuple[Rows, float, float, float]]
    is_angle: NDArray[np.bool_]
    reach: float = 4.0
    left: int = STEPS  # until curves are given up

    def jacobian(self, q: Array) -> Array:
        """dF/dq of places (k, n): (k, rows, n)."""
        k, n = q.shape
        moved = np.repeat(q[:, None, :], n, axis=1) + 1j * TINY * np.eye(n)
        J = self.rows(moved.reshape(k * n, n)).imag / TINY
        return np.asarray(J.reshape(k, n, -1).transpose(0, 2, 1), dtype=np.float64)

    def residual(self, q: Array) -> Array:
        """The largest row of each place."""
        return np.asarray(np.abs(np.real(self.rows(q))).max(axis=1), dtype=np.float64)

    def places(self, rng: np.random.Generator, starts: int, near: Array) -> Array:
        """Solutions reached from random starts, and from near a place that is known."""
        n = len(self.is_angle)
        q = rng.uniform(-1.0, 1.0, (starts, n))
        q *= np.where(self.is_angle, math.pi, self.reach)
        some = starts // 4
        q[:some] = near + rng.normal(0.0, 0.7, (some, n))
        for _ in range(60):
            F = np.real(self.rows(q))
            J = self.jacobian(q)
            size = np.minimum((F**2).sum(axis=1), 1.0)
            A = np.einsum("krn,krm->knm", J, J)
            A += (1e-2 * size + 1e-13)[:, None, None] * np.eye(n)
            d = np.linalg.solve(A, np.einsum("krn,kr->kn", J, F)[:, :, None])[:, :, 0]
            d *= np.minimum(1.0, 1.0 / np.maximum(np.abs(d).max(axis=1), 1e-300))[:, None]
            q = q - d
            q = q[np.isfinite(q).all(axis=1) & (np.abs(q).max(axis=1) < 100.0)]
        q = np.array([self.corrected(one) for one in q[self.residual(q) < 1e-5]])
        q = q.reshape(-1, n)
        q = q[self.residual(q) < CLOSED]
        q[:, self.is_angle] = np.remainder(q[:, self.is_angle] + math.pi, math.tau) - math.pi
        return q

    def corrected(self, q: Array, plane: tuple[Array, Array] | None = None) -> Array:
        """The solution near q; with a plane (normal, point) the one in that plane."""
        for _ in range(6):
            F, J = np.real(self.rows(q[None]))[0], self.jacobian(q[None])[0]
            if plane is not None:
                F = np.append(F, plane[0] @ (q - plane[1]))
                J = np.vstack([J, plane[0]])
            d = np.linalg.pinv(J, rcond=1e-9) @ F
            if np.abs(d).max() > 1.0:
                d /= np.abs(d).max()
            q = q - d
            if np.abs(d).max() < 1e-13:
                break
        return q

    def singular_values(self, q: Array) -> Array:
        """All n of them, the largest first (zeros where there are fewer rows)."""
        s = np.zeros(q.size)
        found = np.linalg.svd(self.jacobian(q[None])[0], compute_uv=False)
        s[: found.size] = found[: q.size]
        return s

    def slack(self, q: Array) -> float:
        """How far a place is within its limits; negative outside."""
        least = math.inf
        for measure, low, high, period in self.limits:
            off = float(np.real(measure(q[None]))[0]) - 0.5 * (low + high)
            if period:
                off = math.remainder(off, period)
            least = min(least, 0.5 * (high - low) - abs(off))
        return least

    def embedded(self, q: Array) -> Array:
        """Angles as cosine and sine, so that whole turns make no difference."""
        a = q[..., self.is_angle]
        return np.concatenate([q[..., ~self.is_angle], np.cos(a), np.sin(a)], axis=-1)

    def apart(self, q: Array, others: Array) -> Array:
        """How far each of the others is."""
        off = self.embedded(others) - self.embedded(q)
        return np.asarray(np.abs(off).max(axis=-1), dtype=np.float64)

    def tangent(self, q: Array) -> tuple[Array, float]:
        """The direction of the curve, and the singular value that says how sure it is."""
        _, s, V = np.linalg.svd(self.jacobian(q[None])[0])
        n = q.size
        return V[-1], float(s[n - 2]) if s.size >= n - 1 else 0.0

    def same_turn(self, q: Array, as_of: Array) -> Array:
        """q with whole turns added, next to another place."""
        off = q - as_of
        off[self.is_angle] = np.remainder(off[self.is_angle] + math.pi, math.tau) - math.pi
        return np.asarray(as_of + off, dtype=np.float64)

    def lies_by(self, q: Array, start: Array) -> bool:
        """Whether Newton from `start`, in the plane square to the curve at q, leads to q."""
        t, _ = self.tangent(q)
        met = self.corrected(self.same_turn(start, q), (t, q))
        return bool(np.abs(met - q).max() < 1e-6)

    def on(self, q: Array, curve: Curve, near: float = 2.5 * STEP) -> bool:
        """Whether a place lies on a curve that was followed."""
        far = self.apart(q, curve.q)
        k = int(far.argmin())
        return bool(far[k] < near) and self.lies_by(q, curve.q[k])

    def follow(self, start: Array) -> Curve:
        """All of the curve through a place, as far as it is regular and within limits."""
        forward = self.half(start, 1.0)
        if forward.closed:
            return forward
        back = self.half(start, -1.0)
        why = forward.why or back.why
        q = np.concatenate([back.q[::-1], forward.q[1:]])
        return Curve(q, False, why, min(forward.weakest, back.weakest))

    def half(self, start: Array, way: float) -> Curve:
        """The curve from a place in one direction."""
        q, step = start, STEP
        t, weakest = self.tangent(q)
        t = way * t
        path, slacks = [q], [self.slack(q)]
        if weakest < SINGULAR:
            return Curve(np.array(path), False, "singular", weakest)
        while self.left > 0:
            self.left -= 1
            ahead = q + step * t
            met = self.corrected(ahead, (t, ahead))
            turned, s = self.tangent(met)
            turned = turned if turned @ t > 0 else -turned
            off = float(np.abs(met - ahead).max())
            bad = off > 0.15 * step or turned @ t < 0.98
            if bad or self.residual(met[None])[0] > CLOSED or s < SINGULAR:
                step *= 0.5
                if step < SMALLEST:
                    return Curve(np.array(path), False, "singular", min(weakest, s))
                continue
            if len(path) > 3 and self.passed(start, q, met, t):
                why = "graze" if self.grazed(slacks) else ""
                return Curve(np.array(path), True, why, weakest)
            q, t, weakest = met, turned, min(weakest, s)
            path.append(q)
            slacks.append(self.slack(q))
            step = min(STEP, 1.5 * step)
            if np.abs(q[~self.is_angle]).max(initial=0.0) > 60.0:
                return Curve(np.array(path), False, "long", weakest)
            if slacks[-1] < 0.0:
                why = "graze" if slacks[-2] - slacks[-1] < 1e-4 else ""
                path.pop()
                return Curve(np.array(path), False, why or self.grazed(slacks[:-1]), weakest)
        return Curve(np.array(path), False, "long", weakest)

    def passed(self, start: Array, q: Array, met: Array, t: Array) -> bool:
        """Whether the curve goes through its start between two places."""
        s = self.same_turn(start, q)
        along = t @ (s - q)
        length = float(np.linalg.norm(met - q))
        if not 0.0 < along <= 1.0001 * length or np.abs(s - q).max() > 2.0 * length:
            return False
        across = t, s
        return bool(np.abs(self.corrected(q + along * t, across) - s).max() < 1e-7)

    @staticmethod
    def grazed(slacks: list[float]) -> str:
        """Whether a limit was nearly touched on the way."""
        s = np.array(slacks)
        inner = (s[1:-1] < s[:-2]) & (s[1:-1] <= s[2:]) & (s[1:-1] < GRAZE)
        return "graze" if inner.any() else ""

"""Levenberg and Marquardt's method from many starts side by side, between bounds.

One evaluation takes all trial points of all starts at once, as a batch of variants is cheap: the
Jacobians of all by central differences, then several dampings of every step. A bound that a start
lies on and is pushed against is kept.

Source: [More], the method; side by side with several dampings at once: Own.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Residuals = Callable[[FloatArray], FloatArray]  # (points, k) -> (points, n), NaN where it fails

STEP: Final = 1e-5  # of a difference, in shares of the bounds
DAMPINGS: Final = np.array([1e-2, 1e-1, 1.0, 10.0, 100.0])  # of the present one, tried at once
LEAST, MOST = 1e-14, 1e8  # dampings
SMALL: Final = 1e-13  # steps, and gains, that end it


@final
@dataclass(slots=True, eq=False)
class Front:
    """Where all starts have come: points in [0, 1]^k, residuals, squares, dampings."""

    u: FloatArray
    r: FloatArray
    damping: FloatArray
    is_going: NDArray[np.bool_]

    @property
    def squares(self) -> FloatArray:
        """Sums of squares, infinite where a start fails."""
        found = (self.r**2).sum(axis=1)
        return np.asarray(np.where(np.isfinite(found), found, np.inf))


def steps(residuals: Residuals, starts: FloatArray) -> Iterator[Front]:
    """The front after each round, without end until no start goes on."""
    r = residuals(starts)
    going = np.asarray(np.isfinite(r).all(axis=1))
    front = Front(starts.copy(), r, np.full(len(starts), 1e-2), going)
    yield front
    while front.is_going.any():
        _round(residuals, front)
        yield front


def _round(residuals: Residuals, front: Front) -> None:
    """One step of all starts that go on."""
    which = np.flatnonzero(front.is_going)
    u, r = front.u[which], front.r[which]
    J = _jacobians(residuals, u, r)
    before = (r**2).sum(axis=1)
    trials = np.array([_steps(u, r, J, front.damping[which] * d) for d in DAMPINGS])
    m, k = u.shape
    tried = residuals(trials.reshape(-1, k)).reshape(len(DAMPINGS), m, -1)
    squares = (tried**2).sum(axis=2)
    squares = np.where(np.isfinite(squares), squares, np.inf)
    best = squares.argmin(axis=0)
    chosen = np.arange(m)
    gains = squares[best, chosen] < before
    moved = np.abs(trials[best, chosen] - u).max(axis=1)
    gone = which[gains]
    front.u[gone] = trials[best, chosen][gains]
    front.r[gone] = tried[best, chosen][gains]
    factor = np.where(gains, DAMPINGS[best] * 0.3, DAMPINGS[-1])
    front.damping[which] = np.clip(front.damping[which] * factor, LEAST, None)
    small = gains & (before - squares[best, chosen] <= SMALL * before) | (moved <= SMALL)
    front.is_going[which[small | (front.damping[which] > MOST) | (before < 1e-28)]] = False


def _jacobians(residuals: Residuals, u: FloatArray, r: FloatArray) -> FloatArray:
    """d r / d u (m, n, k) by differences inside the bounds; 0 where they fail."""
    m, k = u.shape
    ahead, back = (np.clip(u[:, None] + s * STEP * np.eye(k), 0.0, 1.0) for s in (1.0, -1.0))
    both = np.concatenate([ahead, back]).reshape(-1, k)
    found = residuals(both).reshape(2, m, k, -1)
    r = np.broadcast_to(r[:, None], found[0].shape)
    steps_up = np.einsum("mkk->mk", ahead)
    steps_down = np.einsum("mkk->mk", back)
    fails = [np.asarray(~np.isfinite(side).all(axis=2)) for side in found]
    high, low = (np.where(bad[..., None], r, side) for bad, side in zip(fails, found, strict=True))
    width = np.where(fails[0], u, steps_up) - np.where(fails[1], u, steps_down)
    J = (high - low) / np.where(width > 0.0, width, np.inf)[..., None]
    return np.asarray(J.transpose(0, 2, 1))


def _steps(u: FloatArray, r: FloatArray, J: FloatArray, damping: FloatArray) -> FloatArray:
    """Where a damped step leads, bounds kept: (J^T J + d diag) step = -J^T r on what is free."""
    gradient = np.einsum("mnk,mn->mk", J, r)
    held = ((u <= 0.0) & (gradient > 0.0)) | ((u >= 1.0) & (gradient < 0.0))
    free = (~held).astype(np.float64)
    A = np.einsum("mnk,mnl->mkl", J, J) * free[:, :, None] * free[:, None, :]
    diagonal = np.einsum("mkk->mk", A)
    scale = np.maximum(diagonal, 1e-12 * diagonal.max(axis=1, keepdims=True) + 1e-300)
    k = u.shape[1]
    A = A + np.eye(k) * (scale * damping[:, None] + held)[:, None, :]
    step = np.linalg.solve(A, -(gradient * free)[..., None])[..., 0]
    return np.asarray(np.clip(u + step, 0.0, 1.0))

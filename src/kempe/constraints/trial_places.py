"""Where constraints with several unknowns of their own start: places tried, the best refined."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kempe.constraints.abstract import AbstractConstraint, FloatArray
from kempe.geometry import Pose, Vector
from kempe.geometry.surfaces import AbstractSurface

A_SIDE = 15  # places tried on each side of a surface
STEPS, STEP = 12, 1e-6  # of Gauss and Newton that refine one, and of their differences


def trial_places(
    surface: AbstractSurface, about: Vector, reach: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Parameters (n, 2), places (n, 3) and unit normals of a `surface`, spread over it.

    A surface without end is tried near the place `about` (m); `reach` (m) is how far beyond what is
    nearest to that place it goes on.
    """
    window = surface.window(np.array([float(c) for c in about]))
    sides = []
    for domain, near, speed in zip(surface.domains, window, surface.speeds, strict=True):
        low, high = domain.low, domain.high
        if not domain.is_bounded:
            room = reach / max(speed, 1e-300)
            low, high = max(low, near.low - room), min(high, near.high + room)
        inner = 0.5 * (high - low) / A_SIDE
        sides.append(np.linspace(low + inner, high - inner, A_SIDE))
    u, v = (x.ravel() for x in np.meshgrid(*sides))
    along, across = surface(u, v, (1, 0)), surface(u, v, (0, 1))
    n = np.cross(along, across)
    lengths = np.linalg.norm(n, axis=1, keepdims=True)
    return np.column_stack([u, v]), surface(u, v), n / np.where(lengths > 0.0, lengths, 1.0)


def best_trial(
    constraint: AbstractConstraint, X: Sequence[Pose], trials: FloatArray, size: float
) -> list[float]:
    """The unknowns of a `constraint` at `X` from the best of `trials` (k, n) on, refined.

    Rows in metres are compared with the others by a `size` (m).
    """
    missed = np.linalg.norm(_rows(constraint, X, trials, size), axis=0)
    start = trials[int(np.argmin(np.where(np.isfinite(missed), missed, np.inf)))]
    return refined(constraint, X, start, size)


def refined(
    constraint: AbstractConstraint, X: Sequence[Pose], start: FloatArray, size: float
) -> list[float]:
    """The unknowns of a `constraint` at `X`, by Gauss and Newton from `start` (n,) on.

    Rows in metres are compared with the others by a `size` (m).
    """
    best, least = start, np.inf
    h = np.array([STEP * size / unknown.scale for unknown in constraint.unknowns])
    trial, n = best, len(h)
    for _ in range(STEPS):
        around = np.vstack([trial, trial + np.diag(h), trial - np.diag(h)])
        rows = _rows(constraint, X, around, size)
        missed = float(np.linalg.norm(rows[:, 0]))
        if not missed < least:
            break
        best, least = trial, missed
        slopes = (rows[:, 1 : n + 1] - rows[:, n + 1 :]) / (2.0 * h)
        if not np.isfinite(slopes).all():
            break
        trial = best - np.linalg.lstsq(slopes, rows[:, 0], rcond=1e-9)[0]
    return [float(x) for x in best]


def _rows(
    constraint: AbstractConstraint, X: Sequence[Pose], trials: FloatArray, size: float
) -> FloatArray:
    """The rows (m, k) at trials (k, n), those in metres in sizes."""
    found: list[Any] = constraint.phi(*X, *trials.T)
    rows = np.array([np.broadcast_to(row, len(trials)) for row in found], np.float64)
    units = np.array([size if unit == "m" else 1.0 for unit in constraint.rows])
    scaled: FloatArray = rows / units[:, None]
    return scaled

"""Patches of a B-spline surface as Bezier patches, and how near they come to a place.

With weights w, control points P and D = w (P - p) on a patch, in Bernstein form on both sides,

    |S - p|^2 = |D|^2 / w^2 >= min_kl (|D|^2)_kl / (w^2)_kl,

the coefficients being those of products: a quotient of two such forms is a mean of the quotients of
their coefficients, for the denominators are positive. The gap falls with the square of the patch's
size, whatever the weights are.

Source: [Farouki], products and parts of Bernstein forms; the bound: Own.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.algebra.spline import Spline
from kempe.geometry.number import Floats

MARGIN = 1e-14  # of a sum of a hundred products and their steps, relative to the largest


@final
@dataclass(frozen=True, eq=False)
class SplineBasis:
    """The basis functions of one direction of a surface, as Bernstein forms on every piece."""

    breaks: Floats  # (k + 1,)
    forms: Floats  # (k, n + 1, count)

    @classmethod
    def of(cls, count: int, function: Callable[[Floats], Spline | float]) -> "SplineBasis":
        """Of `count` functions, each told by which of the control numbers is 1."""
        made = [function(row) for row in np.eye(count)]
        (first, *_) = splines = [f for f in made if isinstance(f, Spline)]
        forms = np.zeros((*first.numerators.shape, count))
        for k, f in enumerate(made):
            forms[..., k] = f.numerators if isinstance(f, Spline) else f
        return cls(splines[0].breaks, forms)

    def parts(self, low: Floats, high: Floats) -> Floats:
        """Bernstein coefficients (N, n + 1, count) of all functions on parts of single pieces."""
        piece = np.searchsorted(self.breaks, 0.5 * (low + high), side="right") - 1
        piece = np.clip(piece, 0, len(self.forms) - 1)
        start, end = self.breaks[piece], self.breaks[piece + 1]
        ends = [np.clip((x - start) / (end - start), 0.0, 1.0) for x in (low, high)]
        found: Floats = _restriction(self.forms.shape[1] - 1, *ends) @ self.forms[piece]
        return found


def _restriction(degree: int, s: Floats, t: Floats) -> Floats:
    """What Bernstein coefficients on [0, 1] become on [s, t] (N,): matrices (N, n + 1, n + 1).

    Coefficient j is the blossom at s, n - j times, and at t, j times.
    """
    rows = np.broadcast_to(np.eye(degree + 1), (len(s), degree + 1, degree + 1))
    made = np.empty(rows.shape)
    for j in range(degree, -1, -1):
        last = rows
        for _ in range(j):
            last = _stepped(last, t)
        made[:, j] = last[:, 0]
        rows = _stepped(rows, s)
    return made


def _stepped(rows: Floats, s: Floats) -> Floats:
    """One step of de Casteljau's scheme, of rows (N, k, n + 1)."""
    share = s[:, None, None]
    return (1.0 - share) * rows[:, :-1] + share * rows[:, 1:]


def least_squared_distances(
    basis: tuple[SplineBasis, SplineBasis],
    arms: Floats,
    weights: Floats,
    low: Floats,
    high: Floats,
) -> Floats:
    """Lower bounds (N,) of |S - p|^2 over patches `low` to `high` (N, 2) of single pieces.

    `arms` (a, b, 3) are w (P - p) of all control points, `weights` (a, b) are w; what roundings
    may have added is taken off.
    """
    grid = np.concatenate([arms, weights[..., None]], axis=-1)
    u, v = (f.parts(low[:, k], high[:, k]) for k, f in enumerate(basis))
    along = np.tensordot(u, grid, axes=(2, 0))  # (N, n + 1, b, 4)
    form = np.einsum("nibc,njb->nijc", along, v)
    squares = _squared(form)
    above, below = squares[..., :3].sum(axis=-1), squares[..., 3]
    steps = sum(f.forms.shape[1] for f in basis)
    off = MARGIN * steps * float(np.abs(arms).max())
    reach = np.abs(form[..., :3]).max(axis=(1, 2, 3)) + off
    lost = 6.0 * off * reach + MARGIN * steps * reach**2
    least = (above - lost[:, None, None]) / below
    found: Floats = least.min(axis=(1, 2)) - MARGIN * steps * np.abs(least).max(axis=(1, 2))
    return found


def _squared(form: Floats) -> Floats:
    """The squares of Bernstein forms (N, n + 1, m + 1, c), of twice the degrees.

    With Q_ij = C(n, i) C(m, j) P_ij they are C(2n, k) C(2m, l) (P^2)_kl = sum_ij Q_ij Q_(k-i)(l-j).
    """
    n, m = form.shape[1] - 1, form.shape[2] - 1
    scaled = form * np.outer(_binomials(n), _binomials(m))[:, :, None]
    made = np.zeros((len(form), 2 * n + 1, 2 * m + 1, form.shape[3]))
    for i in range(n + 1):
        for j in range(m + 1):
            made[:, i : i + n + 1, j : j + m + 1] += scaled[:, i, j][:, None, None, :] * scaled
    return made / np.outer(_binomials(2 * n), _binomials(2 * m))[:, :, None]


def _binomials(n: int) -> Floats:
    return np.array([float(math.comb(n, k)) for k in range(n + 1)])

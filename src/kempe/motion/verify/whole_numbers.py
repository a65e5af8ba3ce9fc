"""Whole numbers of 2^-256: exact arithmetic for rows of second degree, with Python's integers.

A double of at least 2^-203 is such a number exactly, a smaller one is cut off after 256 places like
every product. Sums are exact. What is cut off is far below the slack that every comparison keeps.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Tape
from kempe.motion.verify.second_order import run_jets

FloatArray = NDArray[np.float64]
Wholes = NDArray[np.object_]  # integers: multiples of 2^-PLACES

PLACES = 256
MANTISSA = 53
COEFFICIENT_BITS = 320  # of the intervals that coefficients are taken from
# Of coefficients, in units: 2^-196. With entries of p below 2^10, of C below 2^40 and of frames
# below 2, n below 2^10, no sum of the verifier is off by more than 2^151 units by that, or by what
# is cut off.
MOST_RADIUS = 1 << 60
ROOM = 1024.0  # |p_j| + reach of a chart, at most


def wholes(x: FloatArray) -> Wholes:
    """Finite doubles as whole numbers, less than one unit off."""
    mantissa, exponent = np.frexp(x)
    number = np.ldexp(mantissa, MANTISSA).astype(np.int64).astype(object)
    shift = (exponent - MANTISSA + PLACES).astype(np.int64)
    up, down = np.maximum(shift, 0).astype(object), np.maximum(-shift, 0).astype(object)
    made: Wholes = (number << up) >> down
    return made


def floats(x: Wholes) -> FloatArray:
    """The nearest doubles, nearly."""
    # The last 1074 - 256 places of a small number do not matter, and huge ones do not occur.
    return np.array([e / UNIT for e in x.ravel()], dtype=float).reshape(x.shape)


UNIT = 1 << PLACES


def product(a: Wholes, b: Wholes) -> Wholes:
    """a @ b, cut off after 256 places; zeros of a matrix a cost nothing."""
    if a.ndim != 2 or b.ndim > 2:
        made: Any = np.asarray(a @ b, dtype=object)
    else:
        made = np.full((len(a), *b.shape[1:]), 0, dtype=object)
        for i, row in enumerate(a):
            seen = np.flatnonzero(row)
            if len(seen):
                made[i] = row[seen] @ b[seen]
    found: Wholes = made >> PLACES
    return found


@final
@dataclass(frozen=True, slots=True, eq=False)
class QuadraticRows:
    """F_q(x) = c_q + l_q . x + x^T H_q x / 2, its coefficients within 2^-196 of whole numbers."""

    c: Wholes  # (m,)
    l: Wholes  # (m, n)
    H: Wholes  # of the entries that are not zero, sorted by row and unknown
    row: NDArray[np.int64]
    first: NDArray[np.int64]  # unknowns
    second: NDArray[np.int64]

    @classmethod
    def of(cls, tape: Tape, m: int) -> "QuadraticRows | None":
        """The first m outputs of a tape; None where they are no such rows."""
        from mpmath.ctx_iv import MPIntervalContext

        iv: Any = MPIntervalContext()
        iv.prec = COEFFICIENT_BITS
        n = tape.n_inputs
        centre = run_jets(tape, [iv.mpf(0)] * n, iv, m)
        over = run_jets(tape, [iv.mpf([-ROOM, ROOM])] * n, iv, m)
        if centre is None or over is None:
            return None
        c, l = [_whole(value) for value, _, _ in centre], np.full((m, n), 0, dtype=object)
        entries: list[tuple[int, int, int, int]] = []
        for q, ((_, gradient, _), (_, _, bend)) in enumerate(zip(centre, over, strict=True)):
            for j, g in gradient.items():
                l[q, j] = _whole(g)
            for (a, b), h in bend.items():
                entries += [(q, s, t, _whole(h)) for s, t in {(a, b), (b, a)}]
        if any(e is None for e in (*c, *l.ravel(), *(h for *_, h in entries))):
            return None
        entries.sort(key=lambda e: e[:3])
        at = np.array([e[:3] for e in entries], dtype=np.int64).reshape(-1, 3)
        H = np.array([e[3] for e in entries], dtype=object)
        return cls(np.array(c, dtype=object), l, H, at[:, 0], at[:, 1], at[:, 2])

    @property
    def n(self) -> int:
        """The number of unknowns."""
        return int(self.l.shape[1])

    def jacobian(self, x: Wholes) -> Wholes:
        """J = l + H x."""
        J = self.l.copy()
        if len(self.H):
            np.add.at(J, (self.row, self.first), (self.H * x[self.second]) >> PLACES)
        return J

    def values(self, x: Wholes, J: Wholes) -> Wholes:
        """F = c + (l + J) x / 2, J at x."""
        made: Wholes = self.c + (np.asarray((self.l + J) @ x, dtype=object) >> (PLACES + 1))
        return made


def _whole(value: Any) -> Any:
    """The whole number next to an interval's middle; None where it is too wide."""
    from mpmath.libmp import to_fixed

    low, high = (int(to_fixed(end, PLACES)) for end in value._mpi_)
    return (low + high) >> 1 if high - low + 2 < MOST_RADIUS else None

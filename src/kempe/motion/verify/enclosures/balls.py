"""Rows of second degree over thousands of boxes at once, as balls of doubles.

A row f = c + l x + x^T H x / 2 about the middle p of a box is, exactly,

    f(p + d) = V + G d + d^T H d / 2,      V = f(p),  G = l + H p.

All sums are formed plainly, rounded to nearest, in whatever order NumPy likes. Beside every array
goes one of *sizes*: the same sum with absolute values. A sum of products through which no term is
rounded more than k times is off by at most 1.01 k 2^-53 times its size, so `share` of the size is
added wherever a bound is formed. What the coefficients themselves are off is part of their sizes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.motion.verify.written.polynomial import Polynomial, Ring, by_unknowns

FloatArray = NDArray[np.float64]

TINY = 1e-280  # beyond what products of doubles of these sizes lose by underflow
SLACK = 1e-14  # relative: of a quotient or a root, whose few roundings it outweighs


def share(n: int) -> float:
    """Of a size: what a bound over n unknowns is off by at most, with room to spare.

    No term passes through more than 6 n + 32 roundings, each of at most 2^-53 of it.
    """
    return roundings(6 * n + 32)


def roundings(count: int) -> float:
    """Of a size: what a sum is off by at most, through which no term is rounded more often."""
    return 1.01 * count * 2.0**-53


@final
@dataclass(frozen=True, slots=True, eq=False)
class BallRows:
    """q rows of second degree in n unknowns: c (q,), l (q, n), H (q, n, n), with their sizes."""

    c: FloatArray
    l: FloatArray
    H: FloatArray
    c_size: FloatArray
    l_size: FloatArray
    H_size: FloatArray
    unit: FloatArray  # powers of two (q,), by which rows were multiplied to be of the size of 1

    @classmethod
    def of(cls, rows: Sequence[Polynomial], unknowns: Sequence[int]) -> "BallRows | None":
        """Rows in the unknowns of these numbers; None where they are more than of second degree."""
        q, n = len(rows), len(unknowns)
        place = {g: j for j, g in enumerate(unknowns)}
        c, l, H = np.zeros(q), np.zeros((q, n)), np.zeros((q, n, n))
        sizes = np.zeros(q), np.zeros((q, n)), np.zeros((q, n, n))
        units = np.ones(q)
        for i, row in enumerate(rows):
            factors = by_unknowns(row)
            if any(len(m) > 2 or not place.keys() >= set(m) for m in factors):
                return None
            middles = {m: enclosed(row.ring, f) for m, f in factors.items()}
            unit = 2.0 ** -round(np.log2(max(abs(x) for x, _ in middles.values())))
            units[i] = unit
            for m, (x, off) in middles.items():
                at = [place[g] for g in m]
                value, size = unit * x, unit * (abs(x) + off / share(n))
                if not at:
                    c[i], sizes[0][i] = value, size
                elif len(at) == 1:
                    l[i, at[0]], sizes[1][i, at[0]] = value, size
                else:
                    twice = 2.0 if at[0] == at[1] else 1.0
                    for a, b in {(at[0], at[1]), (at[1], at[0])}:
                        H[i, a, b], sizes[2][i, a, b] = twice * value, twice * size
        return cls(c, l, H, *sizes, units)

    def exactly(
        self, rows: Sequence[Polynomial], unknowns: Sequence[int], p: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """V (k, q) at points, from exact numbers, and sizes that hold what V is off by."""
        V, size = np.zeros((len(p), len(rows))), np.zeros((len(p), len(rows)))
        for k, x in enumerate(p.tolist()):
            for i, row in enumerate(rows):
                ring = row.ring
                value = row.put({g: ring.number(e) for g, e in zip(unknowns, x, strict=True)})
                middle, off = enclosed(ring, value)
                V[k, i] = self.unit[i] * middle
                size[k, i] = self.unit[i] * (abs(middle) + off / share(len(x)))
        return V, size

    def at(self, p: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """V (k, q), its size, G (k, q, n), its size, at points p (k, n)."""
        q, n = self.l.shape
        G = self.l + (p @ self.H.transpose(2, 0, 1).reshape(n, q * n)).reshape(len(p), q, n)
        a = np.abs(p)
        H_size = self.H_size.transpose(2, 0, 1).reshape(n, q * n)
        G_size = self.l_size + (a @ H_size).reshape(len(p), q, n)
        V = self.c + 0.5 * np.einsum("kqj,kj->kq", self.l + G, p)
        V_size = self.c_size + 0.5 * np.einsum("kqj,kj->kq", self.l_size + G_size, a)
        return V, V_size, G, G_size

    def slopes(self, p: FloatArray, r: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Gradients (k, q, n) over boxes p +- r: middles, and how far others are from them."""
        q, n = self.l.shape
        _, _, G, G_size = self.at(p)
        bent = np.abs(self.H).transpose(2, 0, 1).reshape(n, q * n)
        off = (r @ bent).reshape(len(p), q, n) * (1.0 + share(n)) + share(n) * G_size + TINY
        bent = self.H_size.transpose(2, 0, 1).reshape(n, q * n)
        return G, off + share(n) * (r @ bent).reshape(len(p), q, n)


def enclosed(ring: Ring, value: Polynomial) -> tuple[float, float]:
    """(x, off): a number without unknowns lies within off of the double x."""
    low, high = ring.bounds(value)
    x = float((low + high) / 2)
    off = max(high - Fraction(x), Fraction(x) - low)
    return x, float(np.nextafter(float(off), np.inf)) if off else 0.0

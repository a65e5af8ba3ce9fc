"""What points, seen along an axis: how far it has swept round from sample to sample."""

from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Ends = list[tuple[FloatArray, FloatArray]]  # place, rate, acceleration (m, 2) at both ends of steps

REACH = 0.5  # of its length: a pointer that goes less far stays on one side of its axis
NODES = np.linspace(0.0, 1.0, 33)  # of a step: the one nearest to the axis is looked for
ROUNDS = 3  # each a sixteenth as wide: 2e-4 of a step, which is straight to rounding
THROUGH = 1e-9  # of its length: a pointer that comes so near its axis goes through it


@final
class Pointer(NamedTuple):
    """A vector (n, 2) seen along an axis, its rate and its acceleration."""

    p: FloatArray
    v: FloatArray
    a: FloatArray

    def at(self, which: NDArray[np.bool_]) -> "Pointer":
        """Some of the samples."""
        return Pointer(self.p[which], self.v[which], self.a[which])

    def swept(self, t: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Angles (n - 1,) it has swept from sample to sample at times t, and which are in doubt.

        NaN where it goes through its axis, or may have passed on either side: that is in doubt
        where closer samples would tell. Own: between samples it goes along the polynomial of
        degree 5 that has its places, rates and accelerations there; how far that is from the one
        of degree 3 without the accelerations bounds its error. It passes its axis but once.
        """
        h = np.diff(t)[:, None]
        swept = _angle(self.p[:-1], self.p[1:])
        in_doubt = np.zeros(len(swept), dtype=bool)
        size, speed = np.hypot(*self.p.T), np.hypot(*self.v.T)
        longest = np.maximum(size[1:], size[:-1])
        way = 1.5 * np.maximum(speed[1:], speed[:-1]) * h[:, 0]
        near = np.flatnonzero(way > REACH * longest)
        if not len(near):
            return swept, in_doubt
        h, longest = h[near], longest[near]
        ends = [(x[near], x[near + 1]) for x in self]
        (start, end), (v0, v1), (a0, a1) = ends
        nearest = _nearest(ends, h)
        # both polynomials differ by s^2 (1 - s)^2 / 2 of what accelerations at the ends differ by
        bend = h * h * a0 - 6.0 * (end - start) + h * (4.0 * v0 + 2.0 * v1)
        other = h * h * a1 + 6.0 * (end - start) - h * (2.0 * v0 + 4.0 * v1)
        error = np.maximum(np.hypot(*bend.T), np.hypot(*other.T)) / 32.0
        miss = np.hypot(*nearest.T)
        is_clear = (miss > error) & (miss > THROUGH * longest)
        swept[near] = np.where(is_clear, _angle(start, nearest) + _angle(nearest, end), np.nan)
        in_doubt[near] = ~is_clear & (np.maximum(miss, error) > THROUGH * longest)
        return swept, in_doubt


def _angle(a: FloatArray, b: FloatArray) -> FloatArray:
    """From vectors a to vectors b, between -pi and pi."""
    cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return np.asarray(np.arctan2(cross, (a * b).sum(axis=1)))


def _nearest(ends: Ends, h: FloatArray) -> FloatArray:
    """The places (m, 2) nearest to the axis on m steps of length h (m, 1)."""
    low, high, each = np.zeros(len(h)), np.ones(len(h)), np.arange(len(h))
    found = along = ends[0][0]
    for _ in range(ROUNDS):
        s = low[:, None] + (high - low)[:, None] * NODES
        path = _path(ends, h, s)
        k = np.argmin((path**2).sum(axis=2), axis=1)
        before, after = np.maximum(k - 1, 0), np.minimum(k + 1, len(NODES) - 1)
        found, along = path[each, k], path[each, after] - path[each, before]
        low, high = s[each, before], s[each, after]
    # so short a piece is straight: the foot of the axis on it
    foot = -(found * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-300)
    return np.asarray(found + np.clip(foot, -1.0, 1.0)[:, None] * along)


def _path(ends: Ends, h: FloatArray, s: FloatArray) -> FloatArray:
    """Places (m, k, 2) at shares s (m, k) of steps, by all that is known at their ends."""
    (p0, p1), (v0, v1), (a0, a1) = ends
    x = s[:, :, None]
    c0, c1, c2 = (c[:, None] for c in (p0, h * v0, 0.5 * h * h * a0))
    # what is left of place, rate and acceleration at the end is for x^3, x^4 and x^5
    d0 = p1[:, None] - (c0 + c1 + c2)
    d1 = (h * v1)[:, None] - (c1 + 2.0 * c2)
    d2 = (0.5 * h * h * a1)[:, None] - c2
    c3 = 10.0 * d0 - 4.0 * d1 + d2
    c4 = -15.0 * d0 + 7.0 * d1 - 2.0 * d2
    c5 = 6.0 * d0 - 3.0 * d1 + d2
    return np.asarray(c0 + x * (c1 + x * (c2 + x * (c3 + x * (c4 + x * c5)))))

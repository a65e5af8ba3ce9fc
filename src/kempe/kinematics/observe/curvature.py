"""The curvature of the path that a point draws, and the places where it is nought or infinite."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

# v x a below this share of |v| |a| is rounding: the path is straight there.
STRAIGHT = 1e-9
# A speed below this share of the largest is nought. Between samples the speed is interpolated to
# O(h^5), some 1e-9 of it at a hundred samples a turn.
NO_SPEED = 1e-6
# Between two samples the acceleration is no larger than so many times that at the samples.
STEEPER = 2.0


@final
class PathStretch:
    """The polynomial of fifth degree through position, velocity and acceleration at both ends.

    p(s) = sum c_k s^k, 0 <= s <= 1;  its position is off by O(h^6), its acceleration by O(h^4).
    """

    def __init__(self, t: FloatArray, position: FloatArray, v: FloatArray, a: FloatArray) -> None:
        """From the two ends: t (2,), the others (2, 2) or (2, 3)."""
        h = float(t[1] - t[0])
        gap = position[1] - position[0] - h * v[0] - 0.5 * h * h * a[0]
        faster = h * (v[1] - v[0]) - h * h * a[0]
        more = h * h * (a[1] - a[0])
        self._t, self._h = float(t[0]), h
        self._c = np.array(
            [
                position[0],
                h * v[0],
                0.5 * h * h * a[0],
                10.0 * gap - 4.0 * faster + 0.5 * more,
                -15.0 * gap + 7.0 * faster - more,
                6.0 * gap - 3.0 * faster + 0.5 * more,
            ]
        )

    def time(self, s: float) -> float:
        """t at s, s."""
        return self._t + s * self._h

    def position(self, s: float) -> FloatArray:
        """p(s), m."""
        return self._derivative(s, 0)

    def velocity(self, s: float) -> FloatArray:
        """dp/dt, m/s."""
        return self._derivative(s, 1) / self._h

    def acceleration(self, s: float) -> FloatArray:
        """d^2p/dt^2, m/s^2."""
        return self._derivative(s, 2) / self._h**2

    def root(self, f: Callable[[FloatArray, FloatArray], float]) -> float:
        """s where f(velocity, acceleration), which has opposite signs at the ends, is zero.

        Where rounding has eaten a sign, the end that is nearer to zero.
        """
        from scipy.optimize import brentq  # slow to import

        def along(s: float) -> float:
            return f(self.velocity(s), self.acceleration(s))

        ends = along(0.0), along(1.0)
        if ends[0] * ends[1] >= 0.0:
            return 0.0 if abs(ends[0]) <= abs(ends[1]) else 1.0
        return float(brentq(along, 0.0, 1.0))

    def _derivative(self, s: float, order: int) -> FloatArray:
        c = np.polynomial.polynomial.polyder(self._c, order)
        value: FloatArray = np.asarray(np.polynomial.polynomial.polyval(s, c))
        return value


@final
@dataclass(frozen=True, slots=True)
class PathPlace:
    """A place on a path: when (s) the point is there, and where that is (m, world axes)."""

    t: float
    position: tuple[float, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Curvature:
    """The curvature of a path at every sample, and the path's cusps and inflections.

    In the plane the sign says to which side the path bends: positive to the left of the way the
    point goes. In space there is no such side, and the curvature is never negative. It is infinite
    on a cusp, and NaN where the point stands still and goes back as it came.
    """

    t: FloatArray  # (n,) s
    values: FloatArray  # (n,) 1/m
    cusps: tuple[PathPlace, ...]  # the point stops and leaves the way it came from: v = 0
    inflections: tuple[PathPlace, ...]  # the path bends to the other side

    def __len__(self) -> int:
        return len(self.values)


def curvature(
    t: FloatArray, position: FloatArray, v: FloatArray, a: FloatArray, still: float = 0.0
) -> Curvature:
    """The curvature of a path from its samples of position, velocity and acceleration.

    Speeds up to `still` (m/s) are rounding: a point that goes no faster draws no path, and its
    curvature is NaN.

    kappa = (v x a) / |v|^3;  with |v x a| in space. A cusp is a place where v = 0 and kappa keeps
    its sign: where the whole motion turns back, it changes.

    Source: [Bottema] ch. VIII; places between samples on a `PathStretch`, Own.
    """
    bend, speed = _bend(v, a), np.linalg.norm(v, axis=1)
    stops = speed <= max(still, NO_SPEED * speed.max(initial=0.0))
    sides = np.where(stops, 0.0, _sides(v, a, bend))
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.where(stops, np.nan, (bend if v.shape[1] == 2 else np.abs(bend)) / speed**3)
    path = _Path(t, position, v, a)
    halts = [] if stops.all() else _halts(path, speed, stops)
    cusps = [place for place, k, j in halts if _keeps_side(path, k, j)]
    for place in cusps:
        values[stops & (t == place.t)] = np.inf
    broken = {k for _, k, _ in halts}
    inflections = _inflections(path, sides, broken) if v.shape[1] == 2 else []
    return Curvature(t, values, tuple(cusps), tuple(inflections))


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Path:
    t: FloatArray
    position: FloatArray
    v: FloatArray
    a: FloatArray

    def stretch(self, k: int) -> PathStretch:
        """Between sample k and the next."""
        two = slice(k, k + 2)
        return PathStretch(self.t[two], self.position[two], self.v[two], self.a[two])

    def sample(self, k: int) -> PathPlace:
        """Sample k as a place."""
        return PathPlace(float(self.t[k]), tuple(map(float, self.position[k])))


def _bend(v: FloatArray, a: FloatArray) -> FloatArray:
    """v x a: with its sign in the plane, its size in space."""
    if v.shape[-1] == 2:
        return np.asarray(v[..., 0] * a[..., 1] - v[..., 1] * a[..., 0])
    return np.asarray(np.linalg.norm(np.cross(v, a), axis=-1))


def _sides(v: FloatArray, a: FloatArray, bend: FloatArray) -> FloatArray:
    straight = np.abs(bend) <= STRAIGHT * np.linalg.norm(v, axis=1) * np.linalg.norm(a, axis=1)
    return np.where(straight, 0.0, np.sign(bend))


def _halts(
    path: _Path, speed: FloatArray, stops: NDArray[np.bool_]
) -> list[tuple[PathPlace, int, int]]:
    """Where the speed is nought: the place, and the moving samples before and after it."""
    found = [
        (path.sample(k), k - 1, k + 1)
        for k in map(int, np.flatnonzero(stops))
        if 0 < k < len(speed) - 1
    ]
    slows = np.einsum("ni,ni->n", path.v, path.a)
    least = (slows[:-1] < 0.0) & (slows[1:] > 0.0) & ~stops[:-1] & ~stops[1:]
    pull = np.linalg.norm(path.a, axis=1)
    brakes = STEEPER * np.maximum(pull[:-1], pull[1:]) * np.diff(path.t)
    least &= np.minimum(speed[:-1], speed[1:]) <= brakes
    for k in map(int, np.flatnonzero(least)):
        stretch = path.stretch(k)
        s = stretch.root(lambda v, a: float(v @ a))
        if np.linalg.norm(stretch.velocity(s)) <= NO_SPEED * speed.max():
            place = PathPlace(stretch.time(s), tuple(map(float, stretch.position(s))))
            found.append((place, k, k + 1))
    return sorted(found, key=lambda halt: halt[0].t)


def _keeps_side(path: _Path, k: int, j: int) -> bool:
    """Whether the path bends to the same side before and after a halt: a cusp, no turning back."""
    v, a = path.v[[k, j]], path.a[[k, j]]
    if not np.all(_sides(v, a, _bend(v, a))):
        return False
    if v.shape[1] == 2:
        return bool(np.prod(_bend(v, a)) > 0.0)
    bends = np.cross(v, a)
    return bool(bends[0] @ bends[1] > 0.0)


def _inflections(path: _Path, sides: FloatArray, broken: set[int]) -> list[PathPlace]:
    """Where the side changes from one sample that has one to the next, other than in a halt."""
    bent = np.flatnonzero(sides)
    found = []
    for k, j in zip(bent[:-1].tolist(), bent[1:].tolist(), strict=True):
        if sides[k] == sides[j] or broken & set(range(k, j)):
            continue
        if j > k + 1:  # a sample lies on it, or a straight piece: its middle
            found.append(path.sample((k + j) // 2))
            continue
        stretch = path.stretch(k)
        s = stretch.root(lambda v, a: float(_bend(v, a)))
        found.append(PathPlace(stretch.time(s), tuple(map(float, stretch.position(s)))))
    return found

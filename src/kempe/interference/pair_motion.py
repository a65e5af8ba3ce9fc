"""How one form moves against another between samples: curves by places, rates, accelerations."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.geometry import Marker
from kempe.interference.curves import Jet, cubics, derivatives, on_curves, quintics
from kempe.interference.following import Followed
from kempe.interference.form import AbstractForm
from kempe.kinematics.observe.observation import observe
from kempe.kinematics.observe.relative_motion import both_frames, matrices, skew_part
from kempe.results import Motion

FloatArray = NDArray[np.float64]

UNTRIED = 4.0  # times the difference of cubic and quintic: where no sample in the middle tells


@final
@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """Places and quaternions over time, by control points between samples."""

    t: FloatArray  # (n,) s
    points: FloatArray  # (n - 1, 6, 7): place (m) and quaternion, scalar last

    def posed(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Places (m, 3) and rotation matrices (m, 3, 3) at times (m,)."""
        k = np.clip(np.searchsorted(self.t, t, side="right") - 1, 0, len(self.t) - 2)
        s = (t - self.t[k]) / (self.t[k + 1] - self.t[k])
        return _posed(on_curves(self.points[k], s))


@final
@dataclass(frozen=True, slots=True, eq=False)
class PairMotion:
    """Form B in the frame of form A over time: the place of B's centre and its quaternion.

    x(t) is the quintic with the places, velocities and accelerations of both samples around t, or
    the cubic with places and velocities where that foretells the sample between them better, as
    beside a corner; the quaternion likewise, brought back to length 1.

    Own: every second sample is left out and foretold. What is then used are curves of half that
    length; where the motion is smooth they are off by a sixty-fourth of `off`, and by no more than
    `off` where it has a corner.
    """

    relative_curves: Curves
    base_curves: Curves  # A in the world
    centre: FloatArray  # (3,) of B, in B
    off: FloatArray  # (n - 1,) m: how far any point of B may lie off its curve, in every step
    is_known: NDArray[np.bool_]  # (n - 1,): else it may be anywhere in that step

    @property
    def t(self) -> FloatArray:
        """Times (n,) of the samples, s."""
        return self.relative_curves.t

    @property
    def places(self) -> FloatArray:
        """Where the centre of B is in A at the samples (n, 3)."""
        points = self.relative_curves.points
        return np.vstack([points[:, 0, :3], points[-1:, -1, :3]])

    def relative(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Where B's frame lies in A's: p (m, 3) and R (m, 3, 3)."""
        place, R = self.relative_curves.posed(t)
        return place - R @ self.centre, R

    def in_world(self, t: float, place: FloatArray) -> tuple[float, float, float]:
        """A place (3,) given in A, in the world."""
        p, R = self.base_curves.posed(np.array([t]))
        x, y, z = (p[0] + R[0] @ place).tolist()
        return x, y, z

    def speeds(self, reach: float) -> FloatArray:
        """How fast any point of B within that of its centre moves against A, at most: (n - 1,) m/s.

        |x'| + 2 reach |q'| / |q|, each bounded by the control points of its curve
        """
        points = self.relative_curves.points
        rates = derivatives(np.diff(self.t), points)
        move = np.linalg.norm(rates[..., :3], axis=2).max(axis=1)
        spin = np.linalg.norm(rates[..., 3:], axis=2).max(axis=1)
        middle = points[:, 0, 3:] + points[:, -1, 3:]
        middle = middle / np.linalg.norm(middle, axis=1, keepdims=True)
        least = np.einsum("nki,ni->nk", points[..., 3:], middle).min(axis=1)
        return np.asarray(move + 2.0 * reach * spin / np.maximum(least, 0.1))


def pair_motion(
    layout: Layout, motion: Motion, along: Followed, a: AbstractForm, b: AbstractForm
) -> PairMotion:
    """The motion of one form against another, as it was followed."""
    relative, base = _observed(layout, along.motion, a, b)
    points, off = _fitted(along, relative, b.reach)
    off = off + _strayed(layout, motion, along, relative.x, a, b)
    frames, _ = _fitted(along, base, b.reach)
    is_known = _each_step(along, along.is_known)
    t = along.motion.t
    return PairMotion(Curves(t, points), Curves(t, frames), b.centre, off, is_known)


def _fitted(along: Followed, seen: Jet, reach: float) -> tuple[FloatArray, FloatArray]:
    """Control points (n - 1, 6, 7) between all samples, and how far (m) they may be off."""
    t = along.motion.t
    h = t[along.last] - t[along.first]
    tried = along.middle >= 0
    share = np.where(tried, (t[along.middle] - t[along.first]) / h, 0.5)
    start, stop = seen.at(along.first), seen.at(along.last)
    cubic, quintic = (on_curves(make(h, start, stop), share) for make in (cubics, quintics))
    truth = seen.x[along.middle]
    off_cubic, off_quintic = (_size(guess - truth, reach) for guess in (cubic, quintic))
    is_cubic = np.where(tried, off_cubic < off_quintic, False)
    off = np.where(
        tried, np.minimum(off_cubic, off_quintic), UNTRIED * _size(cubic - quintic, reach)
    )
    ends = np.diff(t), seen.at(slice(None, -1)), seen.at(slice(1, None))
    chosen = _each_step(along, is_cubic)[:, None, None]
    points = np.where(chosen, cubics(*ends), quintics(*ends))
    return points, _each_step(along, off)


def _each_step(along: Followed, values: NDArray[Any]) -> NDArray[Any]:
    """What is said of steps, for both of their halves: (n - 1,)."""
    return np.asarray(np.repeat(values, along.last - along.first))


def _strayed(
    layout: Layout, motion: Motion, along: Followed, x: FloatArray, a: AbstractForm, b: AbstractForm
) -> float:
    """How far (m) the motion made again is off the one that there was, at its samples."""
    if along.motion is motion or along.motion is motion.steps:
        return 0.0
    own = _observed(layout, motion, a, b)[0].x
    again = x[np.searchsorted(along.motion.t, motion.t)]
    aligned = np.einsum("ni,ni->n", own[:, 3:], again[:, 3:]) < 0.0
    own[aligned, 3:] *= -1.0
    return float(_size(again - own, b.reach).max(initial=0.0))


def _size(off: FloatArray, reach: float) -> FloatArray:
    """How far points of B are moved, at most, by a change of place and quaternion (k, 7)."""
    turned = np.linalg.norm(off[:, 3:], axis=1)
    return np.asarray(np.linalg.norm(off[:, :3], axis=1) + 2.0 * reach * turned)


def _observed(layout: Layout, motion: Motion, a: AbstractForm, b: AbstractForm) -> tuple[Jet, Jet]:
    """B's centre and quaternion in A, and A in the world: each with rates and accelerations."""
    seen = observe(layout, motion, [Marker(a.body), Marker(b.body)], both_frames)
    relative = _with_quaternions(*(x[:, :12] for x in seen))
    for numbers, told in zip(relative, seen, strict=True):
        numbers[:, :3] += np.einsum("nij,j->ni", matrices(told[:, 3:12]), b.centre)
    return relative, _with_quaternions(*(x[:, 12:] for x in seen))


def _with_quaternions(values: FloatArray, rates: FloatArray, seconds: FloatArray) -> Jet:
    """Place and quaternion (n, 7), their rates and accelerations, w in the base's axes.

    q' = w q / 2,  q'' = (w' q + w q') / 2
    """
    from scipy.spatial.transform import Rotation

    R = matrices(values[:, 3:])
    q = Rotation.from_matrix(R).as_quat()
    flips = np.where(np.einsum("ni,ni->n", q[1:], q[:-1]) < 0.0, -1.0, 1.0)
    q = q * np.concatenate([[1.0], np.cumprod(flips)])[:, None]
    w, w_rate = (skew_part(matrices(x[:, 3:]), R) for x in (rates, seconds))
    dq = _half_product(w, q)
    ddq = _half_product(w_rate, q) + _half_product(w, dq)
    return Jet(
        np.hstack([values[:, :3], q]),
        np.hstack([rates[:, :3], dq]),
        np.hstack([seconds[:, :3], ddq]),
    )


def _half_product(w: FloatArray, q: FloatArray) -> FloatArray:
    """w q / 2 of vectors (n, 3) and quaternions (n, 4), scalar last."""
    return 0.5 * np.column_stack(
        [q[:, 3:] * w + np.cross(w, q[:, :3]), -np.einsum("ni,ni->n", w, q[:, :3])]
    )


def _posed(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Places (m, 3) and rotation matrices (m, 3, 3)."""
    from scipy.spatial.transform import Rotation

    return x[:, :3], np.asarray(Rotation.from_quat(x[:, 3:]).as_matrix())

"""How one form moves against another between samples: cubics through places and velocities."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.geometry import Marker
from kempe.interference.form import AbstractForm
from kempe.kinematics.observe.observation import observe
from kempe.kinematics.observe.relative_motion import both_frames, matrices, skew_part
from kempe.results import Motion

FloatArray = NDArray[np.float64]

ORDER = 4  # of the error of a cubic through places and velocities


@final
@dataclass(frozen=True, slots=True, eq=False)
class PairMotion:
    """Form B in the frame of form A over time: the place of B's centre and its quaternion.

    x(t) is the cubic with the places and velocities of both samples around t, the quaternion
    likewise, brought back to length 1.

    Own: the error is told by leaving every second sample out, and goes with the fourth power of
    the step.
    """

    t: FloatArray  # (n,) s
    x: FloatArray  # (n, 7): place (m) and quaternion, scalar last
    v: FloatArray  # (n, 7): their rates
    centre: FloatArray  # (3,) of B, in B
    base: FloatArray  # (n, 7): A in the world, likewise
    base_rate: FloatArray  # (n, 7)

    def relative(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Where B's frame lies in A's: p (m, 3) and R (m, 3, 3)."""
        place, R = _posed(_between(self.t, self.x, self.v, t))
        return place - R @ self.centre, R

    def in_world(self, t: float, place: FloatArray) -> tuple[float, float, float]:
        """A place (3,) given in A, in the world."""
        p, R = _posed(_between(self.t, self.base, self.base_rate, np.array([t])))
        x, y, z = (p[0] + R[0] @ place).tolist()
        return x, y, z

    def speeds(self, reach: float) -> FloatArray:
        """How fast any point of B within that of its centre moves against A, at most: (n - 1,) m/s.

        |x'| + 2 reach |q'| / |q|, each bounded by the control points of its cubic
        """
        h = np.diff(self.t)[:, None]
        x0, x1, v0, v1 = self.x[:-1], self.x[1:], self.v[:-1], self.v[1:]
        rates = (v0, 3.0 * (x1 - x0) / h - v0 - v1, v1)  # control points of the derivative
        move = np.max([np.linalg.norm(r[:, :3], axis=1) for r in rates], axis=0)
        spin = np.max([np.linalg.norm(r[:, 3:], axis=1) for r in rates], axis=0)
        middle = x0[:, 3:] + x1[:, 3:]
        middle = middle / np.linalg.norm(middle, axis=1, keepdims=True)
        held = (x0, x0 + h * v0 / 3.0, x1 - h * v1 / 3.0, x1)
        least = np.min([np.einsum("ni,ni->n", c[:, 3:], middle) for c in held], axis=0)
        return np.asarray(move + 2.0 * reach * spin / np.maximum(least, 0.1))

    def uncertainty(self, reach: float) -> float:
        """How far the cubics may be off anywhere on B (m): what halving the step would change."""
        if len(self.t) < 5:
            return 0.0
        kept, asked = slice(None, None, 2), self.t[1::2]
        inner = asked < self.t[kept][-1]
        guess = _between(self.t[kept], self.x[kept], self.v[kept], asked[inner])
        off = guess - self.x[1::2][inner]
        size = np.linalg.norm(off[:, :3], axis=1) + 2.0 * reach * np.linalg.norm(off[:, 3:], axis=1)
        return float(size.max(initial=0.0)) / 2.0**ORDER


def pair_motion(layout: Layout, motion: Motion, a: AbstractForm, b: AbstractForm) -> PairMotion:
    """The motion of one form against another."""
    values, rates, _ = observe(layout, motion, [Marker(a.body), Marker(b.body)], both_frames)
    x, v = _with_quaternions(values[:, :12], rates[:, :12])
    arm = _posed(x)[1] @ b.centre
    x[:, :3] += arm
    v[:, :3] += np.einsum("nij,j->ni", matrices(rates[:, 3:12]), b.centre)
    base, base_rate = _with_quaternions(values[:, 12:], rates[:, 12:])
    return PairMotion(motion.t, x, v, b.centre, base, base_rate)


def _with_quaternions(values: FloatArray, rates: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Place and quaternion (n, 7), and their rates: q' = w q / 2 with w in the base's axes."""
    from scipy.spatial.transform import Rotation

    R, dR = matrices(values[:, 3:]), matrices(rates[:, 3:])
    q = Rotation.from_matrix(R).as_quat()
    flips = np.where(np.einsum("ni,ni->n", q[1:], q[:-1]) < 0.0, -1.0, 1.0)
    q = q * np.concatenate([[1.0], np.cumprod(flips)])[:, None]
    w = skew_part(dR, R)
    dq = 0.5 * np.column_stack(
        [q[:, 3:] * w + np.cross(w, q[:, :3]), -np.einsum("ni,ni->n", w, q[:, :3])]
    )
    return np.hstack([values[:, :3], q]), np.hstack([rates[:, :3], dq])


def _between(t: FloatArray, x: FloatArray, v: FloatArray, asked: FloatArray) -> FloatArray:
    """The cubics at the times asked for (m, 7)."""
    k = np.clip(np.searchsorted(t, asked, side="right") - 1, 0, len(t) - 2)
    h = (t[k + 1] - t[k])[:, None]
    s = ((asked - t[k])[:, None]) / h
    a, b = x[k], x[k + 1]
    start = (1.0 + 2.0 * s) * (1.0 - s) ** 2 * a + s * (1.0 - s) ** 2 * h * v[k]
    return np.asarray(start + s * s * (3.0 - 2.0 * s) * b - s * s * (1.0 - s) * h * v[k + 1])


def _posed(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Places (m, 3) and rotation matrices (m, 3, 3)."""
    from scipy.spatial.transform import Rotation

    return x[:, :3], np.asarray(Rotation.from_quat(x[:, 3:]).as_matrix())

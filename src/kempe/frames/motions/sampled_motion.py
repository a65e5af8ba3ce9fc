"""Sampled motions: a buffer of states with interpolation and a limit to extrapolation."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kempe.errors import BadNumber, OutsideBuffer
from kempe.frames.motions.motion import AbstractMotion
from kempe.frames.states.arrays import FloatArray, Parts, transposed, turned, turned_back
from kempe.frames.states.state import KinematicState
from kempe.geometry.number import floats
from kempe.geometry.rotations import exp_so3, log_so3, right_jacobian, right_jacobian_rate

POSES, VELOCITIES, ACCELERATIONS = 0, 1, 2  # what the samples know
KNOWN = ("poses", "velocities", "accelerations")
# A time this share of the buffer's length outside it is the end itself, written with fewer digits.
ROUNDING = 1e-12


@final
@dataclass(frozen=True, slots=True, eq=False, init=False)
class Sampled(AbstractMotion):
    """States at the times t (n,), increasing; between them a polynomial that meets what is known.

    With poses alone positions go straight and orientations by the shortest turn at even speed
    (`order` 0); with velocities a cubic meets poses and velocities (1); with accelerations a
    quintic meets those too (2). Without an `order` it is what the states were given with; rates
    that were not given are those of what is drawn between the samples, never zero. Orientations are
    polynomials of the rotation vector from the sample before. Velocities and accelerations are the
    exact derivatives of what lies between the samples.

    Beyond the ends the last velocity goes on for at most `extrapolate` seconds.
    """

    t: FloatArray
    states: KinematicState
    order: int
    extrapolate: float  # s

    def __init__(
        self,
        t: ArrayLike,
        states: KinematicState,
        *,
        order: int | None = None,
        extrapolate: float = 0.0,
    ) -> None:
        times = np.array(floats(t, "times of samples"))
        if times.ndim != 1 or not len(times) or times.shape != states.position.shape[:1]:
            raise BadNumber(
                f"samples need one time each: there are {times.shape} times and"
                f" {states.position.shape[:-1]} states."
            )
        steps = np.diff(times)
        if not np.isfinite(times).all() or (steps <= 0.0).any():
            k = int(np.argmax(~(steps > 0.0))) if len(steps) else 0
            raise BadNumber(f"times of samples must increase: after number {k} they do not.")
        order = states.known if order is None else order
        if order not in (POSES, VELOCITIES, ACCELERATIONS):
            raise BadNumber(f"the order is 0 (poses), 1 or 2, not {order}.")
        if order > states.known:
            raise BadNumber(
                f"samples of order {order} meet {KNOWN[order]}, and the states of"
                f" {states.frame!r} were given without {KNOWN[states.known + 1]}: give them, or"
                f" take order={states.known}.",
                order=order,
                known=states.known,
            )
        if not extrapolate >= 0.0:
            raise BadNumber(f"`extrapolate` is a time of 0 s or more, not {extrapolate}.")
        times.flags.writeable = False
        put = object.__setattr__
        put(self, "t", times)
        put(self, "states", states.resolved())
        put(self, "order", order)
        put(self, "extrapolate", float(extrapolate))

    def parts(self, t: FloatArray) -> Parts:
        times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        self._refuse_outside(times)
        inside = np.clip(times, self.t[0], self.t[-1])
        if len(self.t) == 1:
            p, R, v, w, a, alpha = (np.repeat(x, len(times), axis=0) for x in self.states.parts)
        else:
            with np.errstate(all="ignore"):  # what is too fast is refused by its edge
                p, R, v, w, a, alpha = self._between(inside)
        beyond = (times - inside)[:, None]
        if beyond.any():
            out = beyond[:, 0] != 0.0
            p = p + beyond * v
            R = np.where(out[:, None, None], exp_so3(beyond * w) @ R, R)
            a, alpha = (np.where(out[:, None], 0.0, x) for x in (a, alpha))
        if np.ndim(t) == 0:
            return p[0], R[0], v[0], w[0], a[0], alpha[0]
        return p, R, v, w, a, alpha

    def _refuse_outside(self, times: FloatArray) -> None:
        first, last = float(self.t[0]), float(self.t[-1])
        allowed = self.extrapolate + ROUNDING * max(abs(first), abs(last))
        gap = np.maximum(first - times, times - last)
        k = int(np.argmax(gap)) if len(times) else 0
        if len(times) and not gap[k] <= allowed:
            side = "before the first" if times[k] < first else "after the last"
            raise OutsideBuffer(
                f"t = {times[k]:g} s is {gap[k]:.3g} s {side} sample: the buffer holds"
                f" {first:g} ... {last:g} s and extrapolates by {self.extrapolate:g} s.",
                t=float(times[k]),
                first=first,
                last=last,
                extrapolate=self.extrapolate,
            )

    def _between(self, times: FloatArray) -> Parts:
        k = np.clip(np.searchsorted(self.t, times, side="right") - 1, 0, len(self.t) - 2)
        h = (self.t[k + 1] - self.t[k])[:, None]
        x = (times - self.t[k])[:, None] / h
        s = self.states
        r0, r1 = s.rotation[k], s.rotation[k + 1]
        phi1 = log_so3(transposed(r0) @ r1)
        w0, w1 = (turned_back(s.rotation[j], s.angular_velocity[j]) for j in (k, k + 1))
        b0, b1 = (turned_back(s.rotation[j], s.angular_acceleration[j]) for j in (k, k + 1))
        J = right_jacobian(phi1)
        rate1 = _solved(J, w1)
        bent = b1 - turned(right_jacobian_rate(phi1, rate1), rate1)
        second1 = _solved(J, bent)
        turn = (np.zeros_like(phi1), w0, b0), (phi1, rate1, second1)  # phi' x phi' = 0 at phi = 0
        phi, rate, second = _hermite(x, h, turn[0], turn[1], self.order)
        ends = [(s.position[j], s.velocity[j], s.acceleration[j]) for j in (k, k + 1)]
        p, v, a = _hermite(x, h, ends[0], ends[1], self.order)
        J = right_jacobian(phi)
        R = r0 @ exp_so3(phi)
        w = turned(R, turned(J, rate))
        alpha = turned(R, turned(J, second) + turned(right_jacobian_rate(phi, rate), rate))
        parts = p, R, v, w, a, alpha
        return self._at_samples(times, k, parts)

    def _at_samples(self, times: FloatArray, k: NDArray[np.intp], parts: Parts) -> Parts:
        """At a sample's own time its own numbers, to the last bit, as far as they are used."""
        known = (self.order >= 0, self.order >= 0, *[self.order >= 1] * 2, *[self.order >= 2] * 2)
        for end in (0, 1):
            hit = np.flatnonzero(times == self.t[k + end])
            for use, mine, theirs in zip(known, parts, self.states.parts, strict=True):
                if use:
                    mine[hit] = theirs[k[hit] + end]
        return parts


def _solved(J: FloatArray, x: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.solve(J, x[..., None])[..., 0], dtype=np.float64)


Jet = tuple[FloatArray, FloatArray, FloatArray]


def _hermite(x: FloatArray, h: FloatArray, start: Jet, end: Jet, order: int) -> Jet:
    """Value, rate and second rate at share x of a step h of the polynomial between two jets.

    f(x) = f0 + c1 x + c2 x^2 + ...  with as many derivatives met at both ends as `order` says.
    """
    (f0, v0, a0), (f1, v1, a1) = start, end
    d = f1 - f0
    if order == POSES:
        c = [f0, d]
    elif order == VELOCITIES:
        m0, m1 = h * v0, h * v1
        c = [f0, m0, 3 * d - 2 * m0 - m1, m0 + m1 - 2 * d]
    else:
        m0, m1, n0, n1 = h * v0, h * v1, h * h * a0, h * h * a1
        c = [
            f0,
            m0,
            n0 / 2,
            10 * d - 6 * m0 - 4 * m1 - (3 * n0 - n1) / 2,
            -15 * d + 8 * m0 + 7 * m1 + (3 * n0 - 2 * n1) / 2,
            6 * d - 3 * (m0 + m1) - (n0 - n1) / 2,
        ]
    f, v, a = (np.zeros_like(d) for _ in range(3))
    for coefficient in reversed(c):  # Horner, with its first two derivatives
        a = a * x + 2 * v
        v = v * x + f
        f = f * x + coefficient
    return f, v / h, a / (h * h)

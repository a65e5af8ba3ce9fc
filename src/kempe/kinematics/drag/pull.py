"""The pull on a dragged point: the step that brings it nearer, as far as limits let it."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.kinematics.drag.closed_loops import ClosedLoops, LoopState, Weakness
from kempe.kinematics.drag.limits import ON_LIMIT, Limits

FloatArray = NDArray[np.float64]

# Where the point answers a push by less than this share of what it would if nothing held it, it is
# deaf to it: what is left is rounding.
DEAF = 1e-12
# No damping, however negative, leaves less than this share of a direction's own stiffness.
SOFTEST = 0.1


@final
@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """How everything moves in answer to pushes at the point: X = U diag(s) W, (k, n_v).

    Where the smallest s is 0 the point is in a fold: an arm is stretched, a crank in a dead point.
    """

    U: FloatArray  # (k, r)
    s: FloatArray  # (r,) falling
    W: FloatArray  # (r, n_v)

    @classmethod
    def of(cls, X: FloatArray, G: FloatArray, freedom: int) -> "Answers":
        """The singular value decomposition of X, what is left of G; rounding left out."""
        U, s, W = np.linalg.svd(X, full_matrices=False)
        r = min(freedom, int(np.count_nonzero(s > DEAF * np.linalg.norm(G))))
        return cls(U[:, :r], s[:r], W[:r])

    @property
    def weakest(self) -> float:
        """The smallest answer; infinite where the point does not move at all."""
        return float(self.s[-1]) if len(self.s) else np.inf

    def is_on_same_side(self, X: FloatArray) -> bool:
        """Whether no fold lies between here and where the answers are X, a small step away."""
        return bool(np.linalg.det(self.U.T @ X @ self.W.T) > 0.0)

    def step(self, e: FloatArray, damping: float) -> FloatArray:
        """d that minimises |e - G d|^2 + damping |d|^2 over free motions."""
        stiffness = np.maximum(self.s**2 + damping, SOFTEST * self.s**2)
        d: FloatArray = (self.s * (e @ self.U) / stiffness) @ self.W
        return d


@final
@dataclass(frozen=True, slots=True, eq=False)
class Hold:
    """Where a mechanism stands, how its grabbed point moves, and where limited measures are."""

    place: LoopState
    weakness: Weakness
    p: FloatArray  # (k,) the point, in sizes
    G: FloatArray  # (k, n_v)  dp = G d
    X: FloatArray  # (k, n_v) free motions in answer to pushes at the point
    answers: Answers
    limited: FloatArray  # (m,) values
    L: FloatArray  # (m, n_v) their derivatives
    is_folded: bool = False  # whether a fold has been passed on the way here


@final
@dataclass(frozen=True, slots=True, eq=False)
class Pull:
    """A step d, the limits it slides along, and the gradient of distance^2 / 2 it goes against."""

    d: FloatArray  # (n_v,)
    held: tuple[int, ...]
    gradient: FloatArray  # (n_v,)
    Gd: FloatArray  # (k,) how the point moves

    def shortened(self, share: float) -> "Pull":
        """The same pull, with a shorter step."""
        return Pull(share * self.d, self.held, self.gradient, share * self.Gd)


def pull(
    loops: ClosedLoops, limits: Limits, hold: Hold, goal: FloatArray, last: Pull | None
) -> Pull:
    """The damped least-squares step towards the goal, from `hold`, where `last` has led.

    d = X^T (G X^T + damping)^-1 e,  e = goal - p

    X are the free motions in answer to pushes at the point. The damping is what the last step has
    shown of the curvature: (d . change of gradient - |G d|^2) / d . d, so that the steps end in
    those of the secant method where the goal is out of reach.
    """
    e = goal - hold.p
    held: tuple[int, ...] = ()
    while True:
        X = _kept_motions(loops, hold, held) if held else hold.X
        gradient = -(e @ X)
        damping = 0.0
        if last is not None and last.held == held:
            seen = float(last.d @ (gradient - last.gradient)) - float(last.Gd @ last.Gd)
            damping = seen / max(float(last.d @ last.d), np.finfo(float).tiny)
        d = (Answers.of(X, hold.G, loops.freedom) if held else hold.answers).step(e, damping)
        i = _pushed_limit(limits, hold, d, held)
        if i is None:
            d = d * _share(limits, hold, d, held)
            return Pull(d, held, gradient, hold.G @ d)
        held = (*held, i)


def _kept_motions(loops: ClosedLoops, hold: Hold, held: tuple[int, ...]) -> FloatArray:
    """X without what would move held measures."""
    L = hold.L[list(held)]
    Y = loops.let_through(hold.place, L)
    return hold.X - (hold.X @ L.T) @ np.linalg.pinv(Y @ L.T) @ Y


def _pushed_limit(limits: Limits, hold: Hold, d: FloatArray, held: tuple[int, ...]) -> int | None:
    """The limit that the step pushes against hardest, of those that are reached and not held."""
    if not len(limits):
        return None
    rate = hold.L @ d
    out = np.where(limits.high - hold.limited <= ON_LIMIT, rate, 0.0)
    out = np.maximum(out, np.where(hold.limited - limits.low <= ON_LIMIT, -rate, 0.0))
    out[list(held)] = 0.0
    i = int(np.argmax(out))
    return i if out[i] > 0.0 else None


def _share(limits: Limits, hold: Hold, d: FloatArray, held: tuple[int, ...]) -> float:
    """How much of a step can be made before the first limit is reached."""
    if not len(limits):
        return 1.0
    rate = hold.L @ d
    rate[list(held)] = 0.0
    room = np.where(rate > 0.0, limits.high - hold.limited, limits.low - hold.limited)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(rate != 0.0, room / rate, np.inf)
    return float(np.clip(share.min(), 0.0, 1.0))

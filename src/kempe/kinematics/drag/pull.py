"""The pull on a dragged point: the step that brings it nearer, as far as limits let it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import BadNumber
from kempe.geometry import Pose
from kempe.kinematics.drag.closed_loops import ClosedLoops, LoopState, Weakness
from kempe.kinematics.observe.observation import Gradient
from kempe.measures import Gauge, Wrapped

FloatArray = NDArray[np.float64]
Limit = tuple[Gauge, float, float]  # lowest and highest value, m or rad

# A measure this near to its limit stands on it; lengths in sizes of the machine.
ON_LIMIT = 1e-9
TURN = 2.0 * np.pi
NOTHING: FloatArray = np.zeros(0)

# Where the point answers a push by less than this share of what it would if nothing held it, it is
# deaf to it: what is left is rounding.
DEAF = 1e-12
# No damping, however negative, leaves less than this share of a direction's own stiffness.
SOFTEST = 0.1


@final
class Limits:
    """The limited measures: their scaled values and derivatives, turns counted on.

    low <= s(q) <= high
    """

    def __init__(self, layout: Layout, limits: Sequence[Limit], scale: FloatArray) -> None:
        self.names = tuple(gauge.name for gauge, _, _ in limits)
        gauges = [gauge for gauge, _, _ in limits]
        self._units = np.array([layout.size if g.unit == "m" else 1.0 for g in gauges])
        self._angles = tuple(g.unit == "rad" for g in gauges)
        self.low, self.high = (
            np.array([limit[k] for limit in limits], dtype=float) / self._units for k in (1, 2)
        )
        self._scale = scale
        self._wrapped = np.zeros(len(limits), dtype=bool)

        def formula(X: list[Pose]) -> list[Any]:
            read = [g.measure.value(X[2 * k], X[2 * k + 1]) for k, g in enumerate(gauges)]
            self._wrapped[:] = [isinstance(s, Wrapped) for s in read]
            return [s.angle if isinstance(s, Wrapped) else s for s in read]

        markers = [marker for g in gauges for marker in (g.I, g.J)]
        self._gradient = Gradient(layout, markers, formula) if limits else None

    def __len__(self) -> int:
        return len(self.names)

    def read(self, q: FloatArray, near: FloatArray | None) -> tuple[FloatArray, FloatArray]:
        """Scaled values (m,), within half a turn of `near`, and rows (m, n_v)."""
        if self._gradient is None:
            return np.zeros(0), np.zeros((0, len(self._scale)))
        values, rows = self._gradient(q)
        values = values / self._units
        if near is None:
            near = 0.5 * (self.low + self.high)
        turns = np.rint((near - values) / TURN)
        values = values + np.where(self._wrapped, TURN * turns, 0.0)
        return values, rows * self._scale / self._units[:, None]

    def kept(self, values: FloatArray, held: tuple[int, ...]) -> tuple[int, ...]:
        """The limits that are held, and those that the values have overstepped."""
        if not len(self):
            return ()
        over = np.maximum(values - self.high, self.low - values) > ON_LIMIT
        return (*held, *(i for i in np.flatnonzero(over).tolist() if i not in held))

    def gap(self, values: FloatArray, held: tuple[int, ...]) -> FloatArray:
        """From the values of held measures to the limit, low or high, that each is nearest to."""
        if not held:
            return NOTHING
        mine = list(held)
        up, down = self.high[mine] - values[mine], self.low[mine] - values[mine]
        gap: FloatArray = np.where(np.abs(up) < np.abs(down), up, down)
        return gap

    def refuse_start(self, values: FloatArray) -> None:
        """A start outside the limits is a mistake."""
        for name, value, low, high, unit, angle in zip(
            self.names, values, self.low, self.high, self._units, self._angles, strict=True
        ):
            if not low - ON_LIMIT <= value <= high + ON_LIMIT:
                raise BadNumber(
                    f"{name!r} starts at {_told(value, low, high, unit, is_angle=angle)}: widen"
                    " them, or start where it is within them.",
                    measure=name,
                    value=float(value * unit),
                )


def _told(value: float, low: float, high: float, unit: float, *, is_angle: bool) -> str:
    """A scaled value and the limits it is outside of, in rad and deg or in m."""
    outside = "{:.6g}, outside its limits {:.6g} ... {:.6g}"
    si = outside.format(value * unit, low * unit, high * unit)
    if not is_angle:
        return f"{si} m"
    degrees = "{:.6g}, {:.6g} ... {:.6g}".format(*np.degrees([value, low, high]))
    return f"{si} rad ({degrees} deg)"


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
    trail: "Trail | None" = None  # how it came here in this drag


@final
@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """Coordinates that a drag has come through, the last first."""

    q: FloatArray  # (n_q,)
    before: "Trail | None"

    def forwards(self) -> list[FloatArray]:
        """All of them, the first first."""
        found, at = [self.q], self.before
        while at is not None:
            found.append(at.q)
            at = at.before
        return found[::-1]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Pull:
    """A step d, the limits it slides along, and the gradient of distance^2 / 2 it goes against."""

    d: FloatArray  # (n_v,)
    held: tuple[int, ...]
    gradient: FloatArray  # (n_v,)
    Gd: FloatArray  # (k,) how the point moves

    def shortened(self, share: float) -> "Pull":
        """The pull with so much of its step."""
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

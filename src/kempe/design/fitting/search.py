"""From bounds to the best variant found: a scatter of starts, then the best of them led on."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.design.fitting.levenberg import Front, Residuals, steps
from kempe.interruption import put_off

FloatArray = NDArray[np.float64]

CHUNK: Final = 2048  # variants between two looks at the clock
ROUNDS: Final = 400
FEW: Final = 12  # rounds after which only the best starts go on
LAST: Final = 4  # that go on to the end, or one in so many of those that are kept


@final
@dataclass(frozen=True, slots=True)
class Advance:
    """How far a design has come: variants tried, the best error (rms, m or rad), seconds."""

    tried: int
    best: float
    seconds: float


@final
@dataclass(frozen=True, slots=True, eq=False)
class Scatter:
    """How much is tried: variants at first, how many are led on, seconds in all, the seed."""

    starts: int
    keep: int
    seconds: float
    seed: int
    progress: Callable[[Advance], None] | None = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """The best points (m, k) in [0, 1]^k, best first, their sums of squares, and why it ended.

    `ended` is "settled", "out_of_time", "interrupted" or "nothing" where no variant could move.
    """

    u: FloatArray
    squares: FloatArray
    tried: int
    rounds: int
    ended: str


def best_of(residuals: Residuals, own: FloatArray, effort: Scatter) -> Best:
    """The best points from the mechanism's own (k,) and many others in the unit cube."""
    return _Search(residuals, effort).run(own)


def led_on(residuals: Residuals, u: FloatArray, effort: Scatter) -> Best:
    """The best points that some (m, k) lead to, where the residuals have changed."""
    return _Search(residuals, effort).run(u[0], u[1:])


@final
class _Search:
    """A search while it goes on."""

    def __init__(self, residuals: Residuals, effort: Scatter) -> None:
        self.inner, self.effort = residuals, effort
        self.began, self.tried, self.rounds = time.monotonic(), 0, 0
        self.u: FloatArray = np.zeros((0, 0))
        self.squares: FloatArray = np.zeros(0)

    def residuals(self, u: FloatArray) -> FloatArray:
        """Residuals, counted."""
        self.tried += len(u)
        return self.inner(u)

    def run(self, own: FloatArray, more: FloatArray | None = None) -> Best:
        """Scatter, or take some more points, choose, lead on."""
        try:
            u = self._scatter(own) if more is None else np.vstack([own[None], more])
            ended = self._looked(u) or self._led()
        except KeyboardInterrupt as stop:
            put_off(stop)
            ended = "interrupted"
        order = np.argsort(self.squares)
        order = order[np.isfinite(self.squares[order])]
        if not len(order) and ended == "settled":
            ended = "nothing"
        return Best(self.u[order], self.squares[order], self.tried, self.rounds, ended)

    def _scatter(self, own: FloatArray) -> FloatArray:
        from scipy.stats import qmc

        count = max(2, self.effort.starts)
        sobol = qmc.Sobol(len(own), seed=self.effort.seed)
        u = np.vstack([own[None], sobol.random_base2(math.ceil(math.log2(count)))[: count - 1]])
        # Distances from the mechanism's own: where far variants cannot be reached, near ones can.
        shrunk = own + (u[1:] - own) * np.linspace(0.05, 1.0, len(u) - 1)[:, None]
        u[1::2] = shrunk[::2]
        return u

    def _looked(self, u: FloatArray) -> str:
        self.u, self.squares = u, np.full(len(u), np.inf)
        for first in range(0, len(u), CHUNK):
            some = slice(first, min(first + CHUNK, len(u)))
            r = self.residuals(u[some])
            squares = (r**2).sum(axis=1)
            self.squares[some] = np.where(np.isfinite(squares), squares, np.inf)
            self._tell()
            if self._is_late():
                return "out_of_time"
        return ""

    def _led(self) -> str:
        order = np.argsort(self.squares, kind="stable")[: self.effort.keep]
        order = order[np.isfinite(self.squares[order])]
        if not len(order):
            return "settled"
        front: Front | None = None
        for front in steps(self.residuals, self.u[order]):
            self.rounds += 1
            self.u, self.squares = front.u.copy(), front.squares
            self._tell()
            if self._is_late():
                return "out_of_time"
            if self.rounds > ROUNDS:
                break
            if self.rounds == FEW:
                worse = np.argsort(front.squares)[max(LAST, self.effort.keep // LAST) :]
                front.is_going[worse] = False
            if front.squares.min() < 1e-26:
                break
        return "settled"

    def _is_late(self) -> bool:
        return time.monotonic() - self.began > self.effort.seconds

    def _tell(self) -> None:
        if self.effort.progress is not None:
            best = float(self.squares.min()) if len(self.squares) else float("inf")
            self.effort.progress(Advance(self.tried, best, time.monotonic() - self.began))

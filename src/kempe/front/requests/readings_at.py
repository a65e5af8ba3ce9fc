"""Readings of variants at given times, with their slopes by parameters: swept or simulated."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol, final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from kempe.errors import BadNumber, GradientError, KempeError
from kempe.front.requests.gradient import made_by_simulation, objective_along
from kempe.front.requests.sweep import Again, Over
from kempe.readings.source import ComputedSource

if TYPE_CHECKING:
    from kempe.dynamics.events.passages import Passage
    from kempe.front.mechanism import Mechanism
    from kempe.front.requests.design import Space
    from kempe.front.requests.start import Start

FloatArray = NDArray[np.float64]

SETTLED: Final = 1e-11  # of cost, of parameters and of slopes: what ends a search
WORSE: Final = 1e3  # residuals of a variant that cannot be moved, beside the last
MOST: Final = 200  # evaluations


class AbstractReader(Protocol):
    """What gives all that is read of a variant as one column, with its slopes."""

    def at(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Numbers (m,), and their derivatives (m, parameters), at parameters x (k,)."""


@final
class SweptReadings:
    """Readings along the motion that drives prescribe."""

    def __init__(
        self, mechanism: "Mechanism", names: Sequence[str], by: Sequence[str], times: FloatArray,
        over: Over | None = None,
    ) -> None:  # fmt: skip
        skipped = int(times[0] > 0.0)  # it is put together at 0 and gets to the first from there
        self.objective = objective_along(
            mechanism,
            lambda r: np.concatenate([r[name][skipped:].reshape(-1) for name in names]),
            by,
            np.concatenate([[0.0], times]) if skipped else times,
            over,
        )

    def at(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Numbers (m,), and their derivatives (m, parameters), at parameters x (k,)."""
        return self.objective.array_and_slopes(x)


@final
class SimulatedReadings:
    """Readings along the motion that forces make."""

    def __init__(
        self, mechanism: "Mechanism", names: Sequence[str], by: Sequence[str], times: FloatArray,
        start: "Start | None", tolerance: float,
    ) -> None:  # fmt: skip
        self.mechanism, self.names, self.by = mechanism, tuple(names), tuple(by)
        self.start, self.tolerance = start, tolerance
        self.skipped = int(times[0] > 0.0)  # a run begins at 0, whatever is read of it
        self.times = np.concatenate([[0.0], times]) if self.skipped else times

    def at(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Numbers (m,), and their derivatives (m, parameters), at parameters x (k,)."""
        from kempe.front.requests.start import started

        variant = self.mechanism.with_parameters(dict(zip(self.by, x.tolist(), strict=True)))
        run = variant.simulate(float(self.times[-1]), 1, tolerance=self.tolerance, start=self.start)
        again = run.motion.again
        if not run.outcome.is_done or not isinstance(again, Again):
            raise GradientError(f"the variant ends early: {run.outcome.message}")
        passages: list[Passage] = []
        motion = replace(again.run(self.times, passages=passages), again=again)
        if len(motion) < len(self.times):
            raise GradientError(f"the variant ends early: {motion.outcome.message}")
        begun = started(variant.layout, self.start)
        made = made_by_simulation(variant, begun, (), 0.0, passages)
        source = ComputedSource(run.layout, motion)
        found = [made.gradient(source, name, self.by) for name in self.names]
        values = np.concatenate([one.value[self.skipped :].reshape(-1) for one in found])
        slopes = [one.values[self.skipped :].reshape(-1, len(self.by)) for one in found]
        return values, np.vstack(slopes)


def reader_of(
    mechanism: "Mechanism",
    names: Sequence[str],
    by: Sequence[str],
    times: FloatArray,
    how: Mapping[str, Any],
) -> AbstractReader:
    """Who reads, by the `analysis` that is asked for."""
    if how["analysis"] == "kinematics":
        if how["start"] is not None:
            raise BadNumber("`start` is what a simulation begins with: the drives say it here.")
        return SweptReadings(mechanism, names, by, times)
    return SimulatedReadings(mechanism, names, by, times, how["start"], how["tolerance"])


@final
class Fit:
    """Least squares of weighted differences between what is read and what is wanted."""

    def __init__(
        self, reader: AbstractReader, space: "Space", wanted: FloatArray, weights: FloatArray
    ) -> None:
        self.reader, self.space, self.wanted, self.weights = reader, space, wanted, weights
        self.tried, self.left_out = 0, 0
        self._known: dict[bytes, tuple[FloatArray, FloatArray]] = {}
        self._last = np.ones(1)

    def best(self) -> tuple[FloatArray, bool]:
        """The best parameters (k,) that are found from the mechanism's own, and if it settled."""
        low, high = self.space.low, self.space.high
        start = low + self.space.own * (high - low)
        inside = np.clip(start, low + 1e-9 * (high - low), high - 1e-9 * (high - low))
        self._residuals(inside, is_first=True)
        found = least_squares(
            self._residuals, inside, self._jacobian, bounds=(low, high), x_scale=high - low,
            ftol=SETTLED, xtol=SETTLED, gtol=SETTLED, max_nfev=MOST,
        )  # fmt: skip
        return np.asarray(found.x), bool(found.status > 0)

    def differences(self, x: FloatArray) -> FloatArray:
        """What is read less what is wanted, not weighted, 0 where nothing is."""
        return np.asarray(np.where(np.isfinite(self.wanted), self._read(x)[0] - self.wanted, 0.0))

    def jacobian(self, x: FloatArray) -> FloatArray:
        """Derivatives of the weighted residuals that count, (those, parameters)."""
        counted = np.isfinite(self.wanted) & (self.weights > 0.0)
        return (self.weights[:, None] * self._read(x)[1])[counted]

    def _residuals(self, x: FloatArray, *, is_first: bool = False) -> FloatArray:
        try:
            self._last = self.weights * self.differences(x)
        except KempeError:
            if is_first:
                raise
            self.left_out += 1
            return WORSE * np.maximum(np.abs(self._last), 1e-3)
        return self._last

    def _jacobian(self, x: FloatArray) -> FloatArray:
        slopes = self.weights[:, None] * self._read(x)[1]
        return np.asarray(np.where(np.isfinite(self.wanted)[:, None], slopes, 0.0))

    def _read(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        key = x.tobytes()
        if key not in self._known:
            self._known.clear()
            self.tried += 1
            self._known[key] = self.reader.at(np.asarray(x))
            read = len(self._known[key][0])
            if read != len(self.wanted):
                raise BadNumber(
                    f"{len(self.wanted)} numbers were measured, and {read} are read at these times:"
                    " give one number of a measure at each time, of a point a row (x, y), in space"
                    " (x, y, z)."
                )
        return self._known[key]

"""One stretch of a sweep: samples in a row, computed by the core, with other rows where needed.

A mechanism with redundant joints is solved by as many rows as it has velocities; the others are
watched. Which rows determine the motion depends on the position: a hinge that turns with its base
leaves out one world axis at the start and another one a quarter turn later. Where the solved rows
come near dependence and the rows as a whole do not, the position is not singular, and the sweep
goes on with rows chosen there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.equations import Equations
from kempe.equations.rank import (
    REDUNDANT,
    drive_rows,
    independent_rows,
    steadied_rows,
)
from kempe.interruption import put_off
from kempe.kinematics.stepping.ending import SweepEnd
from kempe.kinematics.stepping.sweep_start import Prepared, solving
from kempe.results.state import State

FloatArray = NDArray[np.float64]
Samples = tuple[FloatArray, FloatArray, FloatArray]

# Smallest singular value of rows of length 1, lengths in sizes of the machine. Rows above it lose
# three digits at most; where no choice of rows reaches it the position itself is singular.
SOUND = 1e-3
LOOKS_BACK = 25  # samples so far, and places where rows gave out, at which new rows are tried
MOST_EXCHANGES = 4  # choices of rows that are tried to get past one place

# Watched, redundant rows may be off by what a converged sample's error can become in them.
WATCHED = 1e-9
WATCHED_OVER = 1e4  # times the tolerance of the solved rows: the same where that is another
# A pivot that has shrunk to this share of its size at the start is not trusted: the step is then
# solved with a fresh order.
PIVOT_FLOOR = 1e-5


@final
@dataclass(frozen=True, slots=True)
class Clock:
    """How the time that the laws see runs with the time of the run: on, or backwards."""

    t: float = 0.0  # s, of the run
    law_t: float = 0.0  # s, of the laws
    way: int = 1

    def law(self, t: FloatArray) -> FloatArray:
        """The time that the laws see at times of the run."""
        if self.way > 0 and self.t == self.law_t:
            return t
        laws: FloatArray = self.law_t + self.way * (t - self.t)
        return laws

    def run(self, law_t: float) -> float:
        """The time of the run at which the laws see a time."""
        return self.t + self.way * (law_t - self.law_t)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """A start, times, and the samples to fill: coordinates, velocities, accelerations."""

    start: State
    times: FloatArray
    samples: Samples

    @classmethod
    def blank(cls, equations: Equations, start: State, times: FloatArray) -> "Stretch":
        """A stretch from a start with room for a sample at every time."""
        n, shape = len(times), equations.program.shape
        samples = (np.empty((n, shape.n_q)), np.empty((n, shape.n_v)), np.empty((n, shape.n_v)))
        return cls(start, times, samples)

    def after(self, sample: int, start: State) -> "Stretch":
        """The rest from a sample on, which is passed in the state `start`."""
        rest = tuple(array[sample:] for array in self.samples)
        return Stretch(start, self.times[sample:], rest)  # type: ignore[arg-type]


def go_on_with_other_rows(
    run: Callable[[Prepared, Stretch], SweepEnd], prepared: Prepared, whole: Stretch, end: SweepEnd
) -> SweepEnd:
    """Fill the samples that are left, with other rows as often as it takes.

    Returns the end of the last run, with the samples and the cost of all. Every run must come
    farther than the one before it, else the position counts as singular.
    """
    way = 1.0 if whole.times[-1] > whole.times[0] else -1.0
    gave_out: list[State] = []  # where rows were no longer sound
    while end.samples < len(whole.times) and not end.interrupted:
        first, at = max(0, end.samples - 1), end.at
        if not end.samples:
            at = replace(at, t=float(whole.times[0]), q=whole.start.q)
        gave_out.append(at)
        cost = end.cost
        for is_last in (*(MOST_EXCHANGES - 1) * (False,), True):
            better = _exchanged(prepared, whole, first, gave_out)
            if better is None:
                return end
            if is_last:  # samples far apart: rows that do here may not do ever since the last one
                sound, more = first, _run_from_between(run, better, whole, first, at)
            else:
                sound, part = _sound_start(prepared, whole, first, at)
                more = run(better, part)
            cost += more.cost
            if more.samples and way * more.at.t > way * at.t:
                break
            gave_out.insert(-1, more.at)
        else:
            return end
        end, prepared = replace(more, samples=sound + more.samples, cost=cost), better
    return end


def _run_from_between(
    run: Callable[[Prepared, Stretch], SweepEnd],
    prepared: Prepared,
    whole: Stretch,
    first: int,
    at: State,
) -> SweepEnd:
    """The rest of a stretch after sample `first` filled from a state between that and the next."""
    times = np.concatenate([[at.t], whole.times[first + 1 :]])
    part = Stretch.blank(prepared.equations, at, times)
    end = run(prepared, part)
    for samples, found in zip(whole.samples, part.samples, strict=True):
        samples[first + 1 : first + end.samples] = found[1 : end.samples]
    return end


def _exchanged(
    prepared: Prepared, whole: Stretch, first: int, gave_out: Sequence[State]
) -> Prepared | None:
    """The mechanism with rows that determine its motion where others last gave out, if there are.

    Where there are rows that also do at the samples so far, and wherever others gave out before,
    those are taken. Only this sweep goes
    on with them: what a sweep finds never depends on the sweeps before it.
    """
    equations, program, at = prepared.equations, prepared.equations.program, gave_out[-1]
    J, *others = (_scaled(equations, x.q, x.t) for x in reversed(gave_out[-LOOKS_BACK:]))
    if _smallest(J[: program.shape.n_rows]) > SOUND:
        return None  # it is not for its rows that it ended
    is_drive = drive_rows(equations)
    joints, driven = np.flatnonzero(~is_drive), np.flatnonzero(is_drive)
    here = [*joints[independent_rows(J[joints])], *driven]
    if len(here) != equations.layout.n_v or not _smallest(J[here]) > SOUND:
        return None
    positions = np.array([J, *others, *_looks_back(prepared, whole, first)])
    steadied = steadied_rows(positions, here, len(driven))
    kept = steadied if _smallest(J[steadied]) > SOUND else here
    return solving(prepared, {program.shape.rows[k] for k in kept}, at)


def _looks_back(prepared: Prepared, whole: Stretch, first: int) -> list[FloatArray]:
    """Jacobians of some samples so far, from the start on."""
    seen = np.unique(np.linspace(0, first, LOOKS_BACK).astype(int)) if first else ()
    q, t = whole.samples[0], whole.times
    return [_scaled(prepared.equations, q[k], float(t[k])) for k in seen]


def _sound_start(prepared: Prepared, whole: Stretch, first: int, at: State) -> tuple[int, Stretch]:
    """The last sample whose rows were sound, and the stretch from it on.

    What was found after it, with rows that were nearly dependent, has fewer digits.
    """
    equations, turns = prepared.equations, at.turns
    for sample in range(first, 0, -1):
        q, t = whole.samples[0][sample], float(whole.times[sample])
        _, _, turns = equations.evaluate(q, t, turns)
        if _smallest(_scaled(equations, q, t)[: equations.program.shape.n_rows]) > SOUND:
            return sample, whole.after(sample, State(t, q.copy(), turns=turns))
    return 0, whole


def _scaled(equations: Equations, q: FloatArray, t: float) -> FloatArray:
    """The Jacobian of all rows at q, with lengths measured in sizes of the machine."""
    no_turns = np.zeros(equations.program.shape.n_turns)  # whole turns do not change derivatives
    return equations.scaled_jacobian(State(t, q, turns=no_turns))


def _smallest(J: FloatArray) -> float:
    """The smallest singular value of rows of length 1; 0 where they are dependent."""
    found = core.rank_revealing_rows(np.ascontiguousarray(J), REDUNDANT)
    return found.smallest_singular if len(found.independent) == len(J) else 0.0


def tolerances(prepared: Prepared) -> dict[str, float]:
    """What every sample of a sweep has to satisfy, by name."""
    found = {"converged": prepared.newton.tolerance, "watched": WATCHED}
    return found | {"pivot_floor": PIVOT_FLOOR}


def swept(
    prepared: Prepared,
    start: State,
    times: FloatArray,
    *,
    afresh: bool = True,
) -> tuple[Samples, SweepEnd]:
    """Coordinates, velocities and accelerations at the times, from a start, and how it ended.

    The times rise or fall; velocities are rates in them. A system remembers in which order it last
    took its pivots. Afresh, it remembers nothing, and equal sweeps give equal bits; else it goes on
    from the sweep before, which saves finding the order of the first sample.
    """
    run = partial(_run, afresh=afresh)
    whole = Stretch.blank(prepared.equations, start, times)
    end = run(prepared, whole)
    if prepared.equations.program.shape.n_spare and end.samples < len(times):
        end = go_on_with_other_rows(run, prepared, whole, end)
    return whole.samples, end


def _run(prepared: Prepared, part: Stretch, *, afresh: bool) -> SweepEnd:
    """Fill a stretch of samples with the rows the program solves, as far as they lead."""
    equations, program = prepared.equations, prepared.equations.program
    weights, n_rows = equations.row_weights, program.shape.n_rows
    system = program.prototype.clone() if afresh else program.system
    end = core.Sweeper(system).run(
        equations.parameters,
        part.start.q,
        part.start.turns,
        part.times,
        *part.samples,
        weights[:n_rows] / prepared.newton.tolerance,
        weights[n_rows:] / max(WATCHED, WATCHED_OVER * prepared.newton.tolerance),
        equations.step_weights,
        PIVOT_FLOOR * prepared.pivots,
        prepared.newton.iterations,
        program.fused_address if prepared.newton.is_usual else 0,
        put_off,
    )
    return SweepEnd.of(end)

"""One stretch of a sweep: samples in a row, computed by the core."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.interruption import put_off
from kempe.kinematics.stepping.ending import SweepEnd
from kempe.kinematics.stepping.preparation import Prepared
from kempe.kinematics.stepping.row_exchange import Samples, Stretch, go_on_with_other_rows
from kempe.results.state import State

FloatArray = NDArray[np.float64]

# Weighted residual of a converged sample: a hundred times what rounding leaves in a sum of a few
# lengths. Newton's last step is quadratic, so samples are usually exact to rounding.
CONVERGED = 1e-13
# Watched, redundant rows may be off by what a converged sample's error can become in them.
WATCHED = 1e-9
# A pivot that has shrunk to this share of its size at the start is not trusted: the step is then
# solved with a fresh order.
PIVOT_FLOOR = 1e-5
TOLERANCES = {"converged": CONVERGED, "watched": WATCHED, "pivot_floor": PIVOT_FLOOR}


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
        weights[:n_rows] / CONVERGED,
        weights[n_rows:] / WATCHED,
        equations.step_weights,
        PIVOT_FLOOR * prepared.pivots,
        program.fused_address,
        put_off,
    )
    return SweepEnd.of(end)

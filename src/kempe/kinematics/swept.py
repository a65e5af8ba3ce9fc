"""One stretch of a sweep: samples in a row, computed by the core."""

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.kinematics.assembly import row_weights, step_weights
from kempe.kinematics.ending import Facts
from kempe.kinematics.preparation import Prepared

FloatArray = NDArray[np.float64]
Samples = tuple[FloatArray, FloatArray, FloatArray]  # q, v, a, row by row

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
    prepared: Prepared, parameters: FloatArray, q: FloatArray, last: FloatArray, times: FloatArray
) -> tuple[Samples, Facts]:
    """Coordinates, velocities and accelerations at the times, from (q, last), and the facts.

    The times rise or fall; velocities are rates in them.
    """
    layout, k = prepared.layout, prepared.program.shape
    q_out, v_out, a_out = (np.empty((len(times), size)) for size in (k.n_q, k.n_v, k.n_v))
    weights = row_weights(layout, prepared.program)
    facts = core.Sweeper(prepared.program.system).run(
        parameters,
        q,
        last,
        times,
        q_out,
        v_out,
        a_out,
        weights[: k.n_rows] / CONVERGED,
        weights[k.n_rows :] / WATCHED,
        step_weights(layout),
        PIVOT_FLOOR * prepared.program.pivot_reference,
        prepared.program.fused_address,
    )
    return (q_out, v_out, a_out), facts

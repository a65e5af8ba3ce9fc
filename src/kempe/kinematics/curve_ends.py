"""Where a point runs off the end of its curve."""

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout import Layout
from kempe.outcome import Ending, Outcome

FloatArray = NDArray[np.float64]


def off_its_curve(layout: Layout, q: FloatArray, times: FloatArray) -> Outcome | None:
    """The ending of a motion in which a curve's parameter leaves its domain; None otherwise."""
    first = layout.n_q - layout.n_own
    found: tuple[int, int] | None = None  # sample, unknown
    for k, (_, unknown) in enumerate(layout.own_unknowns):
        if unknown.domain.period:
            continue
        values = q[:, first + k]
        outside = np.flatnonzero((values < unknown.domain.low) | (values > unknown.domain.high))
        if len(outside) and (found is None or outside[0] < found[0]):
            found = int(outside[0]), k
    if found is None:
        return None
    sample, k = found
    number, unknown = layout.own_unknowns[k]
    joint, t = layout.elements[number].name, float(times[sample])
    return Outcome(
        Ending.LIMIT_REACHED,
        f"at t = {t:.9g} s {joint!r} runs off its curve, which goes over {unknown.domain}.",
        "Make the curve longer, or end the motion before.",
        {"t": t, "joint": joint, "samples": sample, "value": float(q[sample, first + k])},
    )

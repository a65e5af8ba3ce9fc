"""Curves and surfaces in sweeps: where a point runs off its own, and what cannot have any."""

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import MissingPart
from kempe.outcome import Ending, Outcome

FloatArray = NDArray[np.float64]


def refuse_curves(layout: Layout, action: str) -> None:
    """A MissingPart where joints have unknowns of their own, which the action cannot find."""
    if layout.n_own:
        joints = dict.fromkeys(layout.elements[k].name for k, _ in layout.own_unknowns)
        names = ", ".join(map(repr, joints))
        raise MissingPart(
            f"{layout.model.name!r} cannot be {action}: its curves and surfaces ({names}) have"
            " parameters that this cannot find. Sweep it with a drive, or ask for its motions().",
            joints=names,
        )


def off_its_curve(layout: Layout, q: FloatArray, times: FloatArray) -> Outcome | None:
    """The ending of a motion in which a place leaves its curve, surface or bar; None otherwise."""
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
        f"at t = {t:.9g} s {joint!r} runs off its {unknown.track}, whose {unknown.name} goes over"
        f" {unknown.domain}.",
        f"Make the {unknown.track} longer, or end the motion before.",
        {"t": t, "joint": joint, "samples": sample, "value": float(q[sample, first + k])},
    )

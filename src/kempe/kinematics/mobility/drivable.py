"""A measure that could be driven: one that what is still free would change."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name
from kempe.equations import Equations
from kempe.kinematics.closing.poses import gauge_reading
from kempe.measures import Gauge

FloatArray = NDArray[np.float64]

STEP = 1e-4  # rad, and sizes of the machine
CHANGES = 1e-3  # of a step: less is the bend of a motion that does not change the measure at first
MOST = 200  # measures that are tried


def drivable(
    equations: Equations,
    q: FloatArray,
    free: FloatArray,
    bodies: Iterable[str],
    spins: FloatArray,
    idle: Iterable[str],
) -> Gauge | None:
    """A measure that changes along one of the free motions (k, n_v; rad and sizes of the machine).

    It changes along none of the `spins` (k, n_v) of bodies that are `idle`, which it would hold
    instead. Angles of these bodies come first, then what joints leave free, then the bodies'
    coordinates, all this of bodies that spin idly last; None where none of them does.
    """
    known, driven = (
        gauges_by_name(equations.layout.model),
        {d.gauge.name for d in equations.layout.model.drives},
    )
    movers = tuple(bodies)
    last = set(idle)
    first = [body for body in movers if body not in last]
    joints = [f"{j.name}.{m.word}" for j in equations.layout.model.joints for m in j.freedom]
    names = [f"{body}.angle" for body in first] + joints
    names += [f"{body}.{word}" for body in first for word in "xyz"]
    names += [f"{body}.{word}" for body in movers for word in ("angle", *"xyz")]
    wanted = [known[n] for n in dict.fromkeys(names) if n in known and n not in driven]
    scale = STEP / equations.layout.step_weights
    ends, spun = (
        [
            tuple(
                equations.program.retract(q, way * scale * d / np.abs(d).max())
                for way in (1.0, -1.0)
            )
            for d in motions
            if np.any(d)
        ]
        for motions in (free, spins)
    )
    fit = (
        g
        for g in wanted[:MOST]
        if _changes(equations.layout, g, ends) and not _changes(equations.layout, g, spun)
    )
    return next(fit, None)


def _changes(layout: Layout, gauge: Gauge, ends: Sequence[tuple[FloatArray, ...]]) -> bool:
    size = 1.0 if gauge.unit == "rad" else layout.size
    for pair in ends:
        after, before = (gauge_reading(layout, q, gauge) for q in pair)
        change = after - before
        if gauge.unit == "rad" and math.isfinite(change):
            change = math.remainder(change, math.tau)
        if abs(change) > 2.0 * STEP * CHANGES * size:
            return True
    return False

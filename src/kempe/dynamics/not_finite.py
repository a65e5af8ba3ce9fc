"""Which force has no finite value at a place, and why, in words."""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.force_elements import ForceElement
from kempe.compile.trace.force_tracing import sight_of
from kempe.equations.equations import DynamicEquations
from kempe.forces import Instant

FloatArray = NDArray[np.float64]


def force_without_value(
    equations: DynamicEquations, q: FloatArray, v: FloatArray, t: float, last: FloatArray
) -> str:
    """What is said of the first force that is no finite number at q, v of the centres of mass.

    `last` are the angles that turns are counted from. Empty where every force has a value.
    """
    layout, counted = equations.layout, equations.program.shape.force_counted
    first_turn = equations.program.shape.n_turns - len(counted)
    for number, element in enumerate(layout.forces):
        if element.force.clock is not None or element.force.states:
            continue
        sight = sight_of(layout.layout.chart, element, layout.layout.markers_of(element))
        turns = [first_turn + counted.index((number, reading)) for reading in sight.turned]
        now = sight.instant(q, v, t, last[turns])
        for gauge, seen in zip(element.force.gauges, now.gauges, strict=True):
            if not math.isfinite(float(seen.rate)):
                return (
                    f"force {element.name!r} has no value: its measure {gauge.name!r} reads"
                    f" {float(seen.value):.6g} {gauge.unit} and has no rate there"
                )
        if _has_no_value(element, now):
            return f"force {element.name!r} has no finite value"
    return ""


def _has_no_value(element: ForceElement, now: Instant) -> bool:
    if not element.is_built_in:
        return False  # its formula may know only traced numbers
    try:
        with np.errstate(all="ignore"):
            action = element.force.action(now)
            parts = [part for w in action.wrenches for part in (w.force, w.torque)]
            numbers: Iterable[float] = [float(c) for part in parts for c in part]
            return not all(map(math.isfinite, [*numbers, *map(float, action.efforts)]))
    except ZeroDivisionError:
        return True
    except Exception:  # it needs more than plain numbers: it may have one
        return False

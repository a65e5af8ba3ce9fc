"""What is asked of a mechanism: measures that are held or limited, and the size they give it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from kempe.compile.layout.elements import JointElement
from kempe.compile.layout.layout import Layout
from kempe.geometry import GROUND
from kempe.measures import Gauge

# Limits of an angle that are this far apart exclude no position.
WHOLE_TURN = math.tau * (1.0 - 2.0**-50)


@final
@dataclass(frozen=True, slots=True)
class Holding:
    """A measure that is held at a value (m or rad)."""

    gauge: Gauge
    value: float


@final
@dataclass(frozen=True, slots=True)
class Limited:
    """A measure that stays between two values (m or rad)."""

    gauge: Gauge
    low: float
    high: float


def machine_size(layout: Layout, held: Sequence[Holding], stops: Sequence[Limited]) -> float:
    """Characteristic length (m): the layout's, and where bodies have none that of all there is."""
    elements = layout.elements
    lengths = [abs(h.value) for h in held if h.gauge.unit == "m"]
    own = [c for e in elements for m in e.markers if m.body != GROUND for c in m.position]
    if any(own) or any(any((*e.lengths, *e.strokes)) for e in elements):
        return max([layout.size, *lengths])
    lengths += [abs(c) for e in elements for m in e.markers for c in m.position]
    constraints = [c for e in elements if isinstance(e, JointElement) for c in e.joint.constraints]
    curves = [c.curve for c in constraints if hasattr(c, "curve")]
    lengths += [curve.size for curve in curves if curve.domain.is_bounded]
    surfaces = [c.surface for c in constraints if hasattr(c, "surface")]
    lengths += [s.size for s in surfaces if all(d.is_bounded for d in s.domains)]
    limits = [x for s in stops if s.gauge.unit == "m" for x in (s.low, s.high)]
    ends = [abs(x) for x in limits if math.isfinite(x)]
    return max(lengths, default=0.0) or max(ends, default=0.0) or 1.0

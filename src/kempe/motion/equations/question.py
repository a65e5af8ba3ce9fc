"""What is asked of a mechanism: what is held, limited, or follows time; the size that gives it."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.algebra import Expression
from kempe.compile.layout.elements import JointElement
from kempe.compile.layout.layout import Layout
from kempe.compile.trace.untraced import refuse_untraced
from kempe.drives import AbstractLaw
from kempe.errors import BadNumber, DriveError, ExpressionError, UnsolvableKind
from kempe.geometry import GROUND
from kempe.measures import Gauge
from kempe.motion.equations.system import FullSystem

TIME = "t"  # the name of that unknown and of its reading
LOOKS = 256  # times at which a law is looked at, to see how far it goes
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


@final
@dataclass(frozen=True, slots=True)
class Clock:
    """Time from `start` to `stop` (s) as an unknown t, and the drives that follow their laws of it.

    The unknown counts in `unit` (s), a power of two in which the drives move by about 1.
    """

    start: float
    stop: float
    drives: tuple[tuple[Gauge, AbstractLaw], ...]
    unit: float

    @classmethod
    def of(
        cls, start: float, stop: float, drives: Sequence[tuple[Gauge, AbstractLaw]], size: float
    ) -> "Clock":
        """The clock of drives whose lengths are seen in a `size` (m)."""
        if not (math.isfinite(start) and math.isfinite(stop) and start < stop):
            raise BadNumber(
                f"time must run from one moment to a later one, and it is {start:g} ... {stop:g} s."
            )
        if not drives:
            raise DriveError(
                "nothing changes with time: no drive is left that is not held. Add a drive, or ask"
                " for motions without `during`."
            )
        for gauge, law in drives:
            corners = law.corners(start, stop)
            if corners:
                raise UnsolvableKind(
                    f"the drive on {gauge.name!r} goes over to another formula at t ="
                    f" {corners[0]:.9g} s: positions over time are no smooth curves there. Ask"
                    " between such times, or for a timeline, which joins the parts.",
                    corners=corners,
                )
        drives = [(gauge, law.between(start, stop)) for gauge, law in drives]
        sizes = [size if gauge.unit == "m" else 1.0 for gauge, _ in drives]
        ways = [_way(d, start, stop, unit) for d, unit in zip(drives, sizes, strict=True)]
        unit = (stop - start) / max(1.0, *ways)
        return cls(start, stop, tuple(drives), 2.0 ** round(math.log2(unit)))

    def time(self, equations: FullSystem) -> Expression:
        """t (s), a new unknown of `equations` that is read, too."""
        ends = self.start / self.unit, self.stop / self.unit
        t = equations.unknown(TIME, *ends, is_limit=True) * equations.number(self.unit)
        equations.read(TIME, t)
        return t


def _way(drive: tuple[Gauge, AbstractLaw], start: float, stop: float, size: float) -> float:
    """How far a law goes back and forth between two times, in sizes."""
    gauge, law = drive
    times = [start + (stop - start) * k / LOOKS for k in range(LOOKS + 1)]
    try:
        with np.errstate(all="ignore"):
            values = [float(law.value(t)) / size for t in times]
    except (ArithmeticError, ValueError, ExpressionError):  # a formula of the user's own
        values = [math.nan]
    way = sum(abs(b - a) for a, b in itertools.pairwise(values))
    if not math.isfinite(way + values[0]):
        raise DriveError(
            f"the drive on {gauge.name!r} has no value at some time between {start:g} and"
            f" {stop:g} s: ask for a span in which it has one.",
            drive=gauge.name,
        )
    return way


def machine_size(layout: Layout, held: Sequence[Holding], stops: Sequence[Limited]) -> float:
    """Characteristic length (m): the layout's, and where bodies have none that of all there is."""
    refuse_untraced(layout, "certified assemblies and motions")
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

"""Elements: what contributes rows to the system, a joint or a drive, seen as one formula.

An element knows its markers, its numbers and how to write its rows, given the traced frames of its
markers. Nothing here knows coordinates.
"""

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, final

from kempe.compile.numbers import marker_numbers, own_numbers, pattern, with_numbers, word
from kempe.couplers import AbstractCoupler
from kempe.drives import Drive
from kempe.errors import FormulaError
from kempe.geometry import Marker, Pose
from kempe.joints import AbstractJoint
from kempe.measures import Wrapped

# (an angle known up to whole turns, which of the element's readings it is) -> the angle
Unwrap = Callable[[Any, int], Any]


class Element(Protocol):
    """A joint or a drive as the source of rows."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def markers(self) -> tuple[Marker, ...]:
        """The markers whose frames its formula sees."""

    @property
    def numbers(self) -> list[float]:
        """Its own numbers (lengths, values, speeds), in order."""

    @property
    def units(self) -> tuple[str, ...]:
        """The unit of every row in space."""

    @property
    def word(self) -> str:
        """Its structure in words: equal words and patterns mean equal programs."""

    @property
    def is_built_in(self) -> bool:
        """Whether `word` says everything about its formula, so that nothing need be traced."""

    def rows(self, X: Sequence[Pose], numbers: Iterator[Any], t: Any, unwrap: Unwrap) -> list[Any]:
        """Its rows, traced, in space; rows that the plane makes empty are constant zero."""

    def first_turns(self, t: float) -> list[float]:
        """Near which value each of its readings starts at time t."""


@final
@dataclass(frozen=True, slots=True)
class JointElement:
    """A joint's rows: those of its formula, then those of the measures it holds."""

    joint: AbstractJoint

    @property
    def name(self) -> str:
        return self.joint.name

    @property
    def markers(self) -> tuple[Marker, ...]:
        return self.joint.markers

    @property
    def numbers(self) -> list[float]:
        own = [x for c in self.joint.constraints for x in own_numbers(c)]
        if not self.joint.constraints and not self.joint.held:
            own = own_numbers(self.joint)
        return own + [x for held in self.joint.held for x in own_numbers(held)]

    @property
    def units(self) -> tuple[str, ...]:
        return self.joint.row_units + tuple(held.unit for held in self.joint.held)

    @property
    def word(self) -> str:
        held = ",".join(word(h) for h in self.joint.held)
        constraints = ",".join(word(c) for c in self.joint.constraints)
        return f"{word(self.joint)}[{constraints}][{held}]"

    @property
    def is_built_in(self) -> bool:
        measures = [m for held in self.joint.held for m in held.measures]
        return all(_is_ours(part) for part in (self.joint, *self.joint.constraints, *measures))

    def rows(self, X: Sequence[Pose], numbers: Iterator[Any], t: Any, unwrap: Unwrap) -> list[Any]:
        joint = self.joint
        rows: list[Any] = []
        if joint.constraints:
            for constraint in joint.constraints:
                own = with_numbers(constraint, numbers)
                rows += _checked(own.phi(*X), len(constraint.rows), constraint, joint.name)
        elif not joint.held:
            own = with_numbers(joint, numbers)
            rows = _checked(own.phi(*X), len(joint.row_units), joint, joint.name)
        reading = itertools.count()
        for held in joint.held:
            own = with_numbers(held, numbers)
            values = [_read(m.value(X[0], X[1]), unwrap, next(reading)) for m in held.measures]
            terms = [c * value for c, value in zip(own.coefficients, values, strict=True)]
            rows.append(sum(terms[1:], terms[0]) - own.value)
        return rows

    def first_turns(self, t: float) -> list[float]:
        return [
            held.value if len(held.measures) == 1 else 0.0
            for held in self.joint.held
            for _ in held.measures
        ]


@final
@dataclass(frozen=True, slots=True)
class CouplerElement:
    """A coupler's row: a formula of measures, each between two markers of its own."""

    coupler: AbstractCoupler

    @property
    def name(self) -> str:
        return self.coupler.name

    @property
    def markers(self) -> tuple[Marker, ...]:
        return tuple(m for gauge in self.coupler.gauges for m in (gauge.I, gauge.J))

    @property
    def numbers(self) -> list[float]:
        return own_numbers(self.coupler)

    @property
    def units(self) -> tuple[str, ...]:
        return (self.coupler.unit,)

    @property
    def word(self) -> str:
        measures = ",".join(word(g.measure) for g in self.coupler.gauges)
        return f"{word(self.coupler)}[{measures}]"

    @property
    def is_built_in(self) -> bool:
        parts = (self.coupler, *(g.measure for g in self.coupler.gauges))
        return all(_is_ours(part) for part in parts) and not _holds_a_function(self.coupler)

    def rows(self, X: Sequence[Pose], numbers: Iterator[Any], t: Any, unwrap: Unwrap) -> list[Any]:
        own = with_numbers(self.coupler, numbers)
        values = [
            _read(gauge.measure.value(X[2 * k], X[2 * k + 1]), unwrap, k)
            for k, gauge in enumerate(self.coupler.gauges)
        ]
        return [own.phi(values)]

    def first_turns(self, t: float) -> list[float]:
        return [0.0 for _ in self.coupler.gauges]


@final
@dataclass(frozen=True, slots=True)
class DriveElement:
    """A drive's row: measure - f(t)."""

    drive: Drive

    @property
    def name(self) -> str:
        return f"drive on {self.drive.gauge.name}"

    @property
    def markers(self) -> tuple[Marker, ...]:
        return (self.drive.gauge.I, self.drive.gauge.J)

    @property
    def numbers(self) -> list[float]:
        return own_numbers(self.drive.law)

    @property
    def units(self) -> tuple[str, ...]:
        return (self.drive.gauge.unit,)

    @property
    def word(self) -> str:
        return f"drive({word(self.drive.gauge.measure)},{word(self.drive.law)})"

    @property
    def is_built_in(self) -> bool:
        law, measure = self.drive.law, self.drive.gauge.measure
        return _is_ours(law) and not _holds_a_function(law) and _is_ours(measure)

    def rows(self, X: Sequence[Pose], numbers: Iterator[Any], t: Any, unwrap: Unwrap) -> list[Any]:
        law = with_numbers(self.drive.law, numbers)
        gauge = self.drive.gauge
        return [_read(gauge.measure.value(X[0], X[1]), unwrap, 0) - law.value(t)]

    def first_turns(self, t: float) -> list[float]:
        return [float(self.drive.law.value(t))]


def structure(element: Element) -> str:
    """Word and number pattern of an element: what its traced form depends on."""
    markers = "|".join(pattern(marker_numbers(m)) for m in element.markers)
    return f"{element.word};{markers};{pattern(element.numbers)}"


def _holds_a_function(thing: Any) -> bool:
    """Whether a field is code or a table, which words do not describe."""
    return any(callable(getattr(thing, f.name)) for f in dataclasses.fields(thing))


def _read(value: Any, unwrap: Unwrap, reading: int) -> Any:
    return unwrap(value.angle, reading) if isinstance(value, Wrapped) else value


def _is_ours(part: object) -> bool:
    return type(part).__module__.split(".")[0] == "kempe"


def _checked(rows: Any, wanted: int, formula: object, joint: str) -> list[Any]:
    kind = type(formula).__name__
    if not isinstance(rows, (list, tuple)):
        raise FormulaError(
            f"{kind}.phi (joint {joint!r}) returned {type(rows).__name__} instead of a list of"
            " rows: return [row, row, ...]."
        )
    if len(rows) != wanted:
        raise FormulaError(
            f"{kind}.phi (joint {joint!r}) returned {len(rows)} rows, but its class declares"
            f" {wanted}: correct `rows` or the formula.",
            rows=len(rows),
            declared=wanted,
        )
    return list(rows)

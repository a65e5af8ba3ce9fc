"""Elements: what contributes rows to the system, a joint or a drive, seen as one formula.

An element knows its markers, its numbers and how to write its rows, given the traced frames of its
markers. Nothing here knows coordinates.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, final

from kempe.compile.numbers import marker_numbers, own_numbers, pattern, with_numbers, word
from kempe.drives import Drive, Formula
from kempe.errors import FormulaError
from kempe.geometry import Marker, Pose
from kempe.joints import AbstractJoint
from kempe.measures import Wrapped

Unwrap = Callable[[Any, int], Any]  # (angle up to whole turns, row) -> angle


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

    def target(self, row: int, t: float) -> float:
        """The value that the measure read in a row is held at, at time t."""


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
        return own + [value for _, value in self.joint.held]

    @property
    def units(self) -> tuple[str, ...]:
        return self.joint.row_units + tuple(measure.unit for measure, _ in self.joint.held)

    @property
    def word(self) -> str:
        held = ",".join(repr(measure) for measure, _ in self.joint.held)
        constraints = ",".join(word(c) for c in self.joint.constraints)
        return f"{word(self.joint)}[{constraints}][{held}]"

    @property
    def is_built_in(self) -> bool:
        parts: list[object] = [self.joint, *self.joint.constraints]
        return all(_is_ours(part) for part in parts)

    def rows(self, X: Sequence[Pose], numbers: Iterator[Any], t: Any, unwrap: Unwrap) -> list[Any]:
        joint = self.joint
        if joint.constraints:
            rows = []
            for constraint in joint.constraints:
                own = with_numbers(constraint, numbers)
                rows += _checked(own.phi(*X), len(constraint.rows), constraint, joint.name)
        elif joint.held:
            rows = []
        else:
            own = with_numbers(joint, numbers)
            rows = _checked(own.phi(*X), len(joint.row_units), joint, joint.name)
        for measure, _ in joint.held:
            value = _read(measure.value(X[0], X[1]), unwrap, len(rows))
            rows.append(value - next(numbers))
        return rows

    def target(self, row: int, t: float) -> float:
        return self.joint.held[row - len(self.joint.row_units)][1]


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
        return _is_ours(law) and not isinstance(law, Formula) and _is_ours(measure)

    def rows(self, X: Sequence[Pose], numbers: Iterator[Any], t: Any, unwrap: Unwrap) -> list[Any]:
        law = with_numbers(self.drive.law, numbers)
        gauge = self.drive.gauge
        return [_read(gauge.measure.value(X[0], X[1]), unwrap, 0) - law.value(t)]

    def target(self, row: int, t: float) -> float:
        return float(self.drive.law.value(t))


def structure(element: Element) -> str:
    """Word and number pattern of an element: what its traced form depends on."""
    markers = "|".join(pattern(marker_numbers(m)) for m in element.markers)
    return f"{element.word};{markers};{pattern(element.numbers)}"


def _read(value: Any, unwrap: Unwrap, row: int) -> Any:
    return unwrap(value.angle, row) if isinstance(value, Wrapped) else value


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

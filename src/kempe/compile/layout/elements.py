"""Elements: what contributes rows to the system, a joint or a drive, seen as one formula.

An element knows its markers, its numbers and how to write its rows, given the traced frames of its
markers. Nothing here knows coordinates. What a formula returns is checked, and what goes wrong in
it is named after it.
"""

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, final

from kempe.algebra.expression import SCALARS
from kempe.compile.layout.numbers import (
    field_names,
    marker_numbers,
    own_numbers,
    pattern,
    with_numbers,
    word,
)
from kempe.compile.layout.untraced_model import modelled_rows, room_for_model
from kempe.constraints import Unknown
from kempe.couplers import AbstractCoupler
from kempe.drives import Drive
from kempe.errors import FormulaError, KempeError, about
from kempe.geometry import Axis, Marker, Pose
from kempe.joints import AbstractJoint
from kempe.measures import Gauge, Held, Wrapped

# (an angle known up to whole turns, which of the element's readings it is) -> the angle
Unwrap = Callable[[Any, int], Any]

# Markers -> their poses where the bodies were first put
Put = Callable[[Sequence[Marker]], list[Pose]]

# Fields of a joint that its element names part by part, or that say nothing about its rows.
NO_PART_OF_PHI = frozenset({"constraints", "held", "sides", "freedom", "symbol", "home"})


class Described(Protocol):
    """What is traced: a source of rows, or a force."""

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
    def word(self) -> str:
        """Its structure in words: equal words and patterns mean equal programs."""

    @property
    def is_built_in(self) -> bool:
        """Whether `word` says everything about its formula, so that nothing need be traced."""


class Element(Described, Protocol):
    """A joint or a drive as the source of rows."""

    @property
    def units(self) -> tuple[str, ...]:
        """The unit of every row in space."""

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        """The numbers that it finds for itself; none, unless a joint has some."""
        return ()

    def first_unknowns(self, X: Sequence[Pose]) -> list[float]:
        """Values of its own unknowns to start from, its markers put at X."""
        return []

    def rows(self, X: Sequence[Any], numbers: Iterator[Any], t: Any, unwrap: Unwrap) -> list[Any]:
        """Its rows, traced, in space, from its markers' poses and then its own unknowns.

        Rows that the plane makes empty are constant zero.
        """

    @property
    def lengths(self) -> list[float]:
        """Those of its numbers that are lengths in the machine, for its size."""

    @property
    def strokes(self) -> list[float]:
        """Those that say how far something in metres has gone: the machine may reach less far."""

    @property
    def gauges(self) -> tuple[Gauge, ...]:
        """Its readings: what is measured for its rows, in order."""

    @property
    def followed(self) -> tuple[bool | None, ...]:
        """Whether what each row measures follows from others; None where a row measures nothing."""

    def told(self, t: float) -> list[float | None]:
        """The value that it holds each of its readings at, at time t; None where it holds none."""


class OfJoint(Element, Protocol):
    """Rows that a joint makes, under its name and on its markers."""

    joint: AbstractJoint

    @property
    def name(self) -> str:
        return self.joint.name

    @property
    def markers(self) -> tuple[Marker, ...]:
        return self.joint.markers


@final
@dataclass(frozen=True, slots=True)
class JointElement(OfJoint):
    """A joint's rows: those of its formula, then those of the measures it holds."""

    joint: AbstractJoint
    held: tuple[Held, ...]  # the joint's, each with a number for its value

    @classmethod
    def put(cls, joint: AbstractJoint, put: Put) -> "JointElement":
        """The joint's element, with values that are not given read off its markers as put."""
        held = joint.held
        if any(h.value is None for h in held):
            X = put((joint.I, joint.J))
            held = tuple(h.settled(*X) for h in held)
        return cls(joint, held)

    @property
    def numbers(self) -> list[float]:
        if not self.joint.traced:
            return room_for_model(self.joint)
        own = [x for c in self.joint.constraints for x in own_numbers(c)]
        if not self.joint.constraints and not self.held:
            own = own_numbers(self.joint)
        return own + [x for held in self.held for x in own_numbers(held)]

    @property
    def lengths(self) -> list[float]:
        rows = [c for c in self.joint.constraints if set(c.rows) == {"m"}]
        lengths = [x for constraint in rows for x in own_numbers(constraint)]
        for held in (h for h in self.held if h.unit == "m"):
            arcs = _arcs(held)
            lengths += arcs or [held.value or 0.0]
        return lengths

    @property
    def strokes(self) -> list[float]:
        return [h.value or 0.0 for h in self.held if h.unit == "m" and _arcs(h)]

    @property
    def units(self) -> tuple[str, ...]:
        return self.joint.row_units + tuple(held.unit for held in self.held)

    @property
    def word(self) -> str:
        held = ",".join(word(h) for h in self.held)
        constraints = ",".join(word(c) for c in self.joint.constraints)
        return f"{word(self.joint, but=NO_PART_OF_PHI)}[{constraints}][{held}]"

    @property
    def is_built_in(self) -> bool:
        if not self.joint.traced:
            return False
        measures = [m for held in self.held for m in held.measures]
        return all(is_described(part) for part in (self.joint, *self.joint.constraints, *measures))

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return self.joint.unknowns

    def first_unknowns(self, X: Sequence[Pose]) -> list[float]:
        return [u for c in self.joint.constraints for u in c.first_unknowns(X)]

    def rows(self, X: Sequence[Any], numbers: Iterator[Any], t: Any, unwrap: Unwrap) -> list[Any]:
        joint = self.joint
        rows: list[Any] = []
        unknowns, X = iter(X[len(self.markers) :]), X[: len(self.markers)]
        if not joint.traced:
            return modelled_rows(joint, X, numbers)
        if joint.constraints:
            for constraint in joint.constraints:
                own = with_numbers(constraint, numbers)
                found = [next(unknowns) for _ in constraint.unknowns]
                rows += _rows(own, len(constraint.rows), joint.name, [*X, *found])
        elif not self.held:
            own = with_numbers(joint, numbers)
            rows = _rows(own, len(joint.row_units), joint.name, X)
        reading = itertools.count()
        for held in self.held:
            own = with_numbers(held, numbers)
            values = [read(m, X, unwrap, next(reading)) for m in held.measures]
            terms = [c * value for c, value in zip(own.coefficients, values, strict=True)]
            rows.append(sum(terms[1:], terms[0]) - own.value)
        return rows

    @property
    def gauges(self) -> tuple[Gauge, ...]:
        I, J = self.markers[:2]
        measures = (measure for held in self.held for measure in held.measures)
        return tuple(Gauge(f"{self.name}.{m.word}", m, I, J) for m in measures)

    @property
    def followed(self) -> tuple[bool | None, ...]:
        sums = (len(held.measures) > 1 for held in self.held)
        return (*(None for _ in self.joint.row_units), *sums)

    def told(self, t: float) -> list[float | None]:
        return [
            (held.value or 0.0) / c if len(held.measures) == 1 else None
            for held in self.held
            for c in held.coefficients
        ]


@final
@dataclass(frozen=True, slots=True)
class CouplerElement(Element):
    """A coupler's row: a formula of measures, each between two markers of its own."""

    coupler: AbstractCoupler  # with a number for its constant

    @classmethod
    def put(cls, coupler: AbstractCoupler, put: Put) -> "CouplerElement":
        """The coupler's element; a constant that is not given is read off its markers as put."""
        if coupler.constant is not None:
            return cls(coupler)
        X = [put((gauge.I, gauge.J)) for gauge in coupler.gauges]
        pairs = zip(coupler.gauges, X, strict=True)
        return cls(coupler.settled([gauge.measure.number(*X_WM) for gauge, X_WM in pairs]))

    @property
    def name(self) -> str:
        return self.coupler.name

    @property
    def markers(self) -> tuple[Marker, ...]:
        return tuple(m for gauge in self.coupler.gauges for m in (gauge.I, gauge.J))

    @property
    def numbers(self) -> list[float]:
        measures = [x for gauge in self.coupler.gauges for x in own_numbers(gauge.measure)]
        return measures + own_numbers(self.coupler)

    @property
    def lengths(self) -> list[float]:
        return self.coupler.lengths

    @property
    def strokes(self) -> list[float]:
        return self.coupler.strokes

    @property
    def units(self) -> tuple[str, ...]:
        return (self.coupler.unit,)

    @property
    def word(self) -> str:
        measures = ",".join(word(g.measure) for g in self.coupler.gauges)
        return f"{word(self.coupler)}[{measures}]"

    @property
    def is_built_in(self) -> bool:
        return is_described(self.coupler)

    def rows(self, X: Sequence[Any], numbers: Iterator[Any], t: Any, unwrap: Unwrap) -> list[Any]:
        measures = [with_numbers(gauge.measure, numbers) for gauge in self.coupler.gauges]
        values = [
            read(measure, X[2 * k : 2 * k + 2], unwrap, k) for k, measure in enumerate(measures)
        ]
        own = with_numbers(self.coupler, numbers)
        who = f"{type(own).__name__}.phi (coupler {self.name!r})"
        return [value_of(lambda: own.phi(values), who)]

    @property
    def gauges(self) -> tuple[Gauge, ...]:
        return self.coupler.gauges

    @property
    def followed(self) -> tuple[bool | None, ...]:
        return (True,)

    def told(self, t: float) -> list[float | None]:
        return [None] * len(self.gauges)


@final
@dataclass(frozen=True, slots=True)
class DriveElement(Element):
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
        return own_numbers(self.drive.gauge.measure) + own_numbers(self.drive.law)

    @property
    def lengths(self) -> list[float]:
        return []

    @property
    def strokes(self) -> list[float]:
        return [float(self.drive.law.value(0.0))] if self.drive.gauge.unit == "m" else []

    @property
    def units(self) -> tuple[str, ...]:
        return (self.drive.gauge.unit,)

    @property
    def word(self) -> str:
        return f"drive({word(self.drive.gauge.measure)},{word(self.drive.law)})"

    @property
    def is_built_in(self) -> bool:
        return is_described(self.drive.law) and is_described(self.drive.gauge.measure)

    def rows(self, X: Sequence[Any], numbers: Iterator[Any], t: Any, unwrap: Unwrap) -> list[Any]:
        measure = with_numbers(self.drive.gauge.measure, numbers)
        law = with_numbers(self.drive.law, numbers)
        who = f"the law of the drive on {self.drive.gauge.name!r}"
        return [read(measure, X, unwrap, 0) - value_of(lambda: law.value(t), who)]

    @property
    def gauges(self) -> tuple[Gauge, ...]:
        return (self.drive.gauge,)

    @property
    def followed(self) -> tuple[bool | None, ...]:
        return (False,)

    def told(self, t: float) -> list[float | None]:
        return [float(self.drive.law.value(t))]


def all_numbers(element: Described) -> list[float]:
    """All numbers of an element or a force: of its markers, then its own."""
    return [x for m in element.markers for x in marker_numbers(m)] + element.numbers


def structure(element: Described) -> str:
    """Word and number pattern of an element or a force: what its traced form depends on."""
    markers = "|".join(pattern(marker_numbers(m)) for m in element.markers)
    return f"{element.word};{markers};{pattern(element.numbers)}"


def is_described(part: Any) -> bool:
    """Whether a part's word says all about its formula: our class, and no code in any field."""
    if isinstance(part, (Marker, Axis, float, int, str)):
        return True
    if isinstance(part, tuple):
        return all(is_described(entry) for entry in part)
    if not dataclasses.is_dataclass(part):
        return not callable(part)
    fields = (getattr(part, name) for name in field_names(type(part)))
    return type(part).__module__.split(".")[0] == "kempe" and all(map(is_described, fields))


def read(measure: Any, X: Sequence[Pose], unwrap: Unwrap, reading: int) -> Any:
    """What a measure shows, traced, between two markers at X, its whole turns counted."""
    value = value_of(lambda: measure.value(X[0], X[1]), f"{type(measure).__name__}.value")
    return unwrap(value.angle, reading) if isinstance(value, Wrapped) else value


def _rows(formula: Any, wanted: int, joint: str, X: Sequence[Any]) -> list[Any]:
    who = f"{type(formula).__name__}.phi (joint {joint!r})"
    return rows_of(lambda: formula.phi(*X), wanted, who)


def _arcs(held: Held) -> list[float]:
    """By how much one radian moves what is held, of every angle in it."""
    pairs = zip(held.coefficients, held.measures, strict=True)
    return [c for c, measure in pairs if measure.unit == "rad"]


def rows_of(phi: Callable[[], Any], wanted: int, who: str) -> list[Any]:
    """The rows that a formula returns; a FormulaError where they are none, or too few or many."""
    with asking(who):
        rows = phi()
    if not isinstance(rows, (list, tuple)):
        raise FormulaError(
            f"{who} returned {type(rows).__name__} instead of a list of rows: return"
            " [row, row, ...]."
        )
    if len(rows) != wanted:
        raise FormulaError(
            f"{who} returned {len(rows)} rows, but its class declares {wanted}: correct `rows` or"
            " the formula.",
            rows=len(rows),
            declared=wanted,
        )
    for k, row in enumerate(rows):
        _refuse_other_than_a_number(row, f"{who} returned", f"as its row {k + 1}")
    return list(rows)


def value_of(formula: Callable[[], Any], who: str) -> Any:
    """The one value that a formula returns, or an angle known up to whole turns."""
    with asking(who):
        value = formula()
    if not isinstance(value, Wrapped):
        _refuse_other_than_a_number(value, f"{who} returned", "as its value")
    return value


def _refuse_other_than_a_number(value: Any, said: str, place: str) -> None:
    if not isinstance(value, SCALARS):
        shown = "None" if value is None else f"a {type(value).__name__}"
        raise FormulaError(f"{said} {shown} {place}: it must be one number.")


@contextmanager
def asking(who: str) -> Iterator[None]:
    """Name what goes wrong inside after the formula that is asked."""
    try:
        with about(who):
            yield
    except KempeError:
        raise
    except Exception as trouble:
        said = str(trouble).rstrip(".")
        raise FormulaError(f"{who} failed with {type(trouble).__name__}: {said}.") from trouble

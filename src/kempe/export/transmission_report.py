"""How well a motion is handed on, in words and as data: what `kempe transmission` says."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import KempeError, UnknownName
from kempe.export.summary import judged
from kempe.readings.registry import ratio_names, ratio_text

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]

RATIO_OF_FOUR_BAR = "d(rocker.angle)/d(crank.angle)"  # how one is written


@final
@dataclass(frozen=True, slots=True)
class Span:
    """The least and the largest of a quantity along a motion, and when they are met (s)."""

    name: str
    unit: str
    least: float | None  # None: it is finite nowhere
    least_at: float | None
    largest: float | None
    largest_at: float | None

    @classmethod
    def of(cls, name: str, unit: str, t: FloatArray, values: FloatArray) -> "Span":
        """Of samples, some of which may be infinite."""
        seen = np.isfinite(values)
        if not seen.any():
            return cls(name, unit, None, None, None, None)
        k, j = np.flatnonzero(seen)[[values[seen].argmin(), values[seen].argmax()]]
        return cls(name, unit, float(values[k]), float(t[k]), float(values[j]), float(t[j]))

    def __str__(self) -> str:
        if self.least is None:
            return f"{self.name}: none along this motion"
        unit = f" {self.unit}" if self.unit else ""
        ends = f"{self.least:.4g} (t = {self.least_at:.4g} s) to {self.largest:.4g}{unit}"
        return f"{self.name}: {ends} (t = {self.largest_at:.4g} s)"


@final
@dataclass(frozen=True, slots=True)
class Transmitted:
    """Transmission angle (deg), velocity ratios, condition number, way to the next dead point."""

    subject: str
    samples: int
    angle: Span | None
    why_no_angle: str
    ratios: tuple[Span, ...]
    condition: Span
    dead_point: Span | None

    def facts(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [f"{self.subject}: how well it transmits, over {self.samples} positions."]
        if self.angle is not None:
            verdict = judged(self.angle.least or 0.0, self.angle.largest or 0.0)
            lines.append(f"  {self.angle}, {verdict}")
        else:
            lines.append(f"  No transmission angle: {self.why_no_angle}")
        lines += [f"  {ratio}" for ratio in self.ratios]
        lines.append(f"  {self.condition}; 1 is best, infinite is a dead point")
        if self.dead_point is not None:
            lines.append(f"  {self.dead_point}")
        return "\n".join(lines)


def transmitted(
    trajectory: "Trajectory", output: str | None = None, ratios: Iterable[str] = ()
) -> Transmitted:
    """What can be said of a trajectory.

    `ratios` are names such as "d(rocker.angle)/d(crank.angle)".
    """
    transmission, t = trajectory.transmission, trajectory.t
    angle, why = None, ""
    try:
        found = transmission.angle(output)
        angle = Span.of(found.name, "deg", t, np.degrees(found.values))
    except KempeError as reason:
        if output is not None:
            raise
        why = str(reason)
    spans = []
    for text in ratios:
        _refuse_quotient(text)
        series = trajectory[text]
        spans.append(Span.of(text.strip(), series.unit, t, series.values))
    return Transmitted(
        trajectory.subject.name,
        len(trajectory),
        angle,
        why,
        tuple(spans),
        Span.of("condition number", "", t, transmission.condition().number),
        _dead_point(trajectory),
    )


def _refuse_quotient(text: str) -> None:
    """UnknownName where a text is no velocity ratio; a/b divides two values, as everywhere."""
    if not ratio_names(text):
        parts = [part.strip().strip("`") for part in text.split("/")]
        named = ratio_text(*parts) if len(parts) == 2 and all(parts) else RATIO_OF_FOUR_BAR
        raise UnknownName(
            f"{text!r} is no velocity ratio, it divides two values: a velocity ratio is called"
            f" {named!r}.",
            name=text,
        )


def _dead_point(trajectory: "Trajectory") -> Span | None:
    """How far one drive can still go; several would have to be asked together."""
    if len(trajectory.layout.model.drives) != 1:
        return None
    left = trajectory.transmission.dead_point_distance()
    name = "way to the next dead point, by the trend"
    return Span.of(name, left.unit, trajectory.t, left.values)

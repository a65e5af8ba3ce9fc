"""A motion in words: what turned how far, what it takes, how well it is handed on."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import KempeError, UnknownName, printable
from kempe.outcome import Outcome
from kempe.readings.channel import ForceChannel, PointChannel, ScalarChannel
from kempe.readings.part_readings import WORDS
from kempe.readings.registry import ratio_names, ratio_text
from kempe.readings.unit_choice import UnitChoice, unit_choice
from kempe.results import Energy

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]

MOST_MEASURES = 8
MOST_POINTS = 4
MOST_EVENTS = 12
STILL = 1e-9  # a share of a turn, or of the machine: what moves less stands still
ROUND = 0.999  # turns from which a part counts as going round
GOOD_ANGLES = (40.0, 140.0)  # degrees between which a transmission angle is called good


def summary(trajectory: "Trajectory", units: Iterable[str] = ()) -> str:
    """What a sweep found, in a few lines that need no other words of kempe."""
    subject, n = trajectory.subject, len(trajectory)
    if not n:
        return f"{printable(subject.name)}: there is no position.\n{trajectory.outcome}"
    choice = unit_choice(units, (subject.length_unit, "deg"))
    t = trajectory.t
    positions = f"{n} position{'s' * (n != 1)}"
    lines = [f"{printable(subject.name)}: {positions} from t = {t[0]:g} s to {t[-1]:g} s."]
    if n > 1:
        lines += _listed("Measures", list(_measures(trajectory, choice)), MOST_MEASURES)
        lines += _listed("Points", list(_points(trajectory, choice)), MOST_POINTS)
        lines += _listed("How well it transmits", list(_transmission(trajectory)), 1)
        lines += _listed("Forces", list(_forces(trajectory, choice)), MOST_MEASURES)
        if len(trajectory.motion.kinetic):
            lines += _listed("Energy", list(_energies(trajectory.energy)), MOST_MEASURES)
    if trajectory.redundant:
        joints = ", ".join(trajectory.redundant)
        verb = "repeats" if len(trajectory.redundant) == 1 else "repeat"
        lines.append(f"Redundant: {joints} {verb} what others say; it moves all the same.")
    lines += [f"It passed a {passed}." for passed in trajectory.passes[:MOST_MEASURES]]
    lines += _listed("Events", [str(event) for event in trajectory.events], MOST_EVENTS)
    lines += [f"Note: {note}." for note in trajectory.notes]
    lines.append(_ended(trajectory.outcome))
    return "\n".join(lines)


def _ended(outcome: Outcome) -> str:
    if not outcome.is_done:
        return f"It ended early. {outcome}"
    said = f" {outcome.message[:1].upper()}{outcome.message[1:]}" if outcome.message else ""
    return f"It went all the way.{said}"


def _listed(title: str, lines: list[str], most: int) -> list[str]:
    if not lines:
        return []
    rest = len(lines) - most
    more = [f"  ... and {rest} more"] if rest > 0 else []
    return [title, *(f"  {line}" for line in lines[:most]), *more]


def _measures(trajectory: "Trajectory", choice: UnitChoice) -> Iterator[str]:
    for name in trajectory.subject.shown:
        channel = trajectory[name]
        if isinstance(channel, ScalarChannel):
            yield f"{name} {_course(channel, trajectory.subject.size, choice)}"


def _course(channel: ScalarChannel, size: float, choice: UnitChoice) -> str:
    """How a measure changes: from here to there, to and fro, round, or not at all."""
    k, unit = choice.factor(channel.unit), choice.shown(channel.unit)
    values = channel.values[~np.isnan(channel.values)] * k
    if not len(values):
        return "has no direction"
    low, high, way = values.min(), values.max(), values[-1] - values[0]
    is_angle = channel.unit == "rad"
    if high - low <= STILL * k * (2.0 * np.pi if is_angle else size):
        return f"stands still at {_number(values[0])} {unit}"
    steps = np.diff(values)
    one_way = bool((steps >= 0.0).all() or (steps <= 0.0).all())
    if not one_way:
        verb = "swings" if is_angle else "moves to and fro"
        return f"{verb} between {_number(low)} and {_number(high)} {unit}"
    turns = abs(way) / (2.0 * np.pi * k)
    if is_angle and turns >= ROUND:
        times = "once" if abs(turns - 1.0) < 1.0 - ROUND else f"{turns:.4g} times"
        return f"goes round {times}, {'forwards' if way > 0 else 'backwards'}"
    ends = f"from {_number(values[0])} to {_number(values[-1])} {unit}"
    return f"{'turns' if is_angle else 'moves'} {ends}"


def _points(trajectory: "Trajectory", choice: UnitChoice) -> Iterator[str]:
    told: set[str] = set()
    for name in trajectory.subject.free_points:
        channel = trajectory[name]
        if isinstance(channel, PointChannel):
            path = float(np.linalg.norm(np.diff(channel.position, axis=0), axis=1).sum())
            speed = channel.speed.values
            when = int(speed.argmax())
            said = (
                f"runs along {_number(path * choice.factor('m'))} {choice.shown('m')}, at"
                f" most {_number(speed[when] * choice.factor('m/s'))} {choice.shown('m/s')} fast"
                f" (at t = {trajectory.t[when]:.4g} s)"
            )
            if said not in told:  # corners of a body that does not turn all say the same
                yield f"{name} {said}"
            told.add(said)


def _transmission(trajectory: "Trajectory") -> Iterator[str]:
    """The transmission angle, where the mechanism is at hand and has one loop to ask about."""
    try:
        angle = trajectory.transmission.angle()
    except KempeError:
        return
    degrees = np.degrees(angle.values)
    low, high = float(degrees.min()), float(degrees.max())
    yield f"{angle.name}: {_number(low)} to {_number(high)} deg ({judged(low, high)})"


def judged(low: float, high: float) -> str:
    """What is thought of transmission angles between two values (deg)."""
    if GOOD_ANGLES[0] <= low and high <= GOOD_ANGLES[1]:
        return "good"
    return f"rough: {GOOD_ANGLES[0]:g} to {GOOD_ANGLES[1]:g} is wanted"


def _forces(trajectory: "Trajectory", choice: UnitChoice) -> Iterator[str]:
    """The largest force in a joint, of what is determined; what drives need and forces exert."""
    joints = {joint.name for joint in trajectory.subject.joints}
    applied = {force.name for force in trajectory.subject.forces}
    largest: tuple[float, str, int] | None = None
    most: dict[str, list[str]] = {}
    for name in trajectory.names:
        part, _, word = name.rpartition(".")
        channel = trajectory[name] if word in WORDS else None
        if not isinstance(channel, ForceChannel):
            continue
        size = _determined_size(channel)
        when = int(size.argmax())
        if part in joints:
            if word == "force" and size[when] > (largest[0] if largest else 0.0):
                largest = (float(size[when]), part, when)
        elif word in ("effort", "power") or (part in applied and size[when] > 0.0):
            shown = f"{_number(size[when] * choice.factor(channel.unit))}"
            most.setdefault(part, []).append(f"{shown} {choice.shown(channel.unit)}")
    if largest is not None:
        size_, part, when = largest
        shown = f"{_number(size_ * choice.factor('N'))} {choice.shown('N')}"
        yield f"the largest in a joint is {shown}, in {part} at t = {trajectory.t[when]:.4g} s"
    for part, each in most.items():
        verb = "exerts" if part in applied else "needs"
        yield f"{part} {verb} at most {' and '.join(each)}"


def _energies(energy: Energy) -> Iterator[str]:
    """How much there is of every kind, and how well the balance holds."""
    size = max(float(np.abs(kind).max()) for kind in (energy.kinetic, energy.potential))
    yield f"kinetic: {_number(energy.kinetic.min())} to {_number(energy.kinetic.max())} J"
    if np.ptp(energy.potential) > STILL * size:
        low, high = energy.potential.min(), energy.potential.max()
        yield f"stored in gravity and springs: {_number(low)} to {_number(high)} J"
    taken = float(energy.dissipated[-1])
    if abs(taken) > STILL * size:
        yield f"{'taken' if taken > 0.0 else 'put in'} by forces: {_number(abs(taken))} J"
    if abs(energy.driven[-1]) > STILL * size:
        yield f"put in by drives: {_number(energy.driven[-1])} J"
    yield f"the balance of all is kept to {np.ptp(energy.total):.2g} J"


def _determined_size(channel: ForceChannel) -> FloatArray:
    if channel.values.ndim == 1:
        return np.abs(channel.values)
    size: FloatArray = np.linalg.norm(channel.values[:, list(channel.unique)], axis=1)
    return size


def _number(value: float) -> str:
    return f"{0.0 if abs(value) < 1e-12 else value:.4g}"


RATIO_OF_FOUR_BAR = "d(rocker.angle)/d(crank.angle)"  # how one is written


@final
@dataclass(frozen=True, slots=True)
class Extremes:
    """The least and the largest of a quantity along a motion, and when they are met (s)."""

    name: str
    unit: str
    least: float | None  # None: it is finite nowhere
    least_at: float | None
    largest: float | None
    largest_at: float | None

    @classmethod
    def of(cls, name: str, unit: str, t: FloatArray, values: FloatArray) -> "Extremes":
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
    angle: Extremes | None
    why_no_angle: str
    ratios: tuple[Extremes, ...]
    condition: Extremes
    dead_point: Extremes | None

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
        angle = Extremes.of(found.name, "deg", t, np.degrees(found.values))
    except KempeError as reason:
        if output is not None:
            raise
        why = str(reason)
    spans = []
    for text in ratios:
        _refuse_quotient(text)
        series = trajectory[text]
        spans.append(Extremes.of(text.strip(), series.unit, t, series.values))
    return Transmitted(
        trajectory.subject.name,
        len(trajectory),
        angle,
        why,
        tuple(spans),
        Extremes.of("condition number", "", t, transmission.condition().number),
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


def _dead_point(trajectory: "Trajectory") -> Extremes | None:
    """How far one drive can still go; several would have to be asked together."""
    if len(trajectory.layout.model.drives) != 1:
        return None
    left = trajectory.transmission.dead_point_distance()
    name = "way to the next dead point, by the trend"
    return Extremes.of(name, left.unit, trajectory.t, left.values)

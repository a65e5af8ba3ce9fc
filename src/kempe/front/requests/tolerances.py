"""What a tolerance analysis is asked for: deviations, clearances, readings, machines."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.batch.numbers import Reading
from kempe.errors import BadNumber, GradientError, KempeError, whole_number
from kempe.front.batch import Batch
from kempe.front.requests.batch import names_of, one_of, refuse_unknown_parameters
from kempe.front.requests.function_parameters import FunctionParameters
from kempe.front.requests.gradient import MadeBy
from kempe.front.requests.sweep import Over
from kempe.front.tolerances import Spread, Tolerances
from kempe.gradients.asking import Gradient
from kempe.gradients.build_map import BuildMap, numeric, value_of
from kempe.gradients.placing import placing_of
from kempe.gradients.reading_slopes import exact_parts, plain
from kempe.tolerances.deviations import SPREADS, Deviation, deviation
from kempe.tolerances.enclosure import Box, Encloser
from kempe.tolerances.play import Play, loosened, play_of
from kempe.units import quantity

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]

IN_SPACE: Final = "Bounds are proved of mechanisms in the plane; in space they are not."
NO_SUMS: Final = (
    "No bounds are proved: the model's numbers are no sums of multiples of {}, so that between two"
    " values they are not known."
)
UNBOUNDED: Final = "No bounds are proved: {} is drawn from a distribution without bounds."
TOO_WIDE: Final = (
    "Bounds of {} are proved at {} of {} samples: at the others the tolerances are too wide, or a"
    " singular position is too near. Narrower ones may be proved."
)
OTHERS: Final = "Of {} no bounds are proved and no machines are drawn: it is no point or measure."


@final
@dataclass(frozen=True, slots=True, eq=False)
class AskedTolerances:
    """The arguments of `Mechanism.tolerances`."""

    parameters: Mapping[str, Any]
    clearances: Mapping[str, float | str]
    of: Sequence[str]
    span: tuple[float | str | None, int, Over | None]
    draw: tuple[int, int]  # count, seed
    spread: str
    threads: int | None

    def of_mechanism(self, mechanism: "Mechanism") -> Tolerances:
        """What tolerances do to a mechanism."""
        names, deviations, plays = self._checked(mechanism)
        until, steps, over = self.span
        loose = _loose(mechanism, plays)
        run = loose.kinematics(until, steps, over=over)
        if not run.outcome.is_done:
            raise GradientError(
                f"as it is designed, the motion ends after {len(run.t)} samples:"
                f" {run.outcome.message} Ask for the part before.",
                outcome=run.outcome.name,
            )
        model = loose.model
        parts = exact_parts(model, names, is_simulated=False)
        plain_names = [n for n in names if n in parts and parts[n].channel == n]
        drawn = self._drawn(loose, deviations, plays, plain_names)
        by = [d.name for d in deviations] + [name for play in plays for name in play.names]
        proof, notes = _proved(loose, over, run, plain_names, deviations, plays)
        if others := [n for n in names if n not in plain_names]:
            notes.append(OTHERS.format(", ".join(map(repr, others))))
        spreads = {}
        for name in names:
            found = run.gradient(name, by)
            notes += [note for note in found.notes if note not in notes]
            told = proof.get(name)
            machines = drawn[name].values if drawn is not None and name in plain_names else None
            spreads[name] = _spread(found, run.t, deviations, plays, told, machines)
        ended = Counter(drawn.outcomes.tolist()) if drawn is not None else {}
        columns = self._columns(mechanism, drawn) if drawn is not None else {}
        return Tolerances(mechanism.name, run.t, spreads, columns, dict(ended), tuple(notes))

    def _checked(
        self, mechanism: "Mechanism"
    ) -> tuple[tuple[str, ...], list[Deviation], list[Play]]:
        names = names_of(self.of)
        one_of("spread", self.spread, SPREADS)
        count = whole_number("count", self.draw[0], 0)
        if count == 1:
            raise BadNumber(f"`count` is 0, or 2 and more machines, not {count!r}.")
        whole_number("seed", self.draw[1], 0)
        if not self.parameters and not self.clearances:
            raise BadNumber(
                "what is off? Give tolerances of parameters, {'crank': 0.05}, or `clearances` of"
                " joints, {'B': '0.1 mm'}."
            )
        if self.parameters:
            refuse_unknown_parameters(mechanism, self.parameters)
        known = mechanism.parameters
        deviations = []
        for name, given in self.parameters.items():
            value_of(name, known)
            unit = quantity(known[name]) if isinstance(known[name], str) else None
            deviations.append(deviation(name, given, self.spread, unit[1] if unit else None))
        plays = [play_of(mechanism.model, name, c) for name, c in self.clearances.items()]
        return names, deviations, plays

    def _drawn(
        self, loose: "Mechanism", deviations: Sequence[Deviation], plays: Sequence[Play],
        names: Sequence[str],
    ) -> Batch | None:  # fmt: skip
        """Machines with dimensions that were drawn, moved."""
        count, seed = self.draw
        if not count or not names:
            return None
        rng = np.random.default_rng(seed)
        known = loose.parameters
        columns = {d.name: value_of(d.name, known) + d.drawn(count, rng) for d in deviations}
        for play in plays:
            columns |= dict(zip(play.names, play.drawn(count, rng).T, strict=True))
        until, steps, over = self.span
        return loose.batch(columns, until, steps, over=over, outputs=names, threads=self.threads)

    def _columns(self, mechanism: "Mechanism", drawn: Batch) -> dict[str, FloatArray]:
        """Deviations of the machines that were drawn: parameters less their own value."""
        known = mechanism.parameters
        return {
            name: column - value_of(name, known) if name in known else column
            for name, column in drawn.parameters.items()
        }


@final
@dataclass(frozen=True, slots=True)
class _Loosening:
    """Makes a mechanism whose pins have play, for other parameters and places of pins."""

    mechanism: "Mechanism"
    plays: tuple[Play, ...]

    def __call__(self, **values: Any) -> "Mechanism":
        pins = {name: values.pop(name) for play in self.plays for name in play.names}
        numbers = set(numeric(values))
        moved = {name: value for name, value in values.items() if name in numbers}
        mechanism = self.mechanism.with_parameters(moved) if moved else self.mechanism
        model = loosened(mechanism.model, self.plays, pins)
        given = FunctionParameters(self, {**values, **pins})
        return type(mechanism)(model, self.mechanism.document, given)


def _loose(mechanism: "Mechanism", plays: Sequence[Play]) -> "Mechanism":
    """A mechanism like this one whose pins can be moved by parameters."""
    if not plays:
        return mechanism
    pins = {name: 0.0 for play in plays for name in play.names}
    return _Loosening(mechanism, tuple(plays))(**mechanism.parameters, **pins)


def _proved(
    loose: "Mechanism", over: Over | None, run: "Trajectory", names: Sequence[str],
    deviations: Sequence[Deviation], plays: Sequence[Play],
) -> tuple[dict[str, tuple[FloatArray, ...]], list[str]]:  # fmt: skip
    """Proved bounds of points and measures, and what there is to say of them."""
    if not names:
        return {}, []
    if not loose.model.plane:
        return {}, [IN_SPACE]
    for one in deviations:
        if not np.isfinite([one.low, one.high]).all():
            return {}, [UNBOUNDED.format(repr(one.name))]
    by = [d.name for d in deviations] + [name for play in plays for name in play.names]
    layout, motion = run.layout, run.motion
    build = BuildMap(MadeBy(loose, over).layout, loose.parameters, by)
    read = Reading(tuple(names), float(motion.t[0]))
    slopes = build.slopes(build.home, read)
    if slopes.bent:
        return {}, [NO_SUMS.format(", ".join(map(repr, slopes.bent)))]
    try:
        placing = placing_of(layout, motion, read, slopes)
        nominal = np.hstack([plain(run[name]).reshape(len(motion), -1) for name in names])
        found = Encloser(placing, slopes).enclosed(motion, nominal, _box(deviations, plays))
    except KempeError as refused:
        return {}, [f"No bounds are proved: {refused}"]
    notes = []
    if not found.is_proved.all():
        count, n = int(found.is_proved.sum()), len(motion)
        notes.append(TOO_WIDE.format(", ".join(map(repr, names)), count, n))
    bounds: dict[str, tuple[FloatArray, ...]] = {}
    for name in names:
        shape = plain(run[name]).shape
        place = placing.places[name]
        bounds[name] = tuple(x[:, place].reshape(shape) for x in (found.low, found.high))
    return bounds, notes


def _box(deviations: Sequence[Deviation], plays: Sequence[Play]) -> Box:
    """What all parameters may be off, those of pins last."""
    low, high = [d.low for d in deviations], [d.high for d in deviations]
    balls = []
    for play in plays:
        balls.append((tuple(range(len(low), len(low) + play.ways)), play.radius))
        low += [-play.radius] * play.ways
        high += [play.radius] * play.ways
    return Box(np.array(low), np.array(high), balls)


def _spread(
    found: Gradient, t: FloatArray, deviations: Sequence[Deviation], plays: Sequence[Play],
    bounds: tuple[FloatArray, ...] | None, machines: FloatArray | None,
) -> Spread:  # fmt: skip
    """What one reading may be off, by its gradient."""
    nothing = np.zeros(found.value.shape)
    shares: dict[str, FloatArray] = {}
    under, above, shift, variance = nothing, nothing, nothing, nothing
    for one in deviations:
        slope = found[one.name]
        with np.errstate(invalid="ignore"):  # of a distribution without bounds
            ends = [np.where(slope == 0.0, 0.0, slope * x) for x in (one.low, one.high)]
        under, above = under + np.minimum(*ends), above + np.maximum(*ends)
        shares[one.name] = np.maximum(*np.abs(ends))
        shift = shift + slope * one.mean
        variance = variance + (slope * one.sigma) ** 2
    for play in plays:
        squares = np.sum([found[name] ** 2 for name in play.names], axis=0)
        most = play.radius * np.sqrt(squares)
        under, above = under - most, above + most
        shares[f"play of {play.joint}"] = most
        variance = variance + play.radius**2 / play.ways * squares
    low, high = bounds if bounds is not None else (None, None)
    told = (under, above, shift, np.sqrt(variance), shares)
    return Spread(found.of, found.unit, t, found.value, *told, low, high, machines)

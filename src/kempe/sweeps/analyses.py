"""What a sweep asks of every variant: a motion, a place of rest, modes, assemblies, or your own.

An analysis sees a mechanism only through the questions that one can ask of it, and answers with a
table: a row for every variant, whatever became of it.
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.trace.part_names import gauges_by_name, points_by_name
from kempe.errors import BadNumber, KempeError
from kempe.sweeps.readings import Lane, Wanted, lane_of
from kempe.sweeps.table import DONE, RAISED, REFUSED, RESERVED, SweepTable, columns_of_rows

FloatArray = NDArray[np.float64]
Row = dict[str, Any]
Number = float | str
Over = tuple[str, Number, Number]

LONGEST: Final = 300  # characters of a message


class AbstractAnalysis(ABC):
    """One question, asked of every variant of a mechanism."""

    is_batched: bool = False  # many variants cost little more than a few
    width: int = 1  # numbers that are kept of a variant while it is computed, about

    @abstractmethod
    def one(self, mechanism: Any, rng: np.random.Generator) -> tuple[Row, str, str]:
        """What is found of a variant, how it ended in one word, and in a sentence."""

    def refuse(self, mechanism: Any) -> None:
        """A KempeError for what cannot be asked of this mechanism, before anything is computed."""
        return None

    def table(
        self, mechanism: Any, first: int, parameters: Mapping[str, FloatArray], seed: int
    ) -> SweepTable:
        """The rows of variants from number `first` on, with these parameters, one by one."""
        rows: list[Row] = []
        outcomes, messages = [], []
        for k in range(len(next(iter(parameters.values())))):
            values = {name: float(column[k]) for name, column in parameters.items()}
            rng = np.random.default_rng([seed, first + k])
            row, outcome, message = self._row(mechanism, values, rng)
            rows.append(row)
            outcomes.append(outcome)
            messages.append(_short(message))
        return SweepTable.of(first, parameters, columns_of_rows(rows), outcomes, messages)

    def _row(
        self, mechanism: Any, values: Mapping[str, float], rng: np.random.Generator
    ) -> tuple[Row, str, str]:
        try:
            made = mechanism.with_parameters(values)
        except KempeError as mistake:
            return {}, REFUSED, str(mistake)
        try:
            row, outcome, message = self.one(made, rng)
            for name, value in row.items():
                _refuse_column(name, value, values)
            return row, outcome, message
        except MemoryError:
            raise
        except KempeError as mistake:
            return {}, type(mistake).__name__, str(mistake)
        except Exception as trouble:
            return {}, RAISED, f"{type(trouble).__name__}: {trouble}"

    @property
    def facts(self) -> dict[str, Any]:
        """Itself as JSON: what a sweep that is resumed must have in common with the one before."""
        own: Any = self
        plain = {f.name: getattr(own, f.name) for f in fields(own)} if is_dataclass(own) else {}
        return {"analysis": type(self).__name__.lower()} | {n: _plain(x) for n, x in plain.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _plain(x) for k, x in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(x) for x in value]
    return value if value is None or isinstance(value, (str, int, float)) else repr(value)


def _short(message: str) -> str:
    text = " ".join(message.split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _wanted(read: Sequence[str], *, or_more: bool) -> tuple[Wanted, ...]:
    texts = (read,) if isinstance(read, str) else tuple(dict.fromkeys(read))
    if not texts and or_more:
        raise BadNumber("what is to be read? Give `read`, such as ['max(rocker.angle)'].")
    found = tuple(Wanted.of(text) for text in texts)
    for one in found:
        if one.text in RESERVED:
            raise BadNumber(f"{one.text!r} is a column that every sweep has: read another name.")
    return found


@dataclass(frozen=True)
class AbstractMotion(AbstractAnalysis):
    """Motions, of which curves or numbers are read."""

    read: Sequence[str]

    def __post_init__(self) -> None:
        _ = self.wanted

    @cached_property
    def wanted(self) -> tuple[Wanted, ...]:
        """The columns that are asked for."""
        return _wanted(self.read, or_more=True)

    @abstractmethod
    def trajectory(self, mechanism: Any) -> Any:
        """The motion of a variant."""

    def one(self, mechanism: Any, rng: np.random.Generator) -> tuple[Row, str, str]:
        found = self.trajectory(mechanism)
        outcome = found.outcome
        row: Row = {
            one.text: one.read(found)
            for one in self.wanted
            if (outcome.is_done or not one.reduction) and len(found)
        }
        return row, outcome.name, "" if outcome.is_done else str(outcome)


@final
@dataclass(frozen=True)
class Kinematics(AbstractMotion):
    """The motion as the drives turn; `until`, `steps` and `over` are as for `Mechanism.kinematics`.

    `read` are columns of a trajectory, such as "rocker.angle" or "coupler.P.speed", each a curve of
    all samples, or a number of it: "max(rocker.angle)", and so min, mean, range, rms, std, first
    and last. Where all are points and measures, variants are swept in SIMD lanes, as by
    `Mechanism.batch`, on the branch of the mechanism itself; else one by one.
    """

    until: Number | None = None
    steps: int = 360
    over: Over | None = None

    is_batched = True

    @property
    def width(self) -> int:  # type: ignore[override]
        """Numbers of a variant: all samples of points in space, values and derivatives."""
        return 10 * len(self.wanted) * (self.steps + 1)

    def trajectory(self, mechanism: Any) -> Any:
        return mechanism.kinematics(until=self.until, steps=self.steps, over=self.over)

    def refuse(self, mechanism: Any) -> None:
        seen = replace(self, steps=1).trajectory(mechanism)
        if len(seen) and self._lanes(mechanism) is None:
            for one in self.wanted:
                one.read(seen)

    def table(
        self, mechanism: Any, first: int, parameters: Mapping[str, FloatArray], seed: int
    ) -> SweepTable:
        lanes = self._lanes(mechanism)
        if lanes is None:
            return super().table(mechanism, first, parameters, seed)
        batch = mechanism.batch(
            parameters,
            self.until,
            self.steps,
            outputs=list(dict.fromkeys(lane.base for lane in lanes)),
            over=self.over,
            derivatives=max(lane.order for lane in lanes),
            threads=1,
        )
        is_done = batch.is_done
        found: dict[str, FloatArray] = {}
        for one, lane in zip(self.wanted, lanes, strict=True):
            values = one.of_curves(lane.curves(batch))
            if one.reduction:
                values = np.where(is_done, values, np.nan)
            found[one.text] = np.ascontiguousarray(values)
        messages = [""] * len(is_done)
        for k in np.flatnonzero(~is_done).tolist():
            messages[k] = _short(batch.why(k).partition(": ")[2])
        return SweepTable.of(first, parameters, found, batch.outcomes.tolist(), messages)

    def _lanes(self, mechanism: Any) -> list[Lane] | None:
        """How a batch tells all that is wanted; None where it does not."""
        model = mechanism.model
        points, measures = frozenset(points_by_name(model)), frozenset(gauges_by_name(model))
        dims = 2 if model.plane else 3
        found = [lane_of(one.name, points, measures, dims) for one in self.wanted]
        lanes = [lane for lane in found if lane is not None]
        return lanes if len(lanes) == len(found) else None


@final
@dataclass(frozen=True)
class Simulation(AbstractMotion):
    """The motion by its forces until a time; `method` and `tolerance` as `Mechanism.simulate`'s.

    `read` as for `Kinematics`, and whatever else a simulation tells, such as "energy.total".
    """

    until: Number
    steps: int = 360
    method: str = "auto"
    tolerance: float = 1e-8

    def trajectory(self, mechanism: Any) -> Any:
        return mechanism.simulate(
            self.until, self.steps, method=self.method, tolerance=self.tolerance
        )


@final
@dataclass(frozen=True)
class Statics(AbstractAnalysis):
    """Where it rests: `read` there, and "stable"; `seek` as `Mechanism.statics` has it."""

    read: Sequence[str] = ()
    seek: str = "stable"

    def __post_init__(self) -> None:
        _wanted(self.read, or_more=False)

    def one(self, mechanism: Any, rng: np.random.Generator) -> tuple[Row, str, str]:
        rest = mechanism.statics(seek=self.seek)
        outcome = rest.outcome
        if not outcome.is_done:
            return {}, outcome.name, str(outcome)
        row: Row = {}
        for one in _wanted(self.read, or_more=False):
            value = np.asarray(rest[one.name], dtype=np.float64)
            if value.ndim:
                for axis, number in zip("xyz", value.reshape(-1), strict=False):
                    row[f"{one.text}.{axis}"] = float(number)
            else:
                row[one.text] = float(value)
        return row | {"stable": "" if rest.stable is None else str(rest.stable)}, DONE, ""


@final
@dataclass(frozen=True)
class Modes(AbstractAnalysis):
    """How it swings about where it rests: the first `count` frequencies, Hz, from the lowest on."""

    count: int = 3

    def one(self, mechanism: Any, rng: np.random.Generator) -> tuple[Row, str, str]:
        tones = np.sort(mechanism.linearize().frequencies)[: self.count]
        return {f"frequency.{k}": float(f) for k, f in enumerate(tones, 1)}, DONE, ""


@final
@dataclass(frozen=True)
class Assemblies(AbstractAnalysis):
    """In how many ways it goes together while measures are `held`, and what is promised of that.

    `held` and `limits` are those of `Mechanism.assemblies`; columns "count" and "promise".
    """

    held: Mapping[str, Number] | None = None
    limits: Mapping[str, tuple[Number, Number]] | None = None

    def one(self, mechanism: Any, rng: np.random.Generator) -> tuple[Row, str, str]:
        found = mechanism.assemblies(self.held, limits=self.limits)
        return {"count": len(found), "promise": str(found.outcome)}, DONE, ""


def _refuse_column(name: Any, value: Any, parameters: Mapping[str, float]) -> None:
    """A BadNumber where no column can have that name, or hold that value."""
    if not isinstance(name, str):
        raise BadNumber(f"{name!r} is no name of a column: a text is wanted.")
    if name in RESERVED:
        raise BadNumber(f"the function gives {name!r}, a column that every sweep has.")
    if name in parameters:
        raise BadNumber(f"the function gives {name!r}, a parameter that is swept over.")
    if value is None or isinstance(value, str):
        return
    try:
        known = np.asarray(value)
    except ValueError:  # rows of several lengths
        known = np.empty(0, dtype=object)
    if known.dtype.kind not in "biuf" or known.ndim > 1:
        what = f"{known.ndim}-dimensional" if known.dtype.kind in "biuf" else "no number"
        raise BadNumber(
            f"{name!r} is {value!r:.60}, which is {what}: a column holds numbers, texts or curves"
            " (one array of numbers for each variant)."
        )


@final
@dataclass(frozen=True)
class Function(AbstractAnalysis):
    """A function of yours: `call(mechanism)` gives a number, or a mapping of columns.

    Where it has a second argument it is given a generator of random numbers that depends on the
    seed of the sweep and the number of the variant alone.
    """

    call: Callable[..., Any]

    def one(self, mechanism: Any, rng: np.random.Generator) -> tuple[Row, str, str]:
        found = self.call(mechanism, rng) if self._takes_rng else self.call(mechanism)
        row = dict(found) if isinstance(found, Mapping) else {"value": found}
        return row, DONE, ""

    @cached_property
    def _takes_rng(self) -> bool:
        try:
            taken = inspect.signature(self.call).parameters.values()
        except (TypeError, ValueError):
            return False
        needed = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        return sum(one.kind in needed and one.default is one.empty for one in taken) > 1

    @property
    def facts(self) -> dict[str, Any]:
        """The name of the function: its text is not looked at."""
        name = getattr(self.call, "__qualname__", type(self.call).__qualname__)
        return {"analysis": "function", "call": f"{getattr(self.call, '__module__', '')}.{name}"}

"""What a batch is asked for: parameters of variants as columns, and what is read of them."""

import re
from collections.abc import Iterator, Mapping, Sequence, Sized
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.batch.asking import Ask, places_of
from kempe.batch.devices import CPU, DEVICES
from kempe.batch.lanes import usable_cores
from kempe.batch.numbers import Reading
from kempe.batch.summary import ROWS
from kempe.batch.sweeps import all_swept
from kempe.batch.variants import Build, variants
from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name
from kempe.errors import BadNumber, UnknownName, nearest_name, whole_number
from kempe.front.batch import Batch, BatchReading
from kempe.front.parts import by_name
from kempe.front.requests.batch_columns import (
    ALONE,
    columns_told,
    parted,
    readings_of,
    with_columns,
)
from kempe.front.requests.every_assembly import searchable
from kempe.front.requests.sweep import Over, asked_for, sample_times
from kempe.geometry import Marker
from kempe.names import names_in
from kempe.results.memory import memory
from kempe.results.state import State
from kempe.units import quantity

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism

FloatArray = NDArray[np.float64]
Span = tuple[float | str | None, int, Over | None]  # until, steps, over
Limits = tuple[int, int | None, float | str | None]  # derivatives, threads, memory
Where = tuple[str, str]  # device, keep
KINDS = ("samples", "summary")
FEW = 100  # variants that are built by themselves without a word
ONE_BY_ONE = (
    "{:,} variants were built one by one, which takes a few milliseconds each: their numbers are no"
    " sums of multiples of the parameters, or what builds them decides by more than comparisons of"
    " sums."
)
IN_PARTS = "The memory of the graphics card held a part of the variants at a time: {} parts."
# Words of formulas in files that decide by their arguments
DECIDING = re.compile(r"\b(abs|min|max|sign|step|floor|ceil|round|mod|if|else)\b|[<>%]")


def batch_of(
    mechanism: "Mechanism",
    parameters: Mapping[str, Any],
    outputs: Sequence[str],
    span: Span,
    draw: tuple[int | None, int],
    limits: Limits,
    where: Where = (CPU, KINDS[0]),
) -> Batch:
    """The batch that `Mechanism.batch` is asked for."""
    until, steps, over = span
    columns = columns_of(mechanism, parameters, Draw(*draw))
    home, end = asked_for(mechanism.model, until, over)

    def build(values: Mapping[str, float]) -> Layout:
        model = mechanism.with_parameters(values).model
        return Layout(asked_for(model, until, over)[0])

    moved = Moved(searchable(home), build, sample_times(end, steps))
    return swept_batch(mechanism, columns, moved, outputs, limits, where)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """What a batch moves: the mechanism itself, its variants, and at which times (s).

    Of the columns that `build` takes, `parameters` are those that a variant is made of; all if
    None. With `has_starts` it is kept where each is at the first time.
    """

    home: Layout
    build: Build
    times: FloatArray
    parameters: Sequence[str] | None = None
    has_starts: bool = False


def swept_batch(
    mechanism: "Mechanism",
    columns: Mapping[str, FloatArray],
    moved: Moved,
    outputs: Sequence[str],
    limits: Limits,
    where: Where,
) -> Batch:
    """The batch of variants with these columns."""
    layout, build, times = moved.home, moved.build, moved.times
    names = names_of(outputs)
    quick, others = parted(layout, names)
    told_alone = columns_told(layout, others, float(times[0]))
    if others and not quick:  # lanes say how variants end by something that is there anyway
        quick = (next(iter(gauges_by_name(layout.model))),)
    has_starts = bool(others) or moved.has_starts
    ask = _ask(quick, times, limits, where, has_starts=has_starts)
    readings = ask.read.found(layout)
    places = places_of(readings, plane=layout.model.plane)
    count = len(next(iter(columns.values())))
    rows = ROWS if ask.is_summary else len(ask.times)
    scalars = places[-1].stop + sum(one.width for one in told_alone)
    numbers = ask.orders * scalars * rows * count
    refuse_more_than_memory(numbers, count, in_bytes(limits[2]))
    found = variants(build, columns, ask.read, is_smooth=is_smooth(mechanism))
    done = all_swept(layout, build, found, ask)
    units = ["m" if isinstance(one, Marker) else one.unit for one in readings]
    told = {
        name: BatchReading(place, unit, isinstance(one, Marker), ask.orders)
        for name, place, unit, one in zip(ask.read.names, places, units, readings, strict=True)
    }
    notes = [ONE_BY_ONE.format(found.built)] if found.built > FEW else []
    if told_alone:
        done = with_columns(done, told_alone, build, found, ask)
        told |= readings_of(told_alone, places[-1].stop)
        told = {name: told[name] for name in names}
        notes.append(ALONE.format(", ".join(map(repr, others))))
    if done.parts > 1:
        notes.append(IN_PARTS.format(done.parts))
    own = columns if moved.parameters is None else moved.parameters
    made_of = {name: columns[name] for name in own}
    starts = done.starts

    def begun(k: int) -> State:
        assert starts is not None
        return State(0.0, starts[k])

    return Batch(
        mechanism, made_of, ask.times, told, done, notes, begun if moved.has_starts else None
    )


def is_smooth(mechanism: "Mechanism") -> bool:
    """Whether nothing in a file decides by its parameters; what a function does is watched."""
    document = mechanism.document
    return document is None or not any(DECIDING.search(text) for text in _texts(document.data))


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _texts(value)
    elif isinstance(data, (list, tuple)):
        for value in data:
            yield from _texts(value)


def _ask(
    names: tuple[str, ...], times: FloatArray, limits: Limits, where: Where, *, has_starts: bool
) -> Ask:
    device, keep = where
    one_of("device", device, DEVICES)
    one_of("keep", keep, KINDS)
    read = Reading(names, float(times[0]))
    return Ask(times, read, *orders_and_threads(limits), device, keep == KINDS[1], has_starts)


def names_of(outputs: Sequence[str]) -> tuple[str, ...]:
    """What is read, each name once; a BadNumber where there is none."""
    names = tuple(dict.fromkeys(names_in(outputs)))
    if not names:
        raise BadNumber("what is to be read? Give `outputs`, such as ['coupler.P'].")
    return names


def orders_and_threads(limits: Limits) -> tuple[int, int]:
    """How many of value, rate and acceleration are read, and by how many threads."""
    derivatives, threads, _ = limits
    if isinstance(derivatives, bool) or derivatives not in (0, 1, 2):
        raise BadNumber(f"`derivatives` is 0, 1 or 2, not {derivatives!r}.")
    if threads is not None and (isinstance(threads, bool) or threads < 1):
        raise BadNumber(f"`threads` is 1 or more, not {threads!r}.")
    return 1 + derivatives, usable_cores() if threads is None else threads


def one_of(what: str, given: str, known: Sequence[str]) -> None:
    """An UnknownName where the argument called `what` is none of the known words."""
    if given not in known:
        words = " or ".join(repr(name) for name in known)
        raise UnknownName(f"`{what}` is {words}, not {given!r}.{nearest_name(given, known)}")


UNITS = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def in_bytes(given: float | str | None) -> float | None:
    """How many bytes a limit means."""
    if given is None:
        return None
    most: object = given
    if isinstance(given, str):
        parts = given.split()
        if len(parts) == 2 and parts[1] in UNITS:
            with suppress(ValueError):
                most = float(parts[0]) * UNITS[parts[1]]
    if isinstance(most, bool) or not isinstance(most, (int, float)) or not most > 0:
        raise BadNumber(
            f"`memory` is a number of bytes above 0, or a text such as '2 GB', not {given!r}."
        )
    return most


@final
@dataclass(frozen=True, slots=True)
class Draw:
    """How columns are made of distributions: so many variants, from this beginning."""

    count: int | None
    seed: int


def columns_of(
    mechanism: "Mechanism", parameters: Mapping[str, Any], draw: Draw
) -> dict[str, FloatArray]:
    """Columns of equal length; a BadNumber or an UnknownName where they are none.

    A value is an array (n,), one number for all, or a distribution with a method
    `rvs(size=, random_state=)`, as those of scipy.stats.
    """
    if not parameters:
        raise BadNumber("a batch needs parameters that vary: {'crank': array, ...}.")
    refuse_unknown_parameters(mechanism, by_name(parameters, "a batch", "array"))
    count = _count(parameters, draw)
    rng = np.random.default_rng(whole_number("seed", draw.seed, 0))
    return {name: _column(name, value, count, rng) for name, value in parameters.items()}


def refuse_unknown_parameters(mechanism: "Mechanism", parameters: Mapping[str, Any]) -> None:
    """An UnknownName for a parameter that the mechanism does not have."""
    known = mechanism.parameters
    for name in parameters:
        if name not in known:
            if not known:
                raise UnknownName(
                    f"{mechanism.name!r} has no parameters: load it from a file that names some, or"
                    " build it in a function marked `kempe.parametric`.",
                    name=name,
                )
            message = f"there is no parameter {name!r}.{nearest_name(name, known)}"
            raise UnknownName(message, name=name)


def columns_beside(
    parameters: Mapping[str, Any], start: Mapping[str, Any], draw: Draw
) -> tuple[dict[str, FloatArray], dict[str, FloatArray]]:
    """Columns of parameters and of what runs start with, all equally long."""
    both = {**parameters, **start}
    count = _count(both, draw)
    rng = np.random.default_rng(whole_number("seed", draw.seed, 0))
    made = {name: _column(name, value, count, rng) for name, value in both.items()}
    return {name: made[name] for name in parameters}, {name: made[name] for name in start}


def _is_column(value: object) -> bool:
    """Whether it has one value a variant: a list, an array, a series; not a number or a text."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sized) and not isinstance(value, str)


def _count(parameters: Mapping[str, Any], draw: Draw) -> int:
    lengths = {
        name: len(value)
        for name, value in parameters.items()
        if not hasattr(value, "rvs") and _is_column(value)
    }
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name}: {n}" for name, n in lengths.items())
        raise BadNumber(f"columns of parameters must be equally long; they are {told}.")
    given = next(iter(lengths.values()), None)
    if given is None and draw.count is None:
        raise BadNumber("how many variants? Give an array, or `count` with distributions.")
    if given is not None and draw.count is not None and given != draw.count:
        raise BadNumber(f"`count` is {draw.count}, but the columns have {given} variants.")
    found = draw.count if given is None else given
    if isinstance(found, bool) or not isinstance(found, (int, np.integer)) or found < 1:
        raise BadNumber(f"a batch needs 1 variant or more, not {found!r}.")
    return int(found)


def _column(name: str, value: Any, count: int, rng: np.random.Generator) -> FloatArray:
    if hasattr(value, "rvs"):
        value = value.rvs(size=count, random_state=rng)
    if isinstance(value, str) and quantity(value) is not None:
        raise BadNumber(
            f"parameter {name!r} is the text {value!r}: give numbers, in the unit that the"
            " parameter has.",
            name=name,
        )
    try:
        column = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):  # whole numbers may be beyond every double
        raise BadNumber(f"parameter {name!r} is no column of numbers.", name=name) from None
    if column.ndim > 1:
        shape = " x ".join(map(str, column.shape))
        raise BadNumber(f"parameter {name!r} is an array of {shape}: give one column.", name=name)
    if not np.isfinite(column).all():
        where = np.flatnonzero(~np.isfinite(np.atleast_1d(column)))
        raise BadNumber(
            f"parameter {name!r} is not finite in {len(where)} of {count} variants, first in number"
            f" {where[0]}.",
            name=name,
        )
    return np.array(np.broadcast_to(column, (count,)))


def refuse_more_than_memory(numbers: int, variants: int, limit: float | None) -> None:
    """A BadNumber where what is read would fill more than the limit, or half of the machine."""
    needed = 8 * numbers
    room = memory()
    most = limit if limit is not None else (room / 2 if room is not None else None)
    if most is not None and needed > most:
        fit = max(1, int(most / needed * variants))
        raise BadNumber(
            f"what is read of {variants:,} variants takes {needed / 2**30:.3g} GiB, and"
            f" {most / 2**30:.3g} GiB are allowed: give a `folder` to keep it in, ask for {fit:,}"
            " variants at a time, for fewer steps, fewer outputs or fewer derivatives.",
            variants=variants,
            most=fit,
        )

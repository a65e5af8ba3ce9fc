"""What a batch reads besides points and measures: forces, efforts, angles of transmission.

Variants are swept in lanes first, which says how each ends and where it starts. What lanes do not
tell is then read variant by variant, of a sweep from that start, as a trajectory tells it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.batch.alone import from_start
from kempe.batch.asking import NOT_REACHED, WORDS, Ask, Swept
from kempe.batch.summary import as_means, summary_of
from kempe.batch.variants import Variants
from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name, points_by_name
from kempe.errors import KempeError
from kempe.front.batch import BatchReading
from kempe.front.trajectory import Trajectory
from kempe.gradients.reading_slopes import plain
from kempe.interruption import put_off
from kempe.kinematics.sweep.sweep import sweep
from kempe.outcome import Ending

FloatArray = NDArray[np.float64]

ALONE: Final = (
    "{} was read variant by variant, at some milliseconds each; points and measures are read in"
    " lanes."
)
ELSEWHERE: Final = "swept by itself it ends after {} of {} samples, so that nothing more is read."


@final
@dataclass(frozen=True, slots=True)
class Column:
    """A name, how many numbers it has at a sample, and its unit in SI."""

    name: str
    width: int
    unit: str


def parted(layout: Layout, names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names that lanes read, and others."""
    known = points_by_name(layout.model).keys() | gauges_by_name(layout.model).keys()
    return tuple(n for n in names if n in known), tuple(n for n in names if n not in known)


def columns_told(layout: Layout, names: Sequence[str], t: float) -> list[Column]:
    """What these names are, of the mechanism itself; an UnknownName where one means nothing."""
    if not names:
        return []
    first = Trajectory(layout, sweep(layout, np.array([t]), ways_on=False))
    found = []
    for name in names:
        channel = first[name]
        width = int(np.prod(plain(channel).shape[1:], dtype=int))
        found.append(Column(name, width, str(getattr(channel, "unit", "m"))))
    return found


def with_columns(
    done: Swept,
    columns: Sequence[Column],
    build: Callable[[Mapping[str, float]], Layout],
    variants: Variants,
    ask: Ask,
) -> Swept:
    """What lanes found, and the columns of all variants that came to the end, beside it."""
    orders, _, rows, count = done.values.shape
    width = sum(one.width for one in columns)
    more = np.full((orders, width, rows, count), np.nan)
    endings, samples, reasons = done.endings.copy(), done.samples.copy(), dict(done.reasons)
    try:
        for k in np.flatnonzero(endings == WORDS.index(Ending.DONE.value)).tolist():
            start = None if done.starts is None else done.starts[k]
            try:
                layout = build(variants.parameters(k))
                motion = from_start(layout, ask.times, start)
                if len(motion) < len(ask.times):
                    raise KempeError(ELSEWHERE.format(len(motion), len(ask.times)))
                read = Trajectory(layout, motion)
                told = [plain(read[one.name]).reshape(len(motion), -1).T for one in columns]
                values = np.vstack(told)[None]
            except KempeError as mistake:
                endings[k], samples[k], reasons[k] = WORDS.index(NOT_REACHED), 0, str(mistake)
                continue
            if done.is_summary:
                values = summary_of(values)
                as_means(values, len(ask.times))
            more[0, :, :, k] = values[0]
    except KeyboardInterrupt as stop:
        put_off(stop)
    lost = endings != done.endings
    both = np.concatenate([done.values, more], axis=1)
    both[..., lost] = np.nan
    return replace(done, values=both, endings=endings, samples=samples, reasons=reasons)


def readings_of(columns: Sequence[Column], first: int) -> dict[str, BatchReading]:
    """Where the columns stand, from scalar number `first` on."""
    found = {}
    for one in columns:
        place = slice(first, first + one.width)
        found[one.name] = BatchReading(place, one.unit, one.width > 1, 1)
        first += one.width
    return found

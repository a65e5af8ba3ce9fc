"""What is computed of every variant, and what comes of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.batch.numbers import Reading
from kempe.compile.small.reading_tape import Read
from kempe.geometry import Marker
from kempe.outcome import Ending

FloatArray = NDArray[np.float64]

NOT_REACHED, REFUSED = "NotReached", "Refused"
WORDS: Final = (*(e.value for e in Ending), NOT_REACHED, REFUSED)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """What is computed of every variant: at these times, so many orders of what is read."""

    times: FloatArray
    read: Reading
    orders: int  # 1: values, 2: and rates, 3: and accelerations
    threads: int
    device: str = "cpu"  # or "gpu", or "emulated": the text for cards, run here
    is_summary: bool = False  # whether least, largest, mean and last are kept in place of samples
    has_starts: bool = False  # whether is kept where every variant starts


@final
@dataclass(frozen=True, slots=True, eq=False)
class Swept:
    """What all variants do: `values` (orders, scalars, samples, variants), NaN after they ended.

    Of a summary the third index is least, largest, mean and last, NaN of what has not come to the
    end; `device_seconds` is what a graphics card took for it, `parts` in how many parts. `starts`
    (variants, n_q) are the configurations that variants start from, NaN where none is known; None
    where they were not asked for.
    """

    values: FloatArray
    samples: NDArray[np.int64]  # (variants,): that each has passed
    endings: NDArray[np.int8]  # (variants,): which of WORDS
    reasons: dict[int, str]  # in words, where more is known
    is_summary: bool = False
    device_seconds: float = 0.0
    parts: int = 1
    starts: FloatArray | None = None


def places_of(readings: Sequence[Read], *, plane: bool) -> list[slice]:
    """Which scalars belong to each reading: two or three of a point, one of a measure."""
    found, first = [], 0
    for one in readings:
        size = (2 if plane else 3) if isinstance(one, Marker) else 1
        found.append(slice(first, first + size))
        first += size
    return found

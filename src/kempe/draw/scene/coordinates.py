"""Points and samples as they come in, checked once and made plain."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Vector = Sequence[float] | FloatArray  # (2,) in the plane, or (3,)
Triple = tuple[float, float, float]

SIGNIFICANT_DIGITS = 7  # a tenth of a micrometre on a metre: finer than any screen


def triple(value: Vector, what: str) -> Triple:
    """A point (x, y) or (x, y, z) as three finite floats; z is 0 where it is not given."""
    numbers = np.asarray(value, dtype=float)
    if numbers.shape not in ((2,), (3,)):
        raise ValueError(f"{what} must be (x, y) or (x, y, z), not an array of {numbers.shape}.")
    if not np.isfinite(numbers).all():
        raise ValueError(f"{what} is {tuple(numbers.tolist())}: every coordinate must be finite.")
    x, y, *z = numbers.tolist()
    return (x, y, z[0] if z else 0.0)


def triples(values: Iterable[Vector], what: str, at_least: int) -> tuple[Triple, ...]:
    """A row of points, of which there must be enough to draw."""
    points = tuple(triple(value, f"{what}, point {k},") for k, value in enumerate(values))
    if len(points) < at_least:
        raise ValueError(f"{what} needs at least {at_least} points; there are {len(points)}.")
    return points


def samples(values: object, what: str) -> FloatArray:
    """Numbers over time as a read-only float array, refused where one is not finite."""
    numbers = np.array(values, dtype=float)
    finite = np.isfinite(numbers)
    if not finite.all():
        where = int(np.argwhere(~finite)[0][0]) if numbers.ndim else 0
        count = int((~finite).sum())
        raise ValueError(
            f"{what}: {count} of {numbers.size} numbers are not finite, "
            f"the first at sample {where}. Cut the motion there, or leave this part out."
        )
    numbers.setflags(write=False)
    return numbers


def rounded(value: float, digits: int = SIGNIFICANT_DIGITS) -> float | int:
    """A number with so many significant digits, spelled as briefly as JSON allows."""
    if value == 0.0:
        return 0
    short = round(float(value), digits - 1 - math.floor(math.log10(abs(value))))
    return int(short) if short.is_integer() and abs(short) < 1e15 else short


def rounded_all(values: Iterable[float], zero: float = 0.0) -> list[float | int]:
    """Numbers with seven significant digits; those smaller than ``zero`` become 0."""
    return [0 if abs(value) < zero else rounded(value) for value in values]

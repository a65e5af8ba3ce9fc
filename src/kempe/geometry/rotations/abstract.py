"""What every way of writing rotations as arrays of numbers has in common."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber
from kempe.geometry.number import Floats, floats


class AbstractRepresentation(ABC):
    """A way to write rotations as numbers: to unit quaternions (scalar first) and back.

    Any number of rotations stand in one array, whose last axes have the `shape` of one rotation.
    """

    shape: ClassVar[tuple[int, ...]]  # of one rotation

    @abstractmethod
    def quaternions(self, numbers: ArrayLike) -> Floats:
        """Unit quaternions (..., 4), scalar first, of rotations written this way."""

    @abstractmethod
    def of_quaternions(self, q: Floats) -> Floats:
        """Rotations given by unit quaternions (..., 4), scalar first, written this way."""


def rows_of(
    numbers: ArrayLike, shape: tuple[int, ...], what: str
) -> tuple[Floats, tuple[int, ...]]:
    """The numbers as contiguous rows, one per rotation, and the shape of what they are many of."""
    try:
        array = np.ascontiguousarray(numbers, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        array = floats(numbers, what)
    if array.ndim < len(shape) or array.shape[array.ndim - len(shape) :] != shape:
        wanted = ", ".join(str(n) for n in shape)
        raise BadNumber(
            f"{what} has the shape (..., {wanted}), this array has {np.shape(numbers)}.",
            shape=np.shape(numbers),
        )
    lead = array.shape[: array.ndim - len(shape)]
    return array.reshape(-1, math.prod(shape)), lead


def quaternions_by(
    kernel: Callable[[Floats, Floats], int],
    numbers: ArrayLike,
    shape: tuple[int, ...],
    what: str,
    advice: Callable[[Floats], str],
) -> Floats:
    """Unit quaternions of rows, or a mistake that names the first row that is no rotation."""
    rows, lead = rows_of(numbers, shape, what)
    q = np.empty((len(rows), 4))
    bad = kernel(rows, q)
    if bad >= 0:
        where = f" number {bad} of {len(rows)}" if lead else ""
        raise BadNumber(
            f"{what}{where} is no rotation: {rows[bad].tolist()}. {advice(rows[bad])}",
            row=bad,
            numbers=rows[bad].tolist(),
        )
    return q.reshape(*lead, 4)


def written_by(
    kernel: Callable[[Floats, Floats], object], q: Floats, shape: tuple[int, ...]
) -> Floats:
    """What the kernel makes of unit quaternions, one rotation of that shape for each."""
    rows, lead = rows_of(q, (4,), "a quaternion")
    out = np.empty((len(rows), math.prod(shape)))
    kernel(rows, out)
    return out.reshape(*lead, *shape)


@final
class Kernels(NamedTuple):
    """The two functions of the core that read and write one way of writing rotations."""

    read: Callable[[Floats, Floats], int]  # fills the quaternions; the first bad row, or -1
    write: Callable[[Floats, Floats], object]  # fills the numbers of given quaternions


class AbstractKernelRepresentation(AbstractRepresentation):
    """A way to write rotations that one kernel of the core reads and another writes."""

    kernels: ClassVar[Kernels]
    called: ClassVar[str]  # one of it, in a message
    advice: ClassVar[str]  # what its numbers must be

    def quaternions(self, numbers: ArrayLike) -> Floats:
        read = self.kernels.read
        return quaternions_by(read, numbers, self.shape, self.called, lambda row: self.advice)

    def of_quaternions(self, q: Floats) -> Floats:
        return written_by(self.kernels.write, q, self.shape)

"""The kinematic sweep of many variants as native code, eight at a time."""

import ctypes
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.llvm.ir import LANE_COUNT
from kempe.compile.llvm.machine_code import CompileEffort, machine_code
from kempe.compile.llvm.object_cache import ObjectCache
from kempe.compile.llvm.sections import SECTIONS
from kempe.compile.small.kinematic_tape import SWEPT, KinematicTape
from kempe.compile.small.reading_tape import ORDERS, ReadingTape

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

NAME: Final = "kempe_lane_sweep"
WIDTH: Final = LANE_COUNT  # twice as many were measured to spill, and to be no faster
ALIGNMENT: Final = 8 * WIDTH
POINTERS: Final = 14
BEFORE: Final = 4  # samples after which a step is predicted by the last four
EVEN: Final = 1e-14  # of the last time: what rounding leaves of an even step


@final
@dataclass(frozen=True, slots=True, eq=False)
class LaneTask:
    """What is swept and read: the code depends on this alone.

    `step_units` says of every velocity whether it is a length "m", an angle "rad" or an unknown of
    a joint's own; `orders` how many of value, rate and acceleration are written.
    """

    kinematic: KinematicTape
    reading: ReadingTape
    step_units: tuple[str, ...]
    orders: int
    is_flat: bool  # whether displacements are plain sums, as in the plane

    @property
    def row_units(self) -> list[str]:
        """The units of the rows that are solved."""
        return [row.unit for row in self.kinematic.rows[: self.kinematic.n_rows]]

    @property
    def spare_units(self) -> list[str]:
        """The units of those that are watched."""
        return [row.unit for row in self.kinematic.rows[self.kinematic.n_rows :]]

    @property
    def effort(self) -> CompileEffort:
        """How hard to work on it."""
        sections = [self.kinematic.tape.section(name) for name in SECTIONS]
        own = sum(section.stop - section.start for section in sections)
        return CompileEffort.for_length(own + len(self.reading.tape.code))

    @property
    def is_large(self) -> bool:
        """Whether its sections are functions of their own, which work on registers in memory."""
        return self.effort is not CompileEffort.THOROUGH

    @property
    def registers(self) -> int:
        """Registers in memory, eight numbers each."""
        return self.kinematic.tape.n_registers + 1 if self.is_large else 0

    @property
    def work_numbers(self) -> int:
        """What one thread works with, eight numbers each."""
        k = self.kinematic
        past = 2 * BEFORE * k.n_v
        own = 2 * k.n_q + k.n_turns + 2 * sum(self.reading.wrapped) + past
        return own + self.registers

    @property
    def structure(self) -> str:
        """All that the code depends on, in words."""
        k = self.kinematic
        parts = [
            WIDTH,
            k.tape.key,
            self.reading.tape.key,
            (k.n_q, k.n_v, k.n_rows, k.n_spare, k.n_turns, k.n_parameters),
            [np.asarray(getattr(k, name)).tolist() for name in (*SWEPT, "blocks", "pivot_blocks")],
            [getattr(self.reading, name).tolist() for name in ORDERS],
            (self.row_units, self.spare_units, self.step_units),
            (self.reading.wrapped, self.reading.n_parameters, self.orders, self.is_flat),
        ]
        return repr(parts)


@final
@dataclass(frozen=True, slots=True, eq=False)
class LaneArrays:
    """The numbers of all variants, the variant being the last index of every array.

    Their number is a multiple of eight. `q` is where each starts, near its assembly or at it.
    """

    parameters: FloatArray  # (parameters, variants)
    read: FloatArray  # (numbers of readings, variants)
    q: FloatArray  # (n_q, variants)
    turns: FloatArray  # (turns, variants)
    sizes: FloatArray  # (1, variants): 1 / m
    aims: FloatArray  # (angles, variants): near which whole turns angles start, rad

    def part(self, which: slice) -> "LaneArrays":
        """Those of some variants, a multiple of eight; a copy."""
        mine = []
        for array in (self.parameters, self.read, self.q, self.turns, self.sizes, self.aims):
            copy = aligned((len(array), which.stop - which.start))
            copy[:] = array[:, which]
            mine.append(copy)
        return LaneArrays(*mine)


@final
@dataclass(frozen=True, slots=True, eq=False)
class LaneLimits:
    """What all variants share: the branch they must stay on, and what steps must satisfy."""

    signs: FloatArray  # (blocks,)
    floors: FloatArray  # (pivots of corrections, then of velocities)
    weights: FloatArray  # (n_v,): of unknowns of joints' own
    limits: FloatArray  # (3,): leash at the start, 1 / tolerance of rows, of watched rows


@final
class LaneSweep:
    """A compiled sweep of variants; the code lives as long as this object."""

    def __init__(self, task: LaneTask, cache: ObjectCache | None = None) -> None:
        from kempe.compile.llvm.lane_sweep_text import lane_sweep_text

        self.task = task
        self._code = machine_code(
            lambda: lane_sweep_text(task),
            [NAME],
            task.effort,
            f"lanes past caches {task.structure}",
            cache,
        )
        kinds = [ctypes.c_void_p] * POINTERS + [ctypes.c_int64] * 4
        self._call = ctypes.CFUNCTYPE(None, *kinds)(self._code.address(NAME))

    def rows(self, samples: int) -> int:
        """How many numbers of each scalar are written: all samples."""
        return samples

    def run(
        self,
        times: FloatArray,
        shared: LaneLimits,
        mine: LaneArrays,
        out: FloatArray,
        part: slice = slice(None),
    ) -> IntArray:
        """Sweep a part of the variants over the times: how many samples each has passed.

        The part starts and stops at multiples of eight. `out` (orders, scalars, samples, variants)
        gets what is read; `mine.q` and `mine.turns` become those of the last sample.
        """
        stride = mine.q.shape[1]
        first, stop, _ = part.indices(stride)
        reached = np.zeros(stop - first, dtype=np.int64)
        work = aligned((self.task.work_numbers + 1, WIDTH))
        here = 8 * first
        of_variants = (mine.parameters, mine.read, mine.turns, mine.sizes, mine.aims, mine.q, out)
        parameters, read, turns, sizes, aims, q, written = (
            array.ctypes.data + here for array in of_variants
        )
        signs, floors, weights, limits = (
            array.ctypes.data
            for array in (shared.signs, shared.floors, shared.weights, shared.limits)
        )
        self._call(
            *(parameters, read, times.ctypes.data, sizes, signs, floors, weights, limits, aims),
            *(q, turns, written, reached.ctypes.data, work.ctypes.data),
            len(times),
            stride,
            (stop - first) // WIDTH,
            BEFORE if is_even(times) else len(times),
        )
        return reached


def is_even(times: FloatArray) -> bool:
    """Whether times are evenly spaced."""
    steps = np.diff(times)
    return bool(np.ptp(steps) <= EVEN * np.abs(times).max()) if len(steps) else False


def aligned(shape: tuple[int, ...]) -> FloatArray:
    """An array, with anything in it, on which vectors of eight numbers may be written at once."""
    count = int(np.prod(shape))
    room = np.empty(count + WIDTH)
    first = (-room.ctypes.data % ALIGNMENT) // 8
    return room[first : first + count].reshape(shape)

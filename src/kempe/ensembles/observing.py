"""What is read of every run: points and measures by one formula, energies, and what else is told.

Points and measures of all runs are evaluated by the tape that batches read with. Angles are counted
on from sample to sample by their rates; where they go so far between two samples that rates do not
tell, the motion is looked at again in between, as for any trajectory.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core, native_tape
from kempe.compile.layout.layout import Layout
from kempe.compile.layout.numbers import is_literal
from kempe.compile.small.reading_tape import (
    ORDERS,
    Read,
    ReadingTape,
    numbers_read,
    reading_tape,
    skeleton_read,
)
from kempe.compile.trace.part_names import gauges_by_name, points_by_name
from kempe.geometry import Marker
from kempe.kinematics.observe.observation import observe_gauge, whole_turns
from kempe.kinematics.observe.turn_counting import FAR, counted_turns
from kempe.results import Motion, energy_of

FloatArray = NDArray[np.float64]
Other = Callable[[Layout, Motion, str], FloatArray]  # a column (n,) or (n, k) by its name

ENERGY: Final = "energy."
ENERGIES: Final = ("kinetic", "potential", "dissipated", "driven", "total")


@final
@dataclass(frozen=True, slots=True)
class Observed:
    """One name that is read: where its scalars stand, and how many orders it has."""

    name: str
    place: slice
    orders: int
    is_point: bool


@final
class Observing:
    """Reads motions: `names` of points and measures with `orders` of them, energies, and others.

    `other` tells of a motion what is none of these, such as the reaction of a joint; `widths` how
    many scalars each of those names has.
    """

    def __init__(
        self, home: Layout, names: Sequence[str], orders: int, other: Other, widths: dict[str, int]
    ) -> None:
        self.names, self.orders, self.other, self.widths = tuple(names), orders, other, widths
        self.plane = home.model.plane
        known = points_by_name(home.model).keys() | gauges_by_name(home.model).keys()
        self.placed = tuple(n for n in self.names if n in known)
        self.told = tuple(n for n in self.names if n not in known)
        self._tapes: dict[str, tuple[ReadingTape, NDArray[np.bool_]]] = {}
        self._home = home
        self._last: tuple[Layout, tuple[list[Read], ReadingTape, FloatArray, core.Tape]] | None
        self._last = None

    @cached_property
    def observed(self) -> tuple[Observed, ...]:
        """All that is read, in the order in which it was asked for."""
        found: dict[str, Observed] = {}
        first = 0
        points = points_by_name(self._home.model)
        for name in (*self.placed, *self.told):
            is_point = name in self.placed and name in points and not self._is_gauge(name)
            width = (2 if self.plane else 3) if is_point else self.widths.get(name, 1)
            orders = self.orders if name in self.placed else 1
            is_vector = is_point or width > 1
            found[name] = Observed(name, slice(first, first + width), orders, is_vector)
            first += width
        return tuple(found[name] for name in self.names)

    @property
    def scalars(self) -> int:
        """How many numbers are read of a sample, derivatives aside."""
        return sum(one.place.stop - one.place.start for one in self.observed)

    def read(self, layout: Layout, motion: Motion) -> FloatArray:
        """What is read of a motion: (orders, scalars, n), NaN for derivatives of energies."""
        found = np.full((self.orders, self.scalars, len(motion)), np.nan)
        places = {one.name: one.place for one in self.observed}
        if self.placed and len(motion):
            placed = self._placed(layout, motion)
            found[:, : placed.shape[1]] = placed
        for name in self.told if len(motion) else ():
            found[0, places[name]] = self._told(layout, motion, name).T
        return found

    def tape_of(self, layout: Layout) -> ReadingTape | None:
        """The tape that reads points and measures; None where there are none."""
        return self._tape(layout, self._reads(layout))[0] if self.placed else None

    def numbers_of(self, layout: Layout) -> FloatArray:
        """The numbers (k,) that this tape reads with, of a mechanism."""
        if not self.placed:
            return np.zeros(0)
        reads = self._reads(layout)
        lifted = self._tape(layout, reads)[1]
        return np.array(numbers_read(reads), dtype=np.float64)[lifted]

    def _told(self, layout: Layout, motion: Motion, name: str) -> FloatArray:
        word = name.removeprefix(ENERGY)
        if name.startswith(ENERGY) and word in ENERGIES:
            values: FloatArray = getattr(energy_of(motion), word)
            return values[:, None]
        return self.other(layout, motion, name).reshape(len(motion), -1)

    def _placed(self, layout: Layout, motion: Motion) -> FloatArray:
        reads, tape, numbers, native = self._ready(layout)
        rows = np.empty((len(motion), tape.tape.n_inputs))
        n_q, n_v = motion.q.shape[1], motion.v.shape[1]
        rows[:, :n_q], rows[:, n_q : n_q + n_v] = motion.q, motion.v
        rows[:, n_q + n_v : n_q + 2 * n_v], rows[:, n_q + 2 * n_v :] = motion.a, numbers
        registers = np.concatenate([getattr(tape, name) for name in ORDERS])
        orders = native.evaluate_lanes(rows, registers).T.reshape(len(ORDERS), -1, len(motion))
        scalar = 0
        for one in reads:
            if isinstance(one, Marker):
                scalar += 2 if self.plane else 3
                continue
            if tape.wrapped[scalar]:
                self._count(layout, motion, one, orders[:, scalar])
            scalar += 1
        return orders[: self.orders]

    def _ready(self, layout: Layout) -> "tuple[list[Read], ReadingTape, FloatArray, core.Tape]":
        """What is read of a layout, its tape and numbers: found once where all runs share it."""
        last = self._last
        if last is not None and last[0] is layout:
            return last[1]
        reads = self._reads(layout)
        tape, lifted = self._tape(layout, reads)
        numbers = np.array(numbers_read(reads), dtype=np.float64)[lifted]
        found = reads, tape, numbers, native_tape(tape.tape)
        self._last = layout, found
        return found

    def _count(self, layout: Layout, motion: Motion, gauge: Read, orders: FloatArray) -> None:
        """Count the turns of an angle, orders (3, n), in place."""
        assert not isinstance(gauge, Marker)
        angle, rate, _ = orders
        step = np.abs(rate).max(initial=0.0) * np.diff(motion.t).max(initial=0.0)
        if not step <= FAR or not self.plane:
            orders[:] = observe_gauge(layout, motion, gauge)
            return
        whole, model = 0.0, layout.model
        if motion.angles or model.drives or model.couplers:
            whole = whole_turns(layout, motion.state(0), gauge, float(angle[0]))
        orders[0] = whole + counted_turns(motion.t, angle, rate)

    def _reads(self, layout: Layout) -> list[Read]:
        points, gauges = points_by_name(layout.model), gauges_by_name(layout.model)
        return [gauges[n] if n in gauges else points[n] for n in self.placed]

    def _is_gauge(self, name: str) -> bool:
        return name in gauges_by_name(self._home.model)

    def _tape(self, layout: Layout, reads: Sequence[Read]) -> tuple[ReadingTape, NDArray[np.bool_]]:
        """The tape of these readings, and which of their numbers are inputs of it."""
        lifted = np.array([not is_literal(x) for x in numbers_read(reads)], dtype=bool)
        folded = [x for x in numbers_read(reads) if is_literal(x)]
        key = repr((skeleton_read(reads), layout.n_q, lifted.tolist(), folded))
        if key not in self._tapes:
            self._tapes[key] = reading_tape(layout, reads), lifted
        return self._tapes[key]

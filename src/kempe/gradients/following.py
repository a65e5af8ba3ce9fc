"""A mechanism followed from its own parameters to others, without building it anew.

Where all numbers of a model are sums of multiples of its parameters, the program of one variant
serves all: numbers are one product of a matrix. The mechanism is led from where it stands to the
other numbers on the branch it is on, and swept from there.

Own: continuation in the numbers of a model, as in `batch.starts`.
"""

from dataclasses import dataclass, replace
from typing import Final, cast, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core, native_tape
from kempe.batch.numbers import Numbers, Reading
from kempe.batch.watched import Watch
from kempe.compile.layout.layout import Layout
from kempe.compile.small.reading_tape import ORDERS, reading_tape
from kempe.equations import Equations
from kempe.equations.programs import programs_of
from kempe.errors import GradientError, KempeError
from kempe.gradients.build_map import BuildMap, Slopes
from kempe.gradients.placing import Placing
from kempe.gradients.reading_slopes import displaced
from kempe.kinematics.observe.observation import whole_turns
from kempe.kinematics.observe.turn_counting import counted_turns
from kempe.kinematics.stepping.preparation import prepare
from kempe.kinematics.stepping.sweep_start import Prepared, standing
from kempe.kinematics.sweep.sweep import swept_from_start
from kempe.measures import Gauge
from kempe.results import Motion
from kempe.results.state import State

FloatArray = NDArray[np.float64]

FURTHER: Final = 2.0  # times as far from home as a variant that was built, numbers are trusted
SAME: Final = 1e-12  # of the largest number: sums of multiples, seen to hold
LEASH: Final = 0.5  # rad and sizes of the machine: Newton's way in one step
CLOSED: Final = 1e-13  # of the last correction, likewise
CORRECTIONS: Final = 12
SMALLEST: Final = 2.0**-10  # share of the way to the numbers
TURN: Final = 2.0 * np.pi


@final
@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """A motion at some parameters, its numbers, and what was read: (orders, scalars, n)."""

    motion: Motion
    slopes: Slopes
    read: FloatArray


@final
class Following:
    """Variants of one mechanism, swept one after the other by one program."""

    def __init__(
        self, by: BuildMap, read: Reading, times: FloatArray, home: Layout, slopes: Slopes
    ) -> None:
        self.by, self.reading, self.times = by, read, times
        self.own, self.slopes = slopes.numbers, slopes
        self.low, self.high = by.home.copy(), by.home.copy()
        self.watch: Watch | None = None
        wide = _wide(by, read, slopes)
        self.wide, self.lifted = wide, read.numbers(wide).lifted
        self.prepared = _started(home, wide, self._numbers(self.own.values), float(times[0]))
        self.placing = Placing(self.prepared.equations, read, self._with(self.own.values))
        self.tape = reading_tape(wide, read.found(wide))
        self.native = native_tape(self.tape.tape)
        self.signs = self._signs(self._numbers(self.own.values), self.prepared.start)
        self.aims = self._aims()

    def numbers(self, x: FloatArray) -> FloatArray | None:
        """All numbers at parameters x; None where they are no sums of multiples out there."""
        told: FloatArray = self.own.values + self.slopes.by @ (x - self.by.home)
        if self._is_known(x, told):
            return told
        there = self.reading.numbers(self.by.layout(x))
        largest = np.maximum(np.abs(told), 1e-3 * np.abs(told).max(initial=0.0))
        if (
            there.skeleton != self.own.skeleton
            or (np.abs(there.values - told) > SAME * largest).any()
        ):
            return None
        if self.watch is None:
            self.watch = Watch()
            given = dict(zip(self.by.names, self.by.home.tolist(), strict=True))
            self.by.build({name: self.watch.parameter(name, v) for name, v in given.items()})
        if self._is_same_way(x):
            way = FURTHER * np.abs(x - self.by.home)
            self.low = np.minimum(self.low, self.by.home - way)
            self.high = np.maximum(self.high, self.by.home + way)
        return told

    def _is_known(self, x: FloatArray, told: FloatArray) -> bool:
        """Whether numbers near x were seen to be sums, and none has the sign of a refused one."""
        is_near = bool(((x >= self.low) & (x <= self.high)).all())
        own = self.own.values
        return is_near and not (told * own < 0.0).any() and self._is_same_way(x)

    def _is_same_way(self, x: FloatArray) -> bool:
        """Whether nothing that was seen to be decided by parameters is decided otherwise at x."""
        if self.watch is None:
            return bool((x == self.by.home).all())
        if self.watch.is_lost:
            return False
        columns = {name: np.array([v]) for name, v in zip(self.by.names, x, strict=True)}
        return bool(self.watch.same_way(columns, 1)[0])

    def at(self, values: FloatArray) -> Followed:
        """The motion of the variant with these numbers; a GradientError where it has none."""
        told = self._with(values)
        parameters = self._numbers(values)
        start = self._led(parameters)
        equations = self.prepared.equations.with_parameters(parameters)
        moved = replace(self.prepared, equations=equations, start=start)
        motion = swept_from_start(moved, self.times)
        if not motion.outcome.is_done or len(motion) < len(self.times):
            raise GradientError(
                f"the variant ends after {len(motion)} of {len(self.times)} samples:"
                f" {motion.outcome.message}",
                outcome=motion.outcome.name,
            )
        return Followed(motion, told, self._read(motion, values))

    def _with(self, values: FloatArray) -> Slopes:
        numbers = Numbers(self.own.skeleton, values, self.lifted, self.own.places)
        return replace(self.slopes, numbers=numbers)

    def _numbers(self, values: FloatArray) -> FloatArray:
        place = self.own.places["all"]
        return np.ascontiguousarray(values[place][self.lifted[place]])

    def _read(self, motion: Motion, values: FloatArray) -> FloatArray:
        place = self.own.places["read"]
        own = values[place][self.lifted[place]]
        rows = np.hstack([motion.q, motion.v, motion.a, np.tile(own, (len(motion), 1))])
        native, orders = self.native, [getattr(self.tape, name) for name in ORDERS]
        found = np.array([native.evaluate_lanes(rows, registers).T for registers in orders])
        drives = self.own.places["told"]
        laws = dict(zip(self._driven, values[drives], strict=True))
        for j, aim in self.aims.items():
            angle = found[0, j]
            whole = TURN * np.rint((laws.get(j, aim) - angle[0]) / TURN)
            found[0, j] = whole + counted_turns(motion.t, angle, found[1, j])
        return found

    @property
    def _driven(self) -> list[int]:
        """Scalars that drives hold, in the order of what they are told."""
        laws = {drive.gauge for drive in self.wide.model.drives}
        pairs = zip(self.reading.names, self.reading.found(self.wide), strict=True)
        return [self.placing.places[n].start for n, one in pairs if one in laws]

    def _aims(self) -> dict[int, float]:
        """Near which values (rad) the angles that are read start, as at home."""
        start, found = self.prepared.start, {}
        place = self.own.places["read"]
        own = self.own.values[place][self.lifted[place]]
        row = np.concatenate([start.q, np.zeros(2 * self.wide.n_v), own])[None]
        for name, one in zip(self.reading.names, self.reading.found(self.wide), strict=True):
            j = self.placing.places[name].start
            if isinstance(one, Gauge) and self.tape.wrapped[j]:
                first = float(self.native.evaluate(row, self.tape.values[[j]])[0, 0])
                found[j] = first + whole_turns(self.wide, start, one, first)
        return found

    def _led(self, parameters: FloatArray) -> State:
        """Where the mechanism stands with other numbers, on the branch it is on."""
        start = self.prepared.start
        home = self.prepared.equations.parameters
        at, done, step = start, 0.0, 1.0
        while done < 1.0:
            share = min(1.0, done + step)
            there = self._closed(home + share * (parameters - home), at)
            if there is not None:
                at, done, step = there, share, 2.0 * step
                continue
            step *= 0.5
            if step < SMALLEST:
                raise GradientError(
                    "on the way from the mechanism's own parameters to these it meets a singular"
                    " position: they have no assembly on its branch.",
                    outcome="NotReached",
                )
        return at

    def _closed(self, parameters: FloatArray, at: State) -> State | None:
        """Newton's method from a state to the rows with these numbers."""
        equations = self.prepared.equations.with_parameters(parameters)
        program, n = equations.program, equations.program.shape.n_rows
        weights, layout = equations.step_weights, equations.layout
        q, turns, before, way = at.q, at.turns, np.inf, 0.0
        for _ in range(CORRECTIONS):
            phi, entries, turned = equations.evaluate(q, at.t, turns)
            if before <= CLOSED:
                return State(at.t, q, turns=turned) if self._is_on_branch() else None
            try:
                step = np.asarray(np.linalg.solve(program.dense_jacobian(entries)[:n], -phi[:n]))
            except np.linalg.LinAlgError:
                return None
            size = float(np.abs(step * weights).max(initial=0.0))
            way += size
            if not np.isfinite(size) or way > LEASH or (size > 0.5 * before and size > CLOSED):
                return None
            q, before = displaced(layout, q[None], step[None])[0], size
        return None

    def _is_on_branch(self) -> bool:
        return bool((self._signs_now() == self.signs).all())

    def _signs(self, parameters: FloatArray, at: State) -> FloatArray:
        self.prepared.equations.with_parameters(parameters).evaluate(at.q, at.t, at.turns)
        return self._signs_now()

    def _signs_now(self) -> FloatArray:
        """Signs of the determinants of diagonal blocks where the program was evaluated last."""
        program = self.prepared.equations.program
        pivots = cast("core.TapeSystem", program.system).pivots()
        signs = np.ones(max(1, len(program.tape.blocks)))
        for pivot, block in zip(pivots, program.tape.pivot_blocks, strict=True):
            signs[block] *= np.copysign(1.0, pivot)
        return signs


def followed_by(by: BuildMap, read: Reading, times: FloatArray, home: Layout) -> Following | None:
    """One program for all variants; None where numbers are no sums of multiples of parameters."""
    slopes = by.slopes(by.home, read)
    if slopes.bent:
        return None
    try:
        return Following(by, read, times, home, slopes)
    except GradientError:
        raise
    except KempeError:
        return None


def _wide(by: BuildMap, read: Reading, slopes: Slopes) -> Layout:
    """A layout in which every number that moves with a parameter is an input of the program."""
    x = by.home.copy()
    for k in range(len(x)):
        x[k] += (by.side(by.home, k) or 1) * by.step(k)
    home, wide = by.layout(by.home), by.layout(x)
    moved = (slopes.by != 0.0).any(axis=1)
    places = slopes.numbers.places
    for one in (home, wide):
        lifted = read.numbers(one).lifted
        if all((lifted[places[name]] | ~moved[places[name]]).all() for name in ("all", "read")):
            return one
    raise KempeError("numbers that move with parameters stay part of the structure")


def _started(home: Layout, wide: Layout, numbers: FloatArray, t: float) -> Prepared:
    """The mechanism itself, assembled, in the program of a wider structure."""
    prepared = prepare(home, t, plan="small")
    if home.structure == wide.structure:
        return replace(prepared, equations=Equations(wide, prepared.equations.program, numbers))
    shape = prepared.equations.program.shape
    make = programs_of(wide, plan="small")
    program = make.solving(set(shape.rows[: shape.n_rows]), prepared.start)
    return standing(Equations(wide, program, numbers), prepared.start)

"""How a swept motion, and points and measures of it, follow from parameters."""

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import native_tape
from kempe.batch.asking import places_of
from kempe.batch.numbers import Reading
from kempe.compile.layout.elements import CouplerElement
from kempe.compile.layout.layout import Layout
from kempe.compile.small.sensitivity_tape import AdjointTape, Sensitivities, SensitivityTape
from kempe.equations import Equations
from kempe.errors import GradientError
from kempe.gradients.build_map import Slopes
from kempe.kinematics.observe.observation import observe_gauge
from kempe.kinematics.stepping.preparation import prepare
from kempe.results import Motion
from kempe.results.motion import NEAREST

FloatArray = NDArray[np.float64]

MOST_VELOCITIES: Final = 900  # of mechanisms whose sensitivities are one program
INCONSISTENT: Final = 1e-6  # of what numbers push rows by: what redundant ones may be off
LOST: Final = 1e-7  # the same, of rows that are solved: digits that a singular position takes
ORDERS: Final = ("values", "rates", "accelerations")


@final
@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Slopes of a motion by parameters, and of the scalars that were read of it.

    `x` are those of displacements, velocities and accelerations, (3, n, n_v, parameters): of
    bodies in m (world axes) and rad (axes of the body in space); `read` is (3, scalars, n,
    parameters), of values, rates and accelerations.
    """

    x: FloatArray
    read: FloatArray


@final
class Placing:
    """The equations of sensitivities of one structure, and of what is read of it.

    `slopes` say which numbers are to be parameters although they are 0.
    """

    def __init__(self, equations: Equations, read: Reading, slopes: Slopes) -> None:
        layout = equations.layout
        refuse_large(layout)
        self.layout, self.reading = layout, read
        self.program = equations.program
        shape = self.program.shape
        if shape.n_rows != shape.n_v:
            raise GradientError(
                f"{layout.model.name!r} has {shape.n_v - shape.n_rows} freedoms that no drive"
                " holds, so its places do not follow from its parameters: drive them all."
            )
        readings = read.found(layout)
        self.places = dict(
            zip(read.names, places_of(readings, plane=layout.model.plane), strict=True)
        )
        self.lifted = moving_numbers(layout, slopes, read)
        kept, order = set(shape.rows[: shape.n_rows]), self.program.tape.order
        self.traced = Sensitivities(layout, kept, order, readings, self.lifted)
        self._forward: tuple[SensitivityTape, Any] | None = None
        self._adjoint: dict[int, tuple[AdjointTape, Any]] = {}

    def forward(self, motion: Motion, slopes: Slopes) -> Placed:
        """Slopes by every parameter, at all samples of a motion."""
        if self._forward is None:
            made = self.traced.forward()
            self._forward = made, native_tape(made.tape)
        tape, native = self._forward
        names = ("x0", "x1", "x2", *ORDERS, "pushed", "left")
        registers = np.concatenate([tape.registers[name] for name in names])
        ends = np.cumsum([len(tape.registers[name]) for name in names])[:-1]
        base, moved = self.inputs(motion, slopes), self.numbers(slopes.by, slopes)
        n, k = len(motion), slopes.by.shape[1]
        x = np.zeros((3, n, self.layout.n_v, k))
        read = np.zeros((3, len(self.traced.values), n, k))
        for j in range(k):
            rows = np.hstack([base, np.tile(moved[:, j], (n, 1))])
            parts = np.split(native.evaluate_lanes(rows, registers), ends, axis=1)
            self._refuse_impossible(parts[6], parts[7], motion, j)
            for level in range(3):
                x[level, :, :, j] = parts[level]
                read[level, :, :, j] = parts[3 + level].T
        return Placed(x, read)

    def adjoint(self, motion: Motion, slopes: Slopes, weights: FloatArray) -> FloatArray:
        """d/dp of  sum weights * (values, rates, ...)  for weights (orders, scalars, n): (k,)."""
        orders = len(weights)
        if orders not in self._adjoint:
            made = self.traced.adjoint(orders)
            self._adjoint[orders] = made, native_tape(made.tape)
        tape, native = self._adjoint[orders]
        own = weights.reshape(-1, weights.shape[-1]).T
        rows = np.hstack([self.inputs(motion, slopes), own])
        by_numbers = native.evaluate_lanes(rows, tape.by_numbers).sum(axis=0)
        return np.asarray(by_numbers @ self.numbers(slopes.by, slopes))

    def inputs(self, motion: Motion, slopes: Slopes) -> FloatArray:
        """The inputs of tapes at all samples, but for their last."""
        n = len(motion)
        numbers = self.numbers(slopes.numbers.values, slopes)
        turns = self._turns(motion)
        parts = (motion.q, motion.v, motion.a, motion.t[:, None], turns, np.tile(numbers, (n, 1)))
        return np.hstack(parts)

    def numbers(self, of: FloatArray, slopes: Slopes) -> FloatArray:
        """Those of all numbers (first index), or of what belongs to them, that are parameters."""
        places = slopes.numbers.places
        both = np.concatenate([of[places["all"]], of[places["read"]]])
        return np.asarray(both[self._is_parameter(slopes)])

    def _is_parameter(self, slopes: Slopes) -> NDArray[np.bool_]:
        places, lifted = slopes.numbers.places, slopes.numbers.lifted
        found = np.concatenate([lifted[places["all"]], lifted[places["read"]]])
        found[list(self.lifted)] = True
        return found

    def _turns(self, motion: Motion) -> FloatArray:
        """Angles (n, turns) near those that rows count whole turns from."""
        counted = self.traced.system.counted
        turns = np.zeros((len(motion), len(counted)))
        for column, (element, reading) in enumerate(counted):
            one = self.layout.elements[element]
            if isinstance(one, CouplerElement):  # what it multiplies counts with its turns
                turns[:, column] = observe_gauge(self.layout, motion, one.gauges[reading])[0]
        return turns

    def _refuse_impossible(
        self, pushed: FloatArray, left: FloatArray, motion: Motion, k: int
    ) -> None:
        """A GradientError where rows that are not solved would not fit, or digits were lost."""
        largest = np.abs(pushed).max(initial=0.0)
        if not np.isfinite(left).all():
            where = int(np.flatnonzero(~np.isfinite(left).all(axis=1))[0])
            raise self._singular(float(motion.t[where]))
        worst = np.abs(left).max(axis=0, initial=0.0)
        rows = self.traced.system.rows
        for row in np.flatnonzero(worst > LOST * largest).tolist():
            if row in self.traced.kept:
                raise self._singular(float(motion.t[int(np.abs(left[:, row]).argmax())]))
            if worst[row] > INCONSISTENT * largest:
                name = self.layout.elements[rows[row].element].name
                raise GradientError(
                    f"parameter number {k + 1} cannot change alone: {name!r} repeats what other"
                    " joints say and would not fit any more. Let other lengths follow it, or take"
                    " that joint out.",
                    joint=name,
                    parameter=k,
                )

    def _singular(self, t: float) -> GradientError:
        return GradientError(
            f"{self.layout.model.name!r} stands in a singular position at t = {t:.6g} s: its"
            " places have no slope by parameters there. Leave that sample out.",
            t=t,
        )


def moving_numbers(layout: Layout, slopes: Slopes, read: Reading) -> frozenset[int]:
    """Which numbers of elements, then of readings, are 0 or +-1 now and move with parameters."""
    numbers = slopes.numbers
    places = numbers.places
    moved = (slopes.by != 0.0).any(axis=1) & ~numbers.lifted
    both = np.concatenate([moved[places["all"]], moved[places["read"]]])
    return frozenset(np.flatnonzero(both).tolist())


def refuse_large(layout: Layout) -> None:
    """A GradientError where sensitivities of a mechanism would not be one program."""
    if layout.n_v > MOST_VELOCITIES:
        raise GradientError(
            f"{layout.model.name!r} has {layout.n_v} velocities; gradients are known up to"
            f" {MOST_VELOCITIES}."
        )


def placing_of(layout: Layout, motion: Motion, read: Reading, slopes: Slopes) -> Placing:
    """The sensitivities of a motion that was swept; a GradientError of one that has none."""
    if motion.recipe.method == NEAREST:
        raise GradientError(
            "what no drive holds was moved as little as possible, which says nothing of how it"
            " follows from parameters: drive all freedoms."
        )
    back = next((p for p in motion.passes if p.turns_back), None)
    if back is not None:
        raise GradientError(
            f"the drive turns back at t = {back.t:.6g} s, a time that depends on the parameters:"
            " differentiate the part of the motion before it.",
            t=back.t,
        )
    if not len(motion):
        raise GradientError(f"the motion has no samples: {motion.outcome.message}")
    return Placing(prepare(layout, float(motion.t[0]), plan="small").equations, read, slopes)

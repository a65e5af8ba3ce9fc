"""Simulations of an ensemble on a graphics card: which of them go there, and what comes back.

A card runs what is planar, smooth and explicit: bodies on joints and forces without switches,
states or functions from outside, whose equations are one tape. Runs in which the processor would do
anything but take explicit steps come back undone, and the processor runs them.
"""

from collections.abc import Callable, Sequence
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.batch.devices import EMULATED
from kempe.compile.cuda.run_text import ENERGIES, RunTask
from kempe.compile.cuda.runs import AbstractRuns, CardRuns, EmulatedRuns, RunArrays
from kempe.compile.layout.dynamic_layout import to_centres, velocities_at_centres
from kempe.compile.layout.layout import Layout
from kempe.compile.small.dynamic_tape import DynamicTape
from kempe.dynamics.integration import LOOSE, Method
from kempe.dynamics.preparation.preparation import PreparedDynamics
from kempe.ensembles.observing import ENERGY, Observing
from kempe.ensembles.starts import Starts
from kempe.errors import BadNumber

FloatArray = NDArray[np.float64]
Prepared = Callable[[int], PreparedDynamics | None]  # of a run; None where it is not plain

EXPLICIT: Final = ("auto", "dop853")


@final
class Device:
    """A card, or its emulation: it is given runs that are alike, and says which it has done."""

    def __init__(self, name: str, observing: Observing, *, is_summary: bool) -> None:
        self.name, self.observing, self.is_summary = name, observing, is_summary
        self.seconds = 0.0  # of kernels
        self.parts = 1  # in which runs went, the most of any call
        self.left = 0  # runs that it had no memory for
        self._code: dict[tuple[int, int], AbstractRuns] = {}
        self._kept: list[object] = []  # whose numbers are keys

    def refuse(self, home: Layout, prepared: PreparedDynamics, method: Method, tol: float) -> None:
        """A BadNumber where nothing of what is asked for runs on a card."""
        why = reason_against(home, prepared)
        others = [n for n in self.observing.told if n.removeprefix(ENERGY) not in ENERGIES]
        if others:
            why = f"{others[0]!r} is no point, measure or energy"
        if method not in EXPLICIT or (method == "auto" and tol >= LOOSE):
            why = "cards make explicit steps of order 8: method='auto' or 'dop853'"
        if why:
            raise BadNumber(
                f"device={self.name!r} cannot simulate this: {why}. Leave `device` out, and the"
                " processor does."
            )

    def run(
        self,
        layouts: Sequence[Layout],
        prepared: Sequence[PreparedDynamics],
        times: FloatArray,
        tolerance: float,
        given: Starts | None = None,
    ) -> tuple[FloatArray, NDArray[np.bool_]]:
        """What is read, (orders, scalars, rows, runs) as `Observing.read` has it, and what is done.

        One of `layouts` and `prepared` for every run, whose structure is the same; or one for all,
        that start as it is `given`.
        """
        task, code = self._task(layouts[0], prepared[0])
        arrays = _arrays(self.observing, layouts, prepared, given)
        count = arrays.q.shape[1]
        out = np.full((task.orders, task.scalars, task.rows(len(times)), count), np.nan)
        before = code.device_seconds
        done = code.run(times, tolerance, arrays, out) == len(times)
        self.seconds += code.device_seconds - before
        self.parts, self.left = max(self.parts, code.parts), self.left + code.left
        placed = len(task.wrapped)
        energies = [placed + ENERGIES.index(n.removeprefix(ENERGY)) for n in self.observing.told]
        return out[:, [*range(placed), *energies]], done

    def _task(self, layout: Layout, prepared: PreparedDynamics) -> tuple[RunTask, AbstractRuns]:
        shape = prepared.equations.program.shape
        assert isinstance(shape, DynamicTape)
        tape = self.observing.tape_of(layout)
        key = (id(shape), id(tape))
        task = RunTask(shape, tape, self.observing.orders, self.is_summary)
        if key not in self._code:
            self._kept += [shape, tape]
            made = EmulatedRuns if self.name == EMULATED else CardRuns
            self._code[key] = made(task)
        return task, self._code[key]


def reason_against(layout: Layout, prepared: PreparedDynamics) -> str:
    """Why a mechanism is not simulated on a card, in words; empty where it is."""
    shape, equations = prepared.equations.program.shape, prepared.equations
    model = layout.model
    if not model.plane:
        return "its bodies move in space"
    if not isinstance(shape, DynamicTape):
        return "it has too many bodies for one tape"
    reasons = {
        "redundant joints are watched": shape.n_spare,
        "drives or couplers hold it": model.drives or model.couplers,
        "whole turns are counted": shape.n_turns,
        "forces switch": len(shape.guards),
        "forces have states": len(shape.states) or equations.layout.flows,
        "functions from outside act": prepared.callbacks or prepared.clocked,
        "joints rub": prepared.loads,
        "bodies have no mass": equations.layout.massless,
        "one body is far lighter than what it is joined to": prepared.uneven.any(),
        "nothing can move": prepared.is_locked,
    }
    return next((word for word, holds in reasons.items() if holds), "")


def _arrays(
    observing: Observing,
    layouts: Sequence[Layout],
    prepared: Sequence[PreparedDynamics],
    given: Starts | None,
) -> RunArrays:
    """What runs begin with, as a card takes it."""
    columns = [_numbers(observing, *both) for both in zip(layouts, prepared, strict=True)]
    parts = [np.stack([column[k] for column in columns], axis=1) for k in range(4)]
    if given is None:
        q = np.stack([one.start.q for one in prepared], axis=1)
        v = np.stack([one.start.v for one in prepared], axis=1)
    else:
        model = layouts[0].model
        q = to_centres(model, given.q).T
        v = velocities_at_centres(model, given.q, given.v).T
        parts = [np.broadcast_to(part, (len(part), q.shape[1])) for part in parts]
    parameters, read, centres, scales = parts
    return RunArrays(parameters, read, centres, scales, q, v)


def _numbers(
    observing: Observing, layout: Layout, prepared: PreparedDynamics
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Numbers of the tapes, centres of mass, and scales of one mechanism."""
    dynamic = prepared.equations.layout
    read = observing.numbers_of(layout)
    centres = [
        x
        for body in layout.model.moving
        for x in ((0.0, 0.0) if body.inertia is None else body.inertia.centre[:2])
    ]
    scales = np.array([dynamic.layout.size, dynamic.mass])
    return dynamic.parameters, read, np.array(centres, dtype=np.float64), scales

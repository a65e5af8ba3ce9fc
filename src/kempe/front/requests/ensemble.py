"""What a batch of simulations is asked for: variants, starts, and what is read of every run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.batch.devices import CPU, DEVICES
from kempe.compile.layout.layout import Layout
from kempe.dynamics import simulate
from kempe.dynamics.integration import Method
from kempe.dynamics.preparation.preparation import prepare
from kempe.dynamics.simulation import checked
from kempe.ensembles.observing import Observing
from kempe.ensembles.on_cards import Device
from kempe.ensembles.simulations import Runs, all_simulated, state_of
from kempe.ensembles.starts import StartColumns, Starts, starts_at
from kempe.equations import equations_of
from kempe.errors import BadNumber
from kempe.front.batch import Batch, BatchReading
from kempe.front.requests.batch import (
    IN_PARTS,
    KINDS,
    Draw,
    Limits,
    Span,
    Where,
    columns_beside,
    in_bytes,
    names_of,
    one_of,
    orders_and_threads,
    refuse_more_than_memory,
    refuse_unknown_parameters,
)
from kempe.front.requests.events import expressions_of
from kempe.front.requests.start import started
from kempe.front.requests.sweep import Again, simulation_times
from kempe.front.trajectory import Trajectory
from kempe.kinematics.check.assembly import assemble
from kempe.results import Motion
from kempe.results.state import State

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism

FloatArray = NDArray[np.float64]
ANALYSES = ("kinematics", "simulation")
NOTHING_VARIES = "nothing varies: give columns of parameters, or of `start`."
NO_ROOM = "The memory of the graphics card had no room for {:,} runs: the processor made them."
NO_TIME = "a simulation needs its end: give `until`, in seconds."


def refuse_other_analysis(analysis: str, asked: "AskedSimulation", over: Any, device: str) -> bool:
    """Whether simulations are asked for; an error for what does not go with the analysis."""
    one_of("analysis", analysis, (*ANALYSES, "assemblies"))
    if analysis == ANALYSES[0]:
        if asked.start:
            raise BadNumber(
                'drives say where kinematics starts: `start` goes with analysis="simulation" or'
                ' "assemblies".'
            )
        return False
    if over is not None:
        raise BadNumber("`over` drives a measure: it goes with kinematics, not with simulations.")
    one_of("device", device, DEVICES)
    return True


@final
@dataclass(frozen=True, slots=True, eq=False)
class AskedSimulation:
    """How every run of a batch starts and is integrated."""

    start: Mapping[str, Any]
    method: Method
    tolerance: float

    def batch(
        self,
        mechanism: "Mechanism",
        parameters: Mapping[str, Any],
        outputs: Sequence[str],
        span: Span,
        draw: tuple[int | None, int],
        limits: Limits,
        where: Where,
    ) -> Batch:
        """The batch of simulations that `Mechanism.batch` is asked for."""
        home = mechanism.layout
        until, steps, _ = span
        if until is None:
            raise BadNumber(NO_TIME)
        if not parameters and not self.start:
            raise BadNumber(NOTHING_VARIES)
        refuse_unknown_parameters(mechanism, parameters)
        one_of("keep", where[1], KINDS)
        columns, begun = columns_beside(parameters, self.start, Draw(*draw))
        times = simulation_times(home, until, steps)
        method, tolerance = checked(self.method, self.tolerance, times)
        orders, threads = orders_and_threads(limits)
        alone = partial(_alone, method, tolerance)
        names = names_of(outputs)
        first = Trajectory(home, alone(home, None, times[:1]))
        widths = {name: _width(first, name) for name in names}
        observing = Observing(home, names, orders, _column, widths)
        count = len(next(iter((columns or begun).values())))
        rows = 4 if where[1] == KINDS[1] else len(times)
        numbers = orders * observing.scalars * rows * count
        refuse_more_than_memory(numbers, count, in_bytes(limits[2]))
        given, starts = self._starts(home, columns, begun, threads)

        def variant(k: int) -> Layout:
            values = {name: float(column[k]) for name, column in columns.items()}
            return mechanism.with_parameters(values).layout

        runs = Runs(
            home,
            variant if columns else None,
            count,
            times,
            method,
            tolerance,
            alone,
            Again,
            starts,
            {} if given is None else given.angles,
        )
        is_summary = where[1] == KINDS[1]
        device = None if where[0] == CPU else Device(where[0], observing, is_summary=is_summary)
        done = all_simulated(runs, observing, threads, is_summary=is_summary, device=device)
        told = {
            one.name: BatchReading(one.place, _unit(first, one.name), one.is_point, one.orders)
            for one in observing.observed
        }
        start = None if starts is None else partial(_begun, runs)
        notes = [IN_PARTS.format(done.parts)] if done.parts > 1 else []
        if device is not None and device.left:
            notes.append(NO_ROOM.format(device.left))
        return Batch(mechanism, columns, times, told, done, notes, begun=start)

    def _starts(
        self,
        home: Layout,
        columns: Mapping[str, FloatArray],
        begun: Mapping[str, FloatArray],
        threads: int,
    ) -> tuple[StartColumns | None, Starts | None]:
        """Where all runs start; None where variants start as they are made."""
        if not begun:
            return None, None
        if columns:
            raise BadNumber(
                "`start` is of the mechanism as it is: vary either its parameters or its start, or"
                " make the start a parameter of what builds it."
            )
        given = StartColumns.of(home, begun)
        prepared = prepare(home, 0.0)
        given.refuse_other_freedoms(home, prepared.mobility - len(home.model.drives))
        return given, starts_at(home, assemble(equations_of(home), 0.0), given, threads)


def _begun(runs: Runs, k: int) -> State:
    state = state_of(runs, k)
    assert state is not None
    return state


def _alone(
    method: Method, tolerance: float, layout: Layout, at: State | None, times: FloatArray
) -> Motion:
    """One simulation in every generality, from a state or from the model's own start."""
    begun = started(layout, at)
    return simulate(
        layout if begun is None else begun.moving(layout),
        times,
        **({} if begun is None else begun.told(layout, float(times[0]))),
        expressions=expressions_of(layout),
        method=method,
        tolerance=tolerance,
    )


def _column(layout: Layout, motion: Motion, name: str) -> FloatArray:
    """Any column of a simulation by its name, (n,) or (n, k)."""
    return np.asarray(Trajectory(layout, motion)[name].values, dtype=np.float64)


def _width(trajectory: Trajectory, name: str) -> int:
    """How many numbers a name has at every sample; UnknownName where it means nothing."""
    channel = trajectory[name]
    values = getattr(channel, "values", None)
    if values is None:
        values = channel.position
    return int(np.prod(np.shape(values)[1:], dtype=int))


def _unit(trajectory: Trajectory, name: str) -> str:
    """The unit of a name in SI."""
    return str(getattr(trajectory[name], "unit", "m"))

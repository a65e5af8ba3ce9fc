"""The large plan: one tape per kind of element, run over tiles of its instances.

Elements of equal structure share a tape whose inputs are the frames and velocities of the bodies
they hold on to; where each instance finds its inputs and leaves its results in the system's memory
is a table of places. Compile time depends on the number of kinds, not of elements.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from kempe.algebra import Expression
from kempe.algebra.native import core, native_tape
from kempe.algebra.tape import Tape
from kempe.compile.large.tile_plan import Group, Kind, TilePlan
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.compile.program.program import Program, system_size
from kempe.compile.trace.tracing import (
    Inputs,
    derivatives,
    element_rows,
    live_rows,
    refuse_idle_row,
)
from kempe.geometry import Pose

Compiler = Callable[[Tape], int]

# Kinds of numbers whose places in memory the native system is told.
MEMORY: Final = (
    *("q", "v", "delta", "t", "last", "p", "phi", "spare", "turns"),
    *("jacobian", "velocity_rhs", "gamma", "size"),
)


def trace_kind(layout: Layout, members: list[int]) -> Kind:
    """The rows of a kind and their derivatives, on frames that are inputs."""
    chart, element = layout.chart, layout.elements[members[0]]
    riding = [b != GROUND_INDEX for b in layout.markers_of(element)]
    bodies = [k for k, rides in enumerate(riding) if rides]
    at = Coordinates(chart, len(bodies))
    inputs = Inputs.fresh(0, at.bodies_v.stop)
    frames = [chart.frame_inputs(inputs.graph, f"frame{k}_") for k in range(len(bodies))]
    poses = iter([chart.pose(frame) for frame in frames])
    written, turned = element_rows(
        element, [next(poses) if rides else Pose.identity() for rides in riding], inputs
    )
    live = live_rows(layout, element, written)
    phi = [written[k] for k in live]
    seeds: dict[int, dict[int, Expression]] = {}
    for k, frame in enumerate(frames):
        seeds |= chart.seeds(frame, at.v_of(k).start)
    derived = derivatives(inputs, phi, seeds)
    for place, row in zip(live, derived["jacobian"], strict=True):
        refuse_idle_row(layout, element, place, row)
    entries = [(r, c, e) for r, row in enumerate(derived["jacobian"]) for c, e in row.items()]
    return Kind(
        members,
        bodies,
        live,
        list(turned),
        [(r, c) for r, c, _ in entries],
        inputs,
        frames,
        {
            "residual": [
                *phi,
                *turned.values(),
                *(e for _, _, e in entries),
                *derived["velocity_rhs"],
            ],
            "gamma": derived["gamma"],
        },
    )


def kinds_of(layout: Layout) -> list[Kind]:
    """The elements grouped by structure, each group traced once."""
    groups: dict[str, list[int]] = {}
    for k in range(len(layout.elements)):
        groups.setdefault(_kind_key(layout, k), []).append(k)
    return [trace_kind(layout, members) for members in groups.values()]


def tile_program(
    layout: Layout, spare: Sequence[int] | None, kinds: list[Kind], compiler: Compiler | None = None
) -> Program:
    """The program that solves all rows but the spare ones (None: solves none, only evaluates).

    Rows are numbered as the elements write them, vanished ones not counted. The compiler gives the
    address of a tape's function in eight lanes; without one the VM runs the tapes.
    """
    plan = TilePlan(layout, kinds, spare)
    groups = plan.groups().values()
    phases = [[native_group(group, compiler) for group in phase] for phase in groups]
    shape = plan.shape
    solved = shape.n_rows
    memory = core.TileMemory(**{name: plan.memory[name] for name in MEMORY})
    system = core.TileSystem(
        system_size(shape), memory, phases, shape.jacobian_rows, shape.jacobian_columns, solved
    )
    return Program(shape, system, "large")


def native_group(group: Group, compiler: Compiler | None) -> "core.TileGroup":
    """A group as the native systems take it."""
    return core.TileGroup(
        tape=native_tape(group.tape),
        inputs=group.inputs,
        outputs=group.tape.outputs,
        gather=np.ascontiguousarray(group.gather.reshape(-1)),
        scatter=np.ascontiguousarray(group.scatter.reshape(-1)),
        count=group.gather.shape[1],
        compiled=0 if compiler is None else compiler(group.tape),
    )


def _kind_key(layout: Layout, number: int) -> str:
    riding = "".join("g" if b == GROUND_INDEX else "b" for b in layout.riding[number])
    described = layout.is_built_in or layout.elements[number].is_built_in
    return f"{layout.structures[number]}@{riding}{'' if described else f'#{number}'}"

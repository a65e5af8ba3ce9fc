"""The dynamic tape: constraints, their factors, accelerations and multipliers in one program.

Inputs, in order: q, v, t, last (turns), g (a right-hand side by row), p (parameters), sides
(of the switches of force laws). The sections are what an integrator runs; `system` gives the raw
equations to the block solver.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.algebra import Expression, Part, Tape, record_parts
from kempe.algebra.tape import IntArray
from kempe.compile.trace.dynamic_tracing import TracedDynamics
from kempe.compile.trace.elimination import (
    SchurFactors,
    bordered,
    bordered_order,
    factors,
    product,
    schur_complement,
    transposed_product,
)
from kempe.compile.trace.shape import AbstractDynamicShape

REGISTERS = (
    "phi",
    "turns",
    "pivots",
    "diagonals",
    "x",
    "velocity",
    "a",
    "lam",
    "powers",
    "jacobian",
    "velocity_rhs",
    "gamma",
    "load",
    "dissipated",
    "energies",
    "switches",
    "rates",
)


@final
@dataclass(frozen=True, eq=False)
class DynamicTape(AbstractDynamicShape):
    """A tape and where its results are; `rows` are the system's, kept rows first, then spares."""

    tape: Tape
    registers: dict[str, IntArray]  # by the names of REGISTERS, phi and gamma of all rows
    massless: tuple[int, ...]  # velocities without mass that it solves for beside the multipliers


def dynamic_tape(traced: TracedDynamics, kept: Sequence[int], order: Sequence[int]) -> DynamicTape:
    """The tape that solves the kept rows, eliminated in `order`, and watches the others."""
    system, inputs = traced.system, traced.system.inputs
    spare = [k for k in range(len(system.phi)) if k not in set(kept)]
    graph = inputs.graph
    g = [Expression(graph, graph.input(f"g{k}")) for k in range(len(kept))]
    writer = _Parts(traced, list(kept), spare, g)
    parts = writer.parts(order)
    ins = [*inputs.q, *inputs.v, inputs.t, *inputs.last, *g, *inputs.p, *inputs.sides]
    recording = record_parts(graph, ins, parts)
    arranged = [*kept, *spare]
    entries = [(k, column) for k, row in enumerate(arranged) for column in system.jacobian[row]]
    empty = np.zeros(0, dtype=np.int32)
    return DynamicTape(
        tape=recording.tape,
        n_q=len(inputs.q),
        n_v=len(inputs.v),
        n_rows=len(kept),
        n_spare=len(spare),
        n_turns=len(traced.turns),
        n_parameters=len(inputs.p),
        rows=tuple(system.rows[k] for k in (*kept, *spare)),
        counted=tuple(system.counted),
        force_counted=tuple(traced.counted),
        jacobian_rows=np.array([r for r, _ in entries], dtype=np.int32),
        jacobian_columns=np.array([c for _, c in entries], dtype=np.int32),
        guards=np.array([g for g, _ in traced.guards], dtype=np.int32),
        guard_sides=np.array([s for _, s in traced.guards], dtype=np.int32),
        clocks=np.array(traced.clocks, dtype=np.int32),
        switch_forces=np.array(traced.switch_forces, dtype=np.int32),
        told=tuple(traced.told),
        states=np.array(traced.state_places, dtype=np.int32),
        flows=tuple(traced.flows),
        registers={name: recording.registers.get(name, empty) for name in REGISTERS},
        massless=writer.massless,
    )


@final
class _Parts:
    """Writes the sections of a dynamic tape."""

    def __init__(
        self, traced: TracedDynamics, kept: list[int], spare: list[int], g: list[Expression]
    ) -> None:
        self.traced = traced
        self.kept = kept
        self.spare = spare
        self.g = g
        self.system = traced.system
        inputs = traced.system.inputs
        self.v = dict(enumerate(inputs.v))
        self.zero = Expression(inputs.graph, inputs.graph.constant(0.0))
        self.J = [self.system.jacobian[k] for k in kept]
        self.massless = self._solved_massless()
        self.inverse_mass = traced.inverse_mass.without(self.massless)

    def _solved_massless(self) -> tuple[int, ...]:
        """The velocities without mass, where every row holds one with mass, and every one a row.

        Elsewhere none: the tape is written as if they had mass, and the block solver is asked.
        """
        massless = set(self.traced.massless)
        held = {column for row in self.J for column in row}
        if any(row.keys() <= massless for row in self.J) or not massless <= held:
            return ()
        return self.traced.massless

    def parts(self, order: Sequence[int]) -> list[Part]:
        """All sections, in the order of the integrator's enumeration."""
        phi, system = self.system.phi, self.system
        arranged = [*self.kept, *self.spare]
        solved = self._factors(order)
        residual = {
            "phi": [phi[k] for k in arranged],
            "turns": self.traced.turns,
        }
        entries = [e for k in arranged for e in system.jacobian[k].values()]
        raw = {
            "jacobian": entries,
            "velocity_rhs": [system.velocity_rhs[k] for k in arranged],
            "gamma": [system.gamma[k] for k in arranged],
            "load": self._all(self.traced.load),
            "dissipated": [self.traced.dissipated],
        }
        both = {"pivots": solved.pivots, "diagonals": solved.diagonals}
        reads = ("factor",)
        return [
            Part("residual", residual),
            Part("factor", both),
            Part("correct", {"x": self._lightest(solved, self.g)}, reads),
            Part("velocity", {"velocity": self._velocity(solved)}, reads),
            Part("motion", self._motion(solved), reads),
            Part("system", raw),
            Part("energy", {"energies": [self.traced.kinetic, self.traced.potential]}),
            Part("switches", {"switches": self.traced.switches}),
            Part("rates", {"rates": self.traced.rates}),
        ]

    def _factors(self, order: Sequence[int]) -> SchurFactors:
        """Of S = J M^-1 J^T, with the columns of J of velocities without mass."""
        n = len(self.J)
        S = bordered(schur_complement(self.J, self.inverse_mass), self.J, self.massless)
        whole = bordered_order(order, self.J, self.massless)
        return factors(S, whole, range(n, n + len(self.massless)))

    def _lightest(self, solved: SchurFactors, right: Sequence[Expression]) -> list[Expression]:
        """M^-1 J^T lam; and y, without mass: [S B; B^T 0] (lam, y) = (right, 0)."""
        n = len(self.J)
        found = solved.solve([*right, *([self.zero] * len(self.massless))])
        moved = self.inverse_mass.times(transposed_product(self.J, found[:n]))
        return self._all(moved | dict(zip(self.massless, found[n:], strict=True)))

    def _velocity(self, solved: SchurFactors) -> list[Expression]:
        """v + M^-1 J^T S^-1 (-phi_t - J v)."""
        rhs = self.system.velocity_rhs
        gaps = [
            rhs[k] - product(row, self.v, self.zero)
            for k, row in zip(self.kept, self.J, strict=True)
        ]
        moved = self._lightest(solved, gaps)
        return [self.v[k] + d for k, d in enumerate(moved)]

    def _motion(self, solved: SchurFactors) -> dict[str, Sequence[Expression]]:
        """S lam = J M^-1 f - gamma,  a = M^-1 f - M^-1 J^T lam; -a without mass beside lam."""
        system, mass, n = self.system, self.inverse_mass, len(self.J)
        free = mass.times({k: f for k, f in self.traced.load.items() if not f.is_zero})
        right = [
            product(row, free, self.zero) - system.gamma[k]
            for k, row in zip(self.kept, self.J, strict=True)
        ]
        pushed = [self.traced.load.get(k, self.zero) for k in self.massless]
        found = solved.solve([*right, *pushed])
        lam = found[:n]
        held = mass.times(transposed_product(self.J, lam))
        a = [
            free.get(k, self.zero) - held[k] if k in held else free.get(k, self.zero)
            for k in range(len(self.v))
        ]
        for k, y in zip(self.massless, found[n:], strict=True):
            a[k] = -y
        driven = self.zero
        for multiplier, k in zip(lam, self.kept, strict=True):
            driven = driven - multiplier * system.velocity_rhs[k]
        return {"a": a, "lam": lam, "powers": [self.traced.dissipated, driven]}

    def _all(self, values: dict[int, Expression]) -> list[Expression]:
        return [values.get(k, self.zero) for k in range(len(self.v))]

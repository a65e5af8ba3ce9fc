"""The tape of a kinematic step: residual, correction, velocity, acceleration, all in one.

Inputs, in order: q, v, delta, t, last (turns), p (parameters). The sections are what a sweep runs;
`jacobian` and `right_hand` give the raw system to whoever factors it himself.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Part, Recording, Tape, record_parts
from kempe.algebra.native import core
from kempe.algebra.tape import IntArray
from kempe.compile.trace.elimination import Elimination, eliminate
from kempe.compile.trace.shape import AbstractShape, Row
from kempe.compile.trace.tracing import TracedSystem

FloatArray = NDArray[np.float64]

SWEPT = (  # what a step of a sweep computes
    "retracted",
    "phi",
    "spare",
    "turns",
    "dx",
    "correct_pivots",
    "qd",
    "velocity_pivots",
    "qdd",
)
REGISTER_NAMES = (*SWEPT, "jacobian", "velocity_rhs", "gamma")


@final
@dataclass(frozen=True, eq=False)
class KinematicTape(AbstractShape):
    """A tape and where its results are; `rows` are the system's, kept rows first, then spares.

    Without an elimination order the sections correct, velocity and acceleration are empty.
    """

    tape: Tape
    retracted: IntArray
    phi: IntArray
    spare: IntArray
    turns: IntArray
    dx: IntArray
    correct_pivots: IntArray
    qd: IntArray
    velocity_pivots: IntArray
    qdd: IntArray
    jacobian: IntArray  # registers of the non-zeros of all rows
    jacobian_units: IntArray  # 1 where an entry is always +-1
    velocity_rhs: IntArray
    gamma: IntArray
    blocks: IntArray  # diagonal blocks of the solved rows whose pivots are not all constant
    pivot_blocks: IntArray  # which of these each velocity pivot is in
    pivot_rows: IntArray  # the order in which unknowns are eliminated: rows
    pivot_columns: IntArray  # and columns

    def inputs(
        self,
        q: FloatArray,
        t: FloatArray | float,
        parameters: FloatArray,
        v: FloatArray | None = None,
    ) -> FloatArray:
        """The tape's inputs at samples q and v (n, ...), v at rest where left out: (n, inputs).

        Displacements and turns of the last step are 0.
        """
        rows = np.zeros((len(q), self.tape.n_inputs))
        rows[:, : self.n_q] = q
        if v is not None:
            rows[:, self.n_q : self.n_q + self.n_v] = v
        rows[:, self.n_q + 2 * self.n_v] = t
        rows[:, self.tape.n_inputs - self.n_parameters :] = parameters
        return rows

    @property
    def order(self) -> tuple[tuple[int, int], ...]:
        """Pivots (row among the kept, column) in the order in which they are eliminated."""
        pairs = zip(self.pivot_rows.tolist(), self.pivot_columns.tolist(), strict=True)
        return tuple(pairs)

    def to_bytes(self) -> dict[str, bytes]:
        """Named blobs for the cache."""
        header: dict[str, Any] = {}
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, int):
                header[f.name] = value
            elif isinstance(value, np.ndarray):
                header[f.name] = value.tolist()
        header["rows"] = [[r.element, r.place, r.unit] for r in self.rows]
        header["counted"] = [list(turn) for turn in self.counted]
        return {"tape": self.tape.to_bytes(), "registers": json.dumps(header).encode()}

    @classmethod
    def from_bytes(cls, blobs: dict[str, bytes]) -> "KinematicTape":
        """What `to_bytes` wrote; KeyError or ValueError where the blobs are something else."""
        header = json.loads(blobs["registers"])
        origins = {
            "rows": tuple(Row(*r) for r in header.pop("rows")),
            "counted": tuple((int(e), int(k)) for e, k in header.pop("counted")),
        }
        values: dict[str, Any] = {
            k: np.array(v, dtype=np.int32) if isinstance(v, list) else v for k, v in header.items()
        }
        return cls(tape=Tape.from_bytes(blobs["tape"]), **(values | origins))


def kinematic_tape(
    system: TracedSystem,
    kept: Sequence[int],
    order: Sequence[tuple[int, int]] | None,
) -> KinematicTape:
    """The tape that solves the kept rows (pivots in `order`) and watches the others."""
    spare = [k for k in range(len(system.phi)) if k not in set(kept)]
    arranged = [*kept, *spare]
    factors = None if order is None else eliminate([system.jacobian[k] for k in kept], order)
    parts = _parts(system, list(kept), spare, arranged, factors)
    recording = record_parts(system.inputs.graph, system.inputs.in_order(), parts)
    entries = [(k, column) for k, row in enumerate(arranged) for column in system.jacobian[row]]
    told = [e.constant for row in arranged for e in system.jacobian[row].values()]
    blocks, pivot_blocks = _blocks(entries, len(kept), factors)
    return KinematicTape(
        tape=recording.tape,
        n_q=len(system.inputs.q),
        n_v=len(system.inputs.v),
        n_rows=len(kept),
        n_spare=len(spare),
        n_turns=len(system.turns),
        n_parameters=len(system.inputs.p),
        rows=tuple(system.rows[k] for k in arranged),
        counted=tuple(system.counted),
        jacobian_rows=np.array([r for r, _ in entries], dtype=np.int32),
        jacobian_columns=np.array([c for _, c in entries], dtype=np.int32),
        jacobian_units=np.array([abs(x or 0.0) == 1.0 for x in told], dtype=np.int32),
        blocks=blocks,
        pivot_blocks=pivot_blocks,
        pivot_rows=np.array([r for r, _ in order or ()], dtype=np.int32),
        pivot_columns=np.array([c for _, c in order or ()], dtype=np.int32),
        **{name: _registers(recording, name) for name in REGISTER_NAMES},
    )


def _blocks(
    entries: Sequence[tuple[int, int]],
    solved: int,
    factors: Elimination | None,
) -> tuple[IntArray, IntArray]:
    """Diagonal blocks that have pivots which vary, and in which of them each such pivot is."""
    if factors is None:
        return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32)
    mine = np.array([e for e in entries if e[0] < solved], dtype=np.int32).reshape(-1, 2)
    of_row = core.diagonal_blocks(solved, *(np.ascontiguousarray(c) for c in mine.T)).of_row
    found = of_row[np.array(factors.pivot_rows, dtype=np.intp)]
    blocks, pivot_blocks = np.unique(found, return_inverse=True)
    return blocks.astype(np.int32), pivot_blocks.astype(np.int32)


def _parts(
    system: TracedSystem,
    kept: list[int],
    spare: list[int],
    arranged: list[int],
    factors: Elimination | None,
) -> list[Part]:
    phi, gamma, rhs = system.phi, system.gamma, system.velocity_rhs
    residual = {
        "phi": [phi[k] for k in kept],
        "spare": [phi[k] for k in spare],
        "turns": system.turns,
    }
    parts = [Part("retract", {"retracted": system.retracted}), Part("residual", residual)]
    if factors is None:
        parts += [Part(name, {}) for name in ("correct", "velocity", "acceleration")]
    else:
        dx = factors.solve(residual["phi"])
        qd = factors.solve([rhs[k] for k in kept])
        qdd = factors.solve([gamma[k] for k in kept])
        pivots = factors.pivots
        parts += [
            Part("correct", {"dx": dx, "correct_pivots": pivots}, ("residual",)),
            Part("velocity", {"qd": qd, "velocity_pivots": pivots}, ("residual",)),
            Part("acceleration", {"qdd": qdd}, ("residual", "velocity")),
        ]
    entries = [e for k in arranged for e in system.jacobian[k].values()]
    right = {"velocity_rhs": [rhs[k] for k in arranged], "gamma": [gamma[k] for k in arranged]}
    parts += [
        Part("jacobian", {"jacobian": entries}, ("residual",)),
        Part("right_hand", right, ("residual",)),
    ]
    return parts


def _registers(recording: Recording, name: str) -> IntArray:
    return recording.registers.get(name, np.zeros(0, dtype=np.int32))

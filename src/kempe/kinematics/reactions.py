"""Reactions: the forces that joints and drives must exert for the motion to be as it is.

The motion is known, so the equations of motion are solved for the multipliers:

    J^T lam = M a + h(v) - f

with one multiplier a row. What a joint's rows do to a body is the wrench of the joint. Where rows
are redundant, only some components are determined; the others are one of many.

Source: [KohPark] section 3; uniqueness: a component is unique where the null space of J^T has no
part in it.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core, native_tape
from kempe.compile.kinematic_tape import KinematicTape
from kempe.compile.layout import GROUND_INDEX, Layout
from kempe.compile.program import Program
from kempe.geometry import Inertia, Marker, Pose, Rotation, Vector
from kempe.kinematics.applied_forces import applied_loads
from kempe.kinematics.observation import observe
from kempe.kinematics.rank import REDUNDANT
from kempe.results import Motion

FloatArray = NDArray[np.float64]

# A part of a unit null vector below this is rounding: the component is determined.
UNIQUE = 1e-8


@final
@dataclass(frozen=True, slots=True, eq=False)
class JointForces:
    """Force and torque that a joint exerts on the body of its marker J, at that marker.

    World axes, (n, 2) and (n, 1) in the plane, (n, 3) in space. `unique` says for every component
    of force, then torque, whether it is determined.
    """

    force: FloatArray
    torque: FloatArray
    unique: tuple[bool, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Reactions:
    """Multipliers of all rows and how they act on bodies, sample by sample.

    Rows that are not solved have none: 0 stands for them.
    """

    layout: Layout
    motion: Motion
    program: Program
    multipliers: FloatArray  # (n, rows)
    entries: FloatArray  # (n, entries of the Jacobian)
    null: FloatArray  # (k, all rows): combinations of rows that do nothing

    def of_joint(self, name: str) -> JointForces:
        """What the joint of that name exerts."""
        element = next(k for k, e in enumerate(self.layout.elements) if e.name == name)
        marker = self.layout.elements[element].markers[-1]
        if self.layout.body_index[marker.body] == GROUND_INDEX:
            return self._on_ground(element, marker)
        forces, free = self._on_body(element, self.layout.body_index[marker.body])
        return self._at_marker(forces, free, marker)

    def of_drive(self, name: str) -> FloatArray:
        """Force or torque (n,) along the driven measure that the drive exerts."""
        element = next(
            k
            for k, d in enumerate(self.layout.model.drives, start=self.layout.first_drive)
            if d.gauge.name == name
        )
        rows = self._rows(element)
        effort: FloatArray = self.multipliers[:, rows[0]]
        return effort

    def _rows(self, element: int) -> list[int]:
        rows = enumerate(self.program.shape.rows)
        return [k for k, row in rows if row.element == element]

    def _on_body(self, element: int, body: int) -> tuple[FloatArray, FloatArray]:
        """Generalised force (n, n_v) of an element on a body, and its free parts (k, n_v)."""
        shape, n = self.program.shape, self.layout.chart.n_v
        force = np.zeros((len(self.motion), n))
        free = np.zeros((len(self.null), n))
        for place, (row, column) in enumerate(
            zip(shape.jacobian_rows, shape.jacobian_columns, strict=True)
        ):
            if shape.rows[row].element == element and column // n == body:
                entry = self.entries[:, place]
                force[:, column % n] += self.multipliers[:, row] * entry
                free[:, column % n] += self.null[:, row] * entry[0]
        return force, free

    def _on_ground(self, element: int, marker: Marker) -> JointForces:
        """Marker J rides on the ground: what acts there opposes what acts on the other body."""
        other = self.layout.elements[element].markers[0]
        forces, free = self._on_body(element, self.layout.body_index[other.body])
        there = self._at_marker(forces, free, other)
        return JointForces(-there.force, -there.torque, there.unique)

    def _at_marker(self, forces: FloatArray, free: FloatArray, marker: Marker) -> JointForces:
        """From (force in world axes, torque about the origin in body axes) to the marker."""
        if self.layout.model.plane:
            arm = self._arm(marker)
            torque = forces[:, 2] - (arm[:, 0] * forces[:, 1] - arm[:, 1] * forces[:, 0])
            spare = free[:, 2] - (arm[0, 0] * free[:, 1] - arm[0, 1] * free[:, 0])
            moved = np.column_stack([free[:, :2], spare])
            unique = tuple(bool(c) for c in np.abs(moved).max(axis=0, initial=0.0) < UNIQUE)
            return JointForces(forces[:, :2], torque[:, None], unique)
        R, arm = self._rotations(marker), self._arm(marker)
        torque = np.einsum("nij,nj->ni", R, forces[:, 3:]) - np.cross(arm, forces[:, :3])
        spare = np.einsum("ij,kj->ki", R[0], free[:, 3:]) - np.cross(arm[:1], free[:, :3])
        moved = np.column_stack([free[:, :3], spare])
        unique = tuple(bool(c) for c in np.abs(moved).max(axis=0, initial=0.0) < UNIQUE)
        return JointForces(forces[:, :3], torque, unique)

    def _arm(self, marker: Marker) -> FloatArray:
        """From the body's origin to the marker, world axes, (n, 3)."""
        tip, _, _ = observe(
            self.layout,
            self.motion,
            [marker, Marker(marker.body)],
            lambda X: list(X[0].position - X[1].position),
        )
        return tip

    def _rotations(self, marker: Marker) -> FloatArray:
        entries, _, _ = observe(
            self.layout,
            self.motion,
            [Marker(marker.body)],
            _axes,
        )
        return entries.reshape(-1, 3, 3).transpose(0, 2, 1)


def reactions(
    layout: Layout, motion: Motion, program: Program, gravity: tuple[float, float, float]
) -> Reactions:
    """The multipliers along a motion, from the bodies' inertias and gravity (m/s^2)."""
    entries = jacobian_samples(layout, motion, program)
    shape = program.shape
    mine = np.flatnonzero(shape.jacobian_rows < shape.n_rows)
    multipliers = np.zeros((len(motion), len(shape.rows)))
    multipliers[:, : shape.n_rows] = core.transposed_solutions(
        shape.n_v,
        np.ascontiguousarray(shape.jacobian_rows[mine]),
        np.ascontiguousarray(shape.jacobian_columns[mine]),
        np.ascontiguousarray(entries[:, mine]),
        inertia_forces(layout, motion, gravity) - applied_loads(layout, motion),
    )
    null = idle_combinations(program, entries[0])
    return Reactions(layout, motion, program, multipliers, entries, null)


def idle_combinations(program: Program, entries: FloatArray) -> FloatArray:
    """Combinations of rows (k, rows) that do nothing where the Jacobian has these entries."""
    J = program.dense_jacobian(entries)
    null = np.atleast_2d(core.null_space(np.ascontiguousarray(J.T), REDUNDANT))
    return null.reshape(-1, len(program.shape.rows))


def inertia_forces(
    layout: Layout, motion: Motion, gravity: tuple[float, float, float]
) -> FloatArray:
    """M a + h(v) - f, body by body: force in world axes, torque about the origin in body axes.

    F = m (a_C - g),  T = I_C alpha + w x I_C w + c x A^T F,  C the centre of mass at c
    """
    n = layout.chart.n_v
    forces = np.zeros((len(motion), layout.n_v))
    for k, body in enumerate(layout.model.moving):
        if body.inertia is not None:
            forces[:, k * n : (k + 1) * n] = _body_forces(
                layout, motion, body.name, body.inertia, gravity
            )
    return forces


def _body_forces(
    layout: Layout,
    motion: Motion,
    name: str,
    inertia: Inertia,
    gravity: tuple[float, float, float],
) -> FloatArray:
    x, y, z = (float(c) for c in inertia.centre)
    k, n = layout.body_index[name], layout.chart.n_v
    centre = Marker(name, (x, y, z))
    _, _, acceleration = observe(layout, motion, [centre], lambda X: list(X[0].position))
    force = inertia.mass * (acceleration - np.array(gravity))
    w, alpha = (s[:, k * n : (k + 1) * n] for s in (motion.v, motion.a))
    if layout.model.plane:
        arm, _, _ = observe(
            layout, motion, [centre, Marker(name)], lambda X: list(X[0].position - X[1].position)
        )
        turning = inertia.tensor[2, 2] * alpha[:, 2]
        torque = turning + arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]
        return np.column_stack([force[:, :2], torque])
    columns, _, _ = observe(layout, motion, [Marker(name)], _axes)
    R = columns.reshape(-1, 3, 3)  # rows are the body's axes: R^T applied below
    spin = w[:, 3:] @ inertia.tensor.T
    torque = alpha[:, 3:] @ inertia.tensor.T + np.cross(w[:, 3:], spin)
    torque = torque + np.cross(inertia.centre, np.einsum("nij,nj->ni", R, force))
    return np.column_stack([force, torque])


def _axes(X: list[Pose]) -> list[Any]:
    R: Rotation = X[0].rotation
    axes: list[Vector] = [R.x, R.y, R.z]
    return [e for axis in axes for e in axis]


def jacobian_samples(layout: Layout, motion: Motion, program: Program) -> FloatArray:
    """The Jacobian's entries at every sample, (n, entries)."""
    shape = program.shape
    if isinstance(shape, KinematicTape):
        n, tape = len(motion), shape.tape
        inputs = np.zeros((n, tape.n_inputs))
        inputs[:, : shape.n_q] = motion.q
        inputs[:, shape.n_q + 2 * shape.n_v] = motion.t
        inputs[:, tape.n_inputs - shape.n_parameters :] = layout.parameters
        return native_tape(tape).evaluate_lanes(inputs, shape.jacobian)
    last = np.zeros(shape.n_turns)
    parameters = layout.parameters
    samples = zip(motion.q, motion.t, strict=True)
    return np.array([program.evaluate(parameters, q, float(t), last)[1] for q, t in samples])

"""Reactions: the forces that joints and drives must exert for the motion to be as it is.

The motion is known, so the equations of motion are solved for the multipliers:

    J^T lam = M a + h(v) - f

with one multiplier a row. What a joint's rows do to a body is the wrench of the joint. Where rows
are redundant, only some components are determined; the others are one of many.

Source: [KohPark] section 3; uniqueness: a component is unique where the null space of J^T has no
part in it.

The multipliers lam of the rows of joints, couplers and drives solve  J^T lam = f,  f what inertia
and weight ask for. Where rows repeat each other, many multipliers do; the one
taken is the shortest, with lengths measured in sizes of the machine, and beside it stands what may
be added to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.equations import Equations
from kempe.equations.equations import Sampled
from kempe.errors import UnknownName, nearest_name
from kempe.geometry import Inertia, Marker, Pose, Rotation, Vector
from kempe.kinematics.observe.observation import observe
from kempe.kinematics.reactions.loads import applied_loads, mass_shares
from kempe.results import Motion

FloatArray = NDArray[np.float64]

# Velocities up to which full matrices are factored, and numbers that are held at a time.
DENSE = 400
AT_A_TIME = 4_000_000

# A part of a unit null vector below this is rounding: the component is determined.
UNIQUE = 1e-8


@final
@dataclass(frozen=True, slots=True, eq=False)
class Multipliers:
    """One multiplier a row, (n, rows), and the k combinations that do nothing, (n, k, rows).

    A combination has length 1 where lengths are measured in sizes of the machine; all 0 where
    fewer do nothing in that sample than in another.
    """

    values: FloatArray
    null: FloatArray


def multipliers(equations: Equations, entries: FloatArray, forces: FloatArray) -> Multipliers:
    """lam with J^T lam = f at every sample; `entries` are J's (n, entries), `forces` (n, n_v)."""
    shape = equations.program.shape
    if shape.n_spare == 0:
        values = _by_solved_rows(equations, entries, forces)
        return Multipliers(values, np.zeros((len(forces), 0, shape.n_rows)))
    if shape.n_v <= DENSE:
        return _shortest(equations, entries, forces)
    solved = _by_solved_rows(equations, entries, forces)
    values = np.concatenate([solved, np.zeros((len(forces), shape.n_spare))], axis=1)
    return Multipliers(values, _repeating(equations, entries))


def _by_solved_rows(equations: Equations, entries: FloatArray, forces: FloatArray) -> FloatArray:
    """C J^T lam = C f, with displacements in sizes of the machine, rounded to powers of two."""
    shape = equations.program.shape
    mine = np.flatnonzero(shape.jacobian_rows < shape.n_rows)
    columns = shape.jacobian_columns[mine]
    C = np.exp2(-np.round(np.log2(equations.layout.step_weights)))
    return core.transposed_solutions(
        shape.n_v,
        np.ascontiguousarray(shape.jacobian_rows[mine]),
        np.ascontiguousarray(columns),
        np.ascontiguousarray(entries[:, mine] * C[columns]),
        np.ascontiguousarray(forces * C),
    )


def _repeating(equations: Equations, entries: FloatArray) -> FloatArray:
    """What every spare row says in terms of the solved ones: j_spare - c J_solved = 0."""
    shape = equations.program.shape
    null = np.zeros((len(entries), shape.n_spare, len(shape.rows)))
    for k in range(shape.n_spare):
        mine = np.flatnonzero(shape.jacobian_rows == shape.n_rows + k)
        row = np.zeros((len(entries), shape.n_v))
        row[:, shape.jacobian_columns[mine]] = entries[:, mine]
        null[:, k, : shape.n_rows] = -_by_solved_rows(equations, entries, row)
        null[:, k, shape.n_rows + k] = 1.0
    lengths = np.linalg.norm(null / equations.row_weights, axis=2, keepdims=True)
    return np.asarray(null / lengths)


def _shortest(equations: Equations, entries: FloatArray, forces: FloatArray) -> Multipliers:
    """With W J C = Q R, all in units of the machine: lam = W Q (R^-T C f, 0).

    The last columns of Q are the combinations that do nothing. Source: [GolubVanLoan] 5.7.2.
    """
    shape, n_v = equations.program.shape, equations.program.shape.n_v
    W, C = equations.row_weights, 1.0 / equations.layout.step_weights
    scaled = entries * W[shape.jacobian_rows] * C[shape.jacobian_columns]
    values = np.zeros((len(forces), len(W)))
    null = np.zeros((len(forces), len(W) - n_v, len(W)))
    chunk = max(1, AT_A_TIME // len(W) ** 2)
    for first in range(0, len(forces), chunk):
        some = slice(first, first + chunk)
        J = np.zeros((len(scaled[some]), len(W), n_v))
        J[:, shape.jacobian_rows, shape.jacobian_columns] = scaled[some]
        Q, R = np.linalg.qr(J, mode="complete")
        pushed = np.linalg.solve(np.swapaxes(R[:, :n_v], 1, 2), (C * forces[some])[:, :, None])
        values[some] = W * (Q[:, :, :n_v] @ pushed)[:, :, 0]
        null[some] = W * np.swapaxes(Q[:, :, n_v:], 1, 2)
    return Multipliers(values, null)


@final
@dataclass(frozen=True, slots=True, eq=False)
class JointForces:
    """Force and torque that a joint exerts on a body, the torque about the joint's marker J.

    World axes, (n, 2) and (n, 1) in the plane, (n, 3) in space. The torque is about the origin of
    marker J for every kind of joint and whichever body it acts on, so that what a joint does to
    its bodies adds up to nothing. `determined` says for every sample and every component of force,
    then torque, whether it follows from the motion.
    """

    force: FloatArray
    torque: FloatArray
    determined: NDArray[np.bool_]

    @property
    def unique(self) -> tuple[bool, ...]:
        """Which components are determined all along."""
        return tuple(bool(column.all()) for column in self.determined.T)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Reactions:
    """Multipliers of all solved rows and how they act on bodies, sample by sample."""

    equations: Equations
    motion: Motion
    multipliers: Multipliers
    entries: FloatArray  # (n, entries of the Jacobian)

    def of_joint(self, name: str, on: str | None = None) -> JointForces:
        """What the joint of that name exerts on a body, about its marker J; on J's if not said.

        A joint that holds on to more than two bodies, as a point kept from a bar between two others
        does, acts on each of them.
        """
        elements = self._elements(name)
        joint = self.equations.layout.model.joint(name)
        body = joint.J.body if on is None else on
        held = {marker.body for marker in joint.markers}
        if body not in held:
            raise UnknownName(
                f"joint {name!r} does not hold {body!r}.{nearest_name(body, sorted(held))}"
            )
        if self.equations.layout.body_index[body] != GROUND_INDEX:
            return self._about(elements, (body,), joint.J)
        others = tuple(
            other for other in held if self.equations.layout.body_index[other] != GROUND_INDEX
        )
        there = self._about(elements, others, joint.J)  # what acts on the ground opposes it
        return JointForces(-there.force, -there.torque, there.determined)

    def of_drive(self, name: str) -> tuple[FloatArray, bool]:
        """Force or torque (n,) along the driven measure, and whether it is determined."""
        element = next(
            k
            for k, d in enumerate(
                self.equations.layout.model.drives, start=self.equations.layout.first_drive
            )
            if d.gauge.name == name
        )
        return self._effort(element)

    def of_drive_on(self, name: str, marker: Marker) -> JointForces:
        """What the drive of the measure `name` does to the body of a marker, about that marker."""
        drives = self.equations.layout.model.drives
        number = next(k for k, drive in enumerate(drives) if drive.gauge.name == name)
        return self._about((self.equations.layout.first_drive + number,), (marker.body,), marker)

    def of_coupler(self, name: str) -> tuple[FloatArray, bool]:
        """Force or torque (n,) along the row of a coupler, and whether it is determined.

        Where a measure stands in the row by itself, as a rack's displacement or the turn of the
        first wheel of a gear pair does, it is what acts along that measure.
        """
        return self._effort(self._elements(name)[0])

    def _elements(self, name: str) -> tuple[int, ...]:
        """The rows of places of a part, and those of velocities of a joint that has some."""
        return tuple(k for k, e in enumerate(self.equations.layout.elements) if e.name == name)

    def _effort(self, element: int) -> tuple[FloatArray, bool]:
        row = next(
            k for k, row in enumerate(self.equations.program.shape.rows) if row.element == element
        )
        unit = self.equations.row_weights[row]
        free = np.abs(self.multipliers.null[:, :, row]).max(initial=0.0) / unit
        return self.multipliers.values[:, row], bool(free < UNIQUE)

    def _on_body(self, elements: Sequence[int], body: int) -> tuple[FloatArray, FloatArray]:
        """Generalised force (n, n_v) of elements on a body, and its free parts (n, k, n_v)."""
        shape, at = self.equations.program.shape, self.equations.layout.coordinates
        force = np.zeros((len(self.motion), at.n_each))
        free = np.zeros((*self.multipliers.null.shape[:2], at.n_each))
        bodies, parts = at.body_of(shape.jacobian_columns)
        for place in np.flatnonzero(bodies == body):
            row, part = shape.jacobian_rows[place], parts[place]
            if shape.rows[row].element in elements:
                entry = self.entries[:, place]
                force[:, part] += self.multipliers.values[:, row] * entry
                free[:, :, part] += self.multipliers.null[:, :, row] * entry[:, None]
        return force, free

    def _about(self, elements: Sequence[int], bodies: Sequence[str], marker: Marker) -> JointForces:
        """What elements exert on bodies in all, with the torque about a marker."""
        n = 2 if self.equations.layout.model.plane else 3
        wrench = np.zeros((len(self.motion), 3 if n == 2 else 6))
        spare = np.zeros((*self.multipliers.null.shape[:2], wrench.shape[1]))
        for body in bodies:
            forces, free = self._on_body(elements, self.equations.layout.body_index[body])
            arm = self._arm(body, marker)
            if self.equations.layout.model.plane:
                wrench += _moved_flat(arm, forces)
                spare += _moved_flat(arm[:, None], free)
            else:
                R = self._rotations(body)
                wrench += _moved(R, arm, forces)
                spare += _moved(R[:, None], arm[:, None], free)
        loose = np.abs(spare) * np.where(
            np.arange(wrench.shape[1]) < n, self.equations.layout.size, 1.0
        )
        determined = loose.max(axis=1, initial=0.0) < UNIQUE
        return JointForces(wrench[:, :n], wrench[:, n:], determined)

    def _arm(self, body: str, marker: Marker) -> FloatArray:
        """From the body's origin to the marker, world axes, (n, 3)."""
        tip, _, _ = observe(
            self.equations.layout,
            self.motion,
            [marker, Marker(body)],
            lambda X: list(X[0].position - X[1].position),
        )
        return tip

    def _rotations(self, body: str) -> FloatArray:
        entries, _, _ = observe(self.equations.layout, self.motion, [Marker(body)], _axes)
        return entries.reshape(-1, 3, 3).transpose(0, 2, 1)

    def __repr__(self) -> str:
        ways = ".of_joint(name), .of_drive(name)"
        return (
            f"Reactions of {self.equations.layout.model.name!r}, {len(self.motion)} samples: {ways}"
        )


def reactions(
    equations: Equations, motion: Motion, gravity: tuple[float, float, float]
) -> Reactions:
    """The multipliers along a motion, from inertias, gravity (m/s^2) and the model's forces."""
    layout = equations.layout
    entries = Sampled(equations, motion.q, motion.t).entries()
    forces = inertia_forces(layout, motion, gravity) - applied_loads(layout, motion)
    return Reactions(equations, motion, multipliers(equations, entries, forces), entries)


def _moved(R: FloatArray, arm: FloatArray, wrench: FloatArray) -> FloatArray:
    """Force and torque about the end of the arm: T = R T_body - arm x F."""
    force = wrench[..., :3]
    torque = np.einsum("...ij,...j->...i", R, wrench[..., 3:]) - np.cross(arm, force)
    return np.concatenate([force, torque], axis=-1)


def _moved_flat(arm: FloatArray, wrench: FloatArray) -> FloatArray:
    """Force (x, y) and torque about the end of the arm in the plane: T = T_body - arm x F."""
    x, y = wrench[..., 0], wrench[..., 1]
    return np.stack([x, y, wrench[..., 2] - (arm[..., 0] * y - arm[..., 1] * x)], axis=-1)


def inertia_forces(
    layout: Layout, motion: Motion, gravity: tuple[float, float, float]
) -> FloatArray:
    """M a + h(v) - f, body by body: force in world axes, torque about the origin in body axes.

    F = m (a_C - g),  T = I_C alpha + w x I_C w + c x A^T F,  C the centre of mass at c
    """
    forces = np.zeros((len(motion), layout.n_v))
    for k, body in enumerate(layout.model.moving):
        if body.inertia is not None:
            wrench = _body_forces(layout, motion, body.name, body.inertia, gravity)
            forces[:, layout.coordinates.v_of(k)] = wrench
    return forces


def _body_forces(
    layout: Layout,
    motion: Motion,
    name: str,
    inertia: Inertia,
    gravity: tuple[float, float, float],
) -> FloatArray:
    x, y, z = (float(c) for c in inertia.centre)
    spin = layout.coordinates.spin_of(layout.body_index[name])
    centre = Marker(name, (x, y, z))
    _, _, acceleration = observe(layout, motion, [centre], lambda X: list(X[0].position))
    force = inertia.mass * (acceleration - np.array(gravity))
    w, alpha = motion.v[:, spin], motion.a[:, spin]
    if layout.model.plane:
        arm, _, _ = observe(
            layout, motion, [centre, Marker(name)], lambda X: list(X[0].position - X[1].position)
        )
        turning = inertia.tensor[2, 2] * alpha[:, 0]
        torque = turning + arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]
        return np.column_stack([force[:, :2], torque])
    columns, _, _ = observe(layout, motion, [Marker(name)], _axes)
    R = columns.reshape(-1, 3, 3)  # rows are the body's axes: R^T applied below
    torque = alpha @ inertia.tensor.T + np.cross(w, w @ inertia.tensor.T)
    torque = torque + np.cross(inertia.centre, np.einsum("nij,nj->ni", R, force))
    return np.column_stack([force, torque])


def resultant(layout: Layout, motion: Motion, name: str) -> tuple[FloatArray, FloatArray]:
    """Force and torque about the centre of mass that move a body as it moves, in world axes.

    F = m a_C,  T = R (I_C alpha + w x I_C w); (n, 2) and (n, 1) in the plane
    """
    inertia = layout.model.body(name).inertia
    assert inertia is not None
    share = mass_shares(layout.model, motion, name)
    wrench = share * _body_forces(layout, motion, name, inertia, (0.0, 0.0, 0.0))
    if layout.model.plane:
        spin = layout.coordinates.spin_of(layout.body_index[name])
        return wrench[:, :2], share * inertia.tensor[2, 2] * motion.a[:, spin]
    columns, _, _ = observe(layout, motion, [Marker(name)], _axes)
    R = columns.reshape(-1, 3, 3)  # rows are the body's axes
    push = np.einsum("nij,nj->ni", R, wrench[:, :3])
    torque = np.einsum("nji,nj->ni", R, wrench[:, 3:] - np.cross(inertia.centre, push))
    return wrench[:, :3], torque


def _axes(X: list[Pose]) -> list[Any]:
    R: Rotation = X[0].rotation
    axes: list[Vector] = [R.x, R.y, R.z]
    return [e for axis in axes for e in axis]

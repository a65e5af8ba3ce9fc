"""The layout of a mechanism with masses and forces: what its equations of motion depend on.

They are written for the centres of mass, where M is diagonal in blocks and constant: every body's
origin is moved there. Positions and velocities of the bodies' own origins follow from the centres'.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.elements import all_numbers, structure
from kempe.compile.layout.force_elements import ForceElement
from kempe.compile.layout.layout import Layout
from kempe.compile.layout.numbers import is_literal, pattern
from kempe.errors import BadNumber
from kempe.forces import AbstractForce, MassFlow, Weight
from kempe.forces.mass_flow import FlowOnBody
from kempe.geometry import Inertia, Marker, Pose, Vector
from kempe.model import Body, Model
from kempe.model.editing import moved_parts

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, eq=False)
class DynamicLayout:
    """Rows, forces and masses of one model, its bodies seen from their centres of mass.

    Parameters are those of the rows, then of the forces, then of the masses.
    """

    model: Model  # as the user gave it

    @cached_property
    def layout(self) -> Layout:
        """The rows, with every body's origin at its centre of mass."""
        return Layout(centred(self.model)).moving

    @cached_property
    def forces(self) -> tuple[ForceElement, ...]:
        """The weights of the bodies, then the model's forces."""
        model = self.layout.model
        g = model.gravity
        weights = []
        if any(g):
            for body in model.moving:
                mass = _mass(body)
                pull = (mass * g[0], mass * g[1], mass * g[2])
                weights.append(ForceElement(Weight(Marker(body.name), pull, name=body.name)))
        return (*weights, *(ForceElement(on_its_body(model, f)) for f in model.forces))

    @cached_property
    def mass_blocks(self) -> FloatArray:
        """M, (bodies, n, n): mass, and inertia about the centre in body axes."""
        n = self.layout.chart.n_v
        blocks = np.zeros((self.layout.n_bodies, n, n))
        for block, body in zip(blocks, self.layout.model.moving, strict=True):
            tensor = np.zeros((3, 3)) if body.inertia is None else body.inertia.tensor
            if self.model.plane:
                block[:] = np.diag([_mass(body), _mass(body), tensor[2, 2]])
            else:
                block[:3, :3] = _mass(body) * np.eye(3)
                block[3:, 3:] = tensor
        return blocks

    @cached_property
    def mass(self) -> float:
        """Of all bodies together, kg."""
        return float(self.mass_blocks[:, 0, 0].sum())

    @cached_property
    def flows(self) -> list[tuple[int, int]]:
        """The bodies that gain mass, and which of the states says how much."""
        found, state = [], 0
        for element in self.forces:
            if isinstance(element.force, FlowOnBody):
                found.append((self.layout.body_index[element.force.at.body], state))
            state += len(element.force.states)
        return found

    def mass_blocks_at(self, states: FloatArray) -> FloatArray:
        """M (bodies, n, n) where the states (states,) of forces say what bodies have gained."""
        blocks = self.mass_blocks.copy()
        for body, state in self.flows:
            blocks[body] += states[state] / self.mass_blocks[body, 0, 0] * self.mass_blocks[body]
        return blocks

    @cached_property
    def mass_numbers(self) -> list[list[float]]:
        """Each body's 1/m, 1/I, m, I in the plane; 1/m, m, I^-1, I (upper triangles) in space."""
        found: dict[int, list[float]] = {}  # bodies that are alike often share their inertia
        for body in self.layout.model.moving:
            if id(body.inertia) not in found:
                found[id(body.inertia)] = _mass_numbers(self.model.plane, body)
        return [found[id(body.inertia)] for body in self.layout.model.moving]

    @cached_property
    def massless(self) -> tuple[str, ...]:
        """Bodies without mass, or without inertia about some axis."""
        found: dict[int, bool] = {}
        for body, block in zip(self.layout.model.moving, self.mass_blocks, strict=True):
            if id(body.inertia) not in found:
                found[id(body.inertia)] = core.inverse_mass(block) is None
        return tuple(b.name for b in self.layout.model.moving if found[id(b.inertia)])

    @cached_property
    def parameters(self) -> FloatArray:
        """All lifted numbers; states of forces as they start."""
        numbers = [x for force in self.force_numbers for x in force]
        numbers += [x for body in self.mass_numbers for x in body]
        lifted = np.array([x for x in numbers if not is_literal(x)], dtype=np.float64)
        return self.with_states(np.concatenate([self.layout.parameters, lifted]), self.first_states)

    @cached_property
    def state_places(self) -> list[int]:
        """Where the states of forces stand among the parameters."""
        place = len(self.layout.parameters)
        found: list[int] = []
        for element, numbers in zip(self.forces, self.force_numbers, strict=True):
            place += sum(1 for x in numbers if not is_literal(x))
            found += range(place - len(element.force.states), place)
        return found

    @cached_property
    def first_states(self) -> FloatArray:
        """What the states of forces are at the start, (states,)."""
        first = [z for element in self.forces for z in element.force.first_states]
        return np.array(first, dtype=np.float64)

    def with_states(self, parameters: FloatArray, states: FloatArray) -> FloatArray:
        """The parameters with these states (states,) of forces; as they are without any."""
        if not len(states):
            return parameters
        found = parameters.copy()
        found[self.state_places] = states
        return found

    @cached_property
    def structure(self) -> str:
        """Everything a program depends on, in words."""
        lines = [self.layout.structure]
        for word, bodies in zip(self.structures, self.riding, strict=True):
            lines.append(f"{word}@{','.join(map(str, bodies))}")
        lines += [pattern(numbers) for numbers in self.mass_numbers]
        return "\n".join(lines)

    @cached_property
    def key(self) -> str:
        """SHA-256 of the structure."""
        return hashlib.sha256(f"dynamics\n{self.structure}".encode()).hexdigest()

    @cached_property
    def structures(self) -> list[str]:
        """What the traced form of every force depends on."""
        return [structure(force) for force in self.forces]

    @cached_property
    def riding(self) -> list[list[int]]:
        """Body indices of the markers of every force."""
        return [self.layout.markers_of(force) for force in self.forces]

    @cached_property
    def force_numbers(self) -> list[list[float]]:
        """All numbers of every force."""
        return [all_numbers(force) for force in self.forces]

    @cached_property
    def is_built_in(self) -> bool:
        """Whether the key is known without tracing anything."""
        return self.layout.is_built_in and all(f.is_built_in for f in self.forces)


def on_its_body(model: Model, force: AbstractForce) -> AbstractForce:
    """A force as it acts: one that changes a body's mass with what it needs to know of the body."""
    if not isinstance(force, MassFlow):
        return force
    return FlowOnBody.of(force, model.body(force.at.body).inertia, model.gravity)


def _mass(body: Body) -> float:
    return 0.0 if body.inertia is None else float(body.inertia.mass)


def _mass_numbers(plane: bool, body: Body) -> list[float]:
    """Numbers of a body's inertia; where it has none, 1 stands for what cannot be inverted."""
    mass = _mass(body)
    tensor = np.zeros((3, 3)) if body.inertia is None else np.array(body.inertia.tensor)
    if not mass > 0.0 and tensor.any():
        raise BadNumber(
            f"body {body.name!r} has an inertia tensor but no mass: the mass matrix would be"
            " singular. Give it a mass, or neither.",
            body=body.name,
        )
    lightness = 1.0 / (mass or 1.0)
    if plane:
        moment = float(tensor[2, 2])
        return [lightness, 1.0 / (moment or 1.0), mass, moment]
    upper = np.triu_indices(3)
    inverse = inverse_inertia(tensor)
    return [lightness, mass, *map(float, inverse[upper]), *map(float, tensor[upper])]


def inverse_inertia(tensor: FloatArray) -> FloatArray:
    """I^-1 (3, 3), however small a moment is beside the others; 1 about axes that have none.

    The block solver decides by the same test whether a body has inertia about every axis, and
    where it has not, uses no inverse at all.
    """
    is_idle = ~tensor.any(axis=1)
    tensor = tensor + np.diag(1.0 * is_idle)
    found = core.inverse_mass(np.ascontiguousarray(tensor))
    if found is None:
        return np.eye(3)
    if not (tensor - np.diag(np.diag(tensor))).any():
        return np.diag(1.0 / np.diag(tensor))
    return np.asarray(found).reshape(3, 3)


ZERO = (0.0, 0.0, 0.0)


def centre_of(body: Body) -> tuple[float, float, float]:
    """The centre of mass in the body's frame; its origin where it has no mass."""
    if body.inertia is None or body.inertia.mass == 0.0:
        return ZERO
    x, y, z = (float(c) for c in body.inertia.centre)
    return x, y, z


def centred(model: Model) -> Model:
    """The model with the origin of every moving body at its centre of mass."""
    shifts = {body.name: centre_of(body) for body in model.moving}

    def moved(marker: Marker) -> Marker:
        c = shifts.get(marker.body, ZERO)
        x, y, z = (p - s for p, s in zip(marker.position, c, strict=True))
        return replace(marker, position=(x, y, z))

    inertias: dict[int, Inertia] = {}  # bodies that share one go on to do so
    bodies = tuple(_centred_body(b, shifts.get(b.name, ZERO), inertias) for b in model.bodies)
    return replace(model, bodies=bodies, **moved_parts(model, moved, lambda name: name))


def _centred_body(body: Body, c: tuple[float, float, float], inertias: dict[int, Inertia]) -> Body:
    if body.name == "ground" or c == ZERO:
        return body
    points = {name: (p[0] - c[0], p[1] - c[1], p[2] - c[2]) for name, p in body.points.items()}
    put = body.guess or Pose.identity()
    guess = Pose(put.position + put.rotation.apply(Vector(*c)), put.rotation)
    inertia = body.inertia
    if inertia is not None:
        if id(inertia) not in inertias:
            inertias[id(inertia)] = Inertia(inertia.mass, np.zeros(3), inertia.tensor)
        inertia = inertias[id(inertia)]
    return replace(body, points=points, guess=guess, inertia=inertia)


def to_centres(model: Model, q: FloatArray) -> FloatArray:
    """Coordinates (n, n_q) of the centres, from those of the bodies' origins."""
    return _shifted(model, q, 1.0)


def to_origins(model: Model, q: FloatArray) -> FloatArray:
    """Coordinates (n, n_q) of the bodies' origins, from those of the centres."""
    return _shifted(model, q, -1.0)


def _shifted(model: Model, q: FloatArray, sign: float) -> FloatArray:
    moved = np.array(q)
    if model.plane:
        x, y = _plane_arms(model, q)
        moved[:, 0::3] += sign * x
        moved[:, 1::3] += sign * y
        return moved
    for k, c, R in _turned_centres(model, q):
        moved[:, k * 7 : k * 7 + 3] += sign * np.einsum("nij,j->ni", R, c)
    return moved


def velocities_at_centres(model: Model, q: FloatArray, v: FloatArray) -> FloatArray:
    """Velocities (n, n_v) of the centres, from those of the origins: v + w x R c."""
    return _carried(model, q, v, 1.0)


def velocities_at_origins(model: Model, q: FloatArray, v: FloatArray) -> FloatArray:
    """Velocities (n, n_v) of the origins, from those of the centres: v - w x R c."""
    return _carried(model, q, v, -1.0)


def accelerations_at_origins(
    model: Model, q: FloatArray, v: FloatArray, a: FloatArray
) -> FloatArray:
    """Accelerations of the origins: a - alpha x R c - w x (w x R c)."""
    moved = np.array(a)
    if model.plane:
        x, y = _plane_arms(model, q)
        w, alpha = v[:, 2::3], a[:, 2::3]
        moved[:, 0::3] -= -alpha * y - w * w * x
        moved[:, 1::3] -= alpha * x - w * w * y
        return moved
    for k, c, R in _turned_centres(model, q):
        mine, vel = moved[:, k * 6 : (k + 1) * 6], v[:, k * 6 : (k + 1) * 6]
        w, alpha = vel[:, 3:], mine[:, 3:]
        body_axes = np.cross(alpha, c) + np.cross(w, np.cross(w, c))
        mine[:, :3] -= np.einsum("nij,nj->ni", R, body_axes)
    return moved


def samples_at_origins(
    model: Model, q: FloatArray, v: FloatArray, a: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Coordinates, velocities and accelerations (n, ...) of the origins, from the centres'."""
    if not model.plane:
        return (
            to_origins(model, q),
            velocities_at_origins(model, q, v),
            accelerations_at_origins(model, q, v, a),
        )
    x, y = _plane_arms(model, q)
    w, alpha = v[:, 2::3], a[:, 2::3]
    q, v, a = np.array(q), np.array(v), np.array(a)
    q[:, 0::3] -= x
    q[:, 1::3] -= y
    v[:, 0::3] += w * y
    v[:, 1::3] -= w * x
    square = w * w
    a[:, 0::3] -= -alpha * y - square * x
    a[:, 1::3] -= alpha * x - square * y
    return q, v, a


def _carried(model: Model, q: FloatArray, v: FloatArray, sign: float) -> FloatArray:
    moved = np.array(v)
    if model.plane:
        x, y = _plane_arms(model, q)
        turning = sign * v[:, 2::3]
        moved[:, 0::3] -= turning * y
        moved[:, 1::3] += turning * x
        return moved
    for k, c, R in _turned_centres(model, q):
        mine = moved[:, k * 6 : (k + 1) * 6]
        mine[:, :3] += sign * np.einsum("nij,nj->ni", R, np.cross(mine[:, 3:], c))
    return moved


def _turned_centres(model: Model, q: FloatArray) -> Iterator[tuple[int, FloatArray, FloatArray]]:
    """Of moving bodies in space with a centre beside the origin: number, centre, R (n, 3, 3)."""
    for k, body in enumerate(model.moving):
        c = np.array(centre_of(body))
        if c.any():
            yield k, c, _rotations(q[:, k * 7 + 3 : (k + 1) * 7])


def _plane_arms(model: Model, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """x and y of R c of every moving body, (n, bodies) each, world axes."""
    centres = np.array([centre_of(body) for body in model.moving]).reshape(-1, 3)
    cos, sin = np.cos(q[:, 2::3]), np.sin(q[:, 2::3])
    x, y = centres[:, 0], centres[:, 1]
    return cos * x - sin * y, sin * x + cos * y


def _rotations(quaternions: FloatArray) -> FloatArray:
    matrices = np.empty((len(quaternions), 9))
    core.matrices_of_quaternions(np.ascontiguousarray(quaternions), matrices)
    return matrices.reshape(-1, 3, 3)

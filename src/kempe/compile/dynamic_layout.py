"""The layout of a mechanism with masses and forces: what its equations of motion depend on."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.centring import centred
from kempe.compile.force_elements import ForceElement
from kempe.compile.layout import Layout
from kempe.compile.numbers import is_literal, marker_numbers, pattern
from kempe.errors import BadNumber
from kempe.forces import Weight
from kempe.geometry import Marker
from kempe.model import Body, Model

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
        return Layout(centred(self.model))

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
        return (*weights, *(ForceElement(f) for f in model.forces))

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
    def mass_numbers(self) -> list[list[float]]:
        """For each body: 1/m and 1/I in the plane; 1/m, I^-1 and I (upper triangles) in space."""
        return [_mass_numbers(self.model.plane, b) for b in self.layout.model.moving]

    @cached_property
    def parameters(self) -> FloatArray:
        """All lifted numbers."""
        numbers = [x for f in self.forces for x in force_numbers(f)]
        numbers += [x for body in self.mass_numbers for x in body]
        lifted = np.array([x for x in numbers if not is_literal(x)], dtype=np.float64)
        return np.concatenate([self.layout.parameters, lifted])

    @cached_property
    def structure(self) -> str:
        """Everything a program depends on, in words."""
        lines = [self.layout.structure]
        for force in self.forces:
            bodies = ",".join(str(b) for b in self.bodies_of(force))
            lines.append(f"{force.structure}@{bodies}")
        lines += [pattern(numbers) for numbers in self.mass_numbers]
        return "\n".join(lines)

    @cached_property
    def key(self) -> str:
        """SHA-256 of the structure."""
        return hashlib.sha256(f"dynamics\n{self.structure}".encode()).hexdigest()

    @property
    def is_built_in(self) -> bool:
        """Whether the key is known without tracing anything."""
        return self.layout.is_built_in and all(f.is_built_in for f in self.forces)

    def bodies_of(self, force: ForceElement) -> list[int]:
        """Body indices of a force's markers, -1 for the ground."""
        return [self.layout.body_index[m.body] for m in force.markers]


def force_numbers(force: ForceElement) -> list[float]:
    """All numbers of a force: of its markers, then its own."""
    return [x for m in force.markers for x in marker_numbers(m)] + force.numbers


def _mass(body: Body) -> float:
    return 0.0 if body.inertia is None else float(body.inertia.mass)


def _mass_numbers(plane: bool, body: Body) -> list[float]:
    mass = _mass(body)
    tensor = np.zeros((3, 3)) if body.inertia is None else np.array(body.inertia.tensor)
    if not mass > 0.0:
        raise BadNumber(
            f"body {body.name!r} has no mass, so nothing says how it moves under forces: give it"
            " an inertia.",
            body=body.name,
        )
    if plane:
        if not tensor[2, 2] > 0.0:
            raise _no_inertia(body, tensor)
        return [1.0 / mass, 1.0 / float(tensor[2, 2])]
    if not np.linalg.eigvalsh(tensor).min() > 1e-14 * np.linalg.norm(tensor):
        raise _no_inertia(body, tensor)
    upper = np.triu_indices(3)
    inverse = np.linalg.inv(tensor)
    inverse[tensor == 0.0] = np.where(_is_diagonal(tensor), 0.0, inverse[tensor == 0.0])
    return [1.0 / mass, *map(float, inverse[upper]), *map(float, tensor[upper])]


def _is_diagonal(tensor: FloatArray) -> bool:
    return not (tensor - np.diag(np.diag(tensor))).any()


def _no_inertia(body: Body, tensor: FloatArray) -> BadNumber:
    return BadNumber(
        f"body {body.name!r} has no inertia about some axis through its centre of mass: give it a"
        " tensor whose principal moments are all positive.",
        body=body.name,
        moments=tuple(float(x) for x in np.linalg.eigvalsh(tensor)),
    )

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

SMALLEST_MOMENT = 1e-13  # of the largest: below it a moment of inertia is none


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
        """Each body's 1/m, 1/I, m, I in the plane; 1/m, m, I^-1, I (upper triangles) in space."""
        found: dict[int, list[float]] = {}  # bodies that are alike often share their inertia
        for body in self.layout.model.moving:
            if id(body.inertia) not in found:
                found[id(body.inertia)] = _mass_numbers(self.model.plane, body)
        return [found[id(body.inertia)] for body in self.layout.model.moving]

    @cached_property
    def massless(self) -> tuple[str, ...]:
        """Bodies without mass, or without inertia about some axis."""
        first = 2 if self.model.plane else 3
        moments = np.linalg.eigvalsh(self.mass_blocks[:, first:, first:])
        definite = moments[:, 0] > SMALLEST_MOMENT * moments[:, -1]
        whole = (self.mass_blocks[:, 0, 0] > 0.0) & definite
        return tuple(self.layout.model.moving[k].name for k in np.flatnonzero(~whole))

    @cached_property
    def parameters(self) -> FloatArray:
        """All lifted numbers."""
        numbers = [x for force in self.force_numbers for x in force]
        numbers += [x for body in self.mass_numbers for x in body]
        lifted = np.array([x for x in numbers if not is_literal(x)], dtype=np.float64)
        return np.concatenate([self.layout.parameters, lifted])

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
        return [force.structure for force in self.forces]

    @cached_property
    def riding(self) -> list[list[int]]:
        """Body indices of the markers of every force."""
        return [self.bodies_of(force) for force in self.forces]

    @cached_property
    def force_numbers(self) -> list[list[float]]:
        """All numbers of every force."""
        return [force_numbers(force) for force in self.forces]

    @cached_property
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
    """Numbers of a body's inertia; where it has none, 1 stands for what cannot be inverted."""
    mass = _mass(body)
    tensor = np.zeros((3, 3)) if body.inertia is None else np.array(body.inertia.tensor)
    if not mass > 0.0 and tensor.any():
        raise BadNumber(
            f"body {body.name!r} has an inertia tensor but no mass: the mass matrix would be"
            " singular. Give it a mass, or neither.",
            body=body.name,
        )
    if plane:
        moment = float(tensor[2, 2])
        return [1.0 / (mass or 1.0), 1.0 / (moment or 1.0), mass, moment]
    upper = np.triu_indices(3)
    inverse = np.linalg.inv(tensor) if is_definite(tensor) else np.eye(3)
    if not (tensor - np.diag(np.diag(tensor))).any():
        inverse = np.diag(np.diag(inverse))
    return [1.0 / (mass or 1.0), mass, *map(float, inverse[upper]), *map(float, tensor[upper])]


def is_definite(tensor: FloatArray) -> bool:
    """Whether a tensor has inertia about every axis."""
    moments = np.linalg.eigvalsh(tensor)
    return bool(moments[0] > SMALLEST_MOMENT * moments[-1])

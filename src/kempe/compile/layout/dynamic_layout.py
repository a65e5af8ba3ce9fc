"""The layout of a mechanism with masses and forces: what its equations of motion depend on."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.centring import centred
from kempe.compile.layout.force_elements import ForceElement
from kempe.compile.layout.layout import Layout
from kempe.compile.layout.numbers import is_literal, marker_numbers, pattern
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
    lightness = 1.0 / (mass or 1.0)
    if plane:
        moment = float(tensor[2, 2])
        return [lightness, 1.0 / (moment or 1.0), mass, moment]
    upper = np.triu_indices(3)
    inverse = inverse_inertia(tensor)
    return [lightness, mass, *map(float, inverse[upper]), *map(float, tensor[upper])]


def inverse_inertia(tensor: FloatArray) -> FloatArray:
    """I^-1 (3, 3), however small a moment is beside the others; the unit where there is none.

    The block solver decides by the same test whether a body has inertia about every axis, and
    where it has not, uses no inverse at all.
    """
    found = core.inverse_mass(np.ascontiguousarray(tensor))
    if found is None:
        return np.eye(3)
    if not (tensor - np.diag(np.diag(tensor))).any():
        return np.diag(1.0 / np.diag(tensor))
    return np.asarray(found).reshape(3, 3)

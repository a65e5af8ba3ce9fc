"""Flexible beams: rigid pieces with springs between them."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from kempe.errors import BadNumber
from kempe.forces import AbstractForce, Bushing, TorsionSpring
from kempe.geometry import Inertia, Marker, Pose, Vector, Z
from kempe.geometry.number import finite
from kempe.geometry.section import Section
from kempe.joints import AbstractJoint, Revolute, Spherical
from kempe.measures import Gauge, Turn
from kempe.model.body import Body

MOST_SEGMENTS = 200


@final
@dataclass(frozen=True, slots=True)
class Beam:
    """A beam as the parts of a model: bodies "name_0", "name_1", ..., joints and springs.

    k = E I / h in the middle of each of n segments of h = L / n, in space about both axes and
    G J / h along it; dampers c = damping k. Half a segment is at either end, whole ones between. It
    begins at X_WS and goes along x of that.

    Own: the pieces. Source: [Wittbrodt2006] ch. 3 for rigid finite elements.
    """

    name: str
    length: float  # m
    section: Section
    segments: int
    start: Pose  # X_WS
    damping: float  # s
    plane: bool

    def __post_init__(self) -> None:
        object.__setattr__(self, "damping", finite(self.damping, "the damping", "s"))
        if not (self.length > 0.0 and self.damping >= 0.0):
            raise BadNumber("a length is positive, and a damping not below 0.")
        count: object = self.segments
        if type(count) is not int or not 1 <= count <= MOST_SEGMENTS:
            raise BadNumber(f"a beam has 1 to {MOST_SEGMENTS} segments, not {count!r}.")
        section: object = self.section
        if not isinstance(section, Section):
            raise BadNumber(f"its section is {section!r}: give one, such as Section.circle(...).")

    @property
    def lengths(self) -> list[float]:
        """How long (m) its pieces are: half a segment at either end, whole ones between."""
        h = self.length / self.segments
        return [h / 2.0, *([h] * (self.segments - 1)), h / 2.0]

    @property
    def bodies(self) -> tuple[Body, ...]:
        """Its pieces, one after the other, with points `start` and `end`."""
        made, gone = [], 0.0
        for k, piece in enumerate(self.lengths):
            place = self.start.point(Vector(gone, 0.0, 0.0))
            made.append(
                Body(
                    f"{self.name}_{k}",
                    {"start": (0.0, 0.0, 0.0), "end": (piece, 0.0, 0.0)},
                    Pose(place, self.start.rotation),
                    self._inertia(piece),
                    ("start", "end"),
                )
            )
            gone += piece
        return tuple(made)

    @property
    def names(self) -> list[str]:
        """The names of all its parts."""
        bodies = [body.name for body in self.bodies]
        return [*bodies, *(j.name for j in self.joints), *(f.name for f in self.forces)]

    @property
    def places(self) -> dict[str, Marker]:
        """Where it begins and ends, and half-way: x of these markers is that of the beam."""
        n, lengths = self.segments, self.lengths
        half = n // 2
        middle = lengths[half] if n % 2 else 0.5 * lengths[half]
        return {
            "start": Marker(f"{self.name}_0"),
            "middle": Marker(f"{self.name}_{half}", (middle, 0.0, 0.0)),
            "end": Marker(f"{self.name}_{n}", (lengths[-1], 0.0, 0.0)),
        }

    @property
    def joints(self) -> tuple[AbstractJoint, ...]:
        """What joins its pieces: hinges in the plane, balls in space."""
        kind: Any = Revolute if self.plane else Spherical
        lengths = self.lengths
        return tuple(
            kind(
                Marker(f"{self.name}_{k}", (lengths[k], 0.0, 0.0)),
                Marker(f"{self.name}_{k + 1}"),
                f"{self.name}_{k}_bend",
            )
            for k in range(self.segments)
        )

    @property
    def forces(self) -> tuple[AbstractForce, ...]:
        """What bends in the middle of every segment."""
        return tuple(self._spring(k, joint) for k, joint in enumerate(self.joints))

    def _spring(self, k: int, joint: AbstractJoint) -> AbstractForce:
        name, section, h = f"{self.name}_{k}_spring", self.section, self.length / self.segments
        if self.plane:
            bending = section.bending_z / h
            gauge = Gauge(f"{joint.name}.angle", Turn(Z), joint.I, joint.J)
            return TorsionSpring(gauge, bending, self.damping * bending, name=name)
        bent = (section.twisting / h, section.bending_y / h, section.bending_z / h)
        stiffness = (0.0, 0.0, 0.0, *bent)
        damped = tuple(self.damping * x for x in stiffness)
        return Bushing(joint.I, joint.J, stiffness, damped, name=name)

    def _inertia(self, length: float) -> Inertia:
        """A slender piece: what its thickness adds to its moments about y and z is left out."""
        mass = self.section.mass * length
        across = mass * length * length / 12.0
        along = 0.0 if self.plane else self.section.polar * length
        across = max(
            across, along / 2.0
        )  # no body turns harder about x than about y and z together
        return Inertia(mass, np.array([length / 2.0, 0.0, 0.0]), np.diag([along, across, across]))

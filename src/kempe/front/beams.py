"""Flexible beams: rigid pieces with springs between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from kempe.errors import BadNumber, about
from kempe.forces import Bushing, TorsionSpring
from kempe.front.parts import BodyPart, Number
from kempe.geometry import Inertia, Marker, Rotation
from kempe.geometry.number import finite
from kempe.geometry.section import Section
from kempe.joints import Spherical
from kempe.units import in_si

if TYPE_CHECKING:
    from kempe.front.builder import Builder

MOST_SEGMENTS = 200


@final
@dataclass(frozen=True)
class BeamPart:
    """A beam of a builder, from `start` to `end`: its pieces are bodies "name_0", "name_1", ..."""

    pieces: tuple[BodyPart, ...]
    length: float  # m

    @property
    def start(self) -> Marker:
        """The place where it begins, on its first piece: its x axis is that of the beam."""
        return self.pieces[0].start

    @property
    def end(self) -> Marker:
        """The place where it ends, on its last piece."""
        return self.pieces[-1].end

    @property
    def middle(self) -> Marker:
        """The place half-way, on the piece that holds it."""
        n = len(self.pieces) - 1
        if n % 2:
            return self.pieces[n // 2].end
        return self.pieces[n // 2].at(0.5 * self._lengths[n // 2], 0.0)

    @property
    def _lengths(self) -> list[float]:
        """Lengths of the pieces, in the builder's unit."""
        builder = self.pieces[0]._builder
        scale = in_si(1.0, "m", builder.units)
        return [x / scale for x in lengths_of(self.length, len(self.pieces) - 1)]


def lengths_of(length: float, segments: int) -> list[float]:
    """How long the pieces of a beam are: half a segment at either end, whole ones between."""
    h = length / segments
    return [h / 2.0, *([h] * (segments - 1)), h / 2.0]


def added_beam(
    builder: "Builder",
    name: str,
    length: Number,
    section: Section,
    segments: int,
    at: Sequence[Number],
    angle: Number,
    rotation: Rotation | None,
    damping: Number,
) -> BeamPart:
    """The pieces of a beam with the joints and springs between them."""
    with about(f"beam {name!r}"):
        metres = builder.length(length)
        seconds = finite(damping, "the damping", "s")
        if not (metres > 0.0 and seconds >= 0.0):
            raise BadNumber("a length is positive, and a damping not below 0.")
        count: object = segments
        if type(count) is not int or not 1 <= count <= MOST_SEGMENTS:
            raise BadNumber(f"a beam has 1 to {MOST_SEGMENTS} segments, not {segments!r}.")
        if not isinstance(section, Section):
            raise BadNumber(f"its section is {section!r}: give one, such as Section.circle(...).")
        turn = rotation or Rotation.planar(in_si(angle, "rad"))
        place = np.array(builder.triple(at))
    pieces, scale = [], in_si(1.0, "m", builder.units)
    way = np.array(turn.matrix())[:, 0]
    for k, piece in enumerate(lengths_of(metres, segments)):
        where = (place / scale).tolist()
        points = {"start": (0.0, 0.0, 0.0), "end": (piece / scale, 0.0, 0.0)}
        pieces.append(
            builder.body(
                f"{name}_{k}",
                points=points,
                at=where[:2] if builder.plane else where,
                rotation=turn,
                inertia=_inertia(section, piece, plane=builder.plane),
                outline=("start", "end"),
            )
        )
        place = place + piece * way
    for k in range(segments):
        _spring(
            builder, f"{name}_{k}", pieces[k], pieces[k + 1], section, metres / segments, seconds
        )
    return BeamPart(tuple(pieces), metres)


def _inertia(section: Section, length: float, *, plane: bool) -> Inertia:
    """A slender piece: what its thickness adds to its moments about y and z is left out."""
    mass = section.mass * length
    across = mass * length * length / 12.0
    along = 0.0 if plane else section.polar * length
    across = max(across, along / 2.0)  # no body turns harder about x than about y and z together
    return Inertia(mass, np.array([length / 2.0, 0.0, 0.0]), np.diag([along, across, across]))


def _spring(
    builder: "Builder",
    name: str,
    before: BodyPart,
    after: BodyPart,
    section: Section,
    h: float,
    damping: float,
) -> None:
    """What bends in the middle of a segment: k = E I / h, and G J / h about the beam."""
    if builder.plane:
        joint = builder.revolute(before.end, after.start, name=f"{name}_bend")
        bending = section.bending_z / h
        spring = TorsionSpring(joint.angle, bending, damping * bending)
        builder.force(spring, f"{name}_spring")
        return
    builder.add(Spherical(before.end, after.start), f"{name}_bend")
    k = (section.twisting / h, section.bending_y / h, section.bending_z / h)
    stiffness = (0.0, 0.0, 0.0, *k)
    damped = tuple(damping * x for x in stiffness)
    builder.force(Bushing(before.end, after.start, stiffness, damped), f"{name}_spring")

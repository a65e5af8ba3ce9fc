"""Flexible beams of a builder."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from kempe.errors import about
from kempe.front.parts import BodyPart, Number
from kempe.geometry import Marker, Pose, Rotation, Vector
from kempe.geometry.section import Section
from kempe.model.beam import Beam
from kempe.units import in_si

if TYPE_CHECKING:
    from kempe.front.builder import Builder


@final
@dataclass(frozen=True)
class BeamPart:
    """A beam of a builder, from `start` to `end`: its pieces are bodies "name_0", "name_1", ..."""

    pieces: tuple[BodyPart, ...]
    beam: Beam

    @property
    def length(self) -> float:
        """How long (m) it is."""
        return self.beam.length

    @property
    def start(self) -> Marker:
        """The place where it begins, on its first piece: its x axis is that of the beam."""
        return self.beam.places["start"]

    @property
    def end(self) -> Marker:
        """The place where it ends, on its last piece."""
        return self.beam.places["end"]

    @property
    def middle(self) -> Marker:
        """The place half-way, on the piece that holds it."""
        return self.beam.places["middle"]


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
        turn = rotation or Rotation.planar(in_si(angle, "rad"))
        start = Pose(Vector(*builder.triple(at)), turn)
        seconds = in_si(damping, "s")
        beam = Beam(name, builder.length(length), section, segments, start, seconds, builder.plane)
    scale = in_si(1.0, "m", builder.units)
    pieces = [
        builder.body(
            body.name,
            points={word: tuple(x / scale for x in at) for word, at in body.points.items()},
            at=[float(x) / scale for x in body.guess.position][: 2 if builder.plane else 3],
            rotation=turn,
            inertia=body.inertia,
            outline=body.outline,
        )
        for body in beam.bodies
        if body.guess is not None
    ]
    for joint in beam.joints:
        builder.add(joint, joint.name)
    for force in beam.forces:
        builder.force(force, force.name)
    return BeamPart(tuple(pieces), beam)

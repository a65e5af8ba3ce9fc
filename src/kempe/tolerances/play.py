"""Play: a pin in a hole that is wider than it, so that its centre may be anywhere near the hole's.

The joint stays ideal, and its marker on body I moves to where the pin is: by u = (x, y), |u| <= c,
across the axis of a hinge, by three numbers in a ball or at the end of a rod. Where the pin lies
follows from forces; what is known without them is how far it can be off.

Own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber, UnsolvableKind
from kempe.geometry import Marker, Vector, Z
from kempe.joints.ways import Kind
from kempe.model import Model
from kempe.units import in_si

FloatArray = NDArray[np.float64]

AXES = "xyz"


@final
@dataclass(frozen=True, slots=True)
class Play:
    """How far the pin of one joint may be off its hole's centre: `radius` (m), in so many ways."""

    joint: str
    radius: float
    ways: int

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that it brings, in m along the axes of marker I."""
        return tuple(f"play of {self.joint}: {axis}" for axis in AXES[: self.ways])

    def drawn(self, count: int, rng: np.random.Generator) -> FloatArray:
        """Where the pin lies in `count` machines (count, ways): at the wall, anywhere round."""
        direction = rng.normal(size=(count, self.ways))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        return np.asarray(self.radius * direction)


def play_of(model: Model, name: str, given: float | str) -> Play:
    """The play of a joint; an error of one that has none of this kind.

    `given` is the radius of the hole less that of the pin, a bare number in the model's unit.
    """
    joint = model.joint(name)
    radius = in_si(given, "m", model.length_unit)
    if not radius > 0.0:
        raise BadNumber(f"the clearance of {name!r} must be positive, it is {given!r}.", name=name)
    ways = joint.ways(plane=model.plane)
    if ways.kind in (Kind.BALL, Kind.ROD):
        return Play(name, radius, 2 if model.plane else 3)
    is_across = ways.kind is Kind.HINGE and ways.turn is not None and ways.turn[0] is Z
    if not (is_across or (ways.kind is Kind.HINGE and model.plane)):
        raise UnsolvableKind(
            f"joint {name!r} is no hinge about its marker's z axis, no ball and no rod: what play"
            " it has is not one number. Give its dimensions tolerances instead."
        )
    return Play(name, radius, 2)


def loosened(model: Model, plays: Sequence[Play], values: Mapping[str, float]) -> Model:
    """The model with every pin where `values` (m, by name of the parameters of a play) say."""
    at = {play.joint: [values[name] for name in play.names] for play in plays}
    joints = tuple(
        replace(joint, I=_moved(joint.I, at[joint.name])) if joint.name in at else joint
        for joint in model.joints
    )
    return replace(model, joints=joints)


def _moved(marker: Marker, by: Sequence[float]) -> Marker:
    """The marker moved along its own axes (m)."""
    x, y, z = (*by, 0.0) if len(by) == 2 else by
    way = marker.rotation.apply(Vector(x, y, z))
    place = tuple(p + d for p, d in zip(marker.position, way, strict=True))
    return replace(marker, position=place)

"""Coordinates of a body held at values."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.errors import BadNumber
from kempe.geometry import Pose, Rotation, Vector, X, Y, Z
from kempe.geometry.number import finite
from kempe.joints.abstract import AbstractJoint
from kempe.measures import AbstractMeasure, Displacement, Held, Turn
from kempe.units import Metres, Radians


@final
@dataclass(frozen=True)
class Absolute(AbstractJoint):
    """Chosen coordinates of marker J, seen from marker I, are held at values; None leaves one free.

    phi = m_k - value_k  for every coordinate m_k that is held

    x, y, z: displacement of J along the axes of I;  angle, about_x, about_y: turn of J against I
    about z, x and y of I. Any subset may be held.

    Source: [GeorgeGuenter] absolute joint; [Sung] simple constraints.
    """

    x: Metres | None = None
    y: Metres | None = None
    z: Metres | None = None
    angle: Radians | None = None  # about z
    about_x: Radians | None = None
    about_y: Radians | None = None

    symbol: ClassVar[str] = "fixed"

    def __post_init__(self) -> None:
        super().__post_init__()
        given = {n: getattr(self, n) for n in COORDINATES if getattr(self, n) is not None}
        if not given:
            raise BadNumber(
                f"joint {self.name or 'Absolute'!r} holds nothing: give a value for at least one of"
                f" {', '.join(COORDINATES)}."
            )
        for name, value in given.items():
            what = f"{name} of joint {self.name or 'Absolute'!r}"
            object.__setattr__(self, name, finite(value, what, COORDINATES[name].unit))

    @property
    def held(self) -> tuple[Held, ...]:
        return tuple(
            Held((measure,), value=value)
            for name, measure in COORDINATES.items()
            if (value := getattr(self, name)) is not None
        )

    @property
    def freedom(self) -> tuple[AbstractMeasure, ...]:  # type: ignore[override]
        """The coordinates that are not held."""
        return tuple(m for name, m in COORDINATES.items() if getattr(self, name) is None)

    @property
    def home(self) -> Pose:
        """Closing where at most one turn is held away from zero, else near it."""
        place = Vector(*(getattr(self, name) or 0.0 for name in ("x", "y", "z")))
        if self.about_x:
            return Pose(place, Rotation.about((1.0, 0.0, 0.0), self.about_x))
        if self.about_y:
            return Pose(place, Rotation.about((0.0, 1.0, 0.0), self.about_y))
        return Pose(place, Rotation.planar(self.angle or 0.0))


COORDINATES: dict[str, AbstractMeasure] = {
    "x": Displacement(X),
    "y": Displacement(Y),
    "z": Displacement(Z),
    "angle": Turn(Z),
    "about_x": Turn(X),
    "about_y": Turn(Y),
}

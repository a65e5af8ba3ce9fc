"""Parts of a mechanism that is being built: handles with points and measures by name."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, final

from kempe.errors import UnknownName, UnknownPart, about, nearest_name
from kempe.geometry import GROUND, Marker, X, Y, Z
from kempe.joints import AbstractJoint
from kempe.measures import Coordinate, Gauge, Turn

if TYPE_CHECKING:
    from kempe.front.builder import Builder

J = TypeVar("J", bound=AbstractJoint)


@final
@dataclass(frozen=True)
class BodyPart:
    """A body of a builder: `part.P` is its point P, `part.at(x, y)` any place on it."""

    _builder: "Builder"
    name: str

    def at(self, x: float | str, y: float | str, z: float | str = 0.0) -> Marker:
        """A place on the body, in its own axes."""
        with about(f"a place on {self.name!r}"):
            return Marker(self.name, self._builder.triple((x, y, z)))

    def point(self, name: str) -> Marker:
        """The named point."""
        body = self._builder.known_body(self.name)
        if body is None:
            raise UnknownName("the ground has no named points: use ground.at(x, y).")
        return body.marker(name)

    def __getattr__(self, name: str) -> Marker:
        if name.startswith("_"):
            raise AttributeError(name)
        body = self._builder.known_body(self.name)
        if body is None or name not in body.points:
            known = [*(body.points if body else ()), "angle", "x", "y", "z", "at"]
            raise UnknownPart(f"{self.name!r} has no {name!r}.{nearest_name(name, known)}")
        return body.marker(name)

    @property
    def angle(self) -> Gauge:
        """Turn of the body about the world's z axis."""
        return Gauge(f"{self.name}.angle", Turn(Z), Marker(GROUND), Marker(self.name))

    @property
    def x(self) -> Gauge:
        """World x of the body's origin."""
        return Gauge(f"{self.name}.x", Coordinate(X), Marker(GROUND), Marker(self.name))

    @property
    def y(self) -> Gauge:
        """World y of the body's origin."""
        return Gauge(f"{self.name}.y", Coordinate(Y), Marker(GROUND), Marker(self.name))

    @property
    def z(self) -> Gauge:
        """World z of the body's origin."""
        return Gauge(f"{self.name}.z", Coordinate(Z), Marker(GROUND), Marker(self.name))


@final
@dataclass(frozen=True)
class JointPart(Generic[J]):
    """A joint of a builder: its free coordinates are measures that can be driven."""

    _builder: "Builder"
    joint: J

    @property
    def name(self) -> str:
        """What the joint is called."""
        return self.joint.name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        for measure in self.joint.measures:
            if measure.word == name:
                return Gauge(f"{self.joint.name}.{name}", measure, self.joint.I, self.joint.J)
        words = [m.word for m in self.joint.measures]
        raise UnknownPart(
            f"joint {self.joint.name!r} ({type(self.joint).__name__}) has no {name!r}."
            f"{nearest_name(name, words)}"
        )

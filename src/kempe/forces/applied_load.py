"""A force and a torque that follow laws of time."""

from abc import abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, ClassVar, final

from kempe.drives import AbstractLaw
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry import Marker, Scalar, Vector, Wrench
from kempe.units import Unit


@final
class Axes(Enum):
    """In whose axes a load is given."""

    WORLD = "world"
    MARKER = "marker"  # the load turns with the body


@dataclass(frozen=True)
class AbstractLoad(AbstractForce):
    """A force and a torque on a marker `at`, given by components; one `against` it is the reaction.

    f = R (f_x, f_y, f_z),  m = R (m_x, m_y, m_z),  R = 1 or R_WM
    """

    given_by: ClassVar[str]  # what its components are, in words
    felt_at: ClassVar[int] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        given: Any = self
        wanted = f"three {self.given_by}"
        for word in ("force", "torque"):
            parts = getattr(given, word)
            if not isinstance(parts, tuple | list):
                raise BadNumber(f"the {word} of {self._called} is {parts!r}: give {wanted}.")
            if (n := len(parts)) not in (0, 3):
                raise BadNumber(f"the {word} of {self._called} has {n} components: give {wanted}.")
        if not given.force and not given.torque:
            raise BadNumber(
                f"{self._called} has neither a force nor a torque: give {wanted} of either."
            )

    @property
    def _called(self) -> str:
        return f"load {self.name or type(self).__name__!r}"

    def action(self, now: Instant) -> Action:
        given: Any = self
        force, torque = (self._vector(parts, now) for parts in (given.force, given.torque))
        if given.axes is Axes.MARKER:
            R = now.X[0].rotation
            force, torque = R.apply(force), R.apply(torque)
        on, idle = Wrench(force, torque), (0.0,) * len(now.gauges)
        if len(now.X) == 1:
            return Action((on,), idle)
        arm = now.X[0].position - now.X[1].position
        return Action((on, Wrench(-force, -torque - arm.cross(force))), idle)

    def _vector(self, parts: tuple[Any, ...], now: Instant) -> Vector:
        values = [self._component(part, now) for part in parts]
        return Vector(*values) if values else Vector(0.0, 0.0, 0.0)

    @abstractmethod
    def _component(self, part: Any, now: Instant) -> Scalar:
        """What one of the components is at an instant, N or N m."""


@final
@dataclass(frozen=True)
class AppliedLoad(AbstractLoad):
    """A force and a torque at a marker, each component a law of time.

    f = R (f_x(t), f_y(t), f_z(t)),  m = R (m_x(t), m_y(t), m_z(t)),  R = 1 or R_WM

    Give three laws for the force, three for the torque, or both. With `against` the load acts
    between two bodies: the other marker's body gets the reaction, in the same line.
    """

    at: Marker
    force: Annotated[tuple[AbstractLaw, ...], Unit("N")] = ()
    torque: Annotated[tuple[AbstractLaw, ...], Unit("N*m")] = ()
    against: Marker | None = None
    axes: Axes = Axes.WORLD

    given_by: ClassVar[str] = "laws"

    def __post_init__(self) -> None:
        super().__post_init__()
        for law in (*self.force, *self.torque):
            if not isinstance(law, AbstractLaw):
                raise BadNumber(
                    f"{self._called} has the component {law!r}, which is no law of time: give"
                    f' TextFormula("{law}"), say, or any other law.'
                )

    def _component(self, part: AbstractLaw, now: Instant) -> Scalar:
        return part.value(now.t)

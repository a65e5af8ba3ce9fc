"""A force and a torque that follow laws of time."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, ClassVar, final

from kempe.drives import AbstractLaw
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry.marker import Marker
from kempe.geometry.vector import Scalar, Vector
from kempe.geometry.wrench import Wrench
from kempe.units import Unit


@final
class Axes(Enum):
    """In whose axes a load is given."""

    WORLD = "world"
    MARKER = "marker"  # the load turns with the body


def loaded(now: Instant, force: Vector, torque: Vector, axes: Axes) -> Action:
    """A force and a torque on the first marker; a second one gets the reaction, in one line."""
    if axes is Axes.MARKER:
        R = now.X[0].rotation
        force, torque = R.apply(force), R.apply(torque)
    on = Wrench(force, torque)
    if len(now.X) == 1:
        return Action.on(on)
    arm = now.X[0].position - now.X[1].position
    return Action.on(on, Wrench(-force, -torque - arm.cross(force)))


def refuse_components(
    who: str, force: Sequence[object], torque: Sequence[object], wanted: str
) -> None:
    """A BadNumber where a force or a torque has not three components, or there is neither."""
    for word, components in (("force", force), ("torque", torque)):
        if len(components) not in (0, 3):
            raise BadNumber(f"the {word} of {who} has {len(components)} components: give {wanted}.")
    if not force and not torque:
        raise BadNumber(f"{who} has neither a force nor a torque: give {wanted} of either.")


@final
@dataclass(frozen=True)
class AppliedLoad(AbstractForce):
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

    symbol: ClassVar[str] = "arrow"
    felt_at: ClassVar[int] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        who = f"load {self.name or 'AppliedLoad'!r}"
        refuse_components(who, self.force, self.torque, "three laws")

    def action(self, now: Instant) -> Action:
        force, torque = (self._vector(laws, now.t) for laws in (self.force, self.torque))
        return loaded(now, force, torque, self.axes)

    @staticmethod
    def _vector(laws: tuple[AbstractLaw, ...], t: Scalar) -> Vector:
        return Vector(*(law.value(t) for law in laws)) if laws else Vector(0.0, 0.0, 0.0)

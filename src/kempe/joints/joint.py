"""A joint put together from constraints on the spot."""

from dataclasses import dataclass
from typing import final

from kempe.constraints import AbstractConstraint
from kempe.errors import BadConnection
from kempe.geometry import Pose
from kempe.joints.abstract import AbstractJoint
from kempe.joints.side import AbstractSide
from kempe.measures import AbstractMeasure, Held

AT_I = Pose.identity()


@final
@dataclass(frozen=True, kw_only=True)
class Joint(AbstractJoint):
    """Any combination of constraints and held measures between two markers.

    phi = the rows of the constraints in order, then those of the held measures

    Example:
        >>> from kempe import Marker, X, Z
        >>> from kempe.constraints import Coincident, Perpendicular
        >>> from kempe.joints import Joint
        >>> cross = (Coincident(), Perpendicular(Z, X))
        >>> Joint(Marker("ground"), Marker("shaft"), constraints=cross).row_units
        ('m', 'm', 'm', '1')
    """

    constraints: tuple[AbstractConstraint, ...] = ()  # type: ignore[misc]
    held: tuple[Held, ...] = ()
    sides: tuple[AbstractSide, ...] = ()  # type: ignore[misc]
    freedom: tuple[AbstractMeasure, ...] = ()  # type: ignore[misc]
    symbol: str = "contact"  # type: ignore[misc]
    home: Pose = AT_I

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.constraints and not self.held:
            raise BadConnection(
                f"joint {self.name!r} constrains nothing: give it constraints, for example"
                " Joint(a, b, constraints=(Coincident(),))."
            )
        for part in self.constraints:
            if not isinstance(part, AbstractConstraint):
                raise BadConnection(
                    f"joint {self.name!r} is made of constraints such as Coincident(), not of"
                    f" {part!r}."
                )

"""A massless rod between two points."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, Distance
from kempe.errors import BadNumber
from kempe.geometry import Pose, Rotation, Vector, Y, Z
from kempe.geometry.number import finite
from kempe.joints.abstract import AbstractJoint
from kempe.measures import TURNS, AbstractMeasure, Bearing
from kempe.units import Metres


@final
@dataclass(frozen=True)
class Rod(AbstractJoint):
    """A massless rod with a ball (in the plane: a pin) at either end keeps two points apart.

    phi = (|p_WJ - p_WI|^2 - length^2) / (2 length)

    Source: [OndselSolver] sph-sph joint, scaled so that the row is a length.
    """

    length: Metres = 0.0

    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (Bearing(Y), Bearing(Z), *TURNS)
    symbol: ClassVar[str] = "rod"

    def __post_init__(self) -> None:
        super().__post_init__()
        length = finite(self.length, f"length of rod {self.called}", "m")
        if length <= 0.0:
            raise BadNumber(f"rod {self.called} needs a positive length, it has {length:g} m.")
        object.__setattr__(self, "length", length)

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The distance, as a constraint."""
        return (Distance(self.length),)

    @property
    def home(self) -> Pose:
        return Pose(Vector(self.length, 0.0, 0.0), Rotation.identity())

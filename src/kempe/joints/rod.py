"""A massless rod between two points."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, Distance
from kempe.geometry import Pose, Rotation, Vector, X, Y, Z
from kempe.geometry.number import positive
from kempe.joints.abstract import AbstractJoint
from kempe.measures import AbstractMeasure, Bearing, Turn


@final
@dataclass(frozen=True)
class Rod(AbstractJoint):
    """A massless rod with a ball (in the plane: a pin) at either end keeps two points apart.

    phi = (|p_WJ - p_WI|^2 - length^2) / (2 length)

    Source: [OndselSolver] sph-sph joint, scaled so that the row is a length.
    """

    length: float = 0.0  # m

    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (
        Bearing(Y),
        Bearing(Z),
        Turn(X),
        Turn(Y),
        Turn(Z),
    )
    symbol: ClassVar[str] = "rod"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "length", positive(self.length, f"length of rod {self.name!r}"))

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The distance, as a constraint."""
        return (Distance(self.length),)

    @property
    def home(self) -> Pose:
        return Pose(Vector(self.length, 0.0, 0.0), Rotation.identity())

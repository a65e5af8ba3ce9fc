"""A massless link with two hinges."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, DistanceFromLine, InPlane, Parallel
from kempe.geometry import Z
from kempe.joints.numbered import AbstractMasslessLink
from kempe.joints.side import AbstractSide, SameWay
from kempe.measures import AbstractMeasure, Bearing, Turn


@final
@dataclass(frozen=True, kw_only=True)
class RevRev(AbstractMasslessLink):
    """A massless link between two parallel axes, the z axes of I and J, with a hinge on either.

    phi = (((d . x_I)^2 + (d . y_I)^2 - length^2) / (2 length),  d . z_I,  x_I . z_J,  y_I . z_J)

    In the plane it is a Rod.

    Source: [OndselSolver] rev-rev joint.
    """

    sides: ClassVar[tuple[AbstractSide, ...]] = (SameWay(Z, Z),)
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (Bearing(), Turn(Z))
    symbol: ClassVar[str] = "pinned_rod"

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The distance of the link's ends, and what its hinges keep parallel."""
        return (DistanceFromLine(Z, self.length), InPlane(Z), Parallel(Z, Z))

"""A massless link with a hinge and a sleeve."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, DistanceFromLine, Parallel
from kempe.geometry import Z
from kempe.joints.numbered import AbstractMasslessLink
from kempe.joints.side import AbstractSide, SameWay
from kempe.measures import AbstractMeasure, Bearing, Displacement, Turn


@final
@dataclass(frozen=True, kw_only=True)
class RevCyl(AbstractMasslessLink):
    """A massless link between the z axes of I and J, which stay parallel: a hinge and a sleeve.

    phi = (((d . x_I)^2 + (d . y_I)^2 - length^2) / (2 length),  x_I . z_J,  y_I . z_J)

    Source: [OndselSolver] rev-cyl joint.
    """

    sides: ClassVar[tuple[AbstractSide, ...]] = (SameWay(Z, Z),)
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (Bearing(), Displacement(Z), Turn(Z))
    symbol: ClassVar[str] = "sliding_pinned_rod"

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The distance of the link's ends, and what its hinges keep parallel."""
        return (DistanceFromLine(Z, self.length), Parallel(Z, Z))

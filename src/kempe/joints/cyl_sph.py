"""A massless link with a sleeve and a ball."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, DistanceFromLine
from kempe.geometry import Z
from kempe.joints.numbered import AbstractMasslessLink
from kempe.measures import TURNS, AbstractMeasure, Bearing, Displacement


@final
@dataclass(frozen=True, kw_only=True)
class CylSph(AbstractMasslessLink):
    """A massless link, square to the z axis of I, slides and turns on it and ends in a ball at J.

    phi = ((d . x_I)^2 + (d . y_I)^2 - length^2) / (2 length),  d = p_WJ - p_WI

    Source: [OndselSolver] cyl-sph joint.
    """

    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (Bearing(), Displacement(Z), *TURNS)
    symbol: ClassVar[str] = "sliding_rod"

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The distance of the link's ends, and what its hinges keep parallel."""
        return (DistanceFromLine(Z, self.length),)

"""A point on a plane."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, InPlane
from kempe.geometry import Z
from kempe.joints.numbered import AbstractOnPlane
from kempe.measures import SLIDES, TURNS, AbstractMeasure


@final
@dataclass(frozen=True, kw_only=True)
class PointInPlane(AbstractOnPlane):
    """A point on a plane: the origin of J stays in the plane z = `offset` of I.

    phi = d . z_I - offset,  d = p_WJ - p_WI

    Source: [KohPark] eq. 26, with an offset.
    """

    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (*SLIDES[:2], *TURNS)
    symbol: ClassVar[str] = "plate"

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The plane."""
        return (InPlane(Z, self.offset),)

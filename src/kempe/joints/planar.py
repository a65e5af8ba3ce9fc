"""A foot that slides on a plane."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, InPlane, Parallel
from kempe.geometry import Z
from kempe.joints.numbered import AbstractOnPlane
from kempe.joints.side import AbstractSide, SameWay
from kempe.measures import SLIDES, AbstractMeasure, Turn


@final
@dataclass(frozen=True, kw_only=True)
class Planar(AbstractOnPlane):
    """A foot on a plane: J slides in the plane z = `offset` of I and turns about its normal.

    phi = (d . z_I - offset,  x_I . z_J,  y_I . z_J),  d = p_WJ - p_WI

    Source: [KohPark] fig. 2, with an offset.
    """

    sides: ClassVar[tuple[AbstractSide, ...]] = (SameWay(Z, Z),)
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (*SLIDES[:2], Turn(Z))
    symbol: ClassVar[str] = "foot"

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The plane and the normal."""
        return (InPlane(Z, self.offset), Parallel(Z, Z))

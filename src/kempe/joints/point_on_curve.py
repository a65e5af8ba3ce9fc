"""A point that runs along a curve."""

from dataclasses import dataclass, field
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, OnCurve
from kempe.geometry.curves import AbstractCurve
from kempe.joints.abstract import AbstractJoint


@final
@dataclass(frozen=True)
class PointOnCurve(AbstractJoint):
    """The origin of J runs along a curve that is fixed in the frame of I.

    phi = p_WJ - (p_WI + R_WI C(t)),  t an unknown of its own

    Source: [Barton] section 2.1.
    """

    curve: AbstractCurve = field(kw_only=True)

    symbol: ClassVar[str] = "bead"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.constraints  # refuses numbers that mean nothing

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The point on the curve, as a constraint."""
        return (OnCurve(self.curve),)

"""Two bodies as one."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, Coincident, Perpendicular
from kempe.geometry.axis import X, Y, Z
from kempe.joints.abstract import AbstractJoint
from kempe.joints.side import AbstractSide, SameWay


@final
@dataclass(frozen=True)
class Fixed(AbstractJoint):
    """A weld: markers I and J are one frame.

    phi = (p_WI - p_WJ,  x_I . y_J,  x_I . z_J,  y_I . z_J)

    Own: the rows of a hinge and one that stops its turn.
    """

    constraints: ClassVar[tuple[AbstractConstraint, ...]] = (
        Coincident(),
        Perpendicular(X, Y),
        Perpendicular(X, Z),
        Perpendicular(Y, Z),
    )
    sides: ClassVar[tuple[AbstractSide, ...]] = (SameWay(X, X), SameWay(Z, Z))
    symbol: ClassVar[str] = "fixed"

"""A massless rod between two points."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, Distance
from kempe.errors import BadNumber
from kempe.joints.abstract import AbstractJoint
from kempe.units import Metres


@final
@dataclass(frozen=True)
class Rod(AbstractJoint):
    """A massless rod with a ball (in the plane: a pin) at either end keeps two points apart.

    phi = (|p_WJ - p_WI|^2 - length^2) / (2 length)
    """

    length: Metres = 0.0

    symbol: ClassVar[str] = "rod"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.length > 0.0:
            raise BadNumber(f"rod {self.name!r} needs a positive length, it has {self.length:g} m.")

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The distance, as a constraint."""
        return (Distance(self.length),)

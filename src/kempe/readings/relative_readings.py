"""How one body of a trajectory moves against another."""

from dataclasses import dataclass
from typing import final

from kempe.kinematics.observe.relative_motion import (
    Centrodes,
    InstantCentre,
    RelativeMotion,
    ScrewAxis,
    centrodes,
    instant_centre,
    screw_axis,
)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Relative:
    """What the motion of one body against another looks like, sample by sample, in SI units.

    Example:
        >>> import kempe
        >>> turn = kempe.gallery.four_bar().kinematics(until=1.0)
        >>> turn.relative("crank", "coupler").instant_centre.point.shape  # their common hinge
        (361, 2)
    """

    motion: RelativeMotion  # poses and twists

    @property
    def instant_centre(self) -> InstantCentre:
        """The point about which the body turns, in the plane."""
        return instant_centre(self.motion)

    @property
    def centrodes(self) -> Centrodes:
        """The curves that roll on each other: the instant centre's paths in both bodies."""
        return centrodes(self.motion)

    @property
    def screw_axis(self) -> ScrewAxis:
        """The line about which the body turns and along which it slides."""
        return screw_axis(self.motion)

"""Assemblies: one position of a mechanism, as near to a wish as its loops close."""

from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.front.position import Position
from kempe.kinematics.closing.nearest import Nearest

Moved = tuple[float, float]  # m and rad


@final
@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Assembly(Position):
    """A mechanism put together: assembly["coupler.P"], assembly.rate("rocker.angle")."""

    found: Nearest
    freedom: int  # how many ways to move the search had to come near to the wish

    @property
    def notes(self) -> tuple[str, ...]:
        """What is further from where it was wished than a rough wish says, in words."""
        return self.trajectory.notes

    @property
    def residual(self) -> float:
        """The largest misfit left, lengths in sizes of the machine, angles in rad."""
        return self.found.at.residual

    @property
    def moved(self) -> dict[str, Moved]:
        """How far (m) and by what angle (rad) every body is from where it was wished."""
        layout, d = self.trajectory.layout, self.found.moved
        at = layout.coordinates
        return {
            body.name: (
                float(np.linalg.norm(d[at.way_of(k)])),
                float(np.linalg.norm(d[at.spin_of(k)])),
            )
            for k, body in enumerate(layout.model.moving)
        }

    def __repr__(self) -> str:
        furthest = max(self.moved.items(), key=lambda item: item[1], default=None)
        far = ""
        if furthest is not None:
            name, (way, turn) = furthest
            far = f", {name!r} moved most: {way:.3g} m and {turn:.3g} rad"
        return f"Assembly of {self.trajectory.subject.name!r}{far}"

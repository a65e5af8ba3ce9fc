"""A weight."""

from dataclasses import dataclass
from typing import final

from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry import Marker, Scalar, Vector, Wrench
from kempe.units import Newtons


@final
@dataclass(frozen=True)
class Weight(AbstractForce):
    """A force at a place of a body that keeps its size and its direction in the world.

    f = pull;  E = -pull . p_WM

    The weight of every body with a mass, in the field of the mechanism's gravity, is one of these
    at its centre of mass: it need not be added.
    """

    at: Marker
    pull: tuple[Newtons, Newtons, Newtons]  # world axes

    def action(self, now: Instant) -> Action:
        force = Vector(*self.pull)
        return Action.on(Wrench(force, Vector(0.0, 0.0, 0.0)))

    def energy(self, now: Instant) -> Scalar:
        return -(now.X[0].position @ Vector(*self.pull))

"""A pull toward a point."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, final

from kempe.algebra.functions import sqrt
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry import Marker, Scalar
from kempe.units import Unit


@final
@dataclass(frozen=True)
class Attraction(AbstractForce):
    """Gravity toward a point: a planet and its satellite, two charges (strength below zero).

    f = -s d / |d|^3 on J, the reaction on I,  d = p_J - p_I;  E = -s / |d|

    `strength` is G m1 m2, or the product of the body's mass and the planet's G M.

    Own: the inverse square law.
    """

    I: Marker  # the centre
    J: Marker  # what it attracts
    strength: Annotated[float, Unit("N m^2")]

    symbol: ClassVar[str] = "pull"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_two_bodies()
        self._keep_finite({"strength": "N m^2"})
        if self.strength == 0.0:
            raise BadNumber(f"strength of {self._called} is zero: it would do nothing.")

    def action(self, now: Instant) -> Action:
        line = now.X[1].position - now.X[0].position
        square = line @ line
        return Action.between(now, line * (-self.strength / (square * sqrt(square))))

    def energy(self, now: Instant) -> Scalar:
        line = now.X[1].position - now.X[0].position
        return -self.strength / sqrt(line @ line)

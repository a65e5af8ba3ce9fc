"""Forces: what pulls and pushes, each one formula for the plane and for space."""

from kempe.forces.abstract import AbstractForce
from kempe.forces.actuator import Actuator
from kempe.forces.instant import Action, Instant, Observed
from kempe.forces.spring_damper import SpringDamper
from kempe.forces.weight import Weight

__all__ = [
    "AbstractForce",
    "Action",
    "Actuator",
    "Instant",
    "Observed",
    "SpringDamper",
    "Weight",
]

"""Forces: what pulls and pushes, each one formula for the plane and for space."""

from kempe.forces.abstract import AbstractForce
from kempe.forces.acting import Acting
from kempe.forces.actuator import Actuator
from kempe.forces.applied_load import AbstractLoad, AppliedLoad, Axes
from kempe.forces.attraction import Attraction
from kempe.forces.bushing import Bushing
from kempe.forces.callback import Callback
from kempe.forces.control import Control
from kempe.forces.formula_load import FormulaLoad
from kempe.forces.gas_spring import GasSpring
from kempe.forces.instant import Action, Instant, Observed
from kempe.forces.line_spring import LineSpring
from kempe.forces.nonlinear_spring import NonlinearSpring
from kempe.forces.spring_damper import SpringDamper
from kempe.forces.torsion_spring import TorsionSpring
from kempe.forces.weight import Weight

__all__ = [
    "AbstractForce",
    "AbstractLoad",
    "Acting",
    "Action",
    "Actuator",
    "AppliedLoad",
    "Attraction",
    "Axes",
    "Bushing",
    "Callback",
    "Control",
    "FormulaLoad",
    "GasSpring",
    "Instant",
    "LineSpring",
    "NonlinearSpring",
    "Observed",
    "SpringDamper",
    "TorsionSpring",
    "Weight",
]

"""The equations of a mechanism, ready to be asked: compiled once, shared by every analysis."""

from kempe.equations.equations import Equations
from kempe.equations.programs import equations_of

__all__ = ["Equations", "equations_of"]

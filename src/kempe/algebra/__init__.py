"""Formulas: traced values, their graph, exact derivatives, and the tape that executors run."""

from kempe.algebra.derivative import sparse_jacobian as sparse_jacobian
from kempe.algebra.derivative import substituted as substituted
from kempe.algebra.derivative import supports as supports
from kempe.algebra.derivative import tangent as tangent
from kempe.algebra.expression import Adjustable as Adjustable
from kempe.algebra.expression import Condition as Condition
from kempe.algebra.expression import Expression as Expression
from kempe.algebra.functions import Interpolation as Interpolation
from kempe.algebra.functions import smooth_step as smooth_step
from kempe.algebra.functions import where as where
from kempe.algebra.graph import Graph as Graph
from kempe.algebra.operations import OPERATIONS as OPERATIONS
from kempe.algebra.operations import Op as Op
from kempe.algebra.recorder import Part as Part
from kempe.algebra.recorder import Recording as Recording
from kempe.algebra.recorder import record_formula as record_formula
from kempe.algebra.recorder import record_parts as record_parts
from kempe.algebra.spline import Spline as Spline
from kempe.algebra.tape import Section as Section
from kempe.algebra.tape import Tape as Tape
from kempe.algebra.tape import TapeTable as TapeTable
from kempe.names import exported

__all__ = exported(globals())

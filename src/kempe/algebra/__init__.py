"""Formulas: traced values, their graph, exact derivatives, and the tape that executors run."""

from kempe.algebra.derivative import sparse_jacobian, substituted, supports, tangent
from kempe.algebra.expression import Adjustable, Condition, Expression
from kempe.algebra.functions import Interpolation, smooth_step, where
from kempe.algebra.graph import Graph
from kempe.algebra.operations import OPERATIONS, Op
from kempe.algebra.recorder import Part, Recording, record, record_formula
from kempe.algebra.spline import Spline
from kempe.algebra.tape import Section, Table, Tape

__all__ = [
    "OPERATIONS",
    "Adjustable",
    "Condition",
    "Expression",
    "Graph",
    "Interpolation",
    "Op",
    "Part",
    "Recording",
    "Section",
    "Spline",
    "Table",
    "Tape",
    "record",
    "record_formula",
    "smooth_step",
    "sparse_jacobian",
    "substituted",
    "supports",
    "tangent",
    "where",
]

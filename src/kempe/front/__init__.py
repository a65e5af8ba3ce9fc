"""What people import."""

from kempe.front.builder import Builder
from kempe.front.making import load, merge, parametric
from kempe.front.mechanism import Mechanism
from kempe.front.solver import Snapshot, Solver
from kempe.front.trajectory import Trajectory

__all__ = [
    "Builder",
    "Mechanism",
    "Snapshot",
    "Solver",
    "Trajectory",
    "load",
    "merge",
    "parametric",
]

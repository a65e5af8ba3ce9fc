"""What people import."""

from kempe.front.builder import Builder
from kempe.front.loading import load
from kempe.front.mechanism import Mechanism
from kempe.front.merging import merge
from kempe.front.parameters import parametric
from kempe.front.snapshot import Snapshot
from kempe.front.solver import Solver
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

"""Every way a mechanism can be put together and move, certified."""

from kempe.motion.equations.bodies import Holding, Stop, planar_equations
from kempe.motion.equations.system import FullSystem, SystemUnknown
from kempe.motion.reduction.blocks import System
from kempe.motion.reduction.count import freedom_count
from kempe.motion.reduction.reduction import reduced
from kempe.motion.search.search import Effort, Progress
from kempe.motion.search.solution import assemblies, motions

__all__ = [
    "Effort",
    "FullSystem",
    "Holding",
    "Progress",
    "Stop",
    "System",
    "SystemUnknown",
    "assemblies",
    "freedom_count",
    "motions",
    "planar_equations",
    "reduced",
]

"""Every way a mechanism can be put together and move, certified."""

from kempe.motion.bodies import Holding, Stop, planar_equations
from kempe.motion.count import freedom_count
from kempe.motion.reduction import reduced
from kempe.motion.search import Effort, Progress
from kempe.motion.solution import assemblies, motions
from kempe.motion.system import Equations, System, Unknown

__all__ = [
    "Effort",
    "Equations",
    "Holding",
    "Progress",
    "Stop",
    "System",
    "Unknown",
    "assemblies",
    "freedom_count",
    "motions",
    "planar_equations",
    "reduced",
]

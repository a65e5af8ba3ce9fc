"""What people import: the builder and the mechanism at once, the rest when first asked for."""

from typing import TYPE_CHECKING

from kempe.front.builder import Builder as Builder
from kempe.front.mechanism import Mechanism as Mechanism
from kempe.on_demand import OnDemand

if TYPE_CHECKING:
    from kempe.front.making import load as load
    from kempe.front.making import merge as merge
    from kempe.front.making import parametric as parametric
    from kempe.front.solver import Snapshot as Snapshot
    from kempe.front.solver import Solver as Solver
    from kempe.front.trajectory import Trajectory as Trajectory

__getattr__ = OnDemand(
    __name__,
    {"making": "load merge parametric", "solver": "Snapshot Solver", "trajectory": "Trajectory"},
)
__all__ = sorted([*__getattr__.names, "Builder", "Mechanism"])

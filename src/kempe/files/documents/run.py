"""The analysis that a file asks for."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from kempe.dynamics import FixedStep, Gear


@final
@dataclass(frozen=True, slots=True)
class Run:
    """The analysis a document asks for; None where it leaves the choice open."""

    until: float | None = None  # s
    steps: int | None = None
    over: tuple[str, str, str] | None = None  # a measure, from and to, with their unit
    through: str | tuple[str, ...] = ()  # ways on from dead points: one for all, or one each
    free: str = "refuse"  # or "nearest", for freedoms that no drive holds
    outputs: tuple[str, ...] = ()
    trace: tuple[str, ...] = ()
    analysis: str = "kinematics"  # or "dynamics"
    tolerance: float | None = None  # of a simulation
    method: "str | Gear | FixedStep | None" = None  # of a simulation
    newton_tolerance: float | None = None  # of the samples of a sweep
    newton_iterations: int | None = None  # of a step of a sweep

"""A rack and its pinion."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.couplers.abstract import AbstractCoupler, Roles, Span
from kempe.geometry.number import keep, not_zero
from kempe.geometry.vector import Scalar
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class RackAndPinion(AbstractCoupler):
    """A rack moves by the arc its pinion turns through.

    phi = s - radius a - constant

    s is the rack's displacement and a the pinion's turn. With x to the right and z towards the
    reader, the radius is positive for a rack that moves along x below its pinion, and negative for
    one above it.

    Source: [OndselSolver] rack-pinion joint.
    """

    radius: Metres  # of the pitch circle
    constant: Metres | None = None

    roles: ClassVar[Roles] = (("the rack's displacement", "m"), ("the pinion's turn", "rad"))

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, not_zero, f"rack and pinion {self.called}", {"radius": "m"})

    @property
    def spans(self) -> tuple[Span, ...]:
        """None: rack and pinion touch."""
        return ()

    def phi(self, values: list[Scalar]) -> Scalar:
        s, a = values
        return s - self.radius * a - self.phase

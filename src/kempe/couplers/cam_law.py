"""A cam: one measure as a function of another."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar, final

from kempe.couplers.abstract import AbstractCoupler, Roles
from kempe.drives import AbstractLaw, Formula
from kempe.geometry.vector import Scalar
from kempe.units import Argument


@final
@dataclass(frozen=True, kw_only=True)
class CamLaw(AbstractCoupler):
    """A follower's measure is a given function of the cam's.

    phi = follower - f(cam) - constant

    f is a Python function, traced once, an `Interpolation` through a table, or any law of the
    drives with the cam's measure in the place of time.

    Own.
    """

    law: Annotated[AbstractLaw | Callable[[Scalar], Scalar], Argument("u")]

    roles: ClassVar[Roles] = (("the cam's measure", ""), ("the follower's measure", ""))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.law, AbstractLaw):
            object.__setattr__(self, "law", Formula(self.law))

    @property
    def unit(self) -> str:
        """The follower's unit."""
        return self.gauges[1].unit

    def phi(self, values: list[Scalar]) -> Scalar:
        cam, follower = values
        assert isinstance(self.law, AbstractLaw)
        return follower - self.law.value(cam) - self.phase

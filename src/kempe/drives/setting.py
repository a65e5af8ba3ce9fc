"""A value set from outside."""

from dataclasses import dataclass
from typing import final

from kempe.algebra import Adjustable
from kempe.drives.law import AbstractLaw
from kempe.geometry.number import finite
from kempe.geometry.vector import Scalar
from kempe.units import Reading


@final
@dataclass(frozen=True, slots=True)
class Setting(AbstractLaw):
    """A value that is set while the mechanism stands, and the way to it from the one before.

    f = before + (after - before) t,  0 <= t <= 1

    Both stay inputs of the compiled program, whatever they are.
    """

    before: Reading
    after: Reading

    def __post_init__(self) -> None:
        for name in ("before", "after"):
            value = finite(getattr(self, name), f"the value {name} a setting")
            object.__setattr__(self, name, Adjustable(value))

    def value(self, t: Scalar) -> Scalar:
        return self.before + (self.after - self.before) * t

"""What joints hold of velocities alone, as the source of rows: psi, linear in the twists."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

from kempe.compile.layout.elements import (
    NO_PART_OF_PHI,
    OfJoint,
    Unwrap,
    is_described,
    rows_of,
)
from kempe.compile.layout.numbers import own_numbers, with_numbers, word
from kempe.joints import AbstractJoint
from kempe.measures import Gauge


@final
@dataclass(frozen=True, slots=True)
class VelocityElement(OfJoint):
    """The rows of a joint's `psi`: psi(X_WI, V_WI, X_WJ, V_WJ, ...) = 0, no row of places."""

    joint: AbstractJoint

    @property
    def numbers(self) -> list[float]:
        return own_numbers(self.joint)

    @property
    def lengths(self) -> list[float]:
        return []

    @property
    def strokes(self) -> list[float]:
        return []

    @property
    def units(self) -> tuple[str, ...]:
        return self.joint.velocity_units

    @property
    def word(self) -> str:
        return f"psi {word(self.joint, but=NO_PART_OF_PHI)}"

    @property
    def is_built_in(self) -> bool:
        return is_described(self.joint)

    def rows(self, X: Sequence[Any], numbers: Iterator[Any], t: Any, unwrap: Unwrap) -> list[Any]:
        """The rows of `psi`; X are frames and twists of the markers, then unknowns."""
        own = with_numbers(self.joint, numbers)
        who = f"{type(own).__name__}.psi (joint {self.name!r})"
        return rows_of(lambda: own.psi(*X), len(self.units), who)

    @property
    def gauges(self) -> tuple[Gauge, ...]:
        return ()

    @property
    def followed(self) -> tuple[bool | None, ...]:
        return (None,) * len(self.units)

    def told(self, t: float) -> list[float | None]:
        return []

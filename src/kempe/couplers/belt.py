"""A belt or chain over two pulleys."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.couplers.abstract import AbstractCoupler, Roles, Span
from kempe.geometry.number import positive
from kempe.geometry.vector import Scalar
from kempe.units import Metres, Radians


@final
@dataclass(frozen=True, kw_only=True)
class Belt(AbstractCoupler):
    """A belt or chain that does not slip turns two pulleys in the ratio of their radii.

    phi = (a - c) - s (r_b / r_a) (b - c) - constant

    a, b and c are the turns of the pulleys and of the arm that carries them (0 if left out); s is 1
    for an open belt, which turns both the same way, and -1 for a crossed one.

    Own: the rims of both pulleys go as fast as the belt, seen from the arm.
    """

    radii: tuple[Metres, Metres]  # of the pitch circles, or numbers of teeth
    crossed: bool = False
    constant: Radians | None = None  # of the first pulley

    roles: ClassVar[Roles] = (("first pulley", "rad"), ("second pulley", "rad"), ("arm", "rad"))
    optional: ClassVar[int] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        a, b = (positive(r, f"radius of belt {self.called}", "m") for r in self.radii)
        object.__setattr__(self, "radii", (a, b))

    @property
    def spans(self) -> tuple[Span, ...]:
        """The belt itself, round both pulleys."""
        word = "crossed_belt" if self.crossed else "belt"
        return (Span(word, self.gauges[0].J, self.gauges[1].J, self.radii),)

    def phi(self, values: list[Scalar]) -> Scalar:
        arm = values[2] if len(values) > 2 else 0.0
        a, b = values[0] - arm, values[1] - arm
        ratio = self.radii[1] / self.radii[0]
        return (a + ratio * b if self.crossed else a - ratio * b) - self.phase

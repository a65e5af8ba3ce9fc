"""Two gear wheels in mesh."""

from dataclasses import dataclass
from typing import ClassVar, Self, final

from kempe.couplers.abstract import AbstractCoupler, Roles, Span
from kempe.geometry import Marker, Scalar
from kempe.geometry.number import positive
from kempe.measures import Back, Bearing, Gauge
from kempe.units import Radians, Ratio


@final
@dataclass(frozen=True, kw_only=True)
class GearPair(AbstractCoupler):
    """Two wheels in mesh, seen from the carrier of their axes, turn in the ratio of their teeth.

    phi = (a - c) + s (n_b / n_a) (b - c) - constant

    a, b and c are the turns of the wheels and of the carrier about parallel axes, s is 1 for
    external teeth and -1 where one wheel has internal ones. Without a carrier, or where a and b are
    read against it, c is 0. Radii of pitch circles do as well as numbers of teeth.

    Source: [Willis] on epicyclic trains.
    """

    teeth: tuple[Ratio, Ratio]
    internal: bool = False
    constant: Radians | None = None  # of the first wheel

    roles: ClassVar[Roles] = (("first wheel", "rad"), ("second wheel", "rad"), ("carrier", "rad"))
    optional: ClassVar[int] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        a, b = (positive(n, f"teeth of gear pair {self.called}") for n in self.teeth)
        object.__setattr__(self, "teeth", (a, b))

    @classmethod
    def meshing(
        cls,
        I: Marker,
        J: Marker,
        *,
        teeth: tuple[float, float],
        internal: bool = False,
        name: str = "",
    ) -> Self:
        """A pair by the wheels' centres alone, on whatever carries them: `I` and `J`, one on each.

        `teeth` are those of both wheels; `internal` where one is inside the other; `name` its own.

        (b_JI) + s (n_I / n_J) b_IJ = constant, with the bearings b of each centre seen from the
        other wheel; the line of centres plays the carrier.

        Source: [OndselSolver] gear joint.
        """
        seen = Gauge(f"{name or 'mesh'}.bearing", Bearing(), I, J)
        back = Gauge(f"{name or 'mesh'}.back_bearing", Back(Bearing()), I, J)
        return cls((back, seen), name, teeth=(teeth[1], teeth[0]), internal=internal)

    @property
    def spans(self) -> tuple[Span, ...]:
        """None: the wheels touch."""
        return ()

    def phi(self, values: list[Scalar]) -> Scalar:
        carrier = values[2] if len(values) > 2 else 0.0
        a, b = values[0] - carrier, values[1] - carrier
        ratio = self.teeth[1] / self.teeth[0]
        return (a - ratio * b if self.internal else a + ratio * b) - self.phase

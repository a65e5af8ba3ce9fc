"""How far a nut has slid along its thread."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, final

from kempe.errors import BadNumber
from kempe.geometry import Pose, Z
from kempe.geometry.number import finite
from kempe.geometry.vector import Scalar
from kempe.measures.abstract import AbstractMeasure, Wrapped
from kempe.measures.displacement import Displacement
from kempe.measures.turn import Turn
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class Thread(AbstractMeasure):
    """The way of J along a thread about the z axis of I, as a turn; whole turns counted.

    value = a + (lead / 2 pi r^2) z

    a is the turn of J about z and z its displacement along it, r the `radius` of the thread. Along
    a screw of that `lead` it grows by 1 + tan^2 of the angle of lead for every radian, and an
    effort along it is a force along the flanks of the thread: what friction does there.

    Own.
    """

    radius: Metres
    lead: Metres

    unit: ClassVar[str] = "rad"
    word: ClassVar[str] = "thread"

    def __post_init__(self) -> None:
        for name in ("radius", "lead"):
            if isinstance(value := getattr(self, name), float | int | str):
                object.__setattr__(self, name, finite(value, f"{name} of a thread", "m"))
        radius: Any = self.radius
        if isinstance(radius, float) and not radius > 0.0:
            raise BadNumber(f"radius of a thread is {radius:g} m: it must be above zero.")
        lead: Any = self.lead
        if (
            isinstance(radius, float)
            and isinstance(lead, float)
            and not math.isfinite(lead / radius / radius)
        ):
            raise BadNumber(
                f"lead of a thread, {lead:g} m, is too large beside its radius, {radius:g} m: give"
                " both in metres."
            )

    def value(self, X_WI: Pose, X_WJ: Pose) -> Scalar | Wrapped:
        turn, z = Turn(Z).value(X_WI, X_WJ), Displacement(Z).value(X_WI, X_WJ)
        assert not isinstance(z, Wrapped), "a displacement has no turns"
        along = self.lead / (math.tau * self.radius) / self.radius * z
        return Wrapped(turn.angle + along) if isinstance(turn, Wrapped) else turn + along

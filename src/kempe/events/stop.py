"""A measure stays within limits, as by a wall."""

from dataclasses import dataclass
from typing import final

from kempe.errors import BadNumber
from kempe.events.abstract import AbstractEvent
from kempe.geometry.number import finite
from kempe.measures import Gauge
from kempe.units import Ratio, Reading


@final
@dataclass(frozen=True)
class Stop(AbstractEvent):
    """A rigid stop: a measure m stays between two limits, and bounces off them.

    low <= m <= high;  at a limit, with g the way left to it and P the impulse of the stop,

        M (v+ - v-) = J^T Lam + g_q^T P,   J v+ = -phi_t,   g'+ = -e g'-,   P >= 0

    With e = 0, or once the bounces have died away, it rests on the limit: there the row g = 0 is
    added, with lam >= 0, and taken away again where lam would become negative. Of several stops
    that are met at once the one approached fastest acts first, and so on until none is approached.
    Bounces whose height falls below 1e-12 of the machine's size, or of the largest coordinate so
    far, are over.

    Source: [PfeifferGlocker] for the laws of impact and contact; the order of several: Own.
    """

    gauge: Gauge
    low: Reading | None = None  # m or rad; None: no limit
    high: Reading | None = None
    restitution: Ratio = 0.0  # e: speed after over speed before, 0 to 1

    def __post_init__(self) -> None:
        super().__post_init__()
        unit = self.gauge.unit
        for word in ("low", "high"):
            value = getattr(self, word)
            if value is not None:
                object.__setattr__(self, word, finite(value, f"{word} of {self.called}", unit))
        if self.low is None and self.high is None:
            raise BadNumber(f"{self.called} limits nothing: give `low`, `high` or both.")
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise BadNumber(
                f"{self.called} holds {self.gauge.name!r} between {self.low:g} and"
                f" {self.high:g} {unit}: `low` must be less than `high`.",
                low=self.low,
                high=self.high,
            )
        e = finite(self.restitution, f"the restitution of {self.called}", "1")
        if not 0.0 <= e <= 1.0:
            raise BadNumber(
                f"the restitution of {self.called} is {e:g}: it is the speed after an impact over"
                " that before, between 0 (it stays) and 1 (no energy is lost).",
                restitution=e,
            )
        object.__setattr__(self, "restitution", e)

    @property
    def mentioned(self) -> tuple[str, ...]:
        return ()

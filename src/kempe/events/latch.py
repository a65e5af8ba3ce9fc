"""Measures held from a moment on."""

from dataclasses import dataclass
from typing import final

from kempe.errors import ModelError
from kempe.events.abstract import AbstractMoment
from kempe.measures import Gauge


@final
@dataclass(frozen=True)
class Latch(AbstractMoment):
    """Measures are held, where an expression passes zero, at what they are there.

    m_k = m_k(t_e) from t_e on. Where they were still moving, an impulse stops them:

        M (v+ - v-) = J^T Lam,   J v+ = -phi_t,   with the rows of the measures in J

    A `Release` of the latch's name lets them go again; its moment may then come again. Three
    measures that together tell the place of one planar body beside another weld the two.

    Source: [PfeifferGlocker], an impact without restitution on rows that hold both ways.
    """

    held: tuple[Gauge, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.held, Gauge):
            object.__setattr__(self, "held", (self.held,))
        if not self.held or not all(isinstance(g, Gauge) for g in self.held):
            raise ModelError(
                f"{self.called} holds measures, such as door.angle, not {self.held!r}."
            )

    @property
    def mentioned(self) -> tuple[str, ...]:
        return ()

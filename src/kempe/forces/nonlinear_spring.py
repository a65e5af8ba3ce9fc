"""A spring whose force is any function of its stretch."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, final

from kempe.drives import AbstractLaw, Formula
from kempe.forces.abstract import AbstractForce
from kempe.forces.acting import Acting
from kempe.forces.instant import Action, Instant
from kempe.geometry.number import finite
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import AnyUnit, Reading


@final
@dataclass(frozen=True)
class NonlinearSpring(AbstractForce):
    """A spring on any measure that follows a function of its stretch, and a damper.

    f = -law(m - free) - damper(dm/dt) - c dm/dt

    The law is that of a drive with the stretch in the place of time: a formula in text, a table, a
    polynomial, a Python function. It stores no energy that kempe can name: what it takes counts as
    dissipated until it is given back.
    """

    gauge: Gauge
    law: AbstractLaw | Callable[[Scalar], Scalar]
    damping: AnyUnit = 0.0  # N s/m, or N m s/rad
    free: Reading = 0.0  # where the stretch is zero
    acting: Acting = Acting.BOTH
    damper: AbstractLaw | None = None  # of the rate, in the place of time

    symbol: ClassVar[str] = "spring"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.law, AbstractLaw):
            object.__setattr__(self, "law", Formula(self.law))
        who = f"force {self.name or 'NonlinearSpring'!r}"
        for word in ("damping", "free"):
            object.__setattr__(self, word, finite(getattr(self, word), f"{word} of {who}"))

    def action(self, now: Instant) -> Action:
        assert isinstance(self.law, AbstractLaw)
        m = now.gauges[0]
        stretch = m.value - self.free
        pull = self.law.value(stretch) + self.damping * m.rate
        if self.damper is not None:
            pull = pull + self.damper.value(m.rate)
        return Action.along(-self.acting.held(pull, stretch))

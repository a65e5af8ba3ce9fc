"""An effort by a formula of time and of what is measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.forces.words import Words, Written
from kempe.geometry.number import finite
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import AnyUnit, effort_unit


@final
@dataclass(frozen=True)
class Control(AbstractForce):
    """An effort along a measure by a formula in text: a motor with feedback, a strange spring.

    f = text(t, x, x_rate, ...), for example
    Control(hinge.angle, "-k * (x - 0.3) - c * x_rate", constants=("k", "c"), values=(40, 2))

    In the text `x` is the measure it acts along and `x_rate` its rate; every name of `names` is
    what the gauge of the same place in `seen` shows, and name_rate its rate; `t` is the time, and
    `constants` are numbers that can change without recompiling.

    It may have states of its `own`, each a name, the formula of its rate and its first value:
    own=(("z", "x - 0.3", 0.0),) integrates, and all formulas may say z.
    """

    gauge: Gauge
    text: str
    seen: tuple[Gauge, ...] = ()
    names: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    values: tuple[AnyUnit, ...] = ()  # of the constants
    own: tuple[tuple[str, str, AnyUnit], ...] = ()  # states: name, rate, first value

    symbol: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        super().__post_init__()
        gauges = 1 + len(self.seen)
        texts = (self.text, *(rate for _, rate, _ in self.own))
        numbers = self._words.checked(self._called, texts, gauges, self.values)
        object.__setattr__(self, "values", numbers)
        own = tuple(
            (name, rate, finite(first, f"the first {name!r} of {self._called}"))
            for name, rate, first in self.own
        )
        object.__setattr__(self, "own", own)

    @property
    def acts_along(self) -> tuple[Gauge, ...]:
        """Its own measure; those of `seen` are only looked at."""
        return (self.gauge,)

    @property
    def written(self) -> tuple[Written, ...]:
        readings = self._words.units(self.gauges)
        return (Written(("text",), self.text, effort_unit(self.gauge.unit), readings),)

    @property
    def states(self) -> tuple[str, ...]:
        return tuple(name for name, _, _ in self.own)

    @property
    def first_states(self) -> tuple[float, ...]:
        return tuple(first for _, _, first in self.own)

    def rates(self, now: Instant) -> Sequence[Scalar]:
        return [self._words.value(rate, now, self.values) for _, rate, _ in self.own]

    def action(self, now: Instant) -> Action:
        effort = self._words.value(self.text, now, self.values)
        return Action.along(effort, *(0.0 for _ in self.seen))

    @property
    def _words(self) -> Words:
        return Words(("x", *self.names), self.constants, self.states)

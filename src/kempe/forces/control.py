"""An effort by a formula of time and of what is measured."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.algebra.grammar import RESERVED, WrittenFormula, parse
from kempe.errors import BadNumber, UnknownName
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry.number import finite
from kempe.measures import Gauge
from kempe.units import AnyUnit

RATE = "_rate"


@final
@dataclass(frozen=True)
class Control(AbstractForce):
    """An effort along a measure by a formula in text: a motor with feedback, a strange spring.

    f = text(t, x, x_rate, ...), for example
    Control(hinge.angle, "-k * (x - 0.3) - c * x_rate", constants=("k", "c"), values=(40, 2))

    In the text `x` is the measure it acts along and `x_rate` its rate; every name of `names` is
    what the gauge of the same place in `seen` shows, and name_rate its rate; `t` is the time, and
    `constants` are numbers that can change without recompiling.
    """

    gauge: Gauge
    text: str
    seen: tuple[Gauge, ...] = ()
    names: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    values: tuple[AnyUnit, ...] = ()  # of the constants

    symbol: ClassVar[str] = "arrow"

    def __post_init__(self) -> None:
        super().__post_init__()
        who = f"force {self.name or 'Control'!r}"
        if len(self.names) != len(self.seen) or len(self.constants) != len(self.values):
            raise BadNumber(
                f"{who} has {len(self.names)} names for {len(self.seen)} measures and"
                f" {len(self.constants)} constants for {len(self.values)} values: give one each."
            )
        known = [*self._words(), *self.constants]
        for name in known:
            if name in RESERVED or not name.isidentifier() or known.count(name) > 1:
                raise UnknownName(f"{name!r} cannot be a name in the formula of {who}.")
        numbers = tuple(finite(x, f"a value of {who}") for x in self.values)
        object.__setattr__(self, "values", numbers)
        self.formula.refuse_other_names(frozenset(known))

    @property
    def formula(self) -> WrittenFormula:
        """The text, read."""
        return parse(self.text)

    def action(self, now: Instant) -> Action:
        readings = [x for one in now.gauges for x in (one.value, one.rate)]
        words = dict(zip(self._words(), [now.t, *readings], strict=True))
        effort = self.formula.value(words | dict(zip(self.constants, self.values, strict=True)))
        return Action.along(effort, *(0.0 for _ in self.seen))

    def _words(self) -> list[str]:
        return ["t", *(word for name in ("x", *self.names) for word in (name, name + RATE))]

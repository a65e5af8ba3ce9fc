"""The names that a formula in text may use: time, measures and their rates, constants."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from kempe.algebra.text.grammar import RESERVED, parse
from kempe.errors import BadNumber, UnknownName
from kempe.forces.instant import Instant
from kempe.geometry.number import finite
from kempe.measures import Gauge

RATE = "_rate"


@final
@dataclass(frozen=True, slots=True)
class Written:
    """A formula of a force as its field has it, in SI: what it gives, and what it reads."""

    place: tuple[str | int, ...]  # the field, and the number of the component in it
    text: str
    unit: str  # of its value, "N" or "N m"
    readings: Mapping[str, str]  # a name -> its unit


@final
@dataclass(frozen=True, slots=True)
class Words:
    """`t`, a name for every gauge, the same with _rate for its rate, constants, and states."""

    measures: tuple[str, ...]
    constants: tuple[str, ...]
    states: tuple[str, ...] = ()

    @property
    def of_readings(self) -> list[str]:
        """The words for what changes."""
        return ["t", *(word for name in self.measures for word in (name, name + RATE))]

    def units(self, gauges: Sequence[Gauge]) -> dict[str, str]:
        """The units of the names of `gauges` and of their rates."""
        named = dict(zip(self.measures, (gauge.unit for gauge in gauges), strict=True))
        return named | {name + RATE: f"{unit}/s" for name, unit in named.items()}

    def checked(
        self, who: str, texts: Sequence[str], gauges: int, values: Sequence[Any]
    ) -> tuple[float, ...]:
        """The `values` as numbers, where names fit what they stand for and `texts` use no other.

        `who` is named where they do not; `gauges` is how many measures there are.
        """
        if len(self.measures) != gauges or len(self.constants) != len(values):
            raise BadNumber(
                f"{who} has {len(self.measures)} names for {gauges} measures and"
                f" {len(self.constants)} constants for {len(values)} values: give one each."
            )
        known = [*self.of_readings, *self.constants, *self.states]
        for name in known:
            if name in RESERVED or not name.isidentifier() or known.count(name) > 1:
                raise UnknownName(f"{name!r} cannot be a name in the formula of {who}.")
        for text in texts:
            parse(text).refuse_other_names(frozenset(known))
        return tuple(finite(x, f"a value of {who}") for x in values)

    def value(self, text: str, now: Instant, values: Sequence[Any]) -> Any:
        """What `text` says at the instant `now`, `values` being those of its names."""
        readings = [x for one in now.gauges for x in (one.value, one.rate)]
        said = dict(zip(self.of_readings, [now.t, *readings], strict=True))
        said |= dict(zip(self.states, now.states, strict=True))
        return parse(text).value(said | dict(zip(self.constants, values, strict=True)))

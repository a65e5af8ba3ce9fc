"""What every event is: a condition on the motion of a simulation, and what follows from it."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Self, final

from kempe.errors import BadNumber, ModelError
from kempe.geometry.number import keep_tuples
from kempe.measures import Gauge
from kempe.names import refuse_dot


@final
class Direction(Enum):
    """Which way a value passes zero."""

    BOTH = "both"
    RISING = "rising"  # from below
    FALLING = "falling"  # from above

    @property
    def sign(self) -> float:
        """+1 for rising, -1 for falling, 0 for both."""
        return {"both": 0.0, "rising": 1.0, "falling": -1.0}[self.value]


@dataclass(frozen=True)
class AbstractEvent(ABC):
    """Something that happens at moments of a simulation which are found as it goes."""

    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        keep_tuples(self)
        refuse_dot(self.name, "an event", "floor.effort")

    @property
    def called(self) -> str:
        """Which one it is, in a message: its name, or its class as long as it has none."""
        return f"{type(self).__name__.lower()} {self.name!r}" if self.name else type(self).__name__

    @property
    def gauges(self) -> tuple[Gauge, ...]:
        """The measures it holds or limits."""
        return tuple(self._gauges())

    @property
    @abstractmethod
    def mentioned(self) -> tuple[str, ...]:
        """The parts it names, which there must be."""

    def renamed(self, name: Callable[[str], str], text: Callable[[str], str]) -> Self:
        """The event with other names of parts, in what it names and in its texts."""
        return replace(self, name=name(self.name))

    def _gauges(self) -> Iterator[Gauge]:
        for one in dataclasses.fields(self):
            value: Any = getattr(self, one.name)
            for entry in value if isinstance(value, tuple) else (value,):
                if isinstance(entry, Gauge):
                    yield entry


@dataclass(frozen=True)
class AbstractMoment(AbstractEvent):
    """An event at the moments where an expression passes zero.

    `when` is a formula of readable names in SI, such as "arm.angle - 2.4" or "ball.P.vy": whatever
    `trajectory[...]` reads. What stands at zero when the run begins has not passed it.
    """

    when: str
    direction: Direction = field(default=Direction.BOTH, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        given: Any = self.when
        if not isinstance(given, str) or not given.strip():
            raise ModelError(
                f"{self.called} says when it happens by a formula in text, such as"
                f" 'crank.angle - 1.5', not by {self.when!r}."
            )
        if not isinstance(self.direction, Direction):
            known = [member.value for member in Direction]
            if self.direction not in known:
                raise BadNumber(
                    f"the direction of {self.called} is one of {', '.join(known)}, not"
                    f" {self.direction!r}."
                )
            object.__setattr__(self, "direction", Direction(self.direction))

    def renamed(self, name: Callable[[str], str], text: Callable[[str], str]) -> Self:
        """The event with other names of parts, in what it names and in its texts."""
        return replace(self, name=name(self.name), when=text(self.when))

    def _named(self, word: str) -> None:
        """Makes a tuple of names of the field of that name."""
        value: Any = getattr(self, word)
        names = (value,) if isinstance(value, str) else tuple(value)
        if not all(isinstance(name, str) and name for name in names):
            raise ModelError(f"`{word}` of {self.called} takes names of parts, not {value!r}.")
        object.__setattr__(self, word, names)

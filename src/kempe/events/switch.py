"""Forces and drives turned on and off at a moment."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self, final

from kempe.errors import ModelError
from kempe.events.abstract import AbstractMoment


@final
@dataclass(frozen=True)
class Switch(AbstractMoment):
    """Forces and drives start or cease to act where an expression passes zero.

    What is among `on` of any switch does not act until it is switched on. A drive that is switched
    on goes on from where its measure m is then: m = m(t_e) + f(t) - f(t_e); where m moves at
    another speed, an impulse brings it there.

    Example: Switch("cart.x - 1.2", off=("motor",), on=("brake",), direction="rising")
    """

    on: tuple[str, ...] = ()
    off: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._named("on")
        self._named("off")
        if not self.on and not self.off:
            raise ModelError(f"{self.called} switches nothing: name forces or drives.")

    @property
    def mentioned(self) -> tuple[str, ...]:
        return (*self.on, *self.off)

    def renamed(self, name: Callable[[str], str], text: Callable[[str], str]) -> Self:
        found = super().renamed(name, text)
        return replace(found, on=tuple(map(name, self.on)), off=tuple(map(name, self.off)))

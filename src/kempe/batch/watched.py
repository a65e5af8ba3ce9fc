"""Numbers that note what is decided by them while a mechanism is built.

A function that builds a mechanism may decide by its parameters: where a four-bar cannot turn round,
start elsewhere. Called with watched numbers it is seen to compare this with that; what it compares
is known as a formula of the parameters, so that of all variants can be told, at once, which would
have been built on the same way. What leaves a watched number outside of kempe's own code (a cosine
of it, say) is not followed; then nothing is claimed.

Own.
"""

import math
import operator
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
Columns = Mapping[str, FloatArray]
Formula = Callable[[Columns], Any]

OWN: Final = "kempe."
# The gallery builds mechanisms as users do; its sketches only place what is not yet assembled.
GALLERY: Final = "kempe.gallery"
SKETCH: Final = "kempe.gallery.sketch"


@final
class Watch:
    """What was decided by the parameters of one variant."""

    def __init__(self) -> None:
        self.decisions: list[tuple[Callable[[Any, Any], Any], Formula, Formula, bool]] = []
        self.is_lost = False  # a number was taken where it is not followed

    def parameter(self, name: str, value: float) -> "Watched":
        """The watched value of a parameter."""
        return Watched(value, self, lambda columns: columns[name])

    def same_way(self, columns: Columns, count: int) -> BoolArray:
        """Which variants are built on the way that was watched, (count,)."""
        same = np.ones(count, dtype=bool)
        with np.errstate(all="ignore"):
            for compare, a, b, outcome in self.decisions:
                same &= np.broadcast_to(compare(a(columns), b(columns)), (count,)) == outcome
        return same


@final
class Watched(float):
    """A float with the formula of parameters that it is; plain wherever it is taken as a float."""

    __slots__ = ("formula", "watch")
    formula: Formula
    watch: Watch

    def __new__(cls, value: float, watch: Watch, formula: Formula) -> "Watched":
        """The number `value`, which is a `formula` of the parameters."""
        made = super().__new__(cls, value)
        made.watch, made.formula = watch, formula
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return float, (float.__float__(self),)

    def __float__(self) -> float:
        self._leaves()
        return float.__float__(self)

    def __int__(self) -> int:
        return int(self._lost(int))

    def __trunc__(self) -> int:
        return int(self._lost(math.trunc))

    def __floor__(self) -> int:
        return int(self._lost(math.floor))

    def __ceil__(self) -> int:
        return int(self._lost(math.ceil))

    def __round__(self, digits: Any = None) -> Any:
        return self._lost(lambda value: round(value, digits))

    def __mod__(self, other: Any) -> Any:
        return self._lost(lambda value: value % other)

    def __floordiv__(self, other: Any) -> Any:
        return self._lost(lambda value: value // other)

    def __divmod__(self, other: Any) -> Any:
        return self._lost(lambda value: divmod(value, other))

    def __hash__(self) -> int:
        return float.__hash__(self)

    def __bool__(self) -> bool:
        return bool(self != 0.0)

    def __abs__(self) -> Any:
        return -self if self < 0.0 else self

    def __neg__(self) -> Any:
        return Watched(-float.__float__(self), self.watch, lambda c: -self.formula(c))

    def __pos__(self) -> Any:
        return self

    def _lost(self, take: Callable[[float], Any]) -> Any:
        self.watch.is_lost = True
        return take(float.__float__(self))

    def _leaves(self) -> None:
        """Somebody takes it as a plain number: kempe itself, or who may decide by it unseen."""
        module = str(sys._getframe(2).f_globals.get("__name__", ""))
        if not module.startswith(OWN) or (module.startswith(GALLERY) and module != SKETCH):
            self.watch.is_lost = True


def _formula(value: Any) -> Formula:
    if isinstance(value, Watched):
        return value.formula
    plain = float(value)
    return lambda columns: plain


def _binary(work: Callable[[Any, Any], Any], *, swapped: bool) -> Callable[[Watched, Any], Any]:
    def made(self: Watched, other: Any) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        first, second = (other, self) if swapped else (self, other)
        a, b = _formula(first), _formula(second)
        value = work(_plain(first), _plain(second))
        return Watched(value, self.watch, lambda columns: work(a(columns), b(columns)))

    return made


def _comparison(compare: Callable[[Any, Any], Any]) -> Callable[[Watched, Any], Any]:
    def made(self: Watched, other: Any) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        outcome = bool(compare(_plain(self), _plain(other)))
        self.watch.decisions.append((compare, self.formula, _formula(other), outcome))
        return outcome

    return made


def _plain(value: Any) -> float:
    return float.__float__(value) if isinstance(value, float) else float(value)


for _name in ("add", "sub", "mul", "truediv", "pow"):
    setattr(Watched, f"__{_name}__", _binary(getattr(operator, _name), swapped=False))
    setattr(Watched, f"__r{_name}__", _binary(getattr(operator, _name), swapped=True))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Watched, f"__{_name}__", _comparison(getattr(operator, _name)))

"""Terms of a formula in text: numbers, names, sums, products, powers, calls and choices.

A term has a value on plain numbers, on NumPy arrays and on traced values alike. On plain numbers
whatever has no finite value is refused, with the place in the text.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

from kempe.algebra import functions
from kempe.errors import KempeError

Names = Mapping[str, Any]


class Trouble(Exception):
    """What is wrong at a place of a text (counted from 0); whoever knows the text says so."""

    def __init__(self, at: int, message: str) -> None:
        super().__init__(at, message)
        self.at = at
        self.message = message


@final
@dataclass(frozen=True, slots=True)
class Function:
    """A function that a formula may call: on plain numbers, and on everything else."""

    plain: Callable[..., float]
    traced: Callable[..., Any]
    fewest: int = 1
    most: int = 1


FUNCTIONS = {
    "sin": Function(math.sin, functions.sin),
    "cos": Function(math.cos, functions.cos),
    "tan": Function(math.tan, functions.tan),
    "asin": Function(math.asin, functions.asin),
    "acos": Function(math.acos, functions.acos),
    "atan2": Function(math.atan2, functions.atan2, 2, 2),
    "sqrt": Function(math.sqrt, functions.sqrt),
    "exp": Function(math.exp, functions.exp),
    "log": Function(math.log, functions.log),
    "tanh": Function(math.tanh, functions.tanh),
    "abs": Function(abs, abs),
    "min": Function(min, lambda *xs: _fold(functions.minimum, xs), 2, 64),
    "max": Function(max, lambda *xs: _fold(functions.maximum, xs), 2, 64),
    "smooth_step": Function(
        lambda *xs: float(functions.smooth_step(*xs)), functions.smooth_step, 3, 3
    ),
}
CONSTANTS = {"pi": math.pi}


class AbstractTerm(ABC):
    """A part of a formula; `at` is where it starts in the text, from 0."""

    __slots__ = ()

    at: int

    @abstractmethod
    def value(self, names: Names) -> Any:
        """The value, with these values for its names."""

    @property
    @abstractmethod
    def parts(self) -> tuple["AbstractTerm", ...]:
        """The terms it is made of."""

    def names(self) -> Iterator["Name"]:
        """Every name in it, in order."""
        for part in self.parts:
            yield from part.names()


@final
@dataclass(frozen=True, slots=True)
class Number(AbstractTerm):
    """A number."""

    at: int
    number: float

    parts = ()

    def value(self, names: Names) -> Any:
        return self.number


@final
@dataclass(frozen=True, slots=True)
class Name(AbstractTerm):
    """A name that stands for a value."""

    at: int
    name: str

    parts = ()

    def value(self, names: Names) -> Any:
        return names[self.name]

    def names(self) -> Iterator["Name"]:
        yield self


@final
@dataclass(frozen=True, slots=True)
class Negation(AbstractTerm):
    """-a"""

    at: int
    term: AbstractTerm

    @property
    def parts(self) -> tuple[AbstractTerm, ...]:
        return (self.term,)

    def value(self, names: Names) -> Any:
        return -self.term.value(names)


@final
@dataclass(frozen=True, slots=True)
class Step:
    """One more operand of a chain, and the sign before it."""

    at: int
    sign: str  # + - * /
    term: AbstractTerm


@final
@dataclass(frozen=True, slots=True)
class Chain(AbstractTerm):
    """a + b - c ... or a * b / c ...: long ones are no deeper than short ones."""

    at: int
    first: AbstractTerm
    rest: tuple[Step, ...]

    @property
    def parts(self) -> tuple[AbstractTerm, ...]:
        return (self.first, *(step.term for step in self.rest))

    def value(self, names: Names) -> Any:
        total = self.first.value(names)
        for step in self.rest:
            total = _combined(step.at, step.sign, total, step.term.value(names))
        return total


@final
@dataclass(frozen=True, slots=True)
class Power(AbstractTerm):
    """a ^ b"""

    at: int  # of the sign
    base: AbstractTerm
    exponent: AbstractTerm

    @property
    def parts(self) -> tuple[AbstractTerm, ...]:
        return (self.base, self.exponent)

    def value(self, names: Names) -> Any:
        return _combined(self.at, "^", self.base.value(names), self.exponent.value(names))


@final
@dataclass(frozen=True, slots=True)
class Call(AbstractTerm):
    """sin(a), atan2(a, b), ..."""

    at: int
    function: str
    parts: tuple[AbstractTerm, ...]

    def value(self, names: Names) -> Any:
        function, values = FUNCTIONS[self.function], [part.value(names) for part in self.parts]
        chosen = function.plain if all(isinstance(v, float) for v in values) else function.traced
        return _result(self.at, chosen, *values, shown=self.function)


@final
@dataclass(frozen=True, slots=True)
class Choice(AbstractTerm):
    """if(a < b, c, d): c where the comparison holds, else d."""

    at: int  # of the comparison's sign
    sign: str
    left: AbstractTerm
    right: AbstractTerm
    yes: AbstractTerm
    no: AbstractTerm

    @property
    def parts(self) -> tuple[AbstractTerm, ...]:
        return (self.left, self.right, self.yes, self.no)

    def value(self, names: Names) -> Any:
        holds = _combined(self.at, self.sign, self.left.value(names), self.right.value(names))
        if isinstance(holds, bool):
            return (self.yes if holds else self.no).value(names)
        return functions.where(holds, self.yes.value(names), self.no.value(names))


SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": lambda a, b: a**b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


def _fold(function: Callable[[Any, Any], Any], values: tuple[Any, ...]) -> Any:
    total = values[0]
    for value in values[1:]:
        total = function(total, value)
    return total


def _combined(at: int, sign: str, a: Any, b: Any) -> Any:
    return _result(at, SIGNS[sign], a, b, shown=sign)


def _result(at: int, operation: Callable[..., Any], *values: Any, shown: str) -> Any:
    """operation(values), where it has a finite value; Trouble where it has none."""
    try:
        result = operation(*values)
    except ZeroDivisionError:
        raise Trouble(at, f"{_said(shown, values)} divides by zero") from None
    except (ValueError, OverflowError):
        raise Trouble(at, f"{_said(shown, values)} has no finite value") from None
    except KempeError as refusal:  # what cannot be traced
        raise Trouble(at, refusal.message) from None
    if isinstance(result, complex) or (isinstance(result, float) and not math.isfinite(result)):
        raise Trouble(at, f"{_said(shown, values)} has no finite value")
    return result


def _said(shown: str, values: tuple[Any, ...]) -> str:
    words = [f"{v:.6g}" if isinstance(v, float) else "..." for v in values]
    return f" {shown} ".join(words) if shown in SIGNS else f"{shown}({', '.join(words)})"

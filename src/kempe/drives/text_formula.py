"""A formula of time in text."""

import math
from dataclasses import dataclass
from typing import final

from kempe.algebra.text.grammar import RESERVED, WrittenFormula, parse
from kempe.drives.law import AbstractLaw
from kempe.errors import BadNumber, ExpressionError, UnknownName
from kempe.geometry.vector import Scalar
from kempe.units import AnyUnit, Reading, Seconds

TIME = "t"


@final
@dataclass(frozen=True, slots=True)
class TextFormula(AbstractLaw):
    """A formula of t in text; other names stand for numbers that can change without recompiling.

    f = scale * text(t / per),  for example TextFormula("a * sin(2 * pi * t)", ("a",), (0.2,))

    Unlike a Python function it can be written to a file, and its text is all a program depends on.
    """

    text: str
    names: tuple[str, ...] = ()
    values: tuple[AnyUnit, ...] = ()  # of the names
    scale: Reading = 1.0  # how much a result of 1 is, in m or rad
    per: Seconds | None = None  # how much 1 of t is, in s, m or rad; None for 1

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise BadNumber(f"a formula in text is a text of t, not {self.text!r}.")
        if len(self.names) != len(self.values) or len(set(self.names)) != len(self.names):
            raise BadNumber(
                f"the formula {self.text!r} has {len(self.names)} names for {len(self.values)}"
                " values: give every name once, with one value."
            )
        for name in self.names:
            if name in RESERVED or name == TIME or not name.isidentifier():
                raise UnknownName(f"{name!r} cannot be a name in the formula {self.text!r}.")
        if self.per is not None and not self.per > 0.0:
            raise BadNumber(f"1 of t in {self.text!r} must be more than nothing, not {self.per!r}.")
        if not all(math.isfinite(x) for x in (*self.values, self.scale, self.per or 1.0)):
            raise BadNumber(f"the formula {self.text!r} has a value that is not finite.")
        self.formula.refuse_other_names(frozenset({TIME, *self.names}))

    @property
    def formula(self) -> WrittenFormula:
        """The text, read."""
        return parse(self.text)

    def value(self, t: Scalar) -> Scalar:
        named = dict(zip(self.names, self.values, strict=True))
        t = t if self.per is None else t / self.per
        if not isinstance(t, (int, float)):
            return self.scale * self.formula.value({**named, TIME: t})
        try:
            return self.scale * self.formula.value({**named, TIME: float(t)})
        except ExpressionError as trouble:
            message = f"{trouble.message.rstrip('.')} at t = {t:.9g} s."
            raise ExpressionError(message, **{**trouble.facts, "t": float(t)}) from None

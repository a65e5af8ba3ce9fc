"""Any formula of time."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.algebra.recorded import portable
from kempe.drives.law import AbstractLaw
from kempe.errors import BadNumber
from kempe.geometry.vector import Scalar


@final
@dataclass(frozen=True, slots=True)
class Formula(AbstractLaw):
    """A Python function of t, traced once: use NumPy's or kempe's functions in it.

    f = function(t),  for example Formula(lambda t: 0.2 * np.sin(3 * t))
    """

    function: Callable[[Scalar], Scalar]

    def __reduce__(self) -> tuple[object, ...]:
        """Functions that another process cannot import are pickled as what they compute."""
        return Formula, (portable(self.function),)

    def __deepcopy__(self, memo: object) -> "Formula":
        return self  # it is frozen, and a function is no data

    def __post_init__(self) -> None:
        if not callable(self.function):
            text = self.function
            how = f": a text is TextFormula({text!r})" if isinstance(text, str) else ""
            raise BadNumber(f"a drive's formula must be a function of t, not {text!r}{how}.")

    def value(self, t: Scalar) -> Scalar:
        found = self.function(t)
        if isinstance(t, float) and np.iscomplexobj(found):
            # Python's root of a float below nought; NumPy's is nan, as the traced one
            with np.errstate(invalid="ignore"):
                return self.function(np.float64(t))
        return found

"""Splines: piecewise polynomials, or quotients of them, in Bernstein form."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kempe.errors import BadNumber

FloatArray = NDArray[np.float64]

MOST_TERMS: Final = 16  # coefficients of a piece
MOST_ORDER: Final = 8  # of derivatives


@final
@dataclass(frozen=True, eq=False)
class Spline:
    """A function of one variable, in pieces: N or N / D with s = (x - b_i) / (b_i+1 - b_i),

    N(s) = sum_j numerators[i, j] B_j^n(s)

    It goes on along its end tangents outside the breaks; a periodic one repeats itself, and its
    first break is 0. Neighbouring pieces share the value at their break exactly where their end
    coefficients are the same numbers.

    Source: [PieglTiller] ch. 1 and 4, Bezier and rational Bezier pieces.
    """

    breaks: FloatArray  # (k + 1,)
    numerators: FloatArray  # (k, n + 1)
    denominators: FloatArray  # (k, n + 1), all positive; (0, 0) for polynomials
    is_periodic: bool = False

    @classmethod
    def of(
        cls,
        breaks: ArrayLike,
        numerators: ArrayLike,
        denominators: ArrayLike | None = None,
        *,
        is_periodic: bool = False,
    ) -> "Spline":
        """The spline of these numbers, checked; it keeps copies of its own."""
        spline = cls(
            np.array(breaks, dtype=np.float64),
            np.array(numerators, dtype=np.float64),
            np.zeros((0, 0)) if denominators is None else np.array(denominators, dtype=np.float64),
            is_periodic,
        )
        spline._refuse_what_cannot_be_read()
        for array in (spline.breaks, spline.numerators, spline.denominators):
            array.setflags(write=False)
        return spline

    def _refuse_what_cannot_be_read(self) -> None:
        b, n, d = self.breaks, self.numerators, self.denominators
        if b.ndim != 1 or n.ndim != 2 or len(b) != len(n) + 1 or not len(n):
            raise BadNumber(
                f"a spline needs one more break than pieces: it has {b.shape} breaks for"
                f" {n.shape} coefficients."
            )
        if not 1 <= n.shape[1] <= MOST_TERMS:
            raise BadNumber(
                f"a spline has {n.shape[1]} coefficients a piece: 1 to {MOST_TERMS} are possible."
            )
        if not (np.isfinite(b).all() and np.isfinite(n).all() and np.isfinite(b[-1] - b[0])):
            raise BadNumber("a spline has a number that is not finite.")
        if not (np.diff(b) > 0).all():
            row = int(np.argmax(np.diff(b) <= 0)) + 1
            raise BadNumber(
                f"the breaks of a spline must rise: entry {row} ({b[row]:g}) is not above entry"
                f" {row - 1} ({b[row - 1]:g}).",
                row=row,
            )
        if d.size and d.shape != n.shape:
            raise BadNumber(f"a spline has {n.shape} numerators and {d.shape} denominators.")
        if d.size and not (np.isfinite(d).all() and (d > 0).all()):
            raise BadNumber("a denominator of a spline is not positive and finite.")
        if self.is_periodic and b[0] != 0.0:
            raise BadNumber(f"a periodic spline must start at 0, this one starts at {b[0]:g}.")

    @property
    def is_rational(self) -> bool:
        """Whether its pieces are quotients."""
        return bool(self.denominators.size)

    @property
    def degree(self) -> int:
        """The degree of the polynomials."""
        return int(self.numerators.shape[1]) - 1

    def vanishes(self, order: int) -> bool:
        """Whether the derivative of that order is zero everywhere."""
        return order > self.degree and (not self.is_rational or self.degree == 0)

    @cached_property
    def block(self) -> list[float]:
        """The numbers as the C++ core lays them out."""
        return [
            float(len(self.numerators)),
            float(self.numerators.shape[1]),
            float(self.is_rational),
            float(self.breaks[-1]) if self.is_periodic else 0.0,
            *self.breaks.tolist(),
            *self.numerators.ravel().tolist(),
            *self.denominators.ravel().tolist(),
        ]

    def __call__(self, x: Any, order: int = 0) -> Any:
        """Its derivative of that order at x: a number, an array or a traced value."""
        from kempe.algebra.functions import spline_value

        return spline_value(self, x, order)

"""Polynomials of one variable as values that a formula can run on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from kempe.algebra.expression import SCALARS

MOST_DEGREE = 16


@final
@dataclass(frozen=True, slots=True, eq=False)
class Powers:
    """c_0 + c_1 x + c_2 x^2 + ...: what a formula of x makes of it says whether it is one, too.

    The coefficients are numbers or traced values. Sums, products, quotients by numbers and whole
    powers are polynomials; whatever else a formula does is a TypeError.

    Own.
    """

    coefficients: tuple[Any, ...]

    __array_ufunc__ = None  # so that numpy.sin(x) is refused and 2.0 * x comes back here

    def __add__(self, other: Any) -> "Powers":
        mine, theirs = self.coefficients, _terms(other)
        most = max(len(mine), len(theirs))
        pairs = ((mine[k : k + 1], theirs[k : k + 1]) for k in range(most))
        return Powers(tuple(sum(b, sum(a)) for a, b in pairs))

    __radd__ = __add__

    def __neg__(self) -> "Powers":
        return Powers(tuple(-c for c in self.coefficients))

    def __sub__(self, other: Any) -> "Powers":
        return self + (-Powers(_terms(other)))

    def __rsub__(self, other: Any) -> "Powers":
        return Powers(_terms(other)) - self

    def __mul__(self, other: Any) -> "Powers":
        mine, theirs = self.coefficients, _terms(other)
        degree = len(mine) + len(theirs) - 2
        if degree > MOST_DEGREE:
            raise TypeError(f"a polynomial of degree {degree} is too long")
        found: list[Any] = [0.0] * (degree + 1)
        for i, a in enumerate(mine):
            for j, b in enumerate(theirs):
                found[i + j] = found[i + j] + a * b
        return Powers(tuple(found))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> "Powers":
        if isinstance(other, Powers):
            raise TypeError("a quotient of polynomials is none")
        return Powers(tuple(c / other for c in self.coefficients))

    def __pow__(self, exponent: Any) -> "Powers":
        if not isinstance(exponent, (int, float)) or exponent != int(exponent) or exponent < 0:
            raise TypeError("only a whole power of a polynomial is one")
        found = Powers((1.0,))
        for _ in range(min(int(exponent), MOST_DEGREE + 1)):
            found = found * self
        return found

    def integral(self, x: Any) -> Any:
        """Of the polynomial, from 0 to x."""
        total: Any = 0.0
        for k in range(len(self.coefficients), 0, -1):  # Horner
            total = (total + self.coefficients[k - 1] / float(k)) * x
        return total


def polynomial_of(function: Callable[[Any], Any]) -> Powers | None:
    """The polynomial that a function of one variable is; None where it is none."""
    try:
        found = function(Powers((0.0, 1.0)))
        return found if isinstance(found, Powers) else Powers(_terms(found))
    except Exception:  # whatever a function of the user's makes of a polynomial
        return None


def _terms(value: Any) -> tuple[Any, ...]:
    if isinstance(value, Powers):
        return value.coefficients
    if isinstance(value, SCALARS):
        return (value,)
    raise TypeError(f"{type(value).__name__} is no coefficient")

"""Laws: what a drive prescribes as a function of time."""

from abc import ABC, abstractmethod

from kempe.algebra.powers import polynomial_of
from kempe.geometry.vector import Scalar


class AbstractLaw(ABC):
    """A prescribed value f(t); rate and acceleration are derived from the one formula.

    A field that is a float, a tuple of them, or holds other laws brings numbers of the model: they
    reach `value` as traced values and can change without recompiling. Anything else is structure,
    also the points of a table.
    """

    __slots__ = ()

    @abstractmethod
    def value(self, t: Scalar) -> Scalar:
        """f(`t`), in the driven measure's unit, with `t` in seconds."""

    def corners(self, start: float, stop: float) -> list[float]:
        """Times after `start` and before `stop` (s) at which another formula takes over, rising."""
        return []

    def between(self, start: float, stop: float) -> "AbstractLaw":
        """The one formula that holds from `start` to `stop` (s), with no corner between them.

        Outside it goes on as that formula does.
        """
        return self

    def integral(self, t: Scalar) -> Scalar | None:
        """The integral of f from 0 to `t` (s) where f is a polynomial, None elsewhere."""
        found = polynomial_of(self.value)
        return None if found is None else found.integral(t)

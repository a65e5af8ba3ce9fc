"""Laws: what a drive prescribes as a function of time."""

from abc import ABC, abstractmethod

from kempe.geometry.vector import Scalar


class AbstractLaw(ABC):
    """A prescribed value f(t); rate and acceleration are derived from the one formula.

    A float field of the class is a number of the model: it reaches `value` as a traced value and
    can change without recompiling. Anything else, also a float inside another field, is structure.
    """

    __slots__ = ()

    @abstractmethod
    def value(self, t: Scalar) -> Scalar:
        """f(t), in the driven measure's unit, with t in seconds."""

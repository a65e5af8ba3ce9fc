"""How near Newton's method brings every sample of a sweep, and how long it may try."""

from dataclasses import dataclass
from typing import final

from kempe.errors import BadNumber
from kempe.geometry.number import finite

# Weighted residual of a converged sample: a hundred times what rounding leaves in a sum of a few
# lengths. Newton's last step is quadratic, so samples are usually exact to rounding.
CONVERGED = 1e-13
ITERATIONS = 10
LOOSEST, TIGHTEST = 1e-3, 1e-15


@final
@dataclass(frozen=True, slots=True)
class Newton:
    """When a sample of a sweep has converged, and after how many iterations its step is halved.

    A sample has where every row of constraints is below `tolerance`, lengths beside the size of
    the machine and angles in radians; not below what rounding leaves. It is at most
    1e-3: beyond that, branches could not be told from each other.

    Source: [Sung] ch. III for Newton's method on the appended driving constraints; limits: Own.

    Examples:
        >>> from kempe.kinematics.stepping.newton import Newton
        >>> Newton(tolerance=1e-9).iterations
        10
    """

    tolerance: float = CONVERGED
    iterations: int = ITERATIONS

    def __post_init__(self) -> None:
        tolerance = finite(self.tolerance, "Newton's tolerance")
        if not TIGHTEST <= tolerance <= LOOSEST:
            raise BadNumber(
                f"Newton's tolerance must lie between {TIGHTEST:g} and {LOOSEST:g}, it is"
                f" {tolerance:g}."
            )
        count = self.iterations
        if isinstance(count, bool) or count < 1 or count != int(count):
            raise BadNumber(f"Newton's method needs 1 iteration or more, not {count!r}.")

    @property
    def is_usual(self) -> bool:
        """Whether as many iterations are allowed as compiled sweeps make."""
        return self.iterations >= ITERATIONS


USUAL = Newton()

"""Steps of one length and one cost, as a method of simulations."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.errors import BadNumber
from kempe.geometry.number import finite

BY_ORDER = {3: "rodas3", 5: "rodas5p"}


@final
@dataclass(frozen=True, slots=True)
class FixedStep:
    """Linearly implicit steps of one length, each at the same cost: for real time.

    (1 / (h gamma) - F_y) U_i = F(y + sum a_ij U_j, t + c_i h) + sum C_ij U_j / h + h d_i F_t

    A step linearises once, factors once, solves four or eight times (order 3 or 5), evaluates two
    or seven stages, and closes the joints in at most four corrections; nothing iterates until it
    converges, and stiff springs do not make it shorter. It is `step` (s) long, or as long as the
    time between two samples. Nothing follows an error, but it is estimated: where the estimate of a
    step passes `most_error` (lengths beside the size of the machine, angles in radians, velocities
    beside the largest) the run ends and says so, and the largest one is told by `notes`.

    Source: [SanduRosenbrock] Rodas3 for order 3, [Rodas5P] for order 5.

    Examples:
        >>> from kempe.dynamics import FixedStep
        >>> from kempe.gallery import double_pendulum
        >>> swing = double_pendulum().simulate(until=0.1, steps=100, method=FixedStep())
        >>> swing.outcome.name, swing.motion.counts["steps"]
        ('Done', 100)
    """

    step: float | None = None  # s; None: from sample to sample
    order: int = 3
    most_error: float = 1e-2

    def __post_init__(self) -> None:
        if self.step is not None and not finite(self.step, "FixedStep: step") > 0.0:
            raise BadNumber(f"FixedStep: step must be longer than nothing, it is {self.step:g} s.")
        if self.order not in BY_ORDER:
            orders = " or ".join(str(order) for order in BY_ORDER)
            raise BadNumber(f"FixedStep: order must be {orders}, it is {self.order}.")
        if not finite(self.most_error, "FixedStep: most_error") > 0.0:
            raise BadNumber(f"FixedStep: most_error must be positive, it is {self.most_error:g}.")

    @property
    def method(self) -> str:
        """The method that makes the steps."""
        return BY_ORDER[self.order]

    def between(self, times: NDArray[np.float64]) -> "FixedStep":
        """Steps of the length between these samples, where none was given."""
        if self.step is not None or len(times) < 2:
            return self
        return replace(self, step=float(times[1] - times[0]))

    @property
    def settings(self) -> "core.FixedSteps":
        """The settings as the core takes them."""
        step = 1.0 if self.step is None else float(self.step)  # None: there is one sample
        return core.FixedSteps(step=step, most_error=float(self.most_error))

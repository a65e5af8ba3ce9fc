"""A moment that is listed, and may end the run."""

from dataclasses import dataclass
from typing import final

from kempe.events.abstract import AbstractMoment


@final
@dataclass(frozen=True)
class Crossing(AbstractMoment):
    """An expression passes zero: the moment is listed with its state, and the run may end there.

    g(t, q, v, a, lam) = 0, from below (rising), from above (falling) or both

    What jumps from one sign to the other passes zero too. What changes its sign through infinity,
    as 1 / x and tan do at a pole, does not.

    Example: Crossing("ball.y - 0.2", direction="falling", name="low", ends=True)

    Own: found on the dense output of the step, brought back to the joints, to rounding.
    """

    ends: bool = False  # whether the run ends there

    @property
    def mentioned(self) -> tuple[str, ...]:
        return ()

"""The time that a proof may take, and who hears how far it is."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

BETWEEN_WORDS = 0.1  # s


@final
@dataclass(slots=True)
class Watch:
    """A time of `time.monotonic` after which to end; `tell` hears (done, whole) now and then."""

    deadline: float = math.inf
    tell: Callable[[int, int], None] | None = None
    told: float = -math.inf

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self.deadline

    def say(self, done: int, whole: int) -> None:
        """Tell how far it is, unless that was told just now."""
        if self.tell is not None and time.monotonic() - self.told > BETWEEN_WORDS:
            self.told = time.monotonic()
            self.tell(done, whole)

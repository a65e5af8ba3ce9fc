"""How a computation ended: one closed list of outcomes, each with advice.

An outcome is a value, not an exception: a sweep that meets a dead point has computed something
worth keeping, and says where it ended, why, and what can be done.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import final


@final
class Ending(Enum):
    """The closed list of endings."""

    DONE = "Done"
    DEAD_POINT = "DeadPoint"
    BIFURCATION = "Bifurcation"
    LOCKED = "Locked"
    SINGULAR = "Singular"
    DIVERGED = "Diverged"
    STEP_TOO_SMALL = "StepTooSmall"
    LIMIT_REACHED = "LimitReached"
    INTERRUPTED = "Interrupted"


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """How it ended (`name`), in words (`message`), what to do (`advice`), and the facts."""

    ending: Ending
    message: str = ""
    advice: str = ""
    facts: dict[str, float | int | str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The ending's word, such as 'Done' or 'DeadPoint'."""
        return self.ending.value

    @property
    def is_done(self) -> bool:
        """Whether everything that was asked for was computed."""
        return self.ending is Ending.DONE

    def __str__(self) -> str:
        parts = [self.name]
        if self.message:
            parts.append(f": {self.message}")
        if self.advice:
            parts.append(f" {self.advice}")
        return "".join(parts)


DONE = Outcome(Ending.DONE)

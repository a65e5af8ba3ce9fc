"""How a computation ended: one closed list of outcomes, each with advice.

An outcome is a value, not an exception: a sweep that meets a dead point has computed something
worth keeping, and says where it ended, why, and what can be done.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, final

from kempe.notebook import text_html

LINE = 160  # characters of the line that stands for an outcome


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
class Continuation:
    """A way to go on from a dead point, or from where branches cross.

    `through="branch 2"` takes the one whose `number` is 2; `through="momentum"` the one that
    `is_straight`.
    """

    number: int
    words: str
    drive: Literal["goes on", "turns back", "stands still"]
    is_straight: bool  # it keeps the direction of motion
    is_return: bool  # it is the way the mechanism came
    t: float  # s, when it begins
    q: tuple[float, ...]  # coordinates where it begins
    tangent: tuple[float, ...]  # velocities there, as shares of one another: lengths m, angles rad


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """How it ended (`name`), in words (`message`), what to do (`advice`), and the facts.

    `continuations` are the ways to go on from there.
    """

    ending: Ending
    message: str = ""
    advice: str = ""
    facts: dict[str, float | int | str] = field(default_factory=dict)
    continuations: tuple[Continuation, ...] = ()

    @property
    def name(self) -> str:
        """The ending's word, such as 'Done' or 'DeadPoint'."""
        return self.ending.value

    @property
    def is_done(self) -> bool:
        """Whether everything that was asked for was computed."""
        return self.ending is Ending.DONE

    def __repr__(self) -> str:
        said = f": {self.message}" if self.message else ""
        line = " ".join(f"Outcome {self.name}{said}".split())
        return line if len(line) <= LINE else f"{line[: LINE - 3]}..."

    def _repr_html_(self) -> str:
        """What a notebook shows: how it ended, and what to do."""
        return text_html(str(self))

    def __str__(self) -> str:
        parts = [self.name]
        if self.message:
            parts.append(f": {self.message}")
        if self.advice:
            parts.append(f" {self.advice}")
        return "".join(parts)


DONE = Outcome(Ending.DONE)

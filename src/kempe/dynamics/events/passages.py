"""What decided how a run went on from one leg to the next: what its slopes jump by."""

from dataclasses import dataclass
from typing import final

from kempe.dynamics.events.legs import LegStart
from kempe.dynamics.events.modes import Mode
from kempe.dynamics.events.watches import Watch


@final
@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """One moment at which a run went from one leg to the next, or into the first one."""

    place: LegStart  # with the velocities before
    before: Mode
    met: tuple[Watch, ...]  # nothing where the run begins
    acted: tuple[str, ...]  # moments that changed something, in their order
    struck: tuple[tuple[str, str], ...]  # limits that gave an impulse: a stop, "low" or "high"
    onward: LegStart  # with the velocities after
    after: Mode

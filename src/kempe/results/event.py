"""Events along a simulated motion."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from kempe.results.state import State

PUT_ON_OR_OFF = ("switch", "latch", "release")  # kinds of events after which other parts act


@final
@dataclass(frozen=True, slots=True)
class Event:
    """One moment at which something happened: when, what, which way, and the state there.

    `kind` is "crossing", "release", "latch" or "switch" where an expression passed zero, and of
    stops "impact", "contact" (it comes to rest there) or "departure"; "touch" and "lift-off" of
    surfaces that give way. `direction` is "rising" or "falling", the limit of a stop, "low" or
    "high", or of several places of a contact the one, "place 2". Coordinates and velocities are
    those of a `Motion`; `v` are the velocities before, `v_after` those after.
    """

    t: float  # s
    name: str
    kind: str
    direction: str
    q: tuple[float, ...]
    v: tuple[float, ...]
    v_after: tuple[float, ...]
    speed: float = 0.0  # at which a limit or a surface was met, m/s or rad/s, at least 0
    impulse: float = 0.0  # of the stop or latch along its measure, N s or N m s
    lost: float = 0.0  # J
    words: str = ""  # what else is to be said
    unit: str = "m"  # of the limit that was met, "m" or "rad": the speed is that in a second
    states: tuple[float, ...] = ()  # of the model's forces
    # J that drives have put in by the impulse of this moment, by the names of their measures
    works: tuple[tuple[str, float], ...] = ()

    @property
    def state(self) -> State:
        """The state just before, as `start` of another analysis takes it."""
        return State(self.t, np.array(self.q), np.array(self.v), states=np.array(self.states))

    @property
    def state_after(self) -> State:
        """The state just after."""
        return replace(self.state, v=np.array(self.v_after))

    def __str__(self) -> str:
        which = f" ({self.direction})" if self.direction else ""
        told = f", speed {self.speed:.6g} {self.unit}/s" if self.speed else ""
        told += f", lost {self.lost:.6g} J" if self.lost else ""
        more = f": {self.words}" if self.words else ""
        return f"t = {self.t:.9g} s  {self.kind} {self.name!r}{which}{told}{more}"

    def __repr__(self) -> str:
        return f"<Event {self}>"

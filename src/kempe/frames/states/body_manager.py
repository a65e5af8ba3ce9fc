"""The body manager: many bodies' states by name, all seen from one frame."""

from collections.abc import Iterable, Iterator
from typing import final

from kempe.errors import DuplicateName, UnknownFrame, nearest_name
from kempe.frames.states.state import KinematicState, require_same


@final
class BodyManager:
    """States of bodies seen from one `reference`; any body can be seen from any other.

    Source: [Pissanetzky] on the body manager.

    Examples:
        >>> from kempe.frames import BodyManager, KinematicState
        >>> bodies = BodyManager("ground", [KinematicState("ship", "ground", [3, 0, 0])])
        >>> bodies.add(KinematicState("buoy", "ground", [5, 1, 0]))
        >>> bodies.seen("buoy", "ship").position.tolist()
        [2.0, 1.0, 0.0]
    """

    def __init__(self, reference: str, states: Iterable[KinematicState] = ()) -> None:
        self.reference = reference
        self._states: dict[str, KinematicState] = {}
        for state in states:
            self.add(state)

    def add(self, state: KinematicState) -> None:
        """Take a new body's state."""
        if state.frame in self._states or state.frame == self.reference:
            raise DuplicateName(
                f"there is a body {state.frame!r} already: assign a new state to it instead.",
                name=state.frame,
            )
        self._put(state)

    def assign(self, state: KinematicState) -> None:
        """Give a known body another state."""
        self[state.frame]
        self._put(state)

    def remove(self, name: str) -> None:
        """Forget a body."""
        self[name]
        del self._states[name]

    def seen(self, name: str, seen_from: str) -> KinematicState:
        """The state of one body seen from another, or from the reference, and the reverse."""
        if seen_from == self.reference:
            return self[name]
        if name == self.reference:
            return self[seen_from].inverse()
        return self[name].after(self[seen_from])

    def __getitem__(self, name: str) -> KinematicState:
        """The state of a body seen from the reference."""
        state = self._states.get(name)
        if state is None:
            known = nearest_name(name, self._states)
            raise UnknownFrame(f"there is no body {name!r}.{known}", name=name)
        return state

    def __contains__(self, name: object) -> bool:
        return name in self._states

    def __iter__(self) -> Iterator[str]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)

    def _put(self, state: KinematicState) -> None:
        said = f"the state of {state.frame!r} is seen from {state.reference!r}, and these bodies"
        said += f" are seen from {self.reference!r}: add the state that leads there first."
        require_same(state.reference, self.reference, said)
        self._states[state.frame] = state.resolved()

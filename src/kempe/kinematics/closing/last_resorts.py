"""What is tried before a mechanism is said not to go together.

Bodies are hung on each other by joints drawn by lot, a few dozen times, so that little more
than what closes the loops is left to be searched, and most joints begin the right way round.
"""

from collections.abc import Iterator

from kempe.compile.layout.layout import Layout
from kempe.equations import Equations
from kempe.kinematics.closing.closing import Closing, close_each
from kempe.kinematics.closing.given_poses import Given
from kempe.kinematics.closing.placement import NONE, hung
from kempe.model.graph import bodies_graph
from kempe.model.links import unreachable_link

# Searches; fewer where a single one takes long, which grows with n_v^3. Where the only assembly is
# one of an overconstrained loop in space, about one in ten ends in it.
MOST, WORK = 128, 3_000_000
BATCH = 16  # searches that are made before it is seen whether one of them will do


def last_resorts(
    equations: Equations, t: float, given: Given | None = None
) -> Iterator[list[Closing]]:
    """Where searches from bodies hung by lot end, a batch at a time; none where none can close."""
    guesses = NONE if given is None else given.guesses
    locked = None if given is None else given.locked
    most = count(equations.layout)
    for first in range(0, most, BATCH):
        starts = [
            hung(equations.layout, k, t, NONE if k % 2 else guesses)
            for k in range(first, min(first + BATCH, most))
        ]
        if given is not None:
            starts = [given.pinned(equations.layout, q) for q in starts]
        yield close_each(equations, starts, t, held=locked)


def count(layout: Layout) -> int:
    """How many searches `last_resorts` makes if none will do."""
    if unreachable_link(bodies_graph(layout.model).loops) is not None:
        return 0
    return min(MOST, WORK // layout.n_v**3)

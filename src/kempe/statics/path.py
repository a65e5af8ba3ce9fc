"""Equilibria along a change: a parameter grows or a drive moves, and the mechanism follows at rest.

Every equilibrium is looked for near the one before. Where it would have to jump, steps are halved;
where that does not help the equilibrium has ended, as before a snap-through, and the path with it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.kinematics.closing.placement import Given, Guesses, body_pose, given_of
from kempe.outcome import DONE, Ending, Outcome
from kempe.results.reports.equilibrium import Rested
from kempe.statics.equilibrium import statics

FloatArray = NDArray[np.float64]
Problem = Callable[[float], tuple[Layout, float]]  # of a value: the layout, and the time of drives

FARTHEST = 0.25  # sizes of the machine, or rad, from one equilibrium to the next
HALVINGS = 12
THROUGH = ("", "snap")


@final
@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """Equilibria at values that rise or fall evenly, and how the path ended."""

    values: FloatArray  # (n,)
    layouts: tuple[Layout, ...]
    found: tuple[Rested, ...]
    snaps: tuple[float, ...]  # values at which it jumped, where that was asked for
    outcome: Outcome


def equilibrium_path(
    problem: Problem, values: FloatArray, given: Given | None, what: str, *, snap: bool = False
) -> Path:
    """The equilibria of a problem at values (n,), the first one found downhill from a start."""
    layout, t = problem(float(values[0]))
    first = statics(layout, t, given=given)
    if not first.outcome.is_done:
        return Path(values[:0], (), (), (), first.outcome)
    layouts, found, snaps = [layout], [first], list[float]()
    for k in range(1, len(values)):
        step = _Step(problem, what, float(values[k - 1]), float(values[k]))
        layout, there, lost = step.taken(layouts[-1], found[-1])
        if lost is not None and snap:
            layout, t = problem(float(values[k]))
            near, turned = _near(layout, layouts[-1], found[-1]), found[-1].motion.angles
            there = statics(layout, t, given=near, angles=turned)
            if there.outcome.is_done:
                snaps.append(lost.at)
                lost = None
            else:
                return Path(values[:k], tuple(layouts), tuple(found), tuple(snaps), there.outcome)
        if lost is not None:
            outcome = _ended(what, lost)
            return Path(values[:k], tuple(layouts), tuple(found), tuple(snaps), outcome)
        assert there is not None
        layouts.append(layout)
        found.append(there)
    return Path(values, tuple(layouts), tuple(found), tuple(snaps), DONE)


@final
@dataclass(frozen=True, slots=True)
class _Lost:
    """The last value at which there was an equilibrium nearby, and what was said then."""

    at: float
    verdict: str


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """From one value to the next, in parts where it has to be."""

    problem: Problem
    what: str
    first: float
    last: float

    def taken(self, layout: Layout, here: Rested) -> tuple[Layout, Rested | None, _Lost | None]:
        """The equilibrium at the last value, or where it was lost."""
        at, share = 0.0, 1.0
        while at < 1.0:
            to = min(1.0, at + share)
            value = self.first + (self.last - self.first) * to
            there, t = self.problem(value)
            near, turned = _near(there, layout, here), here.motion.angles
            found = statics(there, t, seek="nearest", given=near, angles=turned)
            if found.outcome.is_done and distance(layout, here, found) <= FARTHEST:
                layout, here, at = there, found, to
                share = min(1.0, 2.0 * share)
                continue
            share *= 0.5
            if share < 0.5**HALVINGS:
                lost = self.first + (self.last - self.first) * at
                return layout, None, _Lost(lost, str(here.verdict))
        return layout, here, None


def _near(layout: Layout, before: Layout, here: Rested) -> Given:
    q = here.motion.q[0]
    poses = {body.name: body_pose(before, q, body.name) for body in before.model.moving}
    return given_of(layout, Guesses(poses))


def distance(layout: Layout, a: Rested, b: Rested) -> float:
    """How far bodies are apart in two positions: the largest, sizes of the machine or rad."""
    at, size = layout.coordinates, layout.size
    first, second = a.motion.q[0], b.motion.q[0]
    far = np.abs(at.places(first) - at.places(second)).max(initial=0.0) / size
    turns = at.turns(first), at.turns(second)
    if layout.model.plane:
        return float(max(far, np.abs(turns[0] - turns[1]).max(initial=0.0)))
    alike = np.abs(np.einsum("bi,bi->b", *turns))
    return float(max(far, 2.0 * np.arccos(np.clip(alike, 0.0, 1.0)).max(initial=0.0)))


def _ended(what: str, lost: _Lost) -> Outcome:
    return Outcome(
        Ending.BIFURCATION,
        f"at {what} = {lost.at:.9g} the {lost.verdict} equilibrium ends: just beyond there is none"
        " nearby.",
        'It snaps to another one: through="snap" goes on there. The equilibria so far are kept.',
        {"value": lost.at, "verdict": lost.verdict},
    )

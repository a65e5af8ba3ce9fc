"""Which components of a motion map hang together, and the shortest way from place to place.

Components meet in singular places alone: an arc leads into the place that its end names, and every
branch that leaves a place is listed there. Loops, and arcs between limits, meet nothing.
"""

import heapq
from dataclasses import dataclass
from typing import final

from kempe.results.maps.certificate import Promise
from kempe.results.maps.motion_map import MotionMap


@final
@dataclass(frozen=True, slots=True)
class Leg:
    """A stretch of one component, between two lengths along it; `low` > `high` runs backward.

    On a loop a stretch may pass the length at which the loop closes: `high` is then beyond it, or
    `low` below 0.
    """

    component: int
    low: float
    high: float

    @property
    def length(self) -> float:
        """How long it is, in the space of unknowns."""
        return abs(self.high - self.low)


@final
@dataclass(frozen=True, slots=True)
class Spot:
    """A place on a component: the length along it."""

    component: int
    at: float


def connected(motions: MotionMap) -> tuple[tuple[int, ...], ...]:
    """Numbers of components that can be reached from each other, the first of each group first."""
    group = list(range(len(motions.components)))

    def first(k: int) -> int:
        while group[k] != k:
            k = group[k]
        return k

    for place in motions.singular:
        met = sorted({first(component) for component, _ in place.branches})
        for other in met[1:]:
            group[other] = met[0]
    found: dict[int, list[int]] = {}
    for component in range(len(group)):
        found.setdefault(first(component), []).append(component)
    return tuple(tuple(members) for members in found.values())


def is_closed_off(motions: MotionMap, members: tuple[int, ...]) -> bool:
    """Whether it is proved that nothing else can be reached from these components.

    Either everything outside the singular places is listed; or none of them leads into one.
    """
    if motions.outcome is Promise.NUMERICAL:
        return False
    if motions.outcome in (Promise.COMPLETE, Promise.COMPLETE_EXCEPT):
        return True
    ends = [end for k in members for end in motions.components[k].ends]
    return all(motions.components[k].closed for k in members) or all(
        end.kind == "limit" for end in ends
    )


def shortest(motions: MotionMap, start: Spot, goal: Spot) -> tuple[list[Leg], list[int]] | None:
    """Legs from start to goal, and the singular places between them; None where none are known.

    Source: [Dijkstra].
    """
    queue: list[tuple[float, int, list[Leg], list[int]]] = []
    count = 0
    best: dict[int, float] = {}

    def push(length: float, legs: list[Leg], through: list[int]) -> None:
        nonlocal count
        count += 1
        heapq.heappush(queue, (length, count, legs, through))

    if start.component == goal.component:
        leg = _direct(motions, start, goal.at)
        push(leg.length, [leg], [])
    for end, place in _ways_out(motions, start.component):
        leg = Leg(start.component, start.at, end)
        push(leg.length, [leg], [place])
    while queue:
        length, _, legs, through = heapq.heappop(queue)
        if len(through) < len(legs):
            return legs, through
        here = through[-1]
        if best.get(here, float("inf")) <= length:
            continue
        best[here] = length
        for component, end in motions.singular[here].branches:
            entered = _end_length(motions, component, end)
            if component == goal.component:
                leg = Leg(component, entered, goal.at)
                push(length + leg.length, [*legs, leg], through)
            for out, place in _ways_out(motions, component):
                leg = Leg(component, entered, out)
                if place != here:
                    push(length + leg.length, [*legs, leg], [*through, place])
    return None


def _direct(motions: MotionMap, start: Spot, goal: float) -> Leg:
    """The shorter way along one component."""
    component = motions.components[start.component]
    ways = [goal]
    if component.closed:
        ways += [goal - component.length, goal + component.length]
    return Leg(start.component, start.at, min(ways, key=lambda at: abs(at - start.at)))


def _ways_out(motions: MotionMap, component: int) -> list[tuple[float, int]]:
    """Lengths at which a component ends in a singular place, and the number of that place."""
    return [
        (_end_length(motions, component, end), number)
        for number, place in enumerate(motions.singular)
        for mine, end in place.branches
        if mine == component
    ]


def _end_length(motions: MotionMap, component: int, end: int) -> float:
    return motions.components[component].length if end else 0.0

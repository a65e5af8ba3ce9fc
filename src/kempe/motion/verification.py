"""Proving a motion map again, from its file alone, in another arithmetic.

Charts are checked by the Krawczyk operator in mpmath's intervals of 100 bits, by second derivatives
or cut into slices instead of using slopes; links are refined to 30 digits and looked for in both
charts they join; one point of every component is looked for on all others. That nothing is missing
is the search's own proof: here only what is listed is proved again.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.motion.proved_again import ProvedAgain
from kempe.results.motion_map import MotionMap


@final
@dataclass(frozen=True, slots=True)
class Verification:
    """What was proved again, and what could not be."""

    charts: int
    links: int
    failures: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether everything was proved again."""
        return not self.failures

    def __str__(self) -> str:
        if self.holds:
            return f"All {self.charts} charts and {self.links} links hold."
        return f"{len(self.failures)} failures, the first: {self.failures[0]}"


def verify(motions: MotionMap, tell: Callable[[int, int], None] | None = None) -> Verification:
    """Prove every chart and link of a map again; `tell` hears how many components are done."""
    failures: list[str] = []
    charts = links = 0
    checked = [ProvedAgain(component) for component in motions.components]
    for one in checked:
        failures += one.failures()
        charts += one.count
        links += len(one.component.charts["links"])
        if tell is not None:
            tell(one.component.number + 1, len(motions.components))
    return Verification(charts, links, (*failures, *_same(checked)))


def _same(checked: list[ProvedAgain]) -> list[str]:
    """Components that are listed twice: a point of the one lies on the other."""
    troubles = []
    for one, other in itertools.combinations(checked, 2):
        if one.block is not other.block or _stand_apart(one, other):
            continue
        found = one.refined(0, one.component.charts["p"][0])
        if found is None or other.holds_point(found[0]):
            a, b = one.component.number, other.component.number
            troubles.append(f"component {a} and component {b} have a point in common")
    return troubles


def _stand_apart(one: ProvedAgain, other: ProvedAgain) -> bool:
    """Whether two components differ in what does not move."""
    a, b = one.component, other.component
    still = np.ones(len(a.x), dtype=bool)
    still[list(one.block.places)] = False
    return bool((np.abs(a.x - b.x) > a.radius + b.radius)[still].any())

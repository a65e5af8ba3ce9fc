"""Proving a motion map again, from its file alone, in another arithmetic.

Charts of bars and joints, whose rows are of second degree, are checked in whole numbers of 2^-256;
others in mpmath's intervals of 100 bits, by second derivatives or cut into slices instead of using
slopes. Links are refined to 28 digits and looked for in both charts they join; one point of every
component is looked for on all others. That nothing is missing is the search's own proof: here only
what is listed is proved again.
"""

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.motion.exact_charts import ExactRows
from kempe.motion.proved_again import ProvedAgain
from kempe.results.motion_map import MotionMap

BETWEEN_WORDS = 0.1  # s


@final
@dataclass(frozen=True, slots=True)
class Verification:
    """What was proved again, and what could not be; `left` charts were not looked at."""

    charts: int
    links: int
    failures: tuple[str, ...]
    left: int = 0

    @property
    def holds(self) -> bool:
        """Whether everything was proved again."""
        return not self.failures and not self.left

    def __str__(self) -> str:
        if self.holds:
            return f"All {self.charts} charts and {self.links} links hold."
        if self.failures:
            return f"{len(self.failures)} failures, the first: {self.failures[0]}"
        whole = self.charts + self.left
        return f"Interrupted: {self.charts} of {whole} charts hold, the others were not looked at."


def verify(motions: MotionMap, tell: Callable[[int, int], None] | None = None) -> Verification:
    """Prove every chart and link of a map again; `tell` hears how many charts are done.

    At Ctrl-C it ends with what was looked at so far: then it does not hold.
    """
    failures: list[str] = []
    links = 0
    exact = {id(block): ExactRows.of(block) for block in motions.blocks}
    checked = [ProvedAgain(c, exact[id(c.block)]) for c in motions.components]
    whole = sum(one.count for one in checked)
    told = [time.monotonic()]

    def count() -> None:
        if tell is not None and time.monotonic() - told[0] > BETWEEN_WORDS:
            told[0] = time.monotonic()
            tell(sum(one.checked for one in checked), whole)

    try:
        for one in checked:
            failures += one.failures(count)
            links += len(one.component.charts.get("links", ()))
        failures += _same(checked, count)
    except KeyboardInterrupt:
        done = sum(one.checked for one in checked)
        return Verification(done, links, tuple(failures), max(1, whole - done))
    return Verification(whole, links, tuple(failures))


def _same(checked: list[ProvedAgain], count: Callable[[], None]) -> list[str]:
    """Components that are listed twice: a point of the one lies on the other."""
    troubles = []
    for one, other in itertools.combinations(checked, 2):
        count()
        if one.block is not other.block or _stand_apart(one, other):
            continue
        if one.shares_a_point(other):
            a, b = one.component.number, other.component.number
            troubles.append(f"component {a} and component {b} have a point in common")
    return troubles


def _stand_apart(one: ProvedAgain, other: ProvedAgain) -> bool:
    """Whether two components differ in what does not move."""
    a, b = one.component, other.component
    still = np.ones(len(a.x), dtype=bool)
    still[list(one.block.places)] = False
    return bool((np.abs(a.x - b.x) > a.radius + b.radius)[still].any())

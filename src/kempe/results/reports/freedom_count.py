"""The count: unknowns, constraints, and which parts have too few or too many of them."""

import math
from dataclasses import dataclass
from typing import final

from kempe.errors import printable
from kempe.notebook import text_html


@final
@dataclass(frozen=True, slots=True)
class CountedUnknown:
    """A number to be found, and between which values; infinite ones follow from the bars."""

    name: str
    low: float
    high: float
    is_closed: bool  # lives on a circle

    def __str__(self) -> str:
        if not (math.isfinite(self.low) or math.isfinite(self.high)):
            return self.name
        return f"{self.name} in [{self.low:.4g}, {self.high:.4g}]{' closed' * self.is_closed}"


@final
@dataclass(frozen=True, slots=True)
class CountedPart:
    """Unknowns and constraints that hang together.

    `freedom` is how many more unknowns than equations it has: below 0 it is overconstrained.
    """

    unknowns: tuple[str, ...]
    constraints: tuple[str, ...]
    equations: int

    @property
    def freedom(self) -> int:
        """Unknowns less equations."""
        return len(self.unknowns) - self.equations

    def __str__(self) -> str:
        held = ", ".join(self.constraints) or "nothing"
        return f"{', '.join(self.unknowns) or 'nothing'} by {held}"


@final
@dataclass(frozen=True, slots=True)
class FreedomCount:
    """What can be said before anything is solved, from who sees whom.

    `under`, `well` and `over` are the parts with too few, enough and too many equations, by the
    Dulmage-Mendelsohn decomposition. The count is structural: special dimensions may give a
    mechanism more freedom than its count.
    """

    name: str
    unknowns: tuple[CountedUnknown, ...]
    constraints: tuple[str, ...]  # the part that each equation comes from
    under: tuple[CountedPart, ...]
    well: tuple[CountedPart, ...]
    over: tuple[CountedPart, ...]

    @property
    def freedom(self) -> int:
        """All unknowns less all equations."""
        return len(self.unknowns) - len(self.constraints)

    @property
    def verdict(self) -> str:
        """One word: underconstrained, well-defined, stuck or overconstrained."""
        if self.over:
            return "overconstrained"
        words = {0: "stuck", 1: "well-defined"}
        return words.get(self.freedom, "underconstrained")

    def __str__(self) -> str:
        lines = [
            f"{printable(self.name)}: {len(self.unknowns)} unknowns,"
            f" {len(self.constraints)} equations, freedom {self.freedom}: {self.verdict}."
        ]
        lines += [f"  unknown {u}" for u in self.unknowns]
        for word, parts in (("free", self.under), ("settled", self.well), ("over", self.over)):
            lines += [f"  {word} ({part.freedom:+d}): {part}" for part in parts]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """What a notebook shows: all of it in words."""
        return text_html(str(self))

    def __repr__(self) -> str:
        counted = f"{len(self.unknowns)} unknowns, {len(self.constraints)} equations"
        return f"FreedomCount of {self.name!r}: {counted}; print it"

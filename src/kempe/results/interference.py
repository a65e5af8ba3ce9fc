"""What a look for interference answers: which shapes touch, when, how deep, and how near else."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import UnknownName, nearest_name, printable
from kempe.notebook import text_html
from kempe.units import factor

FloatArray = NDArray[np.float64]
Triple = tuple[float, float, float]

MOST_LINES = 20  # of a report: the nearest pairs that do not touch


@final
@dataclass(frozen=True, slots=True)
class Touch:
    """Two shapes touch or overlap from `start` to `end` (s).

    `depth` (m) is how far one of them would have to be moved, at least, to part them at the time
    `deepest`; places are in the world, m. It `begins` and `ends` along the motion, or was there
    before it, or lasts beyond.
    """

    start: float
    end: float
    depth: float
    deepest: float
    place: Triple  # where they first touch
    deepest_place: Triple
    begins: bool = True
    ends: bool = True


@final
@dataclass(frozen=True, slots=True, eq=False)
class ShapePair:
    """Two shapes of two bodies along a motion: when they touch, or how near they come.

    `gap` (m) is the least distance found, and `at` (s) when it is; below 0 they overlap. The least
    there is lies within `uncertainty` (m) of it: no lower than `gap` - `uncertainty`. That is
    infinite where nobody can say how they move between some samples.
    """

    first: str  # such as "arm.jaw"
    second: str
    touches: tuple[Touch, ...]
    gap: float
    at: float
    places: tuple[Triple, Triple]  # nearest points, in the world, m
    is_depth_exact: bool = True  # else depths are lower bounds: a shape is not convex
    joint: str = ""  # that joins their bodies
    uncertainty: float = 0.0  # m, of the gap
    gaps: Callable[[FloatArray], FloatArray] = field(default=lambda t: np.full_like(t, np.nan))

    @property
    def name(self) -> str:
        """Both names, as in "arm.jaw - ground.wall"."""
        return f"{self.first} - {self.second}"

    @property
    def is_known(self) -> bool:
        """Whether it is known how they move between all samples."""
        return math.isfinite(self.uncertainty)

    def facts(self) -> dict[str, Any]:
        """As plain data, SI; no uncertainty where it is infinite."""
        touches = [
            {name: getattr(touch, name) for name in Touch.__slots__} for touch in self.touches
        ]
        return {
            "first": self.first,
            "second": self.second,
            "gap": self.gap,
            "at": self.at,
            "uncertainty": self.uncertainty if self.is_known else None,
            "places": [list(place) for place in self.places],
            "is_depth_exact": self.is_depth_exact,
            "joint": self.joint,
            "touches": touches,
        }


@final
@dataclass(frozen=True, slots=True, eq=False)
class Interference:
    """Which shapes of which bodies touch along a motion, from when to when, how deep and where.

    Pairs come in the order of their gaps, the deepest first. A touch deeper than `tolerance` is
    never missed, however short it is: the motion is followed between its samples. Where that cannot
    be, as of a motion that was not computed here, `unknown` names the pairs.
    """

    name: str  # of the mechanism
    t: FloatArray  # (n,) s: the samples
    pairs: tuple[ShapePair, ...]
    left_out: tuple[tuple[str, str, str], ...]  # two shapes, and the joint that they meet in
    margin: float  # m: nearer than this counts as touching
    tolerance: float  # m
    unit: str = "m"  # lengths are shown in it

    @property
    def is_clear(self) -> bool:
        """Whether nothing touches, which is known of every pair."""
        return not self.touching and not self.unknown

    @property
    def uncertainty(self) -> float:
        """How far (m) any gap may be off, at most; infinite where one is not known."""
        return max((pair.uncertainty for pair in self.pairs), default=0.0)

    @property
    def touching(self) -> tuple[ShapePair, ...]:
        """The pairs that touch, the deepest first."""
        return tuple(pair for pair in self.pairs if pair.touches)

    @property
    def clear(self) -> tuple[ShapePair, ...]:
        """The pairs that never touch, the nearest first."""
        return tuple(pair for pair in self.pairs if not pair.touches and pair.is_known)

    @property
    def unknown(self) -> tuple[ShapePair, ...]:
        """The pairs that touch at no sample, and of which nobody can say what they do between."""
        return tuple(pair for pair in self.pairs if not pair.touches and not pair.is_known)

    def __getitem__(self, names: tuple[str, str]) -> ShapePair:
        """The pair of two shapes, or of two bodies with one shape each, in either order."""
        wanted = set(names)
        for pair in self.pairs:
            both = (pair.first, pair.second)
            if wanted in (set(both), {name.partition(".")[0] for name in both}):
                return pair
        known = [pair.name for pair in self.pairs]
        asked = " - ".join(names)
        raise UnknownName(f"no pair {asked!r} was looked at.{nearest_name(asked, known)}")

    def gaps(self, times: FloatArray | None = None) -> dict[str, FloatArray]:
        """The gap (m) of every pair at `times` (n,) in s, at the samples if omitted, by name."""
        t = self.t if times is None else np.atleast_1d(np.asarray(times, dtype=float))
        return {pair.name: pair.gaps(t) for pair in self.pairs}

    def facts(self) -> dict[str, Any]:
        """Everything as plain data, SI."""
        return {
            "is_clear": self.is_clear,
            "pairs": [pair.facts() for pair in self.pairs],
            "left_out": [list(one) for one in self.left_out],
            "margin": self.margin,
            "tolerance": self.tolerance,
            "uncertainty": self.uncertainty if np.isfinite(self.uncertainty) else None,
        }

    def table(self) -> list[dict[str, Any]]:
        """One row for each touch, and for each pair that never touches (SI)."""
        rows: list[dict[str, Any]] = []
        for pair in self.pairs:
            one = {"first": pair.first, "second": pair.second, "gap": pair.gap, "at": pair.at}
            none: dict[str, Any] = {"start": None, "end": None, "depth": None}
            touches: list[dict[str, Any]] = [
                {"start": t.start, "end": t.end, "depth": t.depth} for t in pair.touches
            ]
            rows += [one | more for more in touches or [none]]
        return rows

    def __str__(self) -> str:
        lines = [self._heading()]
        lines += [line for pair in self.touching for line in self._touches(pair)]
        lines += [
            f"  {pair.name}: not known between samples, nowhere nearer than"
            f" {self._length(pair.gap)} at these: ask for more steps"
            for pair in self.unknown[:MOST_LINES]
        ]
        clear = self.clear
        lines += [
            f"  {pair.name}: {self._length(pair.gap)} at {pair.at:.6g} s"
            for pair in clear[:MOST_LINES]
        ]
        if len(clear) > MOST_LINES:
            lines.append(f"  and {len(clear) - MOST_LINES} pairs farther apart")
        for first, second, joint in self.left_out[:MOST_LINES]:
            lines.append(f"  {first} - {second}: left out, they meet in joint {joint!r}")
        if len(self.left_out) > MOST_LINES:
            lines.append(f"  and {len(self.left_out) - MOST_LINES} joined pairs, left out too")
        return "\n".join(lines)

    def _heading(self) -> str:
        count, touching = len(self.pairs), len(self.touching)
        pairs = "pair" if count == 1 else "pairs"
        nearer = f" or come nearer than {self._length(self.margin)}" if self.margin else ""
        name = printable(self.name)
        if not touching and self.unknown:
            some = f"{len(self.unknown)} of {count} {pairs}"
            return f"{name}: it is not known whether {some} of shapes touch{nearer}."
        if not touching:
            return f"{name}: nothing touches{nearer} among {count} {pairs} of shapes."
        does = "touches" if touching == 1 else "touch"
        return f"{name}: {touching} of {count} {pairs} of shapes {does}{nearer}."

    def _touches(self, pair: ShapePair) -> list[str]:
        least = "" if pair.is_depth_exact else "at least "
        joined = f" (joined by {pair.joint!r})" if pair.joint else ""
        lines = []
        for touch in pair.touches:
            start = f"from {touch.start:.9g} s" if touch.begins else "from the start"
            end = f"to {touch.end:.9g} s" if touch.ends else "to the end"
            depth = f"{least}{self._length(touch.depth)} deep at {touch.deepest:.6g} s"
            place = ", ".join(f"{c * factor('m', self.unit):.6g}" for c in touch.deepest_place)
            lines.append(f"  {pair.name}{joined}: {start} {end}, {depth}, at ({place}) {self.unit}")
        return lines

    def _length(self, metres: float) -> str:
        return f"{metres * factor('m', self.unit):.6g} {self.unit}"

    def _repr_html_(self) -> str:
        """What a notebook shows: all of it in words."""
        return text_html(str(self))

    def __repr__(self) -> str:
        found = f"{len(self.touching)} of {len(self.pairs)} pairs of shapes touch"
        return f"Interference of {self.name!r}: {found}; print it, or .table()"

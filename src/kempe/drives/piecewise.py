"""Several laws, one after another."""

import itertools
import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.algebra.functions import where
from kempe.drives.formula import Formula
from kempe.drives.law import AbstractLaw
from kempe.errors import BadNumber
from kempe.geometry.number import positive
from kempe.geometry.vector import Scalar
from kempe.units import Seconds

# What two laws may differ by where they meet: rounding of numbers somebody typed.
GAP = 1e-9


@final
@dataclass(frozen=True, slots=True)
class Piecewise(AbstractLaw):
    """Several laws, each for its duration and each with its own time from 0.

    f = law_k(t - T_k)  for T_k <= t < T_k+1,  T_k the sum of the durations before

    The first law also holds before 0 and the last one ever after; with `repeats` the whole begins
    anew instead. Where two laws meet they must agree, or the drive would jump.
    """

    pieces: tuple[tuple[Seconds, AbstractLaw], ...]  # (duration, law)
    repeats: bool = False

    def __post_init__(self) -> None:
        if not self.pieces:
            raise BadNumber("a piecewise law needs at least one piece: (duration, law).")
        pieces = []
        for k, (duration, law) in enumerate(self.pieces):
            if not isinstance(law, AbstractLaw):
                raise BadNumber(f"piece {k + 1} of a piecewise law is no law: {law!r}.")
            pieces.append((positive(duration, f"the duration of piece {k + 1}", "s"), law))
        object.__setattr__(self, "pieces", tuple(pieces))
        meetings = list(itertools.pairwise(range(len(pieces))))
        for before, after in [*meetings, *([(len(pieces) - 1, 0)] if self.repeats else [])]:
            self._refuse_gap(before, after)

    def _refuse_gap(self, before: int, after: int) -> None:
        duration, law = self.pieces[before]
        end, start = float(law.value(duration)), float(self.pieces[after][1].value(0.0))
        if not abs(end - start) <= GAP * max(1.0, abs(end), abs(start)):
            raise BadNumber(
                f"a piecewise law jumps from {end:.9g}, where piece {before + 1} ends, to"
                f" {start:.9g}, where piece {after + 1} starts: give that one another start.",
                gap=start - end,
            )

    def corners(self, start: float, stop: float) -> list[float]:
        found = set[float]()
        for zero, low, high, law in self._stretches(start, stop):
            own = law.corners(max(low, start) - zero, min(high, stop) - zero)
            found |= {low, high, *(zero + t for t in own)}
        return sorted(t for t in found if start < t < stop)

    def between(self, start: float, stop: float) -> AbstractLaw:
        middle = 0.5 * (start + stop)
        here = (s for s in self._stretches(start, stop) if s[1] <= middle <= s[2])
        zero, _, _, law = next(here)
        own = law.between(start - zero, stop - zero)
        return Formula(lambda t: own.value(t - zero))

    def _stretches(
        self, start: float, stop: float
    ) -> list[tuple[float, float, float, AbstractLaw]]:
        """(zero of its own time, from when, until when, law) of the pieces between two times."""
        ends = list(itertools.accumulate(duration for duration, _ in self.pieces))
        starts, laws = [0.0, *ends[:-1]], [law for _, law in self.pieces]
        if not self.repeats:
            bounds = itertools.pairwise([-math.inf, *starts[1:], math.inf])
            return [(a, *b, law) for a, b, law in zip(starts, bounds, laws, strict=True)]
        whole = ends[-1]
        rounds = range(math.floor(start / whole), math.floor(stop / whole) + 1)
        return [
            (k * whole + a, k * whole + a, k * whole + b, law)
            for k in rounds
            for a, b, law in zip(starts, ends, laws, strict=True)
        ]

    def value(self, t: Scalar) -> Scalar:
        ends = list(itertools.accumulate(duration for duration, _ in self.pieces))
        if self.repeats:
            t = t - ends[-1] * np.rint(t * (1.0 / ends[-1]) - 0.5)  # at a whole period: either end
        starts = [0.0, *ends[:-1]]
        total = self.pieces[-1][1].value(t - starts[-1])
        for k in range(len(self.pieces) - 2, -1, -1):
            total = where(t < ends[k], self.pieces[k][1].value(t - starts[k]), total)
        return total

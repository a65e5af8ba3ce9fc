"""From parameters of variants to the numbers of programs that many of them share.

A number of the model that is a length or a coordinate is mostly a sum of multiples of parameters.
Where all are, fitted to some variants and seen to hold at others, the numbers of all variants that
are built on the same way follow by one product of matrices; else every variant is built by itself,
which takes as long as it takes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.batch.numbers import Numbers, Reading
from kempe.batch.watched import Watch
from kempe.compile.layout.layout import Layout
from kempe.errors import KempeError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
Build = Callable[[Mapping[str, float]], Layout]  # the layout of a variant, as it is to be driven

MORE_LOOKS: Final = 6  # variants beyond those that a fit needs
MOST_LOOKS: Final = 64
MOST_MEDIAN: Final = 4096  # variants among which the usual sign of a number is looked for
MOST_WAYS: Final = 16  # on which a function builds; variants on others are built one by one
SAME: Final = 1e-12  # of the largest number of its kind


@final
@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Variants whose numbers one program takes: their places among all, and their numbers."""

    layout: Layout  # of one of them, with as many numbers lifted as any
    which: IntArray
    numbers: Numbers  # (variants, ...)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Variants:
    """All variants, in groups, and what became clear while they were looked at.

    `refused` says why some cannot be built, by number; `built` how many were built by themselves.
    """

    columns: Mapping[str, FloatArray]
    groups: Sequence[Group]
    refused: dict[int, str] = field(default_factory=dict)
    built: int = 0

    @property
    def count(self) -> int:
        """How many there are."""
        return len(next(iter(self.columns.values())))

    def parameters(self, k: int) -> dict[str, float]:
        """The parameters of one of them."""
        return {name: float(column[k]) for name, column in self.columns.items()}


def variants(
    build: Build, columns: Mapping[str, FloatArray], read: Reading, *, is_smooth: bool
) -> Variants:
    """The numbers of the variants whose parameters stand in columns of equal length.

    `is_smooth` says that nothing but what is watched decides how a mechanism is built.
    """
    return _Search(build, columns, read).run(is_smooth=is_smooth)


@final
class _Search:
    """Variants while their numbers are looked for."""

    def __init__(self, build: Build, columns: Mapping[str, FloatArray], read: Reading) -> None:
        self.build, self.columns, self.read = build, columns, read
        self.all = Variants(columns, [])
        self.refused: dict[int, str] = {}
        self.groups: list[Group] = []
        self.built = 0

    def run(self, *, is_smooth: bool) -> Variants:
        """All groups: by sums as far as that goes, then one by one."""
        left = np.arange(self.all.count)
        for _ in range(MOST_WAYS if is_smooth else 0):
            if len(left) <= self._fewest:
                break
            mine = self._same_way(left)
            if mine is None:
                break
            if len(mine):
                self._group(mine)
            done = np.concatenate([g.which for g in self.groups] + [list(self.refused)])
            rest = left[~np.isin(left, done)]
            if len(rest) == len(left):
                break
            left = rest
        self._one_by_one(left[~np.isin(left, list(self.refused))])
        return Variants(self.columns, self.groups, self.refused, self.built)

    @property
    def _fewest(self) -> int:
        """So many variants are built rather than fitted."""
        return len(self.columns) + 1 + MORE_LOOKS

    def _same_way(self, left: IntArray) -> IntArray | None:
        """Variants built as the first that is left; None where that cannot be followed."""
        watch, first = Watch(), int(left[0])
        given = self.all.parameters(first)
        try:
            self.build({name: watch.parameter(name, x) for name, x in given.items()})
        except KempeError as mistake:
            self.refused[first] = str(mistake)
            return left[:0]
        if watch.is_lost:
            return None
        some = {name: column[left] for name, column in self.columns.items()}
        return left[watch.same_way(some, len(left))]

    def _group(self, mine: IntArray) -> None:
        """Fit the numbers of variants that are built alike; a group, if they are sums."""
        if len(mine) <= self._fewest:
            return
        looks = self._looks(mine)
        seen = {k: one for k in looks if (one := self._seen(k)) is not None}
        if len(seen) <= len(self.columns) + 1:
            return
        skeletons = {numbers.skeleton for _, numbers in seen.values()}
        if len(skeletons) > 1:
            return
        told = np.array([numbers.values for _, numbers in seen.values()])
        fitted = self._fitted(np.array(list(seen)), told, mine)
        if fitted is None:
            return
        layout, numbers = max(seen.values(), key=lambda pair: int(pair[1].lifted.sum()))
        found = Numbers(numbers.skeleton, fitted, numbers.lifted, numbers.places)
        self._refuse(mine, found)
        folded = np.zeros(len(mine), dtype=bool)
        for j in np.flatnonzero(~numbers.lifted):  # these must be alike
            folded |= fitted[:, j] != numbers.values[j]
        stays = ~np.isin(mine, list(self.refused)) & ~folded
        all_stay = bool(stays.all())
        self.groups.append(
            Group(layout, mine, found) if all_stay else Group(layout, mine[stays], found.of(stays))
        )

    def _looks(self, mine: IntArray) -> list[int]:
        """Variants to be built: those with the largest and the smallest of each, and others."""
        ends = [mine[f(c[mine])] for c in self.columns.values() for f in (np.argmin, np.argmax)]
        count = min(len(mine), len(self.columns) + 1 + MORE_LOOKS)
        spread = mine[np.linspace(0, len(mine) - 1, count).astype(int)]
        return sorted({int(k) for k in (*ends, *spread)})[:MOST_LOOKS]

    def _seen(self, k: int) -> tuple[Layout, Numbers] | None:
        """A variant built by itself, and its numbers; None where it is refused."""
        try:
            layout = self.build(self.all.parameters(k))
        except KempeError as mistake:
            self.refused[k] = str(mistake)
            return None
        return layout, self.read.numbers(layout)

    def _fitted(self, looks: IntArray, told: FloatArray, mine: IntArray) -> FloatArray | None:
        """The numbers of variants (mine, numbers) as sums; None where they are none."""
        middle = {name: float(c[looks].mean()) for name, c in self.columns.items()}
        spread = {name: float(np.ptp(c[looks])) or 1.0 for name, c in self.columns.items()}

        def terms(which: IntArray) -> FloatArray:
            scaled = [(c[which] - middle[name]) / spread[name] for name, c in self.columns.items()]
            return np.array([np.ones(len(which)), *scaled])

        A, centre = terms(looks).T, told[0]
        slopes, *_ = np.linalg.lstsq(A, told - centre, rcond=None)
        slopes[:, (told == centre).all(axis=0)] = 0.0
        off = np.abs(A @ slopes + centre - told).max(axis=0)
        largest = np.abs(told).max(axis=0)
        beside = np.maximum(largest, 1e-3 * largest.max(initial=0.0))
        if (off > SAME * beside).any():
            return None
        fitted = np.empty((len(centre), len(mine)))  # a number after the other: they are looked at
        fitted[:] = centre[:, None]  # one by one
        varying = slopes.any(axis=0)
        fitted[varying] += slopes[:, varying].T @ terms(mine)
        return fitted.T

    def _refuse(self, mine: IntArray, numbers: Numbers) -> None:
        """Say why some variants cannot be built: those with a number of another sign may be such.

        A few of these are built; where one is refused, all are.
        """
        values = numbers.values[:, numbers.places["all"]]
        usual = np.sign(np.median(values[:: 1 + len(values) // MOST_MEDIAN], axis=0))
        # A column whose least and largest have the usual sign needs no look at what lies between.
        least, largest = values.min(axis=0), values.max(axis=0)
        mixed = np.flatnonzero((np.sign(least) != usual) | (np.sign(largest) != usual))
        odd = mine[(np.sign(values[:, mixed]) != usual[mixed]).any(axis=1)]
        if not len(odd):
            return
        some = odd[np.linspace(0, len(odd) - 1, min(MOST_LOOKS, len(odd))).astype(int)]
        ends = [odd[f(c[odd])] for c in self.columns.values() for f in (np.argmin, np.argmax)]
        for which in ([*some.tolist(), *map(int, ends)], odd.tolist()):
            found = [k for k in which if k in self.refused or self._seen(k) is None]
            if not found:
                break

    def _one_by_one(self, left: IntArray) -> None:
        """Variants built by themselves, those of one structure in a group."""
        self.built += len(left)
        groups: dict[object, list[tuple[int, Layout, Numbers]]] = {}
        for k in left.tolist():
            seen = self._seen(k)
            if seen is not None:
                groups.setdefault(_kind(seen[1]), []).append((k, *seen))
        self.groups += [_gathered(members) for members in groups.values()]


def _gathered(members: Sequence[tuple[int, Layout, Numbers]]) -> Group:
    _, layout, first = members[0]
    values = np.array([numbers.values for *_, numbers in members])
    numbers = Numbers(first.skeleton, values, first.lifted, first.places)
    return Group(layout, np.array([k for k, *_ in members], dtype=np.intp), numbers)


def _kind(numbers: Numbers) -> object:
    """What is the same for variants of one structure."""
    return numbers.skeleton, numbers.lifted.tobytes()

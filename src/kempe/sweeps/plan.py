"""Which variants a sweep asks: a grid, a list, or points of the unit cube, by number.

The variants of a chunk follow from their numbers, the seed and nothing else, so that they are the
same however a sweep is cut and wherever it runs.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber, nearest_name, whole_number
from kempe.sweeps.values import AbstractValues, Random, values_of

FloatArray = NDArray[np.float64]

SAMPLINGS: Final = ("grid", "list", "random", "latin", "sobol", "saltelli")
LARGEST: Final = 10**12  # variants
BLOCK: Final = 100_000  # variants that are looked at together
BITS: Final = 30  # of a sequence: SciPy cannot skip in one of more than 32
HALF: Final = 0.5**31  # so that a share is never 0
LEAST, MOST = 2.0**-54, 1.0 - 2.0**-53  # shares: no distribution is asked for its very end


@final
@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The variants of a sweep, by number: `size` of them, with columns for every parameter.

    `sampling` is "grid" (every combination of levels, the last parameter changing fastest), "list"
    (columns of equal length, side by side), "random" (Monte Carlo), "latin" (a Latin hypercube),
    "sobol" (a scrambled Sobol' sequence), or "saltelli": `base` points A and B of 2 d dimensions,
    and for each of d parameters A with the column of B, (d + 2) base in all, from which
    Sobol' indices are told.

    Source: [Saltelli2010] section 4; the sequences are those of scipy.stats.qmc.
    """

    values: Mapping[str, AbstractValues]
    sampling: str
    size: int
    seed: int
    base: int = 0  # points of A, where sampling is "saltelli"
    drawn: Mapping[str, FloatArray] = field(default_factory=dict)  # of what can only be drawn

    @classmethod
    def of(cls, over: Mapping[str, Any], sampling: str, count: int | None, seed: Any) -> "Plan":
        """The plan that a sweep is asked for; a BadNumber where that means nothing."""
        if not over:
            raise BadNumber("a sweep needs parameters to go over: {'crank': '20..40 in 11'}.")
        values = {name: values_of(name, given) for name, given in over.items()}
        chosen = _sampling(values, sampling, count)
        seed = whole_number("seed", seed, 0)
        size = _size(values, chosen, count)
        if size > LARGEST:
            raise BadNumber(f"{size:,} variants are more than {LARGEST:,}: take fewer levels.")
        base = 0
        if chosen == "saltelli":
            base, size = size, size * (len(values) + 2)
        drawn = {}
        if chosen == "random":
            for place, (name, one) in enumerate(values.items()):
                if isinstance(one, Random):
                    rng = np.random.default_rng([seed, place])
                    drawn[name] = np.asarray(one.own.rvs(size=size, random_state=rng), float)
        plan = cls(values, chosen, size, seed, base, drawn)
        plan.refuse_not_finite()
        return plan

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters."""
        return tuple(self.values)

    @property
    def shape(self) -> tuple[int, ...]:
        """Levels of every parameter of a grid; else the number of variants."""
        if self.sampling == "grid":
            return tuple(len(_levels(one)) for one in self.values.values())
        return (self.size,)

    def columns(self, first: int, stop: int) -> dict[str, FloatArray]:
        """The parameters of variants `first` to `stop`, that one left out: by name, each (n,)."""
        if self.sampling == "grid":
            places = np.unravel_index(np.arange(first, stop), self.shape)
            pairs = zip(self.values.items(), places, strict=True)
            return {name: _levels(one)[place] for (name, one), place in pairs}
        if self.sampling == "list":
            found = {name: _levels(one) for name, one in self.values.items()}
            count = stop - first
            return {
                n: np.array(v[first:stop] if len(v) > 1 else np.repeat(v, count))
                for n, v in found.items()
            }
        u = np.clip(self._cube(first, stop), LEAST, MOST)
        return {
            name: self.drawn[name][first:stop] if name in self.drawn else one.at(u[:, k])
            for k, (name, one) in enumerate(self.values.items())
        }

    def refuse_not_finite(self) -> str:
        """A BadNumber where a distribution gives what is no number; else a digest of all values."""
        digest = hashlib.sha256()
        for first in range(0, self.size, BLOCK):
            stop = min(self.size, first + BLOCK)
            for name, column in self.columns(first, stop).items():
                off = np.flatnonzero(~np.isfinite(column))
                if len(off):
                    raise BadNumber(
                        f"the distribution of parameter {name!r} gives {column[off[0]]} for variant"
                        f" {first + off[0]}: its own numbers are not finite, or make no"
                        " distribution.",
                        name=name,
                    )
                digest.update(np.ascontiguousarray(column).tobytes())
            if self.sampling in ("grid", "list"):  # levels were looked at one by one
                digest.update(repr([_levels(v).tolist() for v in self.values.values()]).encode())
                break
        return digest.hexdigest()

    def _cube(self, first: int, stop: int) -> FloatArray:
        """Points of the unit cube, (n, parameters)."""
        d = len(self.values)
        if self.sampling == "random":
            bits = np.random.PCG64(self.seed)
            return np.random.Generator(bits.advance(first * d)).random((stop - first, d))
        if self.sampling == "latin":
            return _latin(d, self.size, self.seed)[first:stop]
        if self.sampling == "sobol":
            return _sobol(d, self.seed, first, stop)
        return self._saltelli(first, stop)

    def _saltelli(self, first: int, stop: int) -> FloatArray:
        """A, B, then A with the first column of B, with the second, ..., `base` points of each."""
        d, base = len(self.values), self.base
        found = np.empty((stop - first, d))
        for matrix in range(first // base, (stop - 1) // base + 1):
            low, high = max(first, matrix * base), min(stop, (matrix + 1) * base)
            both = _sobol(2 * d, self.seed, low - matrix * base, high - matrix * base)
            part = both[:, d:] if matrix == 1 else both[:, :d].copy()
            if matrix > 1:
                part[:, matrix - 2] = both[:, d + matrix - 2]
            found[low - first : high - first] = part
        return found


def _sobol(d: int, seed: int, first: int, stop: int) -> FloatArray:
    """Points `first` to `stop` of a scrambled sequence."""
    from scipy.stats import qmc

    sequence = qmc.Sobol(d, scramble=True, bits=BITS, seed=np.random.default_rng(seed))
    if first:
        sequence.fast_forward(first)
        return np.asarray(sequence.random(stop - first)) + HALF
    head = sequence.random(1)  # SciPy warns of numbers that are no power of 2, but for this one
    rest = sequence.random(stop - 1) if stop > 1 else head[:0]
    return np.concatenate([head, rest]) + HALF


@lru_cache(maxsize=2)
def _latin(d: int, size: int, seed: int) -> FloatArray:
    from scipy.stats import qmc

    return np.asarray(qmc.LatinHypercube(d, seed=np.random.default_rng(seed)).random(size))


def _levels(one: AbstractValues) -> FloatArray:
    found = one.levels
    assert found is not None  # looked at by _size
    return found


def _sampling(values: Mapping[str, AbstractValues], asked: str, count: int | None) -> str:
    if asked == "auto":
        has_levels = all(one.levels is not None for one in values.values())
        return "grid" if has_levels and count is None else "random"
    if asked not in SAMPLINGS:
        raise BadNumber(f"there is no sampling {asked!r}.{nearest_name(asked, SAMPLINGS)}")
    return asked


def _size(values: Mapping[str, AbstractValues], sampling: str, count: Any) -> int:
    if sampling in ("grid", "list"):
        for name, one in values.items():
            if one.levels is None:
                raise BadNumber(
                    f"parameter {name!r} has no levels for a {sampling}: write '20..40 in 11', or"
                    " give `count` and another sampling.",
                    name=name,
                )
        lengths = [len(_levels(one)) for one in values.values()]
        if sampling == "grid":
            found = 1
            for length in lengths:
                found *= length
        else:
            found = _same_length(values, lengths)
        if count is not None and count != found:
            raise BadNumber(f"`count` is {count}, but the {sampling} has {found:,} variants.")
        return found
    if count is None:
        raise BadNumber(f"how many variants? Sampling {sampling!r} needs `count`.")
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
        raise BadNumber(f"a sweep needs 1 variant or more, not {count!r}.")
    if sampling in ("sobol", "saltelli") and count > 2**BITS:
        raise BadNumber(f"sampling {sampling!r} has {2**BITS:,} points at most, not {count:,}.")
    if sampling == "saltelli" and count & (count - 1):
        near = 1 << (int(count) - 1).bit_length()
        raise BadNumber(
            f"`count` of sampling 'saltelli' is a power of 2, not {count}: take {near}.", most=near
        )
    if sampling != "random":
        for name, one in values.items():
            if isinstance(one, Random):
                raise BadNumber(
                    f"the distribution of parameter {name!r} has no `ppf` and can only be drawn at"
                    " random: take sampling='random'.",
                    name=name,
                )
    return int(count)


def _same_length(values: Mapping[str, AbstractValues], lengths: Sequence[int]) -> int:
    most = max(lengths)
    if any(length not in (1, most) for length in lengths):
        told = ", ".join(f"{name}: {n}" for name, n in zip(values, lengths, strict=True))
        raise BadNumber(f"columns of a list must be equally long; they are {told}.")
    return most


def levels_of(plan: Plan) -> dict[str, FloatArray]:
    """The levels of a grid, by parameter."""
    return {name: _levels(one) for name, one in plan.values.items()}

"""Which parameter a number depends on: Sobol' indices of a sweep sampled for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class SobolIndices:
    """Shares of the variance of a number that parameters account for, (parameters,) each.

    `first` is what a parameter does by itself, `total` what it does with others too: 1 - total is
    what remains known when everything else is.

    Source: [Saltelli2010] table 2 (b) and (f), with the mean taken off first.
    """

    of: str
    names: tuple[str, ...]
    first: FloatArray
    total: FloatArray

    def __str__(self) -> str:
        width = max(len(name) for name in self.names)
        rows = zip(self.names, self.first, self.total, strict=True)
        told = [f"  {name.ljust(width)}  {a:7.3f}  {b:7.3f}" for name, a, b in rows]
        return "\n".join([f"{self.of}:", f"  {''.ljust(width)}    first    total", *told])


def sobol_indices(name: str, names: Sequence[str], values: FloatArray, base: int) -> SobolIndices:
    """Indices of values ((d + 2) base,) in the order of a plan sampled by "saltelli"."""
    if values.ndim != 1:
        raise BadNumber(
            f"{name!r} is a curve of {values.shape[1]} samples for each variant; Sobol' indices are"
            f" those of a number, such as {f'max({name})'!r}.",
            name=name,
        )
    off = int((~np.isfinite(values)).sum())
    if off:
        raise BadNumber(
            f"{name!r} is missing for {off:,} of {len(values):,} variants, and Sobol' indices need"
            " all: keep to ranges in which every variant comes to its end.",
            name=name,
        )
    d = len(names)
    parts = values.reshape(d + 2, base)
    parts = parts - parts[:2].mean()
    f_A, f_B, f_AB = parts[0], parts[1], parts[2:]
    variance = parts[:2].var()
    if variance == 0.0:  # what is always the same depends on nothing
        return SobolIndices(name, tuple(names), np.zeros(d), np.zeros(d))
    first = (f_B * (f_AB - f_A)).mean(axis=1) / variance
    total = 0.5 * ((f_AB - f_A) ** 2).mean(axis=1) / variance
    return SobolIndices(name, tuple(names), first, total)

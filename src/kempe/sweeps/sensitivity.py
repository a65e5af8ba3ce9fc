"""Which parameter a number depends on: Sobol' indices of a sweep sampled for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

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

    Source: [Saltelli2010] table 2 (b) and (f), by scipy.stats.sobol_indices.
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
    off = int((~np.isfinite(values)).sum())
    if off:
        raise BadNumber(
            f"{name!r} is missing for {off:,} of {len(values):,} variants, and Sobol' indices need"
            " all: keep to ranges in which every variant comes to its end.",
            name=name,
        )
    from scipy import stats

    d = len(names)
    parts = values.reshape(d + 2, base)
    told: Any = {"f_A": parts[0], "f_B": parts[1], "f_AB": parts[2:, None, :]}
    found = stats.sobol_indices(func=told, n=base)
    return SobolIndices(
        name,
        tuple(names),
        np.asarray(found.first_order, dtype=np.float64).reshape(d),
        np.asarray(found.total_order, dtype=np.float64).reshape(d),
    )

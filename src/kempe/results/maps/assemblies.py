"""Assemblies: every way a mechanism can be put together while some measures are held."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import printable
from kempe.results.maps.certificate import Promise
from kempe.results.maps.motion_map import AbstractSolutions
from kempe.results.state import State

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CertifiedState(State):
    """One way to put it together: a state (x, y, angle of every body), true to `radius`."""

    x: FloatArray  # the unknowns
    radius: float
    others: dict[str, float]  # what else is read: points, parameters of curves


@final
@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Assemblies(AbstractSolutions):
    """All ways to put a mechanism together; `len`, iteration and indices as of a list."""

    states: tuple[CertifiedState, ...]
    sought: str = ""  # what its states are, where they are not all assemblies

    def __len__(self) -> int:
        return len(self.states)

    def __iter__(self) -> Iterator[CertifiedState]:
        return iter(self.states)

    def __getitem__(self, number: int) -> CertifiedState:
        return self.states[number]

    def __str__(self) -> str:
        count = len(self.states)
        found = f"{count} assembl{'y' if count == 1 else 'ies'}"
        is_sure = self.outcome is Promise.COMPLETE
        if self.sought:
            found = f"{count or 'no'} {self.sought}{' is certified' * (not count and not is_sure)}"
        elif not count:
            found = "cannot go together" if is_sure else "no assembly is certified"
        return f"{printable(self.name)}: {found} - {self.outcome}. {self.message}".rstrip()

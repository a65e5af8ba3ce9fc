"""Assemblies: every way a mechanism can be put together while some measures are held."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import printable
from kempe.results.maps.certificate import Cover, Origin, Promise
from kempe.results.maps.motion_map import AbstractSolutions
from kempe.results.state import State

if TYPE_CHECKING:
    from kempe.motion.verify.verification import Verification

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CertifiedState(State):
    """One way to put it together: a state (x, y, angle of every body), true to `radius`."""

    x: FloatArray  # the unknowns
    x_radius: FloatArray  # how far each is from that of a true solution at most
    radius: float
    others: dict[str, float]  # what else is read: points, parameters of curves


@final
@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Assemblies(AbstractSolutions):
    """All ways to put a mechanism together; `len`, iteration and indices as of a list."""

    states: tuple[CertifiedState, ...]
    sought: str = ""  # what its states are, where they are not all assemblies
    covers: tuple[Cover | None, ...] = ()  # of the blocks, None where one was not searched
    steps: tuple[tuple[str, str], ...] = ()  # unknowns that were eliminated, and by which row
    origin: Origin | None = None  # the model and what was asked of it

    def verify(self, *, seconds: float = math.inf) -> "Verification":
        """Prove the list again from its model, by other ways than those of the search.

        Each of them is one solution and no other, and in the domain there is none besides. After so
        many `seconds` it ends, and what is left is unproved.

        Examples:
            >>> import kempe
            >>> kempe.gallery.four_bar().assemblies({"crank.angle": "60 deg"}).verify().holds
            True
        """
        import kempe

        return kempe.verify(self, seconds=seconds)

    def save(self, path: str | Path) -> Path:
        """Write it to an .npz file that `Assemblies.load` reads and `kempe verify` proves again."""
        from kempe.results.maps.map_file import write_assemblies

        return write_assemblies(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> "Assemblies":
        """A list that was saved; neither the mechanism nor the search is needed."""
        from kempe.results.maps.map_file import read_assemblies

        return read_assemblies(Path(path))

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

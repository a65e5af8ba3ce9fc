"""Whom a layout may ask for every assembly, where searches from many starts have found none.

The room that can answer lies above those that put mechanisms together; a layout that was made
there brings the question's address along.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from kempe.compile.layout.layout import Layout


@final
@dataclass(frozen=True, slots=True, eq=False)
class Everything:
    """What a complete search says of one mechanism at one time."""

    starts: tuple[NDArray[np.float64], ...]  # (n_q,) each: at assemblies, and along motions
    is_impossible: bool  # proved: there is no assembly at all


class CompleteSearch(Protocol):
    """Looks through all of space, within a short time."""

    def __call__(self, layout: "Layout", t: float) -> Everything | None:
        """What there is at time t (s); None where that is not known."""

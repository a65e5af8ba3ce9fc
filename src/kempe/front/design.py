"""What a design came to: a mechanism, how near it is to its target, and how the search ended."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from kempe.notebook import text_html

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism

FloatArray = NDArray[np.float64]

SAID = {
    "settled": "no small change makes it better",
    "out_of_time": "the time was up before it settled",
    "interrupted": "it was interrupted before it settled",
    "nothing": "no variant that was tried can be moved through its whole run",
}


@final
@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """The best variant that was found, as a `mechanism`, and its `parameters` by name.

    `errors` gives for each target its root mean square and its greatest distance (m or rad);
    `square_sum` is the sum of all squared distances. `ended` is "settled", "out_of_time",
    "interrupted" or "nothing"; `broken` names requirements that the best variant does not keep, and
    by how much (SI). `others` are other ends of the search, (parameters, sum of weighted squares).
    `in_order` says whether the places of a `Trace` are passed one after another.
    """

    mechanism: "Mechanism"
    parameters: Mapping[str, float]
    errors: Mapping[str, tuple[float, float]]
    square_sum: float
    ended: str
    broken: Mapping[str, float]
    others: tuple[tuple[Mapping[str, float], float], ...]
    tried: int
    in_order: bool

    @property
    def is_kept(self) -> bool:
        """Whether it moves, and keeps all requirements."""
        return self.ended != "nothing" and not self.broken

    @property
    def message(self) -> str:
        """How the search ended, in a sentence."""
        said = SAID[self.ended]
        if self.ended == "nothing":
            return f"{said}: widen the bounds, or begin with a mechanism that moves."
        broken = ", ".join(f"{name} by {by:.3g}" for name, by in self.broken.items())
        return f"{said}; not kept: {broken}." if broken else f"{said}."

    def __str__(self) -> str:
        off = ", ".join(
            f"{name} off by {rms:.4g} (rms), {worst:.4g} at most"
            for name, (rms, worst) in self.errors.items()
        )
        found = ", ".join(f"{name} = {x:.6g}" for name, x in self.parameters.items())
        return (
            f"{self.mechanism.name}: {off or 'nothing found'}; {self.tried:,} variants tried,"
            f" {self.message}\n  {found}"
        )

    def __repr__(self) -> str:
        return str(self).partition("\n")[0]

    def _repr_html_(self) -> str:
        """What a notebook shows: all of it in words."""
        return text_html(str(self))

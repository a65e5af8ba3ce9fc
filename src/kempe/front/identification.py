"""Parameters of a machine, found from what was measured of it, and how well they are known."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from kempe.notebook import text_html

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism

FloatArray = NDArray[np.float64]

ALIKE = 0.99  # correlation beyond which two parameters are hardly told apart


@final
@dataclass(frozen=True, slots=True, eq=False)
class Identification:
    """The `mechanism` that fits best, and its `parameters` with their standard errors.

    `errors` are in the unit of each parameter, infinite where the data does not tell it;
    `correlation` (k, k) is that of the parameters, in their order. `noise` is the root mean square
    of what is left of each reading (SI), `residuals` are all of it, measured less fitted. `unknown`
    lists combinations of parameters that the data says nothing about, each as shares by name.
    """

    mechanism: "Mechanism"
    parameters: Mapping[str, float]
    errors: Mapping[str, float]
    correlation: FloatArray
    noise: Mapping[str, float]
    residuals: Mapping[str, FloatArray]
    unknown: tuple[Mapping[str, float], ...]
    is_settled: bool
    tried: int

    @property
    def message(self) -> str:
        """How the search ended, and what is doubtful, in words."""
        said = ["no small change makes it better" if self.is_settled else "it has not settled"]
        for one in self.unknown:
            shares = " ".join(f"{x:+.2g} {name}" for name, x in one.items())
            said.append(f"the data says nothing about {shares}: measure more, or hold one of them")
        names = list(self.parameters)
        for a in range(len(names)):
            for b in range(a):
                if abs(self.correlation[a, b]) > ALIKE and not self.unknown:
                    said.append(
                        f"{names[b]!r} and {names[a]!r} are hardly told apart (correlation"
                        f" {self.correlation[a, b]:.4f})"
                    )
        return "; ".join(said) + "."

    def __str__(self) -> str:
        lines = [f"{self.mechanism.name}: {self.message}"]
        lines += [f"  {n} = {x:.8g} +- {self.errors[n]:.2g}" for n, x in self.parameters.items()]
        lines += [f"  left of {name}: {x:.3g} (rms)" for name, x in self.noise.items()]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self).partition("\n")[0]

    def _repr_html_(self) -> str:
        """What a notebook shows: all of it in words."""
        return text_html(str(self))

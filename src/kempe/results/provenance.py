"""Where a result comes from: enough to know it from another, and to make it again."""

import hashlib
from dataclasses import dataclass, field
from typing import final

from kempe import __version__
from kempe.compile.layout.layout import Layout
from kempe.notebook import text_html
from kempe.results.motion import Motion


@final
@dataclass(frozen=True, slots=True)
class Provenance:
    """Version, model and solver of a result.

    `model` is one hash of `structure` (which parts are connected how) and `parameters` (all
    dimensions and driven laws). It does not cover formulas that users wrote in Python; whether
    there are any, `has_own_formulas` says. Names, masses and first guesses are not in it.
    """

    version: str  # of kempe
    model: str  # SHA-256 of the two below
    structure: str  # SHA-256
    parameters: str  # SHA-256 of the numbers, as little-endian doubles
    has_own_formulas: bool
    executor: str  # "vm" or "llvm"
    plan: str  # "small" or "large"
    tolerances: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)  # what it cost

    def __str__(self) -> str:
        own = ", own formulas not in the hash" if self.has_own_formulas else ""
        solver = f"executor {self.executor or '-'}, plan {self.plan or '-'}"
        return f"kempe {self.version}, model {self.model[:16]}{own}, {solver}"

    def _repr_html_(self) -> str:
        """What a notebook shows: all of it in words."""
        return text_html(str(self))

    def __repr__(self) -> str:
        return f"Provenance: kempe {self.version}, model {self.model[:8]}...; print it"


def provenance_of(layout: Layout, motion: Motion) -> Provenance:
    """The provenance of a motion of the layout's model."""
    parameters = hashlib.sha256(layout.parameters.astype("<f8").tobytes()).hexdigest()
    return Provenance(
        version=__version__,
        model=hashlib.sha256(f"{layout.key}{parameters}".encode()).hexdigest(),
        structure=layout.key,
        parameters=parameters,
        has_own_formulas=not layout.is_built_in,
        executor=motion.recipe.executor,
        plan=motion.recipe.plan,
        tolerances=dict(motion.recipe.tolerances),
        counts=dict(motion.counts),
    )

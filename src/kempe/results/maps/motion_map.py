"""Motion maps: every way a mechanism can move, and how sure that is."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import printable
from kempe.notebook import table_html, text_html
from kempe.results.maps.certificate import CertifiedBlock, Cover, Origin, Promise
from kempe.results.maps.component import Component, Readings

if TYPE_CHECKING:
    from kempe.motion.verify.verification import Verification

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class SingularPlace:
    """A region where the promise does not hold: branches may meet there, or nothing.

    It is made of boxes, from `lows` to `highs`; what is promised holds outside of them. `branches`
    are (component, end) pairs that lead into it; `singular_value` is the smallest of the equations'
    Jacobian in its middle: near 0 where branches cross.

    A small place is a crossing or a sharp bend. A large one is a *sheet*: there the mechanism has
    the `freedom` given, to first order and as far as numbers tell, more than elsewhere: a surface
    of positions, or a curve along which equations say the same twice. `movers` are the fewest
    bodies that can move there while all others stand.
    """

    low: FloatArray  # of the unknowns
    high: FloatArray
    q: FloatArray  # the bodies in its middle
    size: float  # of its longest side
    boxes: int
    branches: tuple[tuple[int, int], ...]
    singular_value: float
    lows: FloatArray  # (boxes and ends of branches, unknowns)
    highs: FloatArray
    middle: FloatArray  # a point of it
    width: float = 0.0  # of its widest box
    freedom: int = 0  # of a sheet; 0 for a small place
    movers: tuple[str, ...] = ()
    block: int = 0  # of the map, whose unknowns these are

    @property
    def is_sheet(self) -> bool:
        """Whether its positions are more than curves, as far as numbers tell."""
        return self.freedom > 0

    def holds(self, x: FloatArray) -> bool:
        """Whether values of its unknowns lie in one of its boxes."""
        return bool(((x >= self.lows) & (x <= self.highs)).all(axis=1).any())

    def __repr__(self) -> str:
        if self.is_sheet:
            movers = f", {' and '.join(self.movers)} alone can move" if self.movers else ""
            return (
                f"sheet of {counted(self.freedom, 'freedom')} in {self.boxes} boxes no wider than"
                f" {self.width:.2g}, {len(self.branches)} branches{movers}"
            )
        return (
            f"singular place of size {self.size:.2g}, {len(self.branches)} branches, smallest"
            f" singular value {self.singular_value:.2g}"
        )


@final
@dataclass(frozen=True, slots=True)
class Unsearched:
    """What was left when a limit was reached: how many boxes, and their share of the volume."""

    boxes: int
    share: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AbstractSolutions:
    """All solutions of a mechanism's equations, as far as they were found, and how sure that is.

    `outcome` is one of complete, complete_except, certified_partial, numerical; `message` says why
    in words. `counts` says what it cost. `within` bounds the rows that repeat others and were left
    out of the search: they hold to that residual, which is not zero by proof. `form` says in which
    unknowns a mechanism in space was written; it is empty in the plane.
    """

    name: str
    singular: tuple[SingularPlace, ...]
    outcome: Promise
    message: str
    unknowns: tuple[str, ...]
    counts: dict[str, int]
    unsearched: Unsearched
    blocks: tuple[CertifiedBlock, ...]
    readings: Readings
    within: float = 0.0
    form: str = ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the answer in a sentence, and what was found as a table."""
        return text_html(str(self)) + self._table()

    def _table(self) -> str:
        """What was found, one row each, as HTML; nothing where the sentence says all."""
        return ""


@final
@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class MotionMap(AbstractSolutions):
    """All connected pieces of a mechanism's positions."""

    components: tuple[Component, ...]
    covers: tuple[Cover | None, ...] = ()  # of the blocks, None where one was not searched
    steps: tuple[tuple[str, str], ...] = ()  # unknowns that were eliminated, and by which row
    origin: Origin | None = None  # the model and what was asked of it

    def component_of(self, q: FloatArray) -> int | None:
        """The component on which an assembly (its q) lies; None if on none of the listed."""
        from kempe.results.maps.locating import component_of

        return component_of(self, q)

    def verify(self, *, seconds: float = math.inf) -> "Verification":
        """Prove all of it again from its model, by other ways and in another arithmetic.

        `str()` of the answer says what holds; `failures` says what does not, `unproved` what was
        neither proved nor refuted. After so many `seconds` it ends, and what is left is unproved.
        See `kempe.verify` for a map that must be one of a mechanism that you have.

        Examples:
            >>> import kempe
            >>> kempe.gallery.four_bar().motions().verify().holds
            True
        """
        import kempe

        return kempe.verify(self, seconds=seconds)

    def save(self, path: str | Path) -> Path:
        """Write it to an .npz file that `MotionMap.load` reads and `kempe verify` proves again."""
        from kempe.results.maps.map_file import write

        return write(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> "MotionMap":
        """A map that was saved; neither the mechanism nor the search is needed."""
        from kempe.results.maps.map_file import read

        return read(Path(path))

    def __len__(self) -> int:
        return len(self.components)

    def _table(self) -> str:
        rows = []
        for component in self.components:
            ends = " to ".join(e.limit or e.kind for e in component.ends)
            kind = "loop" if component.closed else f"arc from {ends}"
            rows.append((component.number + 1, kind, f"{component.length:.4g}"))
        return table_html(["", "component", "length"], rows) if rows else ""

    def __str__(self) -> str:
        loops = sum(c.closed for c in self.components)
        arcs = len(self.components) - loops
        parts = [_some(loops, "loop"), _some(arcs, "arc")]
        sheets = sum(place.is_sheet for place in self.singular)
        parts.append(_some(len(self.singular) - sheets, "singular place"))
        parts.append(_some(sheets, "sheet"))
        is_sure = self.outcome is Promise.COMPLETE
        none = "no way to put it together" if is_sure else "no motion is certified"
        found = ", ".join(p for p in parts if p) or none
        return f"{printable(self.name)}: {found} - {self.outcome}. {self.message}".rstrip()


def counted(count: int, word: str) -> str:
    """'1 loop', '2 loops'."""
    return f"{count} {word}{'s' * (count != 1)}"


def _some(count: int, word: str) -> str:
    return counted(count, word) if count else ""

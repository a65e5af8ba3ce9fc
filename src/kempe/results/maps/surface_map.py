"""Surface maps: all positions of a mechanism with two freedoms, and how sure that is."""

import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, final

from kempe.errors import printable
from kempe.results.maps.certificate import Cover, Origin, Promise
from kempe.results.maps.motion_map import AbstractSolutions, counted
from kempe.results.maps.surface import Surface

if TYPE_CHECKING:
    from kempe.motion.verify.verification import Verification


@final
@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class SurfaceMap(AbstractSolutions):
    """All connected pieces of the positions of a mechanism with two freedoms: surfaces.

    `outcome` is `complete` where every position lies on one of the listed surfaces and the shape
    of each (`euler`, `rims`, `genus`) is proved.
    """

    components: tuple[Surface, ...]
    covers: tuple[Cover | None, ...] = ()  # of the blocks, None where one was not searched
    steps: tuple[tuple[str, str], ...] = ()  # unknowns that were eliminated, and by which row
    origin: Origin | None = None  # the model and what was asked of it

    @property
    def cover(self) -> Cover | None:
        """How the domain of what moves was cut up; None where it was not searched."""
        pairs = zip(self.blocks, self.covers, strict=False)
        return next((cover for block, cover in pairs if block.freedom == 2), None)

    def verify(self, *, seconds: float = math.inf) -> "Verification":
        """Prove all of it again from its model: charts, shapes, and that nothing is missing.

        `str()` of the answer says what holds; `failures` says what does not, `unproved` what was
        neither proved nor refuted. After so many `seconds` it ends, and what is left is unproved.

        Examples:
            >>> import kempe
            >>> m = kempe.Builder("a point on a rod")
            >>> P = m.point("P", at=(1.0, 0.0, 0.0))
            >>> rod = m.stick("rod", m.ground.at(0.0, 0.0, 0.0), P, 1.0)
            >>> found = m.build().motions(effort=kempe.Effort(resolution=1e-2))
            >>> found.verify().holds
            True
        """
        import kempe

        return kempe.verify(self, seconds=seconds)

    def save(self, path: str | Path) -> Path:
        """Write it to an .npz file that `SurfaceMap.load` reads and `kempe verify` proves again."""
        from kempe.results.maps.surface_file import write_surfaces

        return write_surfaces(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> "SurfaceMap":
        """A map that was saved; neither the mechanism nor the search is needed."""
        from kempe.results.maps.surface_file import read_surfaces

        return read_surfaces(Path(path))

    def __len__(self) -> int:
        return len(self.components)

    def __str__(self) -> str:
        kinds = Counter(str(surface) for surface in self.components)
        parts = [_several(count, kind) for kind, count in kinds.items()]
        if self.singular:
            parts.append(counted(len(self.singular), "unresolved place"))
        is_sure = self.outcome is Promise.COMPLETE
        none = "no way to put it together" if is_sure else "no surface is certified"
        found = f"{printable(self.name)}: {', '.join(parts) or none}"
        return f"{found} - {self.outcome}. {self.message}".rstrip()


def _several(count: int, kind: str) -> str:
    """'1 sphere', '2 tori', '2 surfaces of genus 4', '3 spheres with 3 holes'."""
    if count == 1:
        return f"1 {kind}"
    first, space, more = kind.partition(" ")
    many = {"torus": "tori"}.get(first, f"{first}s")
    return f"{count} {many}{space}{more}"

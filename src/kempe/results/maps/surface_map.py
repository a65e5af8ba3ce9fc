"""Surface maps: all positions of a mechanism with two freedoms, and how sure that is."""

from collections import Counter
from dataclasses import dataclass
from typing import final

from kempe.errors import printable
from kempe.results.maps.certificate import Cover, Origin, Promise
from kempe.results.maps.motion_map import AbstractSolutions, counted
from kempe.results.maps.surface import Surface


@final
@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class SurfaceMap(AbstractSolutions):
    """All connected pieces of the positions of a mechanism with two freedoms: surfaces.

    `outcome` is `complete` where every position lies on one of the listed surfaces and the shape
    of each (`euler`, `rims`, `genus`) is proved.
    """

    components: tuple[Surface, ...]
    cover: Cover | None = None  # how the domain was cut up
    steps: tuple[tuple[str, str], ...] = ()  # unknowns that were eliminated, and by which row
    origin: Origin | None = None  # the model and what was asked of it

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

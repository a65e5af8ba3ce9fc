"""The numbers of a variant: what its program takes, what is read, how large it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.elements import all_numbers
from kempe.compile.layout.layout import EXTENT_SHARE, Layout
from kempe.compile.layout.numbers import is_literal
from kempe.compile.small.reading_tape import Read, numbers_read, skeleton_read
from kempe.compile.trace.part_names import gauges_by_name, points_by_name
from kempe.compile.trace.untraced import refuse_untraced
from kempe.errors import UnknownName, nearest_name
from kempe.geometry import GROUND
from kempe.measures import Gauge

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """All that a sweep needs to know of one variant, or (with a first index) of many.

    `lifted` says which of those of the model, and of what is read, are inputs of the program; the
    others are part of its structure. The `skeleton` is that structure without its numbers.
    """

    skeleton: str
    values: FloatArray
    lifted: BoolArray  # (numbers,)
    places: Mapping[str, slice]

    def part(self, name: str) -> FloatArray:
        """One kind of them; of the model ("all") and of what is read, those that are inputs."""
        place = self.places[name]
        lifted = self.lifted[place]
        return self.values[..., place] if lifted.all() else self.values[..., place][..., lifted]

    def of(self, which: BoolArray) -> "Numbers":
        """Those of some variants."""
        return replace(self, values=self.values[which])

    @property
    def sizes(self) -> FloatArray:
        """The characteristic length (m), as `Layout.size` has it; 0 where it has no offsets."""
        moving, every, gone = (
            np.abs(self.part(name)).max(axis=-1, initial=0.0)
            for name in ("moving", "extent", "strokes")
        )
        extent = np.maximum(moving, every)
        gone = np.where(extent > 0.0, np.minimum(gone, extent), gone)
        return np.asarray(np.maximum(np.maximum(moving, gone), EXTENT_SHARE * extent))


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """What is read of every variant: points and measures by name, from a time on (s)."""

    names: tuple[str, ...]
    t: float

    def found(self, layout: Layout) -> list[Read]:
        """The points and measures of a variant; UnknownName where there is none of that name."""
        points, gauges = points_by_name(layout.model), gauges_by_name(layout.model)
        known: dict[str, Read] = {**gauges, **points}
        for name in self.names:
            if name not in known:
                near = nearest_name(name, [n for n in known if not n.startswith(f"{GROUND}.")])
                raise UnknownName(
                    f"there is no point or measure {name!r} to read in a batch.{near}", name=name
                )
        return [known[name] for name in self.names]

    def numbers(self, layout: Layout) -> Numbers:
        """The numbers of one variant."""
        refuse_untraced(layout, "batches")
        readings = self.found(layout)
        markers = [m for e in layout.elements for m in e.markers]
        held = [abs(x) for e in layout.elements for x in e.lengths]
        model = [x for e in layout.elements for x in all_numbers(e)]
        parts = {
            "all": model,
            "read": numbers_read(readings),
            "moving": [c for m in markers if m.body != GROUND for c in m.position] + held,
            "extent": [c for m in markers for c in m.position],
            "strokes": [x for e in layout.elements for x in e.strokes],
            "told": [value for _, value in driven(layout, readings, self.t)],
        }
        places, first = {}, 0
        for name, numbers in parts.items():
            places[name] = slice(first, first + len(numbers))
            first += len(numbers)
        values = np.array([x for numbers in parts.values() for x in numbers], dtype=np.float64)
        lifted = np.ones(len(values), dtype=bool)
        for name in ("all", "read"):
            lifted[places[name]] = [not is_literal(x) for x in parts[name]]
        return Numbers(self._skeleton(layout, readings, places), values, lifted, places)

    def _skeleton(self, layout: Layout, readings: Sequence[Read], places: object) -> str:
        words = [f"{e.word}@{layout.markers_of(e)}" for e in layout.elements]
        chart = f"{type(layout.chart).__name__} {layout.n_bodies}"
        return "\n".join([chart, *words, skeleton_read(readings), str(places)])


def driven(layout: Layout, readings: Sequence[Read], t: float) -> list[tuple[int, float]]:
    """Which of the readings are driven, and at which value their drives have them at a time."""
    laws = {drive.gauge: drive.law for drive in layout.model.drives}
    return [
        (k, float(laws[one].value(t)))
        for k, one in enumerate(readings)
        if isinstance(one, Gauge) and one in laws
    ]

"""An atlas of curves: many linkages by the shapes that their points draw, and the nearest to one.

Four-bars, slider-cranks and six-bars are drawn at random. Every curve is kept by its Fourier
descriptors, which are the same wherever, however large and however turned it is drawn. An atlas of
millions lies in a folder, in files that are written as a whole or not at all; it is read part by
part where it is larger than the memory it may take.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.llvm.object_cache import default_folder
from kempe.design.curves.fourier import described
from kempe.errors import BadNumber, FileError, UnknownName, nearest_name, whole_number
from kempe.front import Mechanism
from kempe.names import names_in
from kempe.synthesis.atlas_files import AtlasFolder, Rows, parts_in, rows_in, written
from kempe.synthesis.linkages import LINKAGES, Joints

if TYPE_CHECKING:
    from kempe.front.design import Design

FloatArray = NDArray[np.float64]
SmallArray = NDArray[np.float32]
ComplexArray = NDArray[np.complex128]

FILE: Final = "linkages.parquet"
COUNT: Final = 20_000
BYTES: Final = 180  # of a linkage in memory, at most
ROUND: Final = 360  # places of what is found
MEMORY: Final = 2.0e9  # bytes of descriptors that are held; more is read anew for each curve
SPARE: Final = 8  # candidates more than are asked for, measured in double precision


@final
@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A linkage of the atlas, placed so that its curve lies on the one asked for.

    `kind` is "four-bar", "slider-crank" or "six-bar", `point` the name of the point that draws.
    `distance` is that of the descriptors, 0 for the same shape; `number` its row in the atlas;
    `joints` are its joints at 360 places round the turn (x + iy, in `units`), "P" the point.
    """

    mechanism: Mechanism
    kind: str
    point: str
    joints: Joints
    distance: float
    number: int
    curve: ComplexArray  # that was asked for (n,)
    units: str

    def __repr__(self) -> str:
        bars = ", ".join(f"{name} {length:.4g}" for name, length in self.lengths.items())
        return f"{self.kind} {self.number}, {self.distance:.3g} away: {bars} {self.units}"

    @property
    def lengths(self) -> dict[str, float]:
        """Its bars, in `units`."""
        return LINKAGES[self.kind].lengths(self.joints)

    @property
    def lines(self) -> tuple[tuple[complex, ...], ...]:
        """What is drawn of it where it starts: lines from joint to joint."""
        lines = LINKAGES[self.kind].lines
        return tuple(tuple(complex(self.joints[n][0]) for n in line) for line in lines)

    def refined(self, *, share: float = 0.3, seconds: float = 20.0) -> "Design":
        """All its dimensions led on, `share` of its size at most, to draw the curve more nearly."""
        from kempe.design.fitting.targets import Trace

        linkage = LINKAGES[self.kind]
        values = {n: float(x) for n, x in self.mechanism.parameters.items() if n != "units"}
        room = share * max(abs(values[name]) for name in linkage.bars)
        bounds = {}
        for name in (*linkage.places, *linkage.bars):
            reach = min(room, 0.5 * values[name]) if name in linkage.bars else room
            bounds[name] = (values[name] - reach, values[name] + reach)
        if "tilt" in values:
            bounds["tilt"] = (values["tilt"] - share, values["tilt"] + share)
        places = np.column_stack([self.curve.real, self.curve.imag])
        target = Trace(self.point, [tuple(p) for p in places.tolist()], self.units)
        return self.mechanism.design(bounds, target, 1.0, 72, starts=16, keep=2, seconds=seconds)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Curves of one kind of linkage: how many, and how to come by numbers and descriptors.

    `read` gives the numbers (rows, names of the kind) and the descriptors (rows, 32).
    """

    kind: str
    rows: int
    read: Callable[[], Rows]


@final
class Atlas:
    """Curves of linkages: `find` gives those nearest in shape to a curve."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(parts)

    def __len__(self) -> int:
        return sum(part.rows for part in self.parts)

    def __repr__(self) -> str:
        each = ", ".join(f"{count:,} of {kind}s" for kind, count in self.counts.items())
        return f"Atlas of {len(self):,} curves: {each or 'none'}"

    @property
    def counts(self) -> dict[str, int]:
        """How many curves there are of each kind of linkage."""
        found: dict[str, int] = {}
        for part in self.parts:
            found[part.kind] = found.get(part.kind, 0) + part.rows
        return found

    @classmethod
    def build(
        cls,
        count: int = COUNT,
        *,
        kinds: Sequence[str] = tuple(LINKAGES),
        seed: int = 0,
        folder: str | Path | None = None,
        threads: int | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> "Atlas":
        """An atlas of some `count` linkages, drawn from `seed` on, by batches on `threads` cores.

        `kinds` are "four-bar", "slider-crank" and "six-bar", as many of each. With a `folder` every
        8,192 of them are a file there, so that an atlas can be larger than the memory: what is
        there already is not drawn again, also after it was killed or when `count` grows; the last
        file is drawn to its end. Those that lock or cannot be reached are left out. `progress` is
        called with the share that is done. Ctrl-C keeps the curves drawn until then.
        """
        from kempe.synthesis.atlas_drawing import drawn

        for kind in (kinds := names_in(kinds)):
            if kind not in LINKAGES:
                known = ", ".join(LINKAGES)
                said = nearest_name(kind, LINKAGES)
                raise UnknownName(f"a linkage of an atlas is one of {known}, not {kind!r}.{said}")
        if not kinds:
            raise BadNumber(f"which linkages? Give `kinds`, of {', '.join(LINKAGES)}.")
        whole_number("count", count, 1)
        whole_number("seed", seed, 0)
        return drawn(count, tuple(kinds), seed, folder, threads, progress)

    @classmethod
    def load(cls, path: str | Path, *, memory: float = MEMORY) -> "Atlas":
        """The atlas in a Parquet file, or in a folder of such.

        The files of a folder are held once they are read where all of them take `memory` (bytes) at
        most; else they are read anew for every curve.
        """
        if not Path(path).is_dir():
            return cls([held_part(kind, rows) for kind, rows in parts_in(Path(path))])
        parts = [part_of_file(kind, file) for kind, file in AtlasFolder(Path(path)).files()]
        if BYTES * sum(part.rows for part in parts) <= memory:
            parts = [Part(part.kind, part.rows, cache(part.read)) for part in parts]
        return cls(parts)

    def save(self, path: str | Path) -> Path:
        """Write it to the Parquet file `path`, whole or not at all."""
        return written(Path(path), [(part.kind, part.read()) for part in self.parts if part.rows])

    def find(
        self, curve: Sequence[Sequence[float]], count: int = 5, *, units: str = "m"
    ) -> list[Found]:
        """The `count` linkages whose curves are nearest in shape to a closed `curve`.

        `curve` are places (x, y) in order round it, in `units`; each linkage is laid over it. Every
        curve of the atlas is looked at: none that is nearer is missed.
        """
        z = _closed_curve(curve)
        if not 1 <= count <= len(self):
            raise BadNumber(f"`count` is {count}: ask for 1 to {len(self):,} linkages.")
        forms = [described(z[None]), described(z[None].conj())]
        wanted = np.vstack([one.vectors for f in forms for one in (f, f.other_form())])
        best: list[tuple[float, int, bool, str, SmallArray]] = []
        first = 0
        for part in self.parts:
            if part.rows:
                best += _nearest(part, first, wanted, count)
                best = sorted(best, key=lambda one: one[:2])[:count]
            first += part.rows
        return [_laid_over(one, z, units) for one in best]


def held_part(kind: str, rows: Rows) -> Part:
    """A part in memory."""
    return Part(kind, len(rows[1]), lambda: rows)


def part_of_file(kind: str, file: Path) -> Part:
    """A part that is read from a file of its own, whenever it is asked for."""

    def read() -> Rows:
        (found,) = (rows for word, rows in parts_in(file) if word == kind)
        return found

    return Part(kind, rows_in(file), read)


def _nearest(
    part: Part, first: int, wanted: FloatArray, count: int
) -> list[tuple[float, int, bool, str, SmallArray]]:
    """The nearest of a part: distances, rows in the atlas, whether mirrored, kind, numbers.

    |x - f|^2 = |x|^2 + |f|^2 - 2 x . f is taken of all, in single precision, and the distances of
    those in front once more.
    """
    numbers, rows = part.read()
    square = (rows * rows).sum(axis=1)[:, None] - 2.0 * (rows @ wanted.T.astype(np.float32))
    least = square.min(axis=1)
    some = min(count + SPARE, len(least))
    front = np.argpartition(least, some - 1)[:some]
    off = np.linalg.norm(rows[front, None].astype(np.float64) - wanted, axis=2)
    form = off.argmin(axis=1)
    order = np.argsort(off.min(axis=1), kind="stable")[:count]
    return [
        (float(off[j, form[j]]), first + int(front[j]), form[j] >= 2, part.kind, numbers[front[j]])
        for j in order
    ]


def _laid_over(
    best: tuple[float, int, bool, str, SmallArray], z: ComplexArray, units: str
) -> Found:
    """A linkage with its curve on z: z = a w + b for its curve w, or for the mirrored."""
    distance, number, mirror, kind, numbers = best
    linkage = LINKAGES[kind]
    named = {n: np.array([float(x)]) for n, x in zip(linkage.names, numbers, strict=True)}
    whole = linkage.joints(named, np.linspace(0.0, 2.0 * np.pi, ROUND + 1)[:-1])
    if mirror:
        whole = {name: x.conj() for name, x in whole.items()}
    wanted, own = described(z[None]), described(whole["P"][None])
    options = []
    for one in (own, own.other_form()):
        a = (wanted.size / one.size * np.exp(1j * (one.turn - wanted.turn)))[0]
        b = wanted.centre[0] - a * one.centre[0]
        off = float(np.linalg.norm(wanted.c - one.c))
        options.append((off, a, b))
    _, a, b = min(options, key=lambda option: option[0])
    placed = {name: a * x + b for name, x in whole.items()}
    made = linkage.mechanism(placed, units)
    return Found(made, kind, linkage.point, placed, distance, number, z, units)


def default_path() -> Path:
    """Where the user's atlas is kept: beside what kempe compiles; FileError where that is off."""
    folder = default_folder()
    if folder is None:
        raise FileError(
            "the cache is off (KEMPE_CACHE), so there is no place for an atlas: name one."
        )
    return folder / "atlas" / FILE


def opened(count: int = COUNT, progress: Callable[[float], None] | None = None) -> Atlas:
    """The user's atlas, built first where there is none."""
    path = default_path()
    if path.is_file():
        return Atlas.load(path)
    atlas = Atlas.build(count, progress=progress)
    os.makedirs(path.parent, mode=0o700, exist_ok=True)
    atlas.save(path)
    return atlas


def _closed_curve(curve: Sequence[Sequence[float]]) -> ComplexArray:
    try:
        xy: Any = np.array(curve, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadNumber("a curve is places (x, y) in order, each of two numbers.") from None
    if xy.ndim != 2 or xy.shape[1] != 2 or not np.isfinite(xy).all():
        raise BadNumber("a curve is places (x, y) in order, each of two finite numbers.")
    z = np.asarray(xy[:, 0] + 1j * xy[:, 1])
    if len(z) > 1 and abs(z[0] - z[-1]) <= 1e-9 * np.abs(z - z.mean()).max():
        z = z[:-1]  # the first place again
    return z

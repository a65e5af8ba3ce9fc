"""An atlas of coupler curves: many four-bars by the shapes that they draw, and the nearest to one.

The crank is 1 long and turns fully; ground, coupler, rocker and the place of the coupler point are
drawn at random. Every curve is kept by its Fourier descriptors, which are the same wherever,
however large and however turned it is drawn.
"""

import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.llvm.object_cache import default_folder
from kempe.design.curves.fourier import described
from kempe.disk import replace_file
from kempe.errors import BadNumber, FileError, whole_number
from kempe.extras import extra
from kempe.front import Mechanism
from kempe.interruption import keeps_what_is_done, put_off
from kempe.synthesis.candidate import Positions

if TYPE_CHECKING:
    from kempe.front.design import Design

FloatArray = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]

NAMES: Final = ("ground", "coupler", "rocker", "px", "py")
FILE: Final = "four_bars.parquet"
COUNT: Final = 20_000
CHUNK: Final = 4096
STEPS: Final = 72
LONGEST: Final = 6.0  # cranks
LEEWAY: Final = 0.05  # cranks by which Grashof's rule is kept


@final
@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A four-bar of the atlas, placed so that its coupler curve lies on the one asked for.

    `distance` is that of the descriptors, 0 for the same shape; `number` its row in the atlas;
    `positions` are 360 round its turn, in `units`.
    """

    mechanism: Mechanism
    positions: Positions
    distance: float
    number: int
    curve: ComplexArray  # that was asked for (n,)
    units: str

    def refined(self, *, share: float = 0.3, seconds: float = 20.0) -> "Design":
        """All its dimensions led on, `share` of its size at most, to draw the curve more nearly."""
        from kempe.design.fitting.targets import Trace

        values = {n: float(x) for n, x in self.mechanism.parameters.items() if n != "units"}
        room = share * max(abs(values[name]) for name in ("crank", "coupler", "rocker"))
        names = ("ax", "ay", "bx", "by", "crank", "coupler", "rocker", "px", "py")
        bounds = {}
        for name in names:
            reach = min(room, 0.5 * values[name]) if name in names[4:7] else room
            bounds[name] = (values[name] - reach, values[name] + reach)
        places = np.column_stack([self.curve.real, self.curve.imag])
        target = Trace("coupler.P", [tuple(p) for p in places.tolist()], self.units)
        return self.mechanism.design(bounds, target, 1.0, 72, starts=16, keep=2, seconds=seconds)


@final
class Atlas:
    """Coupler curves of four-bars: `find` gives those nearest in shape to a curve."""

    def __init__(self, columns: dict[str, FloatArray], descriptors: FloatArray) -> None:
        self.columns, self.descriptors = columns, descriptors
        self._tree: Any = None

    def __len__(self) -> int:
        return len(self.descriptors)

    def __repr__(self) -> str:
        return f"Atlas of {len(self):,} coupler curves of four-bars"

    @classmethod
    def build(
        cls,
        count: int = COUNT,
        *,
        seed: int = 0,
        threads: int | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> "Atlas":
        """An atlas of `count` four-bars, drawn from `seed` on, by batches on `threads` cores.

        `progress` is called with the share that is done. Ctrl-C keeps the curves drawn until then.
        """
        return build(count, seed, threads, progress)

    @classmethod
    def load(cls, path: str | Path) -> "Atlas":
        """The atlas in the Parquet file `path`."""
        parquet = extra("pyarrow.parquet", "data", "an atlas")
        try:
            table = parquet.read_table(path)
            columns = {name: table.column(name).to_numpy().astype(np.float64) for name in NAMES}
            found = [name for name in table.column_names if name.startswith("d")]
            rows = np.column_stack([table.column(name).to_numpy() for name in found])
        except (OSError, KeyError, ValueError) as trouble:
            raise FileError(f"{path} is no atlas: {trouble}.") from None
        return cls(columns, rows.astype(np.float64))

    def save(self, path: str | Path) -> Path:
        """Write it to the Parquet file `path`, whole or not at all."""
        arrow = extra("pyarrow", "data", "an atlas")
        parquet = extra("pyarrow.parquet", "data", "an atlas")
        rows = self.descriptors.astype(np.float32)
        data = dict(self.columns) | {f"d{k}": rows[:, k] for k in range(rows.shape[1])}
        buffer = io.BytesIO()
        parquet.write_table(arrow.table(data), buffer)
        return replace_file(Path(path), buffer.getvalue())

    def find(
        self, curve: Sequence[Sequence[float]], count: int = 5, *, units: str = "m"
    ) -> list[Found]:
        """The `count` four-bars whose coupler curves are nearest in shape to a closed `curve`.

        `curve` are places (x, y) in order round it, in `units`; each four-bar is laid over it.
        """
        z = _closed_curve(curve)
        if not 1 <= count <= len(self):
            raise BadNumber(f"`count` is {count}: ask for 1 to {len(self):,} four-bars.")
        if self._tree is None:
            from scipy.spatial import KDTree

            self._tree = KDTree(self.descriptors)
        best: dict[int, tuple[float, bool]] = {}
        for is_mirrored in (False, True):
            form = described(z[None].conj() if is_mirrored else z[None])
            for one in (form, form.other_form()):
                distances, rows = self._tree.query(one.vectors[0], k=count)
                for d, k in zip(np.atleast_1d(distances), np.atleast_1d(rows), strict=True):
                    if float(d) < best.get(int(k), (np.inf, False))[0]:
                        best[int(k)] = (float(d), is_mirrored)
        nearest = sorted(best.items(), key=lambda item: item[1][0])[:count]
        return [self._laid_over(k, d, z, units, mirror) for k, (d, mirror) in nearest]

    def _laid_over(
        self, k: int, distance: float, z: ComplexArray, units: str, mirror: bool
    ) -> Found:
        """Four-bar number k with its curve on z: z = a w + b for its curve w, or the mirrored."""
        bars = {name: float(column[k]) for name, column in self.columns.items()}
        whole = _positions(bars, np.linspace(0.0, 2.0 * np.pi, 361)[:-1])
        if mirror:
            whole = Positions(*(x.conj() for x in (whole.pivots, whole.B, whole.C, whole.P)))
        wanted, own = described(z[None]), described(whole.P[None])
        options = []
        for one in (own, own.other_form()):
            a = (wanted.size / one.size * np.exp(1j * (one.turn - wanted.turn)))[0]
            b = wanted.centre[0] - a * one.centre[0]
            off = float(np.linalg.norm(wanted.c - one.c))
            options.append((off, a, b))
        _, a, b = min(options, key=lambda option: option[0])
        placed = Positions(*(a * x + b for x in (whole.pivots, whole.B, whole.C, whole.P)))
        return Found(placed.mechanism(units), placed, distance, k, z, units)


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


@keeps_what_is_done
def build(
    count: int, seed: int, threads: int | None, progress: Callable[[float], None] | None
) -> Atlas:
    """An atlas of so many four-bars, chunk by chunk."""
    whole_number("count", count, 1)
    rng = np.random.default_rng(whole_number("seed", seed, 0))
    home = _home()
    kept: list[tuple[dict[str, FloatArray], FloatArray]] = []
    done = 0
    try:
        while done < count:
            columns = _drawn(rng, min(CHUNK, count - done))
            found = home.batch(
                _numbers(columns), 1.0, STEPS, outputs=["coupler.P"], threads=threads
            )
            ok = found.is_done
            xy = found["coupler.P"].values[ok][:, :-1]
            if len(xy):
                rows = described(xy[..., 0] + 1j * xy[..., 1]).vectors
                kept.append(({name: x[ok] for name, x in columns.items()}, rows))
            done += len(ok)
            if progress is not None:
                progress(done / count)
    except KeyboardInterrupt as stop:
        put_off(stop)
    if not kept:
        return Atlas({name: np.zeros(0) for name in NAMES}, np.zeros((0, 1)))
    columns = {name: np.concatenate([part[name] for part, _ in kept]) for name in NAMES}
    return Atlas(columns, np.vstack([part for _, part in kept]))


def _home() -> Mechanism:
    """The four-bar that all variants are led from."""
    bars = {"ground": 3.0, "coupler": 3.0, "rocker": 2.5, "px": 1.5, "py": 1.0}
    return _positions(bars, np.zeros(1)).mechanism("m")


def _numbers(columns: dict[str, FloatArray]) -> dict[str, FloatArray]:
    """Columns as `four_bar_at` takes them; the crank is 1 long on (0, 0) and starts at 0."""
    renamed = {"bx": columns["ground"], **columns}
    del renamed["ground"]
    return renamed


def _drawn(rng: np.random.Generator, count: int) -> dict[str, FloatArray]:
    """Random crank-rockers by Grashof's rule, the crank (1) the shortest bar; and points."""
    bars = np.zeros((0, 3))
    while len(bars) < count:
        some = rng.uniform(1.0 + LEEWAY, LONGEST, (4 * count, 3))
        longest = some.max(axis=1)
        turns = 1.0 + longest + LEEWAY < some.sum(axis=1) - longest
        bars = np.vstack([bars, some[turns]])
    ground, coupler, rocker = bars[:count].T
    px = rng.uniform(-1.0, 2.0, count) * coupler
    py = rng.uniform(-1.5, 1.5, count) * coupler
    return dict(zip(NAMES, (ground, coupler, rocker, px, py), strict=True))


def _positions(bars: dict[str, float], angles: FloatArray) -> Positions:
    """Where a four-bar of the atlas stands: C = B + e (x + iy) left of the diagonal to D."""
    B, D = np.exp(1j * angles), complex(bars["ground"])
    gap = D - B
    d = np.abs(gap)
    x = (bars["coupler"] ** 2 - bars["rocker"] ** 2 + d * d) / (2.0 * d)
    C = B + gap / d * (x + 1j * np.sqrt(bars["coupler"] ** 2 - x * x))
    P = B + complex(bars["px"], bars["py"]) * (C - B) / bars["coupler"]
    return Positions(np.array([0.0, D], dtype=np.complex128), B, C, P)


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

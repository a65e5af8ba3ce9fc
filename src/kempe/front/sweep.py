"""A sweep: one question asked of many variants of a mechanism, and the table of what was found."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber, UnknownName, nearest_name
from kempe.extras import extra
from kempe.interruption import keeps_what_is_done
from kempe.notebook import in_cell, table_html
from kempe.sweeps.sensitivity import SobolIndices, sobol_indices
from kempe.sweeps.store import AbstractStore, FolderStore, read_manifest, to_arrow
from kempe.sweeps.table import DONE, MESSAGE, NUMBER, OUTCOME, SweepTable, joined

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

    from kempe.front.mechanism import Mechanism
    from kempe.sweeps.analyses import AbstractAnalysis
    from kempe.sweeps.running import SweepProgress


ROWS = 12  # of a table that a notebook shows of a sweep


@keeps_what_is_done
def sweep(
    mechanism: "Mechanism",
    *,
    over: Mapping[str, Any],
    analysis: "AbstractAnalysis | Callable[..., Any]",
    sampling: str = "auto",
    count: int | None = None,
    seed: int = 0,
    executor: Any = None,
    workers: int | None = None,
    chunk: int | None = None,
    folder: str | Path | None = None,
    resume: bool = False,
    memory: float | str | None = None,
    progress: "Callable[[SweepProgress], None] | None" = None,
) -> "Sweep":
    """Ask one question of many variants of `mechanism`, and keep what is found as one table.

    `over` says what parameters take, by name, in the unit that each was given in: an array, a
    distribution of scipy.stats, or a text ("20..40 in 11", "20..40", "20, 25", "normal(30, 0.1)").
    `sampling` is "grid" (every combination), "list" (columns side by side), or, with a `count` and
    a `seed`, "random", "latin", "sobol" or "saltelli" (for Sobol' indices); "auto" is a grid where
    all have levels and no `count` is given, else "random".

    `analysis` is one of `kempe.sweeps`: Kinematics, Simulation, Statics, Modes, Assemblies; or a
    function that takes a variant and returns a number or a mapping of columns.

    `executor` is "processes" (if omitted), "threads", "serial", "dask:ADDRESS", "ray", a client of
    Dask, or any executor of concurrent.futures; `workers` are as many as there are cores. Variants
    go there by `chunk`, so many at a time. With a `folder`, every chunk that is finished is a
    Parquet file there, and `resume` goes on where an earlier run was ended, even by a power cut.
    `memory` ("2 GB") bounds what is held at a time. `progress` is called after every chunk.

    Variants are the same however they are cut and wherever they are computed. One that cannot be
    built, ends early or raises is a row that says so; a chunk that loses its worker three times is
    noted as lost, and the others go on. Ctrl-C keeps what is finished.

    Examples:
        >>> import kempe
        >>> from kempe.sweeps import Kinematics
        >>> four_bar = kempe.gallery.four_bar()
        >>> swing = Kinematics(["range(rocker.angle)"], until=1.0)
        >>> cranks = {"crank": "0.8..1.2 in 5"}
        >>> found = kempe.sweep(four_bar, over=cranks, analysis=swing, executor="serial")
        >>> found["range(rocker.angle)"].round(3).tolist()
        [0.555, 0.626, 0.697, 0.769, 0.842]
    """
    from kempe.front.requests.parameter_sweep import Asked, swept_over

    asked = Asked(over, analysis, sampling, count, seed, chunk, folder, resume, memory)
    return swept_over(mechanism, asked, executor, workers, progress)


@final
class Sweep:
    """Variants of a mechanism and what was found of each: one table, a row for every variant.

    `sweep["max(rocker.angle)"]` is a column (n,) in SI units, a curve (n, samples);
    `sweep["crank"]` a parameter in its own unit. "outcome" has one word for each, "message" why a
    number is missing (NaN). Of a sweep in a folder, files are read when they are asked for.
    """

    def __init__(self, store: AbstractStore, manifest: Mapping[str, Any]) -> None:
        self._store, self.manifest = store, dict(manifest)
        self._table: SweepTable | None = None

    @classmethod
    def load(cls, folder: str | Path) -> "Sweep":
        """The sweep in a `folder`, as far as it has come; it may still be running."""
        manifest = read_manifest(Path(folder))
        return cls(FolderStore(Path(folder), manifest), manifest)

    @property
    def size(self) -> int:
        """How many variants were asked for."""
        return int(self.manifest["size"])

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that were swept over."""
        return tuple(self.manifest["parameters"])

    @property
    def names(self) -> tuple[str, ...]:
        """All columns."""
        return tuple(self.table.columns)

    @property
    def results(self) -> tuple[str, ...]:
        """The columns that were found."""
        others = {NUMBER, OUTCOME, MESSAGE, *self.parameters}
        return tuple(name for name in self.names if name not in others)

    @property
    def is_complete(self) -> bool:
        """Whether every chunk is finished."""
        return len(self._store.done) == -(-self.size // int(self.manifest["chunk"]))

    @property
    def lost(self) -> dict[int, str]:
        """Chunks that could not be computed, by number, and why; `resume` tries them again."""
        return {k: str(self._store.table(k).columns[MESSAGE][0]) for k in sorted(self._store.lost)}

    @property
    def table(self) -> SweepTable:
        """All rows that there are, by number of the variant."""
        if self._table is None:
            chunks = sorted(self._store.done | self._store.lost)
            if not chunks:
                raise BadNumber("no chunk of this sweep is finished: there is nothing to read yet.")
            self._table = joined([self._store.table(k) for k in chunks])
        return self._table

    def __len__(self) -> int:
        return len(self.table) if self._store.done | self._store.lost else 0

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column by name."""
        columns = self.table.columns
        if name not in columns:
            near = nearest_name(name, columns)
            raise UnknownName(f"{name!r} is no column of this sweep.{near}", name=name)
        return columns[name]

    @property
    def is_done(self) -> NDArray[np.bool_]:
        """Which variants came to their end, (n,)."""
        return np.asarray(self[OUTCOME] == DONE)

    @property
    def outcomes(self) -> dict[str, int]:
        """How many variants ended how."""
        return dict(Counter(self[OUTCOME].tolist()).most_common()) if len(self) else {}

    def to_arrow(self) -> Any:
        """A table of pyarrow: curves are lists, a number that is missing is null."""
        return to_arrow(self.table)

    def to_dataframe(self) -> "pandas.DataFrame":
        """A table of pandas; of curves every cell is an array."""
        columns = self.table.columns
        plain = {n: list(c) if c.ndim > 1 else c for n, c in columns.items()}
        made = extra("pandas", "data", "a table of pandas").DataFrame
        found: pandas.DataFrame = made(plain).set_index(NUMBER)
        return found

    def to_xarray(self) -> "xarray.Dataset":
        """A dataset of xarray: of a grid one dimension for each parameter, else the variants."""
        names = [*self.results, OUTCOME]
        levels = self.manifest.get("levels")
        grid = {name: np.array(x) for name, x in levels.items()} if levels else {}
        if grid and len(self) == self.size:
            shape, dims = tuple(len(x) for x in grid.values()), tuple(grid)
            coordinates: dict[str, Any] = dict(grid)
        else:
            shape, dims = (len(self),), (NUMBER,)
            coordinates = {NUMBER: self[NUMBER]}
            coordinates |= {name: (NUMBER, self[name]) for name in self.parameters}
        variables = {}
        for name in names:
            column = self[name]
            more = () if column.ndim == 1 else (f"sample of {name}",)
            values = column.astype(str) if column.dtype.kind == "O" else column
            variables[name] = ((*dims, *more), values.reshape(*shape, *column.shape[1:]))
        made = extra("xarray", "data", "a dataset of xarray").Dataset
        found: xarray.Dataset = made(variables, coordinates)
        return found

    def dataset(self) -> Any:
        """The files of a sweep in a folder as one dataset of pyarrow, read piece by piece."""
        if not isinstance(self._store, FolderStore):
            raise BadNumber("this sweep is in memory and has no files: sweep with `folder`.")
        dataset = extra("pyarrow.dataset", "data", "a dataset of Parquet files")
        return dataset.dataset([str(path) for path in self._store.paths], format="parquet")

    def write(self, path: str | Path) -> Path:
        """Write the table (.csv, .parquet) or a picture of it (.png, .svg, .pdf) to `path`."""
        from kempe.export.sweep_tables import write_sweep

        return write_sweep(self, Path(path))

    def sobol_indices(self, name: str) -> SobolIndices:
        """What share of the variance of column `name` each parameter accounts for.

        The sweep must be sampled by "saltelli", and every variant must have come to its end.
        """
        if self.manifest["sampling"] != "saltelli" or len(self) != self.size:
            raise BadNumber(
                "Sobol' indices need a whole sweep with sampling='saltelli' and a `count` that is a"
                " power of 2."
            )
        column = np.asarray(self[name])
        if column.dtype.kind not in "biuf":
            raise BadNumber(
                f"{name!r} holds texts; Sobol' indices are those of a number.", name=name
            )
        values = column.astype(np.float64)
        return sobol_indices(name, self.parameters, values, int(self.manifest["base"]))

    def plot_parallel(self, *names: str, by: str | None = None) -> "Figure":
        """Parallel coordinates: one line for each variant across `names`, coloured `by` one.

        Parameters and results if none are named, and the last of them for the colour.
        """
        from kempe.export.sweep_plots import parallel_coordinates

        return parallel_coordinates(self, names, by)

    def plot_scatter(self, *names: str, by: str | None = None) -> "Figure":
        """A scatter matrix of columns: each of `names` against each, coloured `by` one."""
        from kempe.export.sweep_plots import scatter_matrix

        return scatter_matrix(self, names, by)

    def plot_sobol(self, *names: str) -> "Figure":
        """Sobol' indices of columns `names` as bars; of all results if none are named."""
        from kempe.export.sweep_plots import sobol_bars

        found: Sequence[str] = names or self.results
        return sobol_bars([self.sobol_indices(name) for name in found])

    def _repr_html_(self) -> str:
        """What a notebook shows: what became of it in words, and its first variants as a table."""
        names = [*self.parameters, OUTCOME, *self.results]
        shown = min(len(self), ROWS)
        columns = [self[name][:shown] for name in names] if shown else []
        rows = [[in_cell(value) for value in row] for row in zip(*columns, strict=True)]
        rest = f", the first {shown} of {len(self):,}" if len(self) > shown else ""
        return table_html(names, rows, f"{self!r}{rest}")

    def __repr__(self) -> str:
        told = ", ".join(f"{n:,} {word}" for word, n in self.outcomes.items())
        rest = self.size - len(self)
        more = f", {rest:,} not computed yet" if rest else ""
        read = f" Read: {', '.join(self.results)}" if len(self) and self.results else ""
        return (
            f"Sweep of {self.size:,} variants of {self.manifest['mechanism']!r}:"
            f" {told or 'none computed'}{more}.{read}"
        )

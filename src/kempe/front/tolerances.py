"""What tolerances and clearances do to what a mechanism does."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber, UnknownName, nearest_name
from kempe.notebook import text_html

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """How far one reading may be off, at every sample: arrays (n,), of a point (n, 2 or 3), SI.

    To first order, by the gradients of all parameters: `under` and `above` are by how much it may
    fall below `value` (negative) and rise above it, `shift` and `sigma` the mean and the standard
    deviation of what it is off. `low` and `high` are proved to hold for every machine within its
    tolerances, infinite where that failed, None where nothing is proved of such a reading.
    `drawn` (machines, n, ...) are those that were drawn and moved, NaN where one ends early; None
    where none were. `shares` gives for each parameter and clearance the most that it accounts for.
    """

    name: str
    unit: str
    t: FloatArray
    value: FloatArray
    under: FloatArray
    above: FloatArray
    shift: FloatArray
    sigma: FloatArray
    shares: Mapping[str, FloatArray]
    low: FloatArray | None
    high: FloatArray | None
    drawn: FloatArray | None

    @property
    def worst(self) -> FloatArray:
        """The most that it may be off, to first order, of both sides the larger."""
        return np.maximum(self.above, -self.under)

    @property
    def is_proved(self) -> bool:
        """Whether there are proved bounds at every sample."""
        return self.low is not None and bool(np.isfinite(self.low).all())

    @property
    def proved(self) -> FloatArray:
        """How far it can be off by the proved bounds, of both sides the larger."""
        if self.low is None or self.high is None:
            raise BadNumber(f"nothing is proved of {self.name!r}: see `notes`.", name=self.name)
        return np.maximum(self.high - self.value, self.value - self.low)

    @property
    def std(self) -> FloatArray:
        """The standard deviation of the machines that were drawn."""
        with warnings.catch_warnings():  # where less than two came so far it is NaN
            warnings.simplefilter("ignore", RuntimeWarning)
            return np.asarray(np.nanstd(self._machines(), axis=0, ddof=1))

    def quantile(self, share: float | FloatArray) -> FloatArray:
        """What a `share` of the machines that were drawn stay below, at every sample."""
        if not ((np.asarray(share) >= 0.0) & (np.asarray(share) <= 1.0)).all():
            raise BadNumber(f"a share of the machines is between 0 and 1, not {share!r}.")
        with warnings.catch_warnings():  # where none came so far it is NaN
            warnings.simplefilter("ignore", RuntimeWarning)
            return np.asarray(np.nanquantile(self._machines(), share, axis=0))

    def _machines(self) -> FloatArray:
        if self.drawn is None:
            raise BadNumber(
                f"no machines were drawn for {self.name!r}: ask with `count`, for points and"
                " measures.",
                name=self.name,
            )
        return self.drawn

    def facts(self) -> dict[str, Any]:
        """The largest of everything along the motion, as data."""
        k = int(_size(self.worst).argmax())
        told: dict[str, Any] = {
            "worst": float(_size(self.worst)[k]),
            "t": float(self.t[k]),
            "sigma": float(_size(self.sigma).max()),
            "shares": {name: float(_size(x).max()) for name, x in self.by_size()},
            "proved": float(_size(self.proved).max()) if self.is_proved else None,
            "std": float(_size(self.std).max()) if self.drawn is not None else None,
        }
        return told

    def by_size(self) -> list[tuple[str, FloatArray]]:
        """Parameters and clearances with their shares, the one that matters most first."""
        return sorted(self.shares.items(), key=lambda pair: -float(_size(pair[1]).max()))

    def __repr__(self) -> str:
        return f"{self.name} ({self.unit}): off by {_size(self.worst).max():.4g} at most"


def _size(x: FloatArray) -> FloatArray:
    """Sizes (n,): of a point the length of what its coordinates are off."""
    return np.abs(x) if x.ndim == 1 else np.asarray(np.linalg.norm(x, axis=-1))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Tolerances:
    """How far readings may be off: tolerances["coupler.P"] is a `Spread` for every sample.

    `outcomes` counts how the machines that were drawn ended, by word; those that do not come to the
    last sample are a result, too. `columns` are their deviations and where their pins were.
    """

    mechanism: str
    t: FloatArray
    spreads: Mapping[str, Spread]
    columns: Mapping[str, FloatArray]
    outcomes: Mapping[str, int]
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What was read."""
        return tuple(self.spreads)

    def __getitem__(self, name: str) -> Spread:
        """How far one reading may be off."""
        if name not in self.spreads:
            near = nearest_name(name, self.spreads)
            raise UnknownName(f"{name!r} was not asked for.{near}", name=name)
        return self.spreads[name]

    def plot(self, name: str | None = None) -> "Figure":
        """A picture of a reading over time, of what it may be off, and of who is to blame.

        With no `name` the first that was asked for.
        """
        from kempe.export.tolerance_plots import tolerance_figure

        return tolerance_figure(self[self.names[0] if name is None else name])

    def __str__(self) -> str:
        lines = [f"{self.mechanism}, over {len(self.t)} samples:"]
        for one in self.spreads.values():
            facts, unit = one.facts(), one.unit or "1"
            told = f"  {one.name}: off by {facts['worst']:.4g} {unit} at t = {facts['t']:.4g} s"
            told += " to first order"
            if facts["proved"] is not None:
                told += f", by {facts['proved']:.4g} at most, proved"
            told += f"; standard deviation {facts['sigma']:.4g}"
            if facts["std"] is not None:
                told += f", of those drawn {facts['std']:.4g}"
            lines.append(told)
            shares = [f"{name} {x:.3g}" for name, x in facts["shares"].items()]
            lines.append(f"    {', '.join(shares)}")
        if self.outcomes:
            ended = ", ".join(f"{n:,} {word}" for word, n in self.outcomes.items())
            lines.append(f"  machines drawn: {ended}")
        return "\n".join([*lines, *self.notes])

    def __repr__(self) -> str:
        return f"Tolerances of {self.mechanism!r}: {', '.join(self.names)}"

    def _repr_html_(self) -> str:
        """What a notebook shows: all of it in words."""
        return text_html(str(self))

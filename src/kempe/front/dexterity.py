"""How well a robot moves where it can be: manipulability and conditioning over its workspace."""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber
from kempe.notebook import text_html
from kempe.results.maps.contours import Coverage

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.intp]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Dexterity:
    """How rates of inputs move what is asked for, at the positions of a grid.

    y' = J u' with u' the rates of `inputs` and y' those of `of`. With s_1 >= .. >= s_m the singular
    values of J, `manipulability` is their product, sqrt(det J J^T) where no input is short, and
    `conditioning` s_m / s_1, the inverse of the condition number: 1 where it moves equally well all
    ways, 0 where it is singular.

    Arrays have the shape of the grid, one index for each name of `over`; `is_reached` says where it
    got to, and NaN stands elsewhere. `values` (..., m) is what `of` reads (m, rad), `jacobian`
    (..., m, inputs) and `singular_values` (..., m) are in SI; angles beside lengths are multiplied
    by `length` (m). Where the inputs themselves fail, J has no bounds: there `conditioning` is 0
    and `manipulability` infinite.

    Source: [Yoshikawa] for manipulability, [GosselinAngeles] for the index over a workspace.
    """

    name: str  # of the mechanism
    of: tuple[str, ...]
    inputs: tuple[str, ...]
    over: Mapping[str, FloatArray]
    is_reached: BoolArray
    values: FloatArray
    jacobian: FloatArray
    singular_values: FloatArray
    manipulability: FloatArray
    conditioning: FloatArray
    length: float | None = None

    def area(self, conditioning: float = 0.0) -> float:
        """How much of the plane (m^2) a point reaches with at least this `conditioning`.

        Every place counts once. The grid has two names; its cells are taken as triangles, each as
        good as the mean of its corners, so that the area is as fine as the grid.
        """
        given: object = conditioning
        is_number = isinstance(given, Real) and not isinstance(given, bool)
        if not is_number or not 0.0 <= conditioning <= 1.0:
            raise BadNumber(f"`conditioning` lies between 0 and 1, it is {conditioning!r}.")
        places, triangles, each = self._mesh()
        kept = triangles[each >= conditioning]
        return Coverage.of(places, kept).area if len(kept) else 0.0

    @property
    def index(self) -> float:
        """The mean conditioning over the area that a point reaches, layers on each other apart.

        integral of conditioning dA / integral of dA
        """
        places, triangles, each = self._mesh()
        (ax, ay), (bx, by) = ((places[triangles[:, k]] - places[triangles[:, 0]]).T for k in (1, 2))
        sizes = np.abs(ax * by - ay * bx)
        if not sizes.sum() > 0.0:
            raise BadNumber(f"{self.name!r} reaches no area: its grid has no whole cell.")
        return float((each * sizes).sum() / sizes.sum())

    def _mesh(self) -> tuple[FloatArray, IntArray, FloatArray]:
        """Places (k, 2), triangles of whole cells, and the conditioning of each."""
        if self.is_reached.ndim != 2 or self.values.shape[-1] != 2 or len(self.of) != 1:
            raise BadNumber(
                "an area is told of a point in the plane over two names; here"
                f" {', '.join(self.of)} {'are' if len(self.of) > 1 else 'is'} read over"
                f" {', '.join(self.over)}: look at `conditioning` itself."
            )
        number = np.arange(self.is_reached.size).reshape(self.is_reached.shape)
        a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
        triangles = np.concatenate(
            [np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))]
        )
        triangles = triangles[self.is_reached.ravel()[triangles].all(axis=1)]
        places = np.nan_to_num(self.values.reshape(-1, 2))
        return places, triangles, self.conditioning.ravel()[triangles].mean(axis=1)

    def facts(self) -> dict[str, Any]:
        """As plain data, SI."""
        known = self.conditioning[self.is_reached]
        told: dict[str, Any] = {
            "of": list(self.of),
            "inputs": list(self.inputs),
            "positions": int(self.is_reached.size),
            "reached": int(self.is_reached.sum()),
            "conditioning": {"best": float(known.max()), "mean": float(known.mean())},
            "manipulability": {"best": float(_finite(self.manipulability).max())},
        }
        if self.is_reached.ndim == 2 and self.values.shape[-1] == 2 and len(self.of) == 1:
            told |= {"area": self.area(), "index": self.index}
        return told

    def plot(self) -> "Figure":
        """A picture of the conditioning and the manipulability at the places that are reached."""
        from kempe.export.dexterity_plots import dexterity_figure

        return dexterity_figure(self)

    def __str__(self) -> str:
        facts, (at,) = self.facts(), [np.nanargmax(self.conditioning)]
        best = np.unravel_index(at, self.is_reached.shape)
        spots = zip(self.over, self.over.values(), best, strict=True)
        where = ", ".join(f"{name} = {x[k]:.4g}" for name, x, k in spots)
        lines = [
            f"{self.name}: {', '.join(self.of)} moved by {', '.join(self.inputs)};"
            f" {facts['reached']:,} of {facts['positions']:,} positions reached",
            f"  conditioning {facts['conditioning']['best']:.4g} at best, at {where};"
            f" {facts['conditioning']['mean']:.4g} on average of the positions",
            f"  manipulability {facts['manipulability']['best']:.4g} at most (SI)",
        ]
        if "area" in facts:
            lines.append(
                f"  reaches {facts['area']:.6g} m^2; mean conditioning over it {facts['index']:.4g}"
            )
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self).partition("\n")[0]

    def _repr_html_(self) -> str:
        """What a notebook shows: all of it in words."""
        return text_html(str(self))


def _finite(values: FloatArray) -> FloatArray:
    return values[np.isfinite(values)] if np.isfinite(values).any() else np.zeros(1)

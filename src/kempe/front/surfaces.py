"""What a mechanism does on a surface of its positions: where a point reaches, where drives fail."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import BadNumber, UnknownName
from kempe.front.requests.motions import along
from kempe.front.trajectory import Trajectory
from kempe.results.maps.contours import Coverage, Crossings, closed_lines, crossings
from kempe.results.maps.motion_map import MotionMap
from kempe.results.maps.surface import Surface
from kempe.results.maps.surface_map import SurfaceMap

FloatArray = NDArray[np.float64]

TRIAL = 2.0**-16  # of a step along a surface by which rates are told, in unknowns
SAME = 1e-7  # of two rates: readings whose rates differ less all over a surface tell one thing
ASIDE = 2.0**-8  # of a workspace's size: how far beside its rim it is looked whether it is covered


@final
@dataclass(frozen=True, slots=True, eq=False)
class Workspace:
    """Where a point of a mechanism with two freedoms can be (m), in space as seen along an axis.

    `seen` are the coordinates that are told. `area` (m^2) is that of all places, each counted once;
    `rim` are the lines (k, 2) around it, its holes included; `folds` all lines along which the
    point cannot be moved at will, the rim among them: where it is at a limit, or drives fail.
    Numbers from a certified mesh: flat triangles stand for a curved surface.
    """

    point: str
    area: float
    rim: tuple[FloatArray, ...]
    folds: tuple[FloatArray, ...]
    coverage: Coverage
    seen: tuple[str, str] = ("x", "y")

    def holds(self, place: tuple[float, float]) -> bool:
        """Whether the point can be at `place` (m), to within a step of the mesh."""
        return bool(self.coverage.holds(np.array([place], dtype=float))[0])


@final
@dataclass(frozen=True, slots=True, eq=False)
class SingularCurves:
    """Where two measures of a mechanism with two freedoms do not tell how it moves.

    Along each curve of positions `q` (k, n_q) drives on both measures lose rank: the mechanism can
    move while both stand, to first order. `values` (k, 2) are the measures there; `is_closed` says
    which curves are loops. Numbers from a certified mesh, interpolated between its corners.
    """

    measures: tuple[str, str]
    q: tuple[FloatArray, ...]
    values: tuple[FloatArray, ...]
    is_closed: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.q)


def surfaces_of(found: MotionMap | SurfaceMap) -> tuple[Surface, ...]:
    """The surfaces of a map; a BadNumber where it has curves."""
    if isinstance(found, SurfaceMap):
        return found.components
    raise BadNumber(
        f"the motions of {found.name!r} are curves: an area is reached and drives fail along curves"
        " where it has two freedoms. Hold less."
    )


def workspace(
    layout: Layout, surfaces: tuple[Surface, ...], point: str, seen: tuple[str, str] = ("x", "y")
) -> Workspace:
    """The places of a point over all surfaces, in two of its coordinates."""
    axes = ["xyz".find(letter) if len(letter) == 1 else -1 for letter in seen]
    if len(axes) != 2 or min(axes) < 0 or axes[0] == axes[1]:
        raise BadNumber(f"a workspace is told in two of x, y and z, not in {seen!r}.", axes=seen)
    corners, triangles, folds, count = [], [], [], 0
    for surface in surfaces:
        places, det = _with_determinant(layout, surface, _place_of(point, axes))
        if det is None:  # it moves along a line there, or not at all
            continue
        lines = crossings(surface.mesh().triangles, det)
        folds += _lines(lines, lines.at(places))
        folds += _at_limits(surface, places)
        corners.append(places)
        triangles.append(surface.mesh().triangles + count)
        count += len(places)
    if not corners:
        if surfaces:
            raise BadNumber(
                f"{point!r} moves along a line at most, as seen in {' and '.join(seen)}: what it"
                " reaches has no area.",
                name=point,
            )
        raise BadNumber("no surface was found on which it moves: its motions say why.")
    covered = Coverage.of(np.concatenate(corners), np.concatenate(triangles))
    rim = tuple(part for line in folds for part in _rim(line, covered, np.concatenate(corners)))
    return Workspace(point, covered.area, rim, tuple(folds), covered, seen)


def _place_of(point: str, axes: list[int]) -> Callable[[Trajectory], FloatArray]:
    """Two coordinates of a point; an UnknownName where it is something else."""

    def read(moved: Trajectory) -> FloatArray:
        channel = moved[point]
        if not hasattr(channel, "position"):
            raise UnknownName(f"{point!r} is no point: a workspace needs one, as 'coupler.P'.")
        places = np.asarray(channel.position)
        if max(axes) >= places.shape[1]:
            raise BadNumber(f"{point!r} moves in the plane: it has x and y alone.")
        return places[:, axes]

    return read


def singular_curves(
    layout: Layout, surfaces: tuple[Surface, ...], measures: tuple[str, str]
) -> SingularCurves:
    """The positions at which drives on two measures lose rank."""

    def both(moved: Trajectory) -> FloatArray:
        found = [moved[name] for name in measures]
        for name, channel in zip(measures, found, strict=True):
            if not hasattr(channel, "values") or channel.values.ndim != 1:
                raise UnknownName(f"{name!r} is no measure: drives hold one, as 'crank.angle'.")
        return np.column_stack([channel.values for channel in found])

    q: list[FloatArray] = []
    values: list[FloatArray] = []
    closed: list[bool] = []
    for surface in surfaces:
        _, det = _with_determinant(layout, surface, both)
        if det is None:
            raise BadNumber(
                f"drives on {measures[0]!r} and {measures[1]!r} lose rank at every position: one"
                " follows from the other, or does not move."
            )
        lines = crossings(surface.mesh().triangles, det)
        x = lines.at(surface.mesh().x)
        for line in lines.lines:
            own = surface.readings.coordinates(surface.readings.values(x[line]))
            q.append(own)
            values.append(both(along(layout, np.arange(float(len(own))), own)))
        closed += lines.is_closed
    return SingularCurves(measures, tuple(q), tuple(values), tuple(closed))


def _with_determinant(
    layout: Layout, surface: Surface, read: Callable[[Trajectory], FloatArray]
) -> tuple[FloatArray, FloatArray | None]:
    """Two readings (v, 2) at all corners, and the determinant (v,) of their rates along it.

    None where that is rounding at every corner: the two do not tell how it moves anywhere.

    Rates are those of steps x + e T, T two directions along the surface: those of the chart of
    which a corner is the middle, or those told by the rows where limits cut the surface.
    """
    places, cut = list(surface.block.places), surface.cut
    n = len(places)
    if cut is None:
        own, T = surface.charts["x"], np.asarray(surface.charts["A"]).reshape(-1, n, n)[:, n - 2 :]
    else:
        own, T = cut.x, cut.tangents
    base = np.repeat(surface.x[None, :], len(T), axis=0)
    base[:, places] = own

    def at(x: FloatArray) -> FloatArray:
        q = surface.readings.coordinates(surface.readings.values(x), is_curve=False)
        made: FloatArray = np.asarray(read(along(layout, np.arange(float(len(q))), q)))
        return made

    rates = []
    for k in (0, 1):
        step = np.zeros_like(base)
        step[:, places] = TRIAL * T[:, k]
        d = at(base + step) - at(base - step)
        rates.append((np.mod(d + math.pi, math.tau) - math.pi) / (2.0 * TRIAL))
    det: FloatArray = rates[0][:, 0] * rates[1][:, 1] - rates[0][:, 1] * rates[1][:, 0]
    sizes = np.linalg.norm(rates[0], axis=1) * np.linalg.norm(rates[1], axis=1)
    most = max(float(sizes.max(initial=0.0)), float(np.square(rates).max(initial=0.0)))
    if float(np.abs(det).max(initial=0.0)) <= SAME * most:
        return at(base), None
    return at(base), det


def _at_limits(surface: Surface, places: FloatArray) -> list[FloatArray]:
    """Lines (k, 2) of a point along which a limit of the surface is met."""
    if surface.cut is None:
        return []
    return [places[line] for line in closed_lines(surface.cut.rim_edges())]


def _lines(lines: Crossings, points: FloatArray) -> list[FloatArray]:
    """Points along every line, the first again at the end of one that closes."""
    return [
        np.vstack([points[line], points[line[:1]]]) if closed else points[line]
        for line, closed in zip(lines.lines, lines.is_closed, strict=True)
    ]


def _rim(line: FloatArray, covered: Coverage, corners: FloatArray) -> list[FloatArray]:
    """The parts of a line with covered ground on one side only."""
    if len(line) < 2:
        return []
    aside = ASIDE * float(np.ptp(corners, axis=0).max())
    middle, along_it = 0.5 * (line[1:] + line[:-1]), line[1:] - line[:-1]
    across = np.column_stack([-along_it[:, 1], along_it[:, 0]])
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-300)
    left, right = covered.holds(middle + aside * across), covered.holds(middle - aside * across)
    on_rim = left != right
    cuts = np.flatnonzero(np.diff(on_rim.astype(int))) + 1
    pieces = np.split(np.arange(len(middle)), cuts)
    return [line[p[0] : p[-1] + 2] for p in pieces if on_rim[p[0]]]

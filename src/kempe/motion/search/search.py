"""Running the certified search on one block: in slices, so that it can be watched and stopped."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.errors import BadNumber
from kempe.interruption import put_off
from kempe.motion.reduction.blocks import Block
from kempe.results.maps.certificate import Cover
from kempe.results.maps.component import Component

FloatArray = NDArray[np.float64]
EndKind = core.CurveEndKind

GOING = core.SearchStatus.going.name
CHARTS = (
    *("closed", "start", "start_radius", "p", "A", "C", "h", "w", "contraction", "lean"),
    *("links", "link_radii"),
)
COUNTS = ("boxes", "empty", "covered", "split", "traces", "charts", "components", "unresolved")
LEAST_SECONDS = 1e-3  # for a search that begins when the time is up
MOST_THREADS = 1024
MESHING = 0.25  # of the seconds: what making a mesh may take where the search has used them up
SLICE = 0.05  # s between looks at Ctrl-C and at the clock
# Of last parts, from the end: not looked at, empty, covered by charts, unresolved, on a sheet.
REASONS = np.array([Cover.PLACE, Cover.PLACE, Cover.DONE, Cover.DONE, Cover.OPEN])
# A stuck arc smaller than this many resolutions belongs to the singular place beside it.
CRUMB = 64.0


@final
@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come: what is found, what is left."""

    components: int
    charts: int
    boxes: int  # looked at
    seconds: float


@final
@dataclass(frozen=True, slots=True)
class Effort:
    """How much a search may cost, and how finely it resolves.

    `seconds` are those of the whole question, however many parts are searched apart; `boxes` are
    those looked at, and `charts` those tried along curves, of each part. `resolution`
    is the size, in unknowns, below which a place counts as singular or unresolved. `progress` is
    called about twenty times a second.

    `found` is called with each component of `motions` as soon as it is certified, while the search
    for others goes on; what time it takes is the search's. A component that can only be judged when
    all is searched, as one of equations that repeat each other, does not come early. Its ends do
    not say yet at which singular place they are.
    """

    seconds: float = 60.0
    boxes: int = 10_000_000
    charts: int = 100_000_000
    memory: float = 2e9  # bytes
    threads: int = 1
    resolution: float = 1e-6
    progress: Callable[[Progress], None] | None = field(default=None, compare=False)
    found: Callable[[Component], None] | None = field(default=None, compare=False)

    def after(self, seconds: float) -> "Effort":
        """What is left of it when so many seconds are gone."""
        return replace(self, seconds=max(self.seconds - seconds, LEAST_SECONDS))

    def __post_init__(self) -> None:
        for name in ("seconds", "boxes", "charts", "memory", "threads", "resolution"):
            value = getattr(self, name)
            if not value > 0:
                raise BadNumber(f"`{name}` must be positive, it is {value}.", name=name)
        if self.threads > MOST_THREADS:
            raise BadNumber(
                f"`threads` is at most {MOST_THREADS}, it is {self.threads}: take as many as the"
                " machine has.",
                name="threads",
            )


@final
@dataclass(frozen=True, slots=True, eq=False)
class FoundCurve:
    """A curve as the search found it, with its charts; or a point, which has none."""

    start: FloatArray  # a point of it
    start_radius: float  # how far that is from a true one at most
    closed: bool = False
    ends: tuple["core.CurveEnd", ...] = ()
    charts: Mapping[str, Any] = field(default_factory=dict)  # as a Component keeps them

    @classmethod
    def of(cls, curve: "core.ChartedCurve") -> "FoundCurve":
        """The curve as the core has charted it."""
        charts: dict[str, Any] = {name: getattr(curve, name) for name in CHARTS}
        charts |= {"from": curve.entered, "to": curve.left}
        return cls(curve.start, curve.start_radius, curve.closed, tuple(curve.ends), charts)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What a search of one block ended with."""

    block: Block
    components: list[FoundCurve]
    unresolved: tuple[FloatArray, FloatArray]
    sheets: tuple[FloatArray, FloatArray]  # boxes that seem to hold more than curves
    pending: int
    pending_share: float
    ended: str  # "complete", or why it did not go on
    counts: dict[str, int]
    cover: Cover
    mesh: "core.SurfaceMesh | None" = None  # of the surfaces, where two freedoms are left


def search(block: Block, effort: Effort, tell: Callable[[FoundCurve], None] | None = None) -> Found:
    """All solutions of a block, as far as the effort goes; `tell` hears of curves as they come."""
    began = time.monotonic()
    native = _native(block, effort)
    ended, told, heard = GOING, began, 0

    def go_on() -> bool:  # asked within a long curve; Ctrl-C is raised here
        nonlocal told
        now = time.monotonic()
        if now - told > SLICE:
            told = now
            _tell(native, effort, now - began)
        return now - began < effort.seconds

    while ended == GOING:
        left = effort.seconds - (time.monotonic() - began)
        if left <= 0.0:
            ended = "out_of_time"
            break
        try:
            slice_ = min(SLICE, left)
            limits = (effort.boxes, effort.charts, int(effort.memory))
            ended = native.run(slice_, *limits, effort.threads, go_on).name
            _tell(native, effort, time.monotonic() - began)
            while tell is not None and heard < native.counts().components:
                heard += 1  # first: an interrupt does not tell it twice
                curve = FoundCurve.of(native.component(heard - 1))
                if not is_crumb(curve, effort.resolution):
                    tell(curve)
        except KeyboardInterrupt as stop:
            put_off(stop)
            ended = "interrupted"
    if ended != "complete" and native.settle():  # only sheets were still being made smaller
        ended = "complete"
    counts = native.counts()
    found = _components(native, block, counts.components)
    crumbs = [c for c in found if block.freedom == 1 and is_crumb(c, effort.resolution)]
    if crumbs:
        left_out = {id(crumb) for crumb in crumbs}
        found = [c for c in found if id(c) not in left_out]
    left, share = _pending(native, block, ended)
    return Found(
        block=block,
        components=found,
        unresolved=_with(_sides(native.unresolved()), crumbs),
        sheets=_sides(native.sheets()),
        pending=left,
        pending_share=share,
        ended=ended,
        counts={name: getattr(counts, name) for name in COUNTS},
        cover=_cover(native, block),
        mesh=_mesh(native, effort, began) if block.freedom == 2 else None,
    )


def _mesh(native: "core.BoxSearch", effort: Effort, began: float) -> "core.SurfaceMesh":
    """The surfaces as a mesh, in the time that is left, and a quarter of the whole at least."""
    left = effort.seconds - (time.monotonic() - began)
    return native.surface(max(left, MESHING * effort.seconds))


def _cover(native: "core.BoxSearch", block: Block) -> Cover:
    cuts, domain = native.cuts(), block.problem.domain()
    reason = REASONS[np.minimum(cuts.unknown, -1)]
    nodes = np.where(cuts.unknown < 0, reason, cuts.unknown).astype(np.int16)
    return Cover(nodes, cuts.at, domain.low[0], domain.high[0])


def _components(native: "core.BoxSearch", block: Block, count: int) -> list[FoundCurve]:
    """Curves with their charts; of points only where they are; surfaces are in the mesh."""
    if block.freedom == 1:
        return [FoundCurve.of(native.component(k)) for k in range(count)]
    if block.freedom == 2:
        return []
    points = native.points()
    return [FoundCurve(x, off) for x, off in zip(points.x, points.radius.tolist(), strict=True)]


def _sides(boxes: "core.Bounds") -> tuple[FloatArray, FloatArray]:
    return boxes.low, boxes.high


def _pending(native: "core.BoxSearch", block: Block, ended: str) -> tuple[int, float]:
    """How many boxes were not searched, and their share of the domain's volume."""
    if ended == "complete":
        return 0, 0.0
    boxes = native.pending()
    return len(boxes.low), _share(_sides(boxes), _sides(block.problem.domain()))


def is_crumb(curve: FoundCurve, resolution: float) -> bool:
    """Whether a curve is a scrap beside a singular place, stuck at both ends."""
    stuck = all(end.kind in (EndKind.stuck, EndKind.joined) for end in curve.ends)
    if curve.closed or not stuck or not len(curve.charts["links"]) < CRUMB:
        return False
    low, high = _hull(curve)
    return bool((high - low).max() < CRUMB * resolution)


def _hull(curve: FoundCurve) -> tuple[FloatArray, FloatArray]:
    """Bounds of all charts of a curve."""
    p, h, w = (np.asarray(curve.charts[key]) for key in ("p", "h", "w"))
    n = p.shape[1]
    A = np.abs(np.asarray(curve.charts["A"]).reshape(len(p), n, n))
    reach = A[:, :-1].sum(axis=1) * w[:, None] + A[:, -1] * h[:, None]
    reach = np.nextafter(reach * (1.0 + 1e-12), np.inf)
    return (p - reach).min(axis=0), (p + reach).max(axis=0)


def _with(
    boxes: tuple[FloatArray, FloatArray], crumbs: list[FoundCurve]
) -> tuple[FloatArray, FloatArray]:
    """Unresolved boxes, and those that crumbs lie in: nothing is listed inside them."""
    if not crumbs:
        return boxes
    hulls = [_hull(c) for c in crumbs]
    return (
        np.vstack([boxes[0], *(low[None, :] for low, _ in hulls)]),
        np.vstack([boxes[1], *(high[None, :] for _, high in hulls)]),
    )


def _tell(native: "core.BoxSearch", effort: Effort, seconds: float) -> None:
    if effort.progress is not None:
        counts = native.counts()
        effort.progress(Progress(counts.components, counts.charts, counts.boxes, seconds))


def _native(block: Block, effort: Effort) -> "core.BoxSearch":
    resolution = effort.resolution
    return core.BoxSearch(
        block.problem, longest=block.longest_chart, shortest=resolution, smallest=resolution
    )


def _share(boxes: tuple[FloatArray, FloatArray], domain: tuple[FloatArray, FloatArray]) -> float:
    """The volume of boxes over that of the domain."""
    if not len(boxes[0]):
        return 0.0
    whole = domain[1] - domain[0]
    sides = np.divide(boxes[1] - boxes[0], whole, out=np.ones_like(boxes[0]), where=whole > 0.0)
    return float(min(1.0, sides.prod(axis=1).sum()))

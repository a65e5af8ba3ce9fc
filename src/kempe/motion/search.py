"""Running the certified search on one block: in slices, so that it can be watched and stopped."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core, native_tape
from kempe.errors import BadNumber, Unbounded, UnsolvableKind
from kempe.motion.system import Block

FloatArray = NDArray[np.float64]

SLICE = 0.05  # s between looks at Ctrl-C and at the clock
# Charts are at most this share of the domain's largest side long, either way.
LONGEST_CHART = 0.25
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

    `resolution` is the size, in unknowns, below which a place counts as singular or unresolved.
    `progress` is called about twenty times a second.
    """

    seconds: float = 60.0
    boxes: int = 10_000_000
    memory: float = 2e9  # bytes
    threads: int = 1
    resolution: float = 1e-6
    progress: Callable[[Progress], None] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name in ("seconds", "boxes", "memory", "threads", "resolution"):
            value = getattr(self, name)
            if not value > 0:
                raise BadNumber(f"`{name}` must be positive, it is {value}.", name=name)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What a search of one block ended with."""

    block: Block
    components: list[dict[str, Any]]
    unresolved: tuple[FloatArray, FloatArray]
    sheets: tuple[FloatArray, FloatArray]  # boxes that seem to hold more than curves
    pending: int
    pending_share: float
    ended: str  # "complete", or why it did not go on
    counts: dict[str, int]


def search(block: Block, effort: Effort) -> Found:
    """All solutions of a block, as far as the effort goes."""
    began = time.monotonic()
    native = _native(block, effort)
    ended, told = "going", began

    def go_on() -> bool:  # asked within a long curve; Ctrl-C is raised here
        nonlocal told
        now = time.monotonic()
        if now - told > SLICE:
            told = now
            _tell(native, effort, now - began)
        return now - began < effort.seconds

    while ended == "going":
        left = effort.seconds - (time.monotonic() - began)
        if left <= 0.0:
            ended = "out_of_time"
            break
        try:
            slice_ = min(SLICE, left)
            ended = native.run(slice_, effort.boxes, int(effort.memory), effort.threads, go_on)
            _tell(native, effort, time.monotonic() - began)
        except KeyboardInterrupt:
            ended = "interrupted"
    if ended != "complete" and native.settle():  # only sheets were still being made smaller
        ended = "complete"
    counts = native.counts()
    pending = native.pending()
    found = [native.component(k) for k in range(counts["components"])]
    crumbs = [c for c in found if block.freedom == 1 and is_crumb(c, effort.resolution)]
    return Found(
        block=block,
        components=[c for c in found if not any(c is crumb for crumb in crumbs)],
        unresolved=_with(native.unresolved(), crumbs),
        sheets=native.sheets(),
        pending=len(pending[0]),
        pending_share=_share(pending, native.domain()),
        ended=ended,
        counts=counts,
    )


def is_crumb(component: dict[str, Any], resolution: float) -> bool:
    """Whether a component is a scrap of curve beside a singular place, stuck at both ends."""
    stuck = all(end["kind"] in ("stuck", "joined") for end in component["ends"])
    if component["closed"] or not stuck or not len(component["links"]) < CRUMB:
        return False
    low, high = _hull(component)
    return bool((high - low).max() < CRUMB * resolution)


def _hull(component: dict[str, Any]) -> tuple[FloatArray, FloatArray]:
    """Bounds of all charts of a component."""
    p, h, w = (np.asarray(component[key]) for key in ("p", "h", "w"))
    n = p.shape[1]
    A = np.abs(np.asarray(component["A"]).reshape(len(p), n, n))
    reach = A[:, :-1].sum(axis=1) * w[:, None] + A[:, -1] * h[:, None]
    reach = np.nextafter(reach * (1.0 + 1e-12), np.inf)
    return (p - reach).min(axis=0), (p + reach).max(axis=0)


def _with(
    boxes: tuple[FloatArray, FloatArray], crumbs: list[dict[str, Any]]
) -> tuple[FloatArray, FloatArray]:
    """Unresolved boxes, and those that crumbs lie in: nothing is listed inside them."""
    if not crumbs:
        return boxes
    hulls = [_hull(c) for c in crumbs]
    return (
        np.vstack([boxes[0], *(low[None, :] for low, _ in hulls)]),
        np.vstack([boxes[1], *(high[None, :] for _, high in hulls)]),
    )


def _tell(native: Any, effort: Effort, seconds: float) -> None:
    if effort.progress is not None:
        counts = native.counts()
        told = Progress(counts["components"], counts["charts"], counts["boxes"], seconds)
        effort.progress(told)


def _native(block: Block, effort: Effort) -> Any:
    unknowns = block.unknowns
    counts = [len(block.equations), len(block.redundant), len(block.sides)]
    low, high = (np.array([getattr(u, end) for u in unknowns]) for end in ("low", "high"))
    finite = (high - low)[np.isfinite(high - low)]
    settings = {
        "longest": LONGEST_CHART * float(finite.max(initial=1.0)),
        "shortest": effort.resolution,
        "smallest": effort.resolution,
    }
    try:
        native = core.BoxSearch(
            native_tape(block.tape),
            block.tape.outputs,
            counts,
            low,
            high,
            np.array([u.period for u in unknowns]),
            np.array([u.is_limit for u in unknowns], dtype=np.uint8),
            settings,
        )
    except ValueError as trouble:
        raise UnsolvableKind(
            f"the certified search cannot use these equations: {trouble}."
        ) from None
    low, high = native.domain()
    for j in np.flatnonzero(~np.isfinite(high[0] - low[0]) & (high[0] >= low[0])):
        raise Unbounded(
            f"nothing bounds {unknowns[j].name!r}: a search for all positions needs a limit. Give"
            " one to what slides, for example limits={'guide.displacement': (0, '80 mm')}.",
            unknown=unknowns[j].name,
        )
    return native


def _share(boxes: tuple[FloatArray, FloatArray], domain: tuple[FloatArray, FloatArray]) -> float:
    """The volume of boxes over that of the domain."""
    if not len(boxes[0]):
        return 0.0
    whole = domain[1] - domain[0]
    sides = np.divide(boxes[1] - boxes[0], whole, out=np.ones_like(boxes[0]), where=whole > 0.0)
    return float(min(1.0, sides.prod(axis=1).sum()))

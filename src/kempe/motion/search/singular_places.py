"""Singular places: unresolved boxes and the ends of arcs that lead into them, put together.

The widest are sheets, with more freedom than elsewhere: a rhombus folded onto itself turns about
two pins at once, a scissor lift drawn shut swings link by link. There the gradients of the
equations span fewer directions, and the mechanism has more freedoms to first order. Mostly it can
use them, and its positions are a surface or more; but they may also be a curve along which
equations say the same twice. What is said of sheets are numbers, not proofs.
"""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core, native_tape
from kempe.motion.reduction.blocks import Block
from kempe.motion.reduction.surplus import DEPENDENT, PROBE
from kempe.motion.search.search import CRUMB, EndKind, Found
from kempe.results.maps.component import Readings
from kempe.results.maps.motion_map import SingularPlace, counted

FloatArray = NDArray[np.float64]

STEPS = 30  # of Newton's method from the middle of a box, least steps
MOST_CHOICES = 3000  # of coordinates that are held still in turn
STILL = 1e-6  # of the fastest coordinate: below this a body stands


def point_near(block: Block, x: FloatArray) -> FloatArray:
    """A solution near x, also where equations depend on each other; x itself where none is near."""
    start = x
    for _ in range(STEPS):
        f, J = _rows(block, x)
        step = np.linalg.lstsq(J, f, rcond=DEPENDENT)[0] if np.isfinite(J).all() else x * np.nan
        if not np.isfinite(step).all() or np.abs(x - step - start).max() > 1.0:
            return start
        x = x - step
    return x


def freedoms_at(block: Block, x: FloatArray) -> FloatArray:
    """Directions (n, freedoms) in which the block can move from x, to first order."""
    _, J = _rows(block, x)
    if not len(J):
        return np.eye(len(x))
    _, sizes, V = np.linalg.svd(J)
    kept: FloatArray = V[int((sizes > STILL * max(sizes[0], 1e-300)).sum()) :].T
    return kept


def own_movers(block: Block, readings: Readings, x: FloatArray, free: FloatArray) -> list[str]:
    """The fewest bodies that can move while all others stand; x is of all unknowns.

    One freedom is left when one coordinate fewer than there are freedoms is held still: every such
    choice is tried.
    """
    count, freedom = len(readings.bodies), free.shape[1]
    if freedom < 2 or not count:
        return []
    along = np.zeros((freedom, len(x)))
    along[:, list(block.places)] = free.T
    each = readings.of_body
    rates = _rates(readings, x, along).reshape(each * count, freedom)
    moving = np.flatnonzero(np.abs(rates).max(axis=1) > STILL)
    best = list(range(count + 1))
    chosen = itertools.combinations(moving.tolist(), freedom - 1)
    for held in itertools.islice(chosen, MOST_CHOICES):
        z = np.linalg.svd(rates[list(held)])[2][-1]
        speed = np.abs(rates @ z).reshape(count, each).max(axis=1)
        movers = np.flatnonzero(speed > STILL * max(speed.max(), STILL)).tolist()
        if speed.max() > STILL and len(movers) < len(best):
            best = movers
    return [readings.bodies[k] for k in best if k < count]


def outside(places: Sequence[SingularPlace]) -> str:
    """Where a promise does not hold, in words, and what can be done about sheets."""
    small = [p for p in places if not p.is_sheet]
    told = []
    if small:
        largest = max(max(p.size, p.width) for p in small)
        told.append(f"{counted(len(small), 'place')} no larger than {largest:.1g}")
    for sheet in (p for p in places if p.is_sheet):
        alone = f", where {_listed(sheet.movers)} can move alone" if sheet.movers else ""
        told.append(
            f"a sheet of {counted(sheet.freedom, 'freedom')} in {sheet.boxes} boxes no wider than"
            f" {sheet.width:.1g}{alone}"
        )
    advice = " Limits that keep away from there leave a clean list." * (len(small) < len(places))
    return f"Outside {_listed(told)}.{advice}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _rates(readings: Readings, x: FloatArray, along: FloatArray) -> FloatArray:
    """How what tells of all bodies changes along directions (k, n): (numbers, k)."""
    outputs = readings.tape.outputs[: readings.of_body * len(readings.bodies)]
    probes = np.vstack([x + PROBE * along, x - PROBE * along])
    values: FloatArray = native_tape(readings.tape).evaluate(np.ascontiguousarray(probes), outputs)
    rates: FloatArray = (values[: len(along)] - values[len(along) :]).T / (2.0 * PROBE)
    return rates


def _rows(block: Block, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The equations at x, and their gradients by differences."""
    n, native = len(x), native_tape(block.tape)
    probes = np.vstack([x[None, :], x + PROBE * np.eye(n), x - PROBE * np.eye(n)])
    rows: Any = block.tape.outputs[: len(block.equations)]
    values = native.evaluate(np.ascontiguousarray(probes), rows)
    return values[0], (values[1 : n + 1] - values[n + 1 :]).T / (2.0 * PROBE)


Labels = NDArray[np.int64]

# Boxes and ends this many resolutions apart belong to one place.
TOUCHING = 32.0
WIDE = 2.0 * CRUMB  # resolutions: boxes wider than this lie on sheets
LOOKS = 9  # boxes of a sheet at which its freedom is told


def singular_places(found: Found, resolution: float) -> list[SingularPlace]:
    """The places of one block where a promise does not hold; `q` is left to the caller."""
    ends = [
        (number, side, end.x)
        for number, curve in enumerate(found.components)
        for side, end in enumerate(curve.ends)
        if end.kind in (EndKind.stuck, EndKind.unfinished, EndKind.joined)
        and not curve.closed
        and found.block.freedom == 1
    ]
    lows, highs = (np.vstack(b) for b in zip(found.unresolved, found.sheets, strict=True))
    if not len(lows) and not ends:
        return []
    points = np.array([x for _, _, x in ends]).reshape(len(ends), lows.shape[1])
    n_boxes = len(lows)
    lows, highs = np.vstack([lows, points]), np.vstack([highs, points])
    places = []
    for members in _groups(lows, highs, resolution):
        branches = tuple(ends[k - n_boxes][:2] for k in members if k >= n_boxes)
        places.append(_place(found.block, lows[members], highs[members], branches, resolution))
    return places


def _place(
    block: Block,
    low: FloatArray,
    high: FloatArray,
    branches: tuple[tuple[int, int], ...],
    resolution: float,
) -> SingularPlace:
    bottom, top = low.min(axis=0), high.max(axis=0)
    middle, freedom = 0.5 * (bottom + top), 0
    width = float((high - low).max(initial=0.0))
    if width > WIDE * resolution:  # a sheet: its hull's middle may be far from it
        wide = np.flatnonzero((high - low).max(axis=1) > 0.5 * width)
        chosen = wide[np.linspace(0, len(wide) - 1, LOOKS).astype(int)]
        looks = [point_near(block, 0.5 * (low[k] + high[k])) for k in chosen]
        told = [freedoms_at(block, x).shape[1] for x in looks]
        freedom = max(set(told), key=told.count)
        middle = looks[told.index(freedom)]
    return SingularPlace(
        low=bottom,
        high=top,
        q=np.zeros(0),
        size=max(0.0, float((top - bottom).max())),
        boxes=len(low) - len(branches),
        branches=branches,
        singular_value=smallest_singular_value(block, middle),
        lows=low,
        highs=high,
        middle=middle,
        width=width,
        freedom=freedom,
    )


def _groups(low: FloatArray, high: FloatArray, resolution: float) -> list[list[int]]:
    """Boxes that are within reach of each other, directly or by way of others.

    Small ones are put into cells, so that a hundred thousand of them along a curve take no longer
    than they must; wide ones, which lie on sheets or beside them, are compared with each other.
    """
    reach = TOUCHING * resolution
    is_wide = (high - low).max(axis=1) > WIDE * resolution
    label = np.full(len(low), -1, dtype=np.int64)
    small, wide = np.flatnonzero(~is_wide), np.flatnonzero(is_wide)
    label[small] = _in_cells(low[small], high[small], reach)
    count = int(label.max(initial=-1)) + 1
    if len(wide):
        # boxes beside a sheet, which could not be told from it, lie within their own width
        aside = float((high - low)[wide].max())
        label[wide] = count + core.box_groups(low[wide], high[wide], aside)
        for g in range(count):
            mine = label == g
            bottom, top = low[mine].min(axis=0) - reach, high[mine].max(axis=0) + reach
            touched = ((low[wide] <= top) & (high[wide] >= bottom)).all(axis=1)
            if touched.any():
                label[mine] = label[wide[touched]][0]
        label = np.unique(label, return_inverse=True)[1].ravel()
        count = int(label.max()) + 1
    order = np.argsort(label, kind="stable")
    parts = np.split(order, np.searchsorted(label[order], range(1, count)))
    return [g.tolist() for g in parts if len(g)]


def _in_cells(low: FloatArray, high: FloatArray, reach: float) -> Labels:
    """A label for every small box: neighbouring cells belong together."""
    from scipy.spatial import cKDTree

    if not len(low):
        return np.zeros(0, dtype=np.int64)
    apart = float((high - low).max(initial=0.0)) + reach
    cells, member = np.unique(np.floor(0.5 * (low + high) / apart), axis=0, return_inverse=True)
    tree: Any = cKDTree(cells)
    pairs = tree.query_pairs(1.0, p=np.inf, output_type="ndarray")
    return _connected(len(cells), pairs)[member.ravel()]


def _connected(count: int, pairs: NDArray[np.int64]) -> Labels:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    label: Labels = connected_components(graph, directed=False)[1].astype(np.int64)
    return label


def smallest_singular_value(block: Block, x: FloatArray) -> float:
    """Of the Jacobian of a block's equations at x, numerically."""
    if not block.equations:
        return 0.0
    _, jacobian = _rows(block, x)
    if not np.isfinite(jacobian).all():
        return 0.0
    return float(np.linalg.svd(jacobian, compute_uv=False).min())

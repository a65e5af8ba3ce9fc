"""Sheets: places with more freedom than elsewhere, and which bodies move by themselves there.

A rhombus folded onto itself turns about two pins at once, a scissor lift drawn shut swings link by
link. There the gradients of the equations span fewer directions, and the mechanism has more
freedoms to first order. Mostly it can use them, and its positions are a surface or more; but they
may also be a curve along which equations say the same twice. Numbers only.
"""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import native_tape
from kempe.motion.equations.system import Block
from kempe.motion.reduction.surplus import DEPENDENT, PROBE
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
    rates = _rates(readings, x, along).reshape(4 * count, freedom)
    moving = np.flatnonzero(np.abs(rates).max(axis=1) > STILL)
    best = list(range(count + 1))
    chosen = itertools.combinations(moving.tolist(), freedom - 1)
    for held in itertools.islice(chosen, MOST_CHOICES):
        z = np.linalg.svd(rates[list(held)])[2][-1]
        speed = np.abs(rates @ z).reshape(count, 4).max(axis=1)
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
    """How x, y, c and s of all bodies change along directions (k, n): (4 bodies, k)."""
    outputs = readings.tape.outputs[: 4 * len(readings.bodies)]
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

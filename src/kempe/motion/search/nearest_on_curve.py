"""Keeping what is nearest: a stationary distance from a curve may be that of a farther point.

A position is *surely nearest* where the held distance is a minimum over a stretch of the curve, by
the sign of its second derivative there, and every other stretch is farther away, by its bounding
box. It is *surely not* where one point of the curve is nearer. Both are told by enclosures.
"""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import native_tape
from kempe.compile.layout.layout import Layout
from kempe.geometry import GROUND, Marker
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.curves.abstract import curve_tape
from kempe.motion.search.sifting import stretches
from kempe.results.maps.assemblies import Assemblies
from kempe.results.maps.certificate import Promise
from kempe.results.maps.component import Component, Readings
from kempe.results.maps.motion_map import MotionMap

FloatArray = NDArray[np.float64]
Found = TypeVar("Found", Assemblies, MotionMap)
Box = tuple[FloatArray, FloatArray]  # lower and upper bounds

STEP = 0.05  # between the positions that are looked at, in unknowns
HALF_STRETCHES = (0.02, 0.002, 0.0002)  # of the boxes along a component, coarse ones first
GRID = 129  # parameters of every piece of a curve from which a nearer point is looked for
REFINEMENTS = 12
PROOFS = 9  # positions of a component at which being nearest is tried to be proved
ROUNDS, MOST_PARTS = 40, 4096
OUTWARD = 1e-13  # of sizes: far more than the roundings of a few sums and products


def nearest_assemblies(layout: Layout, found: Assemblies) -> Assemblies:
    """The assemblies in which no other point of a curve is nearer than the one that is held."""
    joints = _joints(layout)
    if not joints:
        return found
    kept, open_ = [], 0
    for state in found.states:
        x = state.x[None, :]
        boxes = _read(found.readings, x, np.full(x.shape, state.radius))
        told = _verdict(layout, joints, boxes, {k: np.array([v]) for k, v in state.others.items()})
        if told[0] >= 0:
            kept.append(state)
        open_ += told[0] == 0
    message = f"Of {open_} it is not proved that no other point of the curve is nearer."
    return _judged(replace(found, states=tuple(kept)), message if open_ else "")


def nearest_motions(layout: Layout, found: MotionMap) -> MotionMap:
    """The components on which the point that is held is the nearest, at least in places."""
    joints = _joints(layout)
    if not joints:
        return found
    kept: list[Component] = []
    mixed, open_ = list[int](), list[int]()
    for component in found.components:
        is_nearest, is_farther = _along(layout, joints, component)
        if is_nearest is None and is_farther:
            continue  # everywhere farther, by proof
        if is_nearest is None:
            open_.append(len(kept))
        elif is_farther:
            mixed.append(len(kept))
        kept.append(component)
    numbers = {c.number: k for k, c in enumerate(kept)}
    singular = tuple(
        replace(place, branches=tuple((numbers[c], e) for c, e in place.branches if c in numbers))
        for place in found.singular
    )
    parts = []
    if mixed:
        who = ", ".join(map(str, mixed))
        parts.append(f"On component {who} another point of the curve is nearer in places.")
    if open_:
        who = ", ".join(map(str, open_))
        parts.append(f"That no other point is nearer on component {who} is not proved anywhere.")
    made = replace(
        found,
        components=tuple(replace(c, number=numbers[c.number]) for c in kept),
        singular=singular,
        message=" ".join(p for p in (found.message, *parts[: bool(mixed)]) if p),
    )
    return _judged(made, parts[-1] if open_ else "")


def _judged(found: Found, doubt: str) -> Found:
    """What was found, as a list that is not certified where there is doubt."""
    if not doubt:
        return found
    message = " ".join(p for p in (found.message, doubt) if p)
    return replace(found, outcome=Promise.NUMERICAL, message=message)


class NearestJoint(Protocol):
    """A joint that keeps `length` from a curve, and asks with `nearest` that no point is nearer."""

    I: Marker
    J: Marker
    name: str
    curve: AbstractCurve
    length: float
    nearest: bool


def _joints(layout: Layout) -> list[NearestJoint]:
    return [cast(NearestJoint, j) for j in layout.model.joints if getattr(j, "nearest", False)]


def _along(
    layout: Layout, joints: list[NearestJoint], component: Component
) -> tuple[bool | None, bool]:
    """(True where it is surely nearest somewhere, else None; whether it is surely farther).

    Farther somewhere, if it is nearest somewhere; else farther everywhere.
    """
    samples = component.sample(STEP)
    radius = np.repeat(samples.radius[:, None], samples.x.shape[1], axis=1)
    boxes = _read(component.readings, samples.x, radius)
    farther = _farther(layout, joints, boxes)
    near = np.flatnonzero(~farther)
    some = near[:: max(1, len(near) // PROOFS)]
    picked = {name: (low[some], high[some]) for name, (low, high) in boxes.items()}
    others = {name: values[some] for name, values in samples.others.items()}
    if len(some) and (_verdict(layout, joints, picked, others) > 0).any():
        return True, bool(farther.any())
    for half in HALF_STRETCHES if not len(near) else ():
        x, r = stretches(component.block.tape, component.block.n_equations, component.charts, half)
        everything = np.repeat(component.x[None, :], len(x), axis=0)
        off = np.repeat(component.radius[None, :], len(x), axis=0)
        everything[:, list(component.block.places)] = x
        off[:, list(component.block.places)] = r
        if _farther(layout, joints, _read(component.readings, everything, off)).all():
            return None, True
    return None, False


def _read(readings: Readings, x: FloatArray, radius: FloatArray) -> dict[str, Box]:
    """Bounds of what is read over boxes x +- radius (k, unknowns), by name."""
    low, high = np.nextafter(x - radius, -np.inf), np.nextafter(x + radius, np.inf)
    tape = readings.tape
    below, above = native_tape(tape).evaluate_intervals(
        np.ascontiguousarray(low), np.ascontiguousarray(high), tape.outputs
    )
    return {name: (below[:, k], above[:, k]) for k, name in enumerate(readings.names)}


def _farther(
    layout: Layout, joints: list[NearestJoint], boxes: dict[str, Box]
) -> NDArray[np.bool_]:
    """Where surely some point of a curve is nearer than the one that is held."""
    told = np.zeros(len(next(iter(boxes.values()))[0]), dtype=bool)
    for joint in joints:
        p, r = _seen(joint, boxes)
        t = _nearest_parameters(joint.curve, p)
        lower, upper = joint.curve.enclosure(t, t)
        gap = np.maximum(upper[:, :2] - p, p - lower[:, :2]) + r
        far = np.hypot(gap[:, 0], gap[:, 1]) * (1.0 + OUTWARD)
        told |= far < joint.length
    return told


def _verdict(
    layout: Layout,
    joints: list[NearestJoint],
    boxes: dict[str, Box],
    others: dict[str, FloatArray],
) -> NDArray[np.int64]:
    """1 where the held points are surely the nearest, -1 where surely not, 0 where it is open."""
    farther = _farther(layout, joints, boxes)
    told = np.where(farther, -1, 1)
    for k in np.flatnonzero(~farther):
        for joint in joints:
            p, r = _seen(joint, {name: (a[[k]], b[[k]]) for name, (a, b) in boxes.items()})
            t = float(others[f"{joint.name}.t"][k])
            if not _is_nearest(joint.curve, joint.length, p[0], r[0], t):
                told[k] = 0
    return told


def _seen(joint: NearestJoint, boxes: dict[str, Box]) -> tuple[FloatArray, FloatArray]:
    """Where J lies in the frame of I: middles (k, 2) and half-widths (k, 2) of its bounds."""
    some = next(iter(boxes.values()))[0]
    J, I = (_place(m, boxes, len(some)) for m in (joint.J, joint.I))
    d = [_plus(a, _times(b, -1.0)) for a, b in zip(J, I, strict=True)]
    axes = _axes(joint.I, boxes, len(some))
    seen = [_plus(_product(d[0], x), _product(d[1], y)) for x, y in axes]
    middle = np.column_stack([0.5 * (low + high) for low, high in seen])
    half = np.column_stack([0.5 * (high - low) for low, high in seen])
    return middle, half * (1.0 + OUTWARD) + OUTWARD * np.abs(middle)


def _body(body: str, boxes: dict[str, Box], count: int) -> list[Box]:
    """(x, y, c, s) of a body."""
    if body == GROUND:
        return [(np.full(count, v), np.full(count, v)) for v in (0.0, 0.0, 1.0, 0.0)]
    return [boxes[f"{body}.{part}"] for part in "xycs"]


def _place(marker: Marker, boxes: dict[str, Box], count: int) -> list[Box]:
    x, y, c, s = _body(marker.body, boxes, count)
    u, v, _ = marker.position
    return [
        _plus(x, _plus(_times(c, u), _times(s, -v))),
        _plus(y, _plus(_times(s, u), _times(c, v))),
    ]


def _axes(marker: Marker, boxes: dict[str, Box], count: int) -> list[list[Box]]:
    """The x and y axes of a marker in the world."""
    _, _, c, s = _body(marker.body, boxes, count)
    R = marker.rotation
    axes = []
    for axis in (R.x, R.y):
        u, v = float(axis.x), float(axis.y)
        axes.append([_plus(_times(c, u), _times(s, -v)), _plus(_times(s, u), _times(c, v))])
    return axes


def _plus(a: Box, b: Box) -> Box:
    return np.nextafter(a[0] + b[0], -np.inf), np.nextafter(a[1] + b[1], np.inf)


def _times(a: Box, factor: float) -> Box:
    ends = factor * a[0], factor * a[1]
    return np.nextafter(np.minimum(*ends), -np.inf), np.nextafter(np.maximum(*ends), np.inf)


def _product(a: Box, b: Box) -> Box:
    ends = np.array([x * y for x in a for y in b])
    return np.nextafter(ends.min(axis=0), -np.inf), np.nextafter(ends.max(axis=0), np.inf)


def _nearest_parameters(curve: AbstractCurve, p: FloatArray) -> FloatArray:
    """Where the curve is nearest to places (k, 2), in plain numbers."""
    if not curve.domain.is_bounded:
        return np.array([curve.nearest(tuple(at)).parameter for at in p])
    ends = curve.pieces
    grid = np.unique(np.concatenate([np.linspace(a, b, GRID) for a, b in _pairs(ends)]))
    points = _points(curve, grid, 0)
    t = np.empty(len(p))
    for k in range(0, len(p), 4096):
        d = points[None, :, :] - p[k : k + 4096, None, :]
        t[k : k + 4096] = grid[(d**2).sum(axis=2).argmin(axis=1)]
    step = float(np.diff(grid).max())
    first, low, high = t.copy(), curve.domain.low, curve.domain.high
    for _ in range(REFINEMENTS):  # Newton, kept near the best of the grid
        C, d1, d2 = (_points(curve, t, order) for order in range(3))
        slope = ((C - p) * d1).sum(axis=1)
        bend = (d1**2).sum(axis=1) + ((C - p) * d2).sum(axis=1)
        size = np.where(np.abs(bend) > 0.0, np.abs(bend), 1.0)
        t = np.clip(t - slope / size, first - step, first + step)
        t = t if curve.domain.period else np.clip(t, low, high)
    return t


def _points(curve: AbstractCurve, t: FloatArray, order: int) -> FloatArray:
    tape = curve_tape(curve, order)
    found: FloatArray = native_tape(tape).evaluate(np.ascontiguousarray(t[:, None]), tape.outputs)
    return found[:, :2]


def _pairs(ends: Sequence[float]) -> list[tuple[float, float]]:
    return list(itertools.pairwise(ends))


def _is_nearest(
    curve: AbstractCurve, length: float, p: FloatArray, r: FloatArray, t: float
) -> bool:
    """Whether surely no point of the curve is nearer to places p +- r than that at t, held there.

    With q = |C - p|^2, q' = 0 and q'' / 2 = |C'|^2 + (C - p) . C'' > 0 over a stretch about t make
    t its nearest point; other stretches are told by their bounding boxes.
    """
    domain = curve.domain
    if not domain.is_bounded:
        return False
    start, end = _stretch(curve, p, r, t)
    if not start < end:
        return False
    if domain.period:
        low, high = np.linspace(end, start + domain.period * (1.0 + OUTWARD), 33)[:-1], None
        high = np.append(low[1:], start + domain.period * (1.0 + OUTWARD))
    else:
        pieces = [np.linspace(a, b, 17) for a, b in _pairs(curve.pieces)]
        cuts = np.unique(np.concatenate([*pieces, [start, end]]))
        low, high = cuts[:-1], cuts[1:]
        outside = (high <= start) | (low >= end)
        low, high = low[outside], high[outside]
    for _ in range(ROUNDS):
        if not len(low):
            return True
        lower, upper = curve.enclosure(low, high)
        gap = np.maximum(np.maximum(lower[:, :2] - p, p - upper[:, :2]) - r, 0.0)
        near = np.hypot(gap[:, 0], gap[:, 1]) * (1.0 - OUTWARD) <= length
        low, high = low[near], high[near]
        if len(low) > MOST_PARTS:
            return False
        middle = 0.5 * (low + high)
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    return False


def _stretch(curve: AbstractCurve, p: FloatArray, r: FloatArray, t: float) -> tuple[float, float]:
    """A stretch about t over which the distance from places p +- r bends upwards; empty if none."""
    domain = curve.domain
    if domain.period:
        t = domain.low + (t - domain.low) % domain.period
    pieces = curve.pieces
    k = int(np.clip(np.searchsorted(pieces, t, side="right") - 1, 0, len(pieces) - 2))
    first, last = (-np.inf, np.inf) if domain.period and len(pieces) == 2 else pieces[k : k + 2]
    half = 0.25 * domain.width
    for _ in range(24):
        start, end = max(t - half, first), min(t + half, last)
        if start < t < end:
            C, d1, d2 = (curve.enclosure(start, end, order) for order in range(3))
            arm = [(C[0][j] - p[j] - r[j], C[1][j] - p[j] + r[j]) for j in range(2)]
            square = sum(_least_square(d1[0][j], d1[1][j]) for j in range(2))
            turn = sum(min(a * b for a in arm[j] for b in (d2[0][j], d2[1][j])) for j in range(2))
            size = square + sum(max(abs(a) for a in arm[j]) * abs(d2[1][j]) for j in range(2))
            if square + turn > OUTWARD * size:
                return float(start), float(end)
        half *= 0.5
    return t, t


def _least_square(low: float, high: float) -> float:
    return 0.0 if low <= 0.0 <= high else min(low * low, high * high)

"""A mechanism drawn at many positions at once: bars, points and the curves they run on.

Mechanisms in space are seen from aside and above, without perspective.
"""

import itertools

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.draw import Curve, SheetAxes, shade, sheet_svg
from kempe.geometry import GROUND, Marker, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.surfaces import AbstractSurface
from kempe.joints import AbstractJoint, Kind
from kempe.measures import Distance
from kempe.pictures import outlines
from kempe.units import factor

FloatArray = NDArray[np.float64]

TRACK = 121  # points of a curve that is a track
ACROSS = np.array([0.866, 0.5, 0.0])  # of a picture of what stands in space
UP = np.array([-0.171, 0.296, 0.940])
NEAR = np.cross(ACROSS, UP)  # towards the reader


def placed_svg(
    layout: Layout, q: FloatArray, title: str, *, are_few: bool, tone: int | None = None
) -> str:
    """The mechanism at positions q (k, n per body): few each in a colour, many as ghosts."""
    curves = placed_curves(layout, q, are_few=are_few, tone=tone)
    across, up = (f"{word} ({length_unit(layout)[0]})" for word in axis_words(layout))
    return sheet_svg(curves, SheetAxes(across, up), title=title)


def placed_curves(
    layout: Layout, q: FloatArray, *, are_few: bool, tone: int | None = None
) -> list[Curve]:
    """All lines and dots of the mechanism at positions q (k, n per body), and what stands.

    Few have a colour each; many are ghosts, in the colours of bodies, with dots in that of `tone`.
    """
    _, scale = length_unit(layout)
    curves, kind = tracks(layout), "line" if are_few else "ghost"
    for bar, colour, is_flexible in _bars(layout):
        ends = scale * np.stack([_marker(layout, q, m) for m in bar], axis=1)
        flexible = "dashed" if is_flexible and are_few else kind
        tones = range(len(q)) if are_few else [colour] * len(q)
        curves += [Curve(e, each, flexible) for e, each in zip(ends, tones, strict=True)]
    for name in _points(layout):
        dots = scale * _marker(layout, q, Marker(name))
        if are_few:
            curves += [Curve(dots[k : k + 1], k, "dot") for k in range(len(dots))]
        else:
            curves.append(Curve(dots, tone, "dot"))
    return curves


def axis_words(layout: Layout) -> tuple[str, str]:
    """What the axes of a picture of positions are called."""
    return ("x", "y") if layout.model.plane else ("across", "up")


def seen_points(layout: Layout, points: FloatArray) -> FloatArray:
    """Where points (k, 3) are seen in such a picture, (k, 2): in the plane x and y."""
    if layout.model.plane:
        return points[:, :2]
    return np.asarray(points @ np.column_stack([ACROSS, UP]))


def length_unit(layout: Layout) -> tuple[str, float]:
    """The unit of lengths in pictures, and how many of it are a metre."""
    unit = layout.model.length_unit
    return unit, factor("m", unit)


def _marker(layout: Layout, q: FloatArray, marker: Marker) -> FloatArray:
    """World positions (k, 2) of a marker, in space as they are seen."""
    if not layout.model.plane:
        return _seen(layout, q, marker)
    x, y, _ = marker.position
    if marker.body == GROUND:
        return np.broadcast_to(np.array([x, y]), (len(q), 2))
    k, own = layout.body_index[marker.body], layout.coordinates
    at, turn = q[:, own.place_of(k)], q[:, own.angle_of(k)]
    c, s = np.cos(turn), np.sin(turn)
    placed: FloatArray = at + np.column_stack([c * x - s * y, s * x + c * y])
    return placed


def _seen(layout: Layout, q: FloatArray, marker: Marker) -> FloatArray:
    """Where a marker of a body in space is seen, (k, 2)."""
    own = Vector(*marker.position)
    placed = [own] * len(q)
    if marker.body != GROUND:
        k, at = layout.body_index[marker.body], layout.coordinates
        placed = [layout.chart.placed(one[at.q_of(k)]).point(own) for one in q]
    points = np.array([list(p) for p in placed], dtype=np.float64).reshape(-1, 3)
    return seen_points(layout, points)


def _bars(layout: Layout) -> list[tuple[tuple[Marker, Marker], int | None, bool]]:
    """Ends, colour and whether it is flexible, of all that looks like a bar."""
    model, bars = layout.model, list[tuple[tuple[Marker, Marker], int | None, bool]]()
    for k, body in enumerate(model.moving):
        corners = [Marker(body.name, body.points[name]) for name in body.outline]
        closed = corners + corners[:1] if len(corners) > 2 else corners
        bars += [(pair, k, False) for pair in itertools.pairwise(closed)]
    bars += [((j.I, j.J), k, False) for k, j in enumerate(_of_kind(layout, Kind.ROD))]
    measured = dict.fromkeys([*model.gauges, *(drive.gauge for drive in model.drives)])
    soft = [g for g in measured if isinstance(g.measure, Distance)]
    bars += [((g.I, g.J), None, True) for g in soft]
    return bars


def _points(layout: Layout) -> list[str]:
    return [j.J.body for j in _of_kind(layout, Kind.UNTURNED)]


def _of_kind(layout: Layout, kind: Kind) -> list[AbstractJoint]:
    model = layout.model
    return [joint for joint in model.joints if joint.ways(plane=model.plane).kind is kind]


def _shaded(corners: FloatArray, scale: float) -> list[Curve]:
    """Four corners (k, 4, 3) of every facet of a surface, far ones first, as bright as they lie."""
    near = corners.mean(axis=1) @ NEAR
    corners = corners[np.argsort(near, kind="stable")]
    out = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    size = np.linalg.norm(out, axis=1)
    corners, out = corners[size > 0.0], out[size > 0.0] / size[size > 0.0, None]
    facing = out @ np.column_stack([ACROSS, UP, NEAR])
    facing[facing[:, 2] < 0.0] *= -1.0  # either side is lit alike
    levels = [shade(each) for each in facing]
    seen = scale * (corners @ np.column_stack([ACROSS, UP]))
    return [
        Curve(seen[part].reshape(-1, 2), None, "facet", level=levels[part[0]])
        for part in np.split(np.arange(len(levels)), np.flatnonzero(np.diff(levels)) + 1)
        if len(part)
    ]


def tracks(layout: Layout) -> list[Curve]:
    """The curves, and in space the surfaces too, that are fixed in the ground."""
    _, scale = length_unit(layout)
    if not layout.model.plane:
        found = outlines.track_lines(layout.model, layout.size)
        shades = [
            curve
            for at, track in found
            if at.body == GROUND and isinstance(track, AbstractSurface)
            if all(d.is_bounded or d.period for d in track.domains)  # a whole plane hides all else
            for curve in _shaded(outlines.facets(at, track, layout.size), scale)
        ]
        return shades + [
            Curve(
                scale * seen_points(layout, line.corners),
                None,
                "rail" if isinstance(track, AbstractCurve) else "mark",
                is_closed=line.closed,
            )
            for (at, track), lines in found.items()
            for line in lines
            if at.body == GROUND
        ]
    tracks = []
    for joint in layout.model.joints:
        for constraint in joint.constraints:
            curve = getattr(constraint, "curve", None)
            if curve is None or joint.I.body != GROUND or not curve.domain.is_bounded:
                continue
            t = np.linspace(curve.domain.low, curve.domain.high, TRACK)
            X = joint.I.pose
            placed = [X.point(curve.point(float(at))) for at in t]
            points = np.array([[float(p.x), float(p.y)] for p in placed])
            tracks.append(Curve(scale * points, None, "rail"))
    return tracks

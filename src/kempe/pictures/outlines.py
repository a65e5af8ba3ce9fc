"""What bodies look like in pictures: outlines, tracks that joints run on, wheels of couplers."""

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.draw import Bar, Disc, Polygon, Polyline, Shape, link
from kempe.geometry import GROUND, Marker, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.model import Body, Model
from kempe.pictures.wheels import wheels

POINTS = 161  # of a curve that is drawn
FAR = 2.0  # sizes of the machine: how far a curve without an end is drawn
Outlines = dict[str, tuple[Shape, ...]]  # by body
FORMS: dict[str, type[Shape]] = {kind.__name__: kind for kind in (Bar, Polyline, Polygon, Disc)}


def tracks(model: Model, size: float) -> dict[str, tuple[Polyline, ...]]:
    """The curves of joints by the body they are fixed in, each once; size (m) is the machine's."""
    found: dict[str, dict[tuple[Marker, AbstractCurve], Polyline]] = {}
    for joint in model.joints:
        curve = getattr(joint, "curve", None)
        if isinstance(curve, AbstractCurve):
            mine = found.setdefault(joint.I.body, {})
            mine.setdefault((joint.I, curve), _line(joint.I, curve, size))
    return {body: tuple(lines.values()) for body, lines in found.items()}


def _line(at: Marker, curve: AbstractCurve, size: float) -> Polyline:
    low, high = curve.domain.low, curve.domain.high
    if not curve.domain.is_bounded:
        reach = FAR * size / max(curve.speed, 1e-300)
        low, high = max(low, -reach), min(high, reach)
    places = np.linspace(low, high, POINTS)[: -1 if curve.is_closed else None]
    points = [list(at.pose.point(Vector(*curve(float(t)).tolist()))) for t in places]
    return Polyline([tuple(float(c) for c in p) for p in points], closed=curve.is_closed)


def outlines(layout: Layout, q: NDArray[np.float64]) -> Outlines:
    """The shapes of all bodies, wheels first; q says how gears mesh.

    The ground is among them where something runs on a curve of it.
    """
    turning, model = wheels(layout, q), layout.model
    curves = tracks(model, layout.size)
    found = {
        b.name: (*turning.get(b.name, ()), *curves.get(b.name, ()), *_shapes(model, b))
        for b in model.moving
    }
    return found | ({GROUND: curves[GROUND]} if GROUND in curves else {})


def _shapes(model: Model, body: Body) -> tuple[Shape, ...]:
    """The body's outline, or the link through the points its joints hold on to."""
    held = [m.position for j in model.joints for m in j.markers if m.body == body.name]
    points = [body.points[p] for p in body.outline] or held
    corners = list(dict.fromkeys([*points, *held]))
    return link(corners) if len(corners) > 1 else ()


def outlines_document(shapes: Outlines) -> dict[str, list[dict[str, Any]]]:
    """Outlines as plain data, exact."""
    return {
        body: [{"form": type(s).__name__, **asdict(s)} for s in mine]
        for body, mine in shapes.items()
    }


def outlines_restored(document: dict[str, list[dict[str, Any]]]) -> Outlines:
    """Outlines from plain data."""
    return {body: tuple(_shape(dict(s)) for s in mine) for body, mine in document.items()}


def _shape(numbers: dict[str, Any]) -> Shape:
    return FORMS[numbers.pop("form")](**numbers)

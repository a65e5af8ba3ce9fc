"""What bodies look like in pictures: their outlines, and the wheels that couplers imply."""

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.draw import Bar, Disc, Polygon, Polyline, Shape, link
from kempe.geometry import GROUND
from kempe.model import Body, Model
from kempe.pictures.tracks import tracks
from kempe.pictures.wheels import wheels

Outlines = dict[str, tuple[Shape, ...]]  # by body

FORMS: dict[str, type[Shape]] = {kind.__name__: kind for kind in (Bar, Polyline, Polygon, Disc)}


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

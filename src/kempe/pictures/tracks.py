"""Curves that points and bars run on, as lines on the bodies that carry them."""

import numpy as np

from kempe.draw import Polyline
from kempe.geometry import Marker, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.model import Model

POINTS = 161  # of a curve that is drawn
FAR = 2.0  # sizes of the machine: how far a curve without an end is drawn


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

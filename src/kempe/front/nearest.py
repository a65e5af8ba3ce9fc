"""Keeping what is nearest: a stationary distance from a curve may be that of a farther point."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout import Layout
from kempe.geometry import GROUND, Marker
from kempe.joints import PointFromCurve
from kempe.results.assemblies import Assemblies
from kempe.results.component import Component
from kempe.results.motion_map import MotionMap

FloatArray = NDArray[np.float64]

SAME = 1e-9  # of the distance: two points of a curve that are as near as each other
STEP = 0.05  # between the positions that are looked at, in unknowns


def nearest_assemblies(layout: Layout, found: Assemblies) -> Assemblies:
    """The assemblies in which no other point of a curve is nearer than the one that is held."""
    joints = _joints(layout)
    if not joints:
        return found
    states = tuple(s for s in found.states if _is_nearest(layout, joints, s.q))
    return replace(found, states=states)


def nearest_motions(layout: Layout, found: MotionMap) -> MotionMap:
    """The components on which the point that is held is the nearest, at least in places."""
    joints = _joints(layout)
    if not joints:
        return found
    kept: list[Component] = []
    mixed: list[int] = []
    for component in found.components:
        told = [_is_nearest(layout, joints, q) for q in component.sample(STEP).q]
        if any(told):
            if not all(told):
                mixed.append(len(kept))
            kept.append(component)
    numbers = {c.number: k for k, c in enumerate(kept)}
    singular = tuple(
        replace(place, branches=tuple((numbers[c], e) for c, e in place.branches if c in numbers))
        for place in found.singular
    )
    parts = [found.message]
    if mixed:
        who = ", ".join(str(k) for k in mixed)
        parts.append(f"On component {who} another point of the curve is nearer in places.")
    return replace(
        found,
        components=tuple(replace(c, number=numbers[c.number]) for c in kept),
        singular=singular,
        message=" ".join(p for p in parts if p),
    )


def _joints(layout: Layout) -> list[PointFromCurve]:
    return [j for j in layout.model.joints if isinstance(j, PointFromCurve) and j.nearest]


def _is_nearest(layout: Layout, joints: list[PointFromCurve], q: FloatArray) -> bool:
    for joint in joints:
        back = np.conj(_turn(layout, joint.I, q))
        seen = (_place(layout, joint.J, q) - _place(layout, joint.I, q)) * back
        found = joint.curve.nearest((seen.real, seen.imag))
        if found.distance < joint.length * (1.0 - SAME):
            return False
    return True


def _pose(layout: Layout, marker: Marker, q: FloatArray) -> tuple[complex, complex]:
    if marker.body == GROUND:
        return 0j, 1.0 + 0j
    x, y, angle = q[3 * layout.body_index[marker.body] :][:3]
    return complex(x, y), complex(np.exp(1j * angle))


def _place(layout: Layout, marker: Marker, q: FloatArray) -> complex:
    origin, turn = _pose(layout, marker, q)
    return origin + turn * complex(*marker.position[:2])


def _turn(layout: Layout, marker: Marker, q: FloatArray) -> complex:
    _, turn = _pose(layout, marker, q)
    x = marker.rotation.x
    return turn * complex(x.x, x.y)

"""Bodies and joints' symbols as solids with a thickness, for formats that know surfaces.

Sizes in px become lengths by the camera of a still: a link is as wide here as it is there. In the
plane every body lies in a layer of its own, so that links pass each other.
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.draw.scene.scene import Scene
from kempe.draw.scene.shapes import (
    Bar,
    Disc,
    FloatArray,
    Polygon,
    Polyline,
    Shape,
    Solid,
    perpendiculars,
)
from kempe.draw.scene.symbols import SIZES, Ball, Brick, Drum, Stroke
from kempe.draw.view.camera import fitted
from kempe.geometry.solids import facets
from kempe.geometry.solids.facets import Facets
from kempe.geometry.solids.polygons import hull

PAGE = (960.0, 600.0)  # px of the still whose proportions are taken
THIN = 0.4  # a link's thickness over its width, in the plane
GAP = 1.25  # from layer to layer, in thicknesses
PLATE = 0.25  # a plate's thickness over a link's width, in space
CORNERS = 24  # of a rim that is rounded


@final
@dataclass(frozen=True, slots=True)
class Proportions:
    """How thick things are that a scene knows as lines: all in m."""

    plane: bool
    px: float  # one px of the still
    width: float  # of a link

    @property
    def thickness(self) -> float:
        """Of plates and discs."""
        return (THIN if self.plane else PLATE) * self.width

    def layer(self, number: int) -> float:
        """The height at which body `number` lies: in the plane one above the other."""
        return number * GAP * self.thickness if self.plane else 0.0


def proportions(scene: Scene) -> Proportions:
    """Those of a still of the scene."""
    camera = fitted(scene, *PAGE)
    px = 1.0 / camera.scale
    return Proportions(scene.plane, px, SIZES.link * camera.size * px)


def shape_facets(shape: Shape, sizes: Proportions) -> Facets | None:
    """The surface of one shape of a body, in the body's frame; None for a mere line."""
    if isinstance(shape, Polyline):
        return None
    if isinstance(shape, Solid):
        return shape.facets
    half = 0.5 * sizes.thickness
    if isinstance(shape, Bar):
        ends = shape.corners
        return _flat_bar(ends, sizes) if sizes.plane else _round_bar(ends, sizes)
    if isinstance(shape, Disc):
        x, y = perpendiculars(np.array(shape.axis))
        R = np.column_stack([x, y, np.array(shape.axis)])
        made = facets.drum(shape.radius, -half, half, 2 * CORNERS)
        if shape.teeth:
            flat = (shape.outline - np.array(shape.centre)) @ R
            made = facets.prism(flat[:, :2], -half, half)
        return made.moved(R, np.array(shape.centre, dtype=float))
    return _plate(shape, sizes)


def _flat_bar(ends: FloatArray, sizes: Proportions) -> Facets:
    outline = facets.capsule_outline(ends[0, :2], ends[1, :2], 0.5 * sizes.width, CORNERS)
    half = 0.5 * sizes.thickness
    return facets.prism(outline, ends[0, 2] - half, ends[0, 2] + half)


def _round_bar(ends: FloatArray, sizes: Proportions) -> Facets:
    way = ends[1] - ends[0]
    length, r = float(np.linalg.norm(way)), 0.5 * sizes.width
    if not length > 0.0:
        return facets.ball(r).moved(np.eye(3), ends[0])
    quarter = np.linspace(-0.5 * np.pi, 0.0, CORNERS // 4 + 1)
    low = r * np.column_stack([np.cos(quarter), np.sin(quarter)])
    high = low[::-1] * [1.0, -1.0] + [0.0, length]
    profile = np.concatenate([low, high])
    profile[[0, -1], 0] = 0.0
    return facets.lathe(profile).moved(facets.frame_along(way), ends[0])


def _plate(shape: Polygon, sizes: Proportions) -> Facets:
    """A polygon in any plane, given a thickness; with a rim it is grown by half a link's width."""
    return flat_facets(shape, sizes.thickness, 0.5 * sizes.width if shape.rim else 0.0)


def flat_facets(shape: Polygon, thickness: float, rim: float = 0.0) -> Facets:
    """A polygon in any plane as a plate of a `thickness`, grown by `rim` all round (m)."""
    corners = shape.corners
    middle = corners.mean(axis=0)
    rows = np.linalg.svd(corners - middle)[2]
    if rows[2] @ np.array([0.0, 0.0, 1.0]) < 0.0:
        rows[2] = -rows[2]
    R = np.column_stack([rows[0], np.cross(rows[2], rows[0]), rows[2]])
    flat = ((corners - middle) @ R)[:, :2]
    holes = [((np.array(ring, dtype=float) - middle) @ R)[:, :2] for ring in shape.holes]
    if rim:
        angles = 2.0 * np.pi * np.arange(CORNERS) / CORNERS
        around = rim * np.column_stack([np.cos(angles), np.sin(angles)])
        flat = hull((flat[:, None] + around).reshape(-1, 2))
    half = 0.5 * thickness
    return facets.prism(flat, -half, half, holes).moved(R, middle)


def solid_facets(solid: Drum | Brick | Ball, sizes: Proportions, size: float) -> Facets:
    """The surface of a piece of a joint's symbol, in the joint's frame; `size` scales its px."""
    m = sizes.px * size
    if isinstance(solid, Ball):
        return facets.ball(solid.radius * m)
    if isinstance(solid, Drum):
        half = solid.half_length * m
        return facets.drum(solid.radius * m, solid.at * m - half, solid.at * m + half)
    return facets.box([m * h for h in solid.half])


def stroke_points(stroke: Stroke, sizes: Proportions, size: float) -> FloatArray:
    """The points (n, 3) of a stroke of a symbol, in the joint's frame (m)."""
    points: FloatArray = sizes.px * size * np.array(stroke.points, dtype=float)
    return points

"""What solids look like: an outline with corners that go in is drawn as it is."""

import math

import numpy as np
import pytest

from kempe import Builder, Rotation
from kempe.draw import Polygon, Solid
from kempe.geometry.solids import Cuboid, Plate
from kempe.kinematics.closing.placement import first_guess
from kempe.pictures.outlines import outlines

# a U: the notch would be filled by its hull, and cut apart it would show its seams
CORNERS = ((0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2))
AREA = 5.0


def drawn(*, plane: bool, rotation: Rotation | None = None):
    m = Builder("u", plane=plane)
    at = (0.0, 0.0) if plane else (0.0, 0.0, 0.0)
    body = m.body("body", at=at, **({"angle": 0.0} if plane else {"rotation": Rotation.identity()}))
    m.shape(body, Plate(CORNERS, 0.5), at=(1.0, -2.0, 0.0), rotation=rotation)
    m.shape(body, Cuboid((0.1, 0.1, 0.1)))
    layout = m.build().layout
    return outlines(layout, first_guess(layout, 0, 0.0))["body"]


def area(points) -> float:
    """By the shoelace formula, in the plane of x and y."""
    x, y = np.array(points)[:, 0], np.array(points)[:, 1]
    return float(abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))) / 2.0


def test_in_the_plane_it_is_one_polygon_with_its_notch_and_its_place() -> None:
    plate, cube = drawn(plane=True)
    assert isinstance(plate, Polygon)
    assert not plate.rim
    assert area(plate.points) == pytest.approx(AREA, rel=1e-12)
    assert np.array(plate.points)[:, :2].min(axis=0) == pytest.approx((1.0, -2.0))
    assert isinstance(cube, Polygon)  # shapes keep their order: later ones lie on top


def test_in_space_it_is_a_solid_of_its_volume_with_its_notch_and_its_sharp_edges() -> None:
    plate, cube = drawn(plane=False)
    assert isinstance(plate, Solid)
    assert isinstance(cube, Solid)
    assert plate.facets.volume == pytest.approx(0.5 * AREA, rel=1e-12)
    assert plate.corners.min(axis=0) == pytest.approx((1.0, -2.0, -0.25))
    assert plate.corners.max(axis=0) == pytest.approx((4.0, 0.0, 0.25))
    assert sum(plate.looks.sharp) == 3 * len(CORNERS)


def test_a_plate_that_stands_on_its_edge_in_the_plane_is_drawn_by_what_it_covers() -> None:
    upright = Rotation.about((1.0, 0.0, 0.0), math.pi / 2)
    pieces = drawn(plane=True, rotation=upright)[:-1]
    heights = np.concatenate([np.array(piece.corners)[:, 1] for piece in pieces])
    assert heights.min() == pytest.approx(-2.25)
    assert heights.max() == pytest.approx(-1.75)

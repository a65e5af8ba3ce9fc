"""The line of a belt: as long as the closed form says, and on both wheels."""

import math

import numpy as np
import pytest

from kempe.draw.view.picture import ARC_CORNERS, belt_line

Z = np.array([0.0, 0.0, 1.0])
WHEELS = np.array([[0.1, 0.2, 0.0], [0.9, -0.4, 0.0]])  # 1 m apart
#: A chord is shorter than its arc by the square of half the angle over six: 3e-3 of it at most.
CHORDS = 3e-3


def length(line):
    return float(np.linalg.norm(np.diff([*line, line[0]], axis=0), axis=1).sum())


@pytest.mark.parametrize("crossed", [False, True])
@pytest.mark.parametrize("radii", [(0.1, 0.3), (0.3, 0.1), (0.2, 0.2)])
def test_a_belt_is_as_long_as_its_closed_form(radii, crossed):
    """Two tangents, and the arcs pi +- 2 asin((r_i -+ r_j) / D) that they leave on the wheels."""
    r, s = radii
    reach = r + s if crossed else r - s
    lean = math.asin(reach)
    arcs = r * (math.pi + 2 * lean) + s * (math.pi + (2 if crossed else -2) * lean)
    found = length(belt_line(WHEELS, Z, radii, crossed=crossed))
    assert found == pytest.approx(2 * math.sqrt(1 - reach**2) + arcs, rel=CHORDS)


@pytest.mark.parametrize("crossed", [False, True])
def test_its_corners_lie_on_the_wheels_and_its_straights_touch_them(crossed):
    line = belt_line(WHEELS, Z, (0.1, 0.3), crossed=crossed)
    for centre, r, corners in zip(
        WHEELS, (0.1, 0.3), (line[:ARC_CORNERS], line[ARC_CORNERS:]), strict=True
    ):
        np.testing.assert_allclose(np.linalg.norm(corners - centre, axis=1), r, atol=1e-12)
    for a, b in ((ARC_CORNERS - 1, ARC_CORNERS), (-1, 0)):
        way = line[b] - line[a]
        for end, centre in ((a, WHEELS[0 if a != -1 else 1]), (b, WHEELS[1 if b else 0])):
            assert abs(way @ (line[end] - centre)) < 1e-12


@pytest.mark.parametrize(("radii", "crossed"), [((0.1, 1.2), False), ((0.5, 0.6), True)])
def test_wheels_too_large_for_a_belt_keep_the_line_of_centres(radii, crossed):
    np.testing.assert_array_equal(belt_line(WHEELS, Z, radii, crossed=crossed), WHEELS)

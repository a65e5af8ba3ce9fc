"""Faces of drawn solids close, look outwards, and hold the volume of the closed form."""

import math

import numpy as np
import pytest

from kempe.geometry.solids import facets
from kempe.geometry.solids.facets import Facets

EXACT = 1e-12


def ring(x: float, y: float, r: float, n: int = 16) -> np.ndarray:
    angles = math.tau * np.arange(n) / n
    return np.column_stack([x + r * np.cos(angles), y + r * np.sin(angles)])


def area(r: float, n: int = 16) -> float:
    """Of a regular polygon with n corners at a distance r from its middle."""
    return 0.5 * n * r * r * math.sin(math.tau / n)


def open_edges(made: Facets) -> set[tuple[int, int]]:
    """Edges of triangles that are not run along once each way."""
    edges = [(a, b) for t in made.triangles.tolist() for a, b in zip(t, t[1:] + t[:1], strict=True)]
    assert len(set(edges)) == len(edges)
    return {(a, b) for a, b in edges if (b, a) not in set(edges)}


ELL = np.array([[0, 0], [10, 0], [10, 4], [4, 4], [4, 10], [0, 10]], float)
TUBE = np.array([[1, 0], [2, 0], [2, 3], [1, 3]], float)
HOLES = [ring(2, 2, 1.0), ring(8, 2, 0.7), ring(2, 8, 1.2), ring(2, 5, 0.3)]


@pytest.mark.parametrize(
    ("made", "volume"),
    [
        (facets.box((1.0, 2.0, 3.0)), 48.0),
        (facets.drum(2.0, -1.0, 3.0, 30), 4.0 * area(2.0, 30)),
        (facets.prism(ELL, -1.0, 1.0), 2.0 * 64.0),
        (facets.prism(ELL[::-1], -1.0, 1.0), 2.0 * 64.0),
        (facets.prism(ELL, 0.0, 1.0, HOLES), 64.0 - sum(map(area, (1.0, 0.7, 1.2, 0.3)))),
        (facets.prism(ring(0, 0, 3), 0.0, 2.0, [ring(0, 0, 2)]), 2.0 * (area(3) - area(2))),
        (
            facets.lathe(TUBE, 40),
            3 * (area(2, 40) - area(1, 40)),
        ),
        (facets.lathe(np.array([[0, 0], [2, 0], [0, 3]]), 40), area(2, 40)),
    ],
)
def test_a_surface_closes_and_holds_its_volume(made, volume):
    assert made.volume == pytest.approx(volume, rel=EXACT)
    assert not open_edges(made)


def test_a_ball_of_many_faces_nears_the_sphere():
    """The error falls with the square of the number of faces."""
    errors = [4.0 / 3.0 * math.pi - facets.ball(1.0, n).volume for n in (20, 40, 80)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.02)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.02)


def test_normals_of_a_convex_solid_look_away_from_its_middle():
    for made in (facets.box((1, 2, 3)), facets.drum(1, -1, 1), facets.ball(2)):
        middles = np.array([made.points[list(f)].mean(axis=0) for f in made.faces])
        assert (np.einsum("fi,fi->f", middles, made.normals) > 0.0).all()

"""The nearest points of sampled curves, against circles and ellipses in closed form."""

import numpy as np

from kempe.design.fitting.curve_distance import nearest


def ellipse(t, a, b):
    """Places, rates and accelerations of (a cos t, b sin t), (1, n, 2) each."""
    c, s = np.cos(t), np.sin(t)
    orders = ((a * c, b * s), (-a * s, b * c), (-a * c, -b * s))
    return tuple(np.column_stack(pair)[None] for pair in orders)


def test_distances_from_a_circle_are_radii():
    t = np.linspace(0.0, 2.0 * np.pi, 73)
    points = np.random.default_rng(2).normal(0.0, 2.0, (50, 2))
    off, when = nearest(ellipse(t, 1.0, 1.0), t[1], points)
    distance = np.linalg.norm(off[0], axis=1)
    assert np.abs(distance - np.abs(np.linalg.norm(points, axis=1) - 1.0)).max() < 1e-9
    angle = np.arctan2(points[:, 1], points[:, 0])
    assert np.abs(np.angle(np.exp(1j * (when[0] * t[1] - angle)))).max() < 1e-7


def test_an_offset_is_square_to_an_ellipse():
    t = np.linspace(0.0, 2.0 * np.pi, 121)
    points = np.random.default_rng(3).normal(0.0, 1.5, (40, 2))
    off, when = nearest(ellipse(t, 2.0, 1.0), t[1], points)
    at = when[0] * t[1]
    tangent = np.column_stack([-2.0 * np.sin(at), np.cos(at)])
    assert np.abs((off[0] * tangent).sum(axis=1)).max() < 1e-7
    fine = np.linspace(0.0, 2.0 * np.pi, 20001)
    curve = np.column_stack([2.0 * np.cos(fine), np.sin(fine)])
    brute = np.array([np.linalg.norm(curve - p, axis=1).min() for p in points])
    assert np.abs(np.linalg.norm(off[0], axis=1) - brute).max() < 1e-5  # of the grid

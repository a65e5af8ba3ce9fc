"""Scalars at one configuration and their derivatives."""

import math

import numpy as np

import kempe
from kempe.equations import equations_of
from kempe.geometry import Marker
from kempe.kinematics.observe.observation import Gradient

# Central differences of 1e-6 leave about 1e-10.
DIFFERENCE = 1e-8


def test_the_gradient_of_a_point_is_that_of_a_turned_arm() -> None:
    layout = kempe.gallery.four_bar().layout
    point = Gradient(
        layout, [Marker("coupler", (2.0, 1.0, 0.0))], lambda X: list(X[0].position)[:2]
    )
    q = np.array([0.0, 0.0, 0.3, 1.0, 0.5, 0.7, 4.0, 0.0, 1.9])
    values, G = point(q)
    c, s = math.cos(0.7), math.sin(0.7)
    np.testing.assert_allclose(values, [1.0 + 2 * c - s, 0.5 + 2 * s + c], rtol=1e-14)
    expected = np.zeros((2, 9))
    expected[:, 3:6] = [[1.0, 0.0, -2 * s - c], [0.0, 1.0, 2 * c - s]]
    np.testing.assert_allclose(G, expected, atol=1e-14)


def test_the_gradient_in_space_is_the_derivative_along_twists(rng) -> None:
    layout = kempe.gallery.four_bar(plane=False).layout
    markers = [Marker("coupler", (0.4, 1.0, 0.2)), Marker("rocker", (0.3, -0.5, 0.1))]
    apart = Gradient(layout, markers, lambda X: [(X[0].position - X[1].position).norm])
    program = equations_of(layout).program
    q = rng.normal(size=layout.n_q)
    for body in range(layout.n_bodies):
        own = q[7 * body + 3 : 7 * body + 7]
        own /= np.linalg.norm(own)
    _, G = apart(q)
    for column in range(layout.n_v):
        d = np.zeros(layout.n_v)
        d[column] = 1e-6
        ahead, behind = (apart(program.retract(q, s * d))[0] for s in (1.0, -1.0))
        assert abs((ahead - behind)[0] / 2e-6 - G[0, column]) < DIFFERENCE

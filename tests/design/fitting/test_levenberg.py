"""Levenberg and Marquardt's method side by side, against known minima."""

import itertools

import numpy as np
from scipy.optimize import least_squares

from kempe.design.fitting.levenberg import steps


def last(residuals, starts):
    return list(itertools.islice(steps(residuals, starts), 300))[-1]


def banana(u):
    x, y = 4.0 * u[:, 0] - 2.0, 4.0 * u[:, 1] - 2.0
    return np.column_stack([10.0 * (y - x * x), 1.0 - x])


def test_all_starts_come_to_rosenbrocks_minimum():
    starts = np.random.default_rng(0).uniform(0.0, 1.0, (12, 2))
    front = last(banana, starts)
    assert np.abs(front.u - 0.75).max() < 1e-6


def test_a_minimum_on_a_bound_is_that_of_scipy():
    def residuals(u):
        return np.column_stack([u[:, 0] + 0.3, u[:, 1] - 0.4 + u[:, 0], np.sin(3 * u[:, 1])])

    front = last(residuals, np.array([[0.9, 0.9]]))
    other = least_squares(lambda x: residuals(x[None])[0], [0.9, 0.9], bounds=(0, 1), xtol=1e-14)
    assert np.abs(front.u[0] - other.x).max() < 1e-6
    assert front.u[0, 0] == 0.0


def test_a_start_that_fails_stays_and_others_go_on():
    def residuals(u):
        r = u - 0.25
        r[u[:, 0] > 0.8] = np.nan
        return r

    front = last(residuals, np.array([[0.9, 0.5], [0.6, 0.5]]))
    assert front.squares[0] == np.inf
    assert front.squares[1] < 1e-20

"""The worked examples of Sung's thesis, printed and recomputed.

Source: Sung 1989, ch. V: [Sung] tables 5.1 to 5.3. Rows are x, y, angle of each body. The thesis
prints eight digits; at t = 0.025 its Newton iteration stopped early, and the seventh digit is off.
`recomputed` figures are from an independent Newton solver in Cartesian coordinates.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import kempe

PRINTED = 6e-8  # relative: eight printed digits
PRINTED_EARLY = 1e-6  # relative: the four-bar at t = 0.025
RECOMPUTED = 1e-10  # relative; residuals below 1e-13 there and here

#: By mechanism and time: rows of each body as printed (null where the text has lost a figure) and
#: as recomputed, and of the point P as recomputed.
TABLES = json.loads(Path(__file__).with_name("sung.json").read_text(encoding="utf-8"))
TIMES = [
    pytest.param(name, table, float(t), id=f"{name} at {t} s")
    for name, tables in TABLES.items()
    for t, table in tables.items()
]


def moved(name, t, **options):
    """The mechanism of the gallery at time t (or at its start)."""
    mechanism = kempe.gallery.MECHANISMS[name]()
    turn = mechanism.kinematics(until=t or 0.01, steps=1, **options)
    assert turn.outcome.is_done
    return turn, 0 if t == 0.0 else -1


def of_body(turn, body, k):
    """Rows position, velocity, acceleration of x, y, angle."""
    origin, angle = turn[body], turn[f"{body}.angle"]
    return np.array(
        [
            [*origin.position[k], angle.values[k]],
            [*origin.velocity[k], angle.rate[k]],
            [*origin.acceleration[k], angle.acceleration[k]],
        ]
    )


def check(found, expected, relative):
    """Equal to so many digits of each figure; a zero to as many of its row's largest."""
    expected = np.array(expected, dtype=float)  # a lost figure is NaN
    known = ~np.isnan(expected)
    row = np.nanmax(np.abs(expected), axis=1, keepdims=True)
    allowed = relative * np.where(expected == 0.0, np.maximum(row, 1.0), np.abs(expected))
    difference = np.abs(found - expected)
    assert (difference[known] <= allowed[known]).all(), (found, expected)


@pytest.mark.row("E4")
@pytest.mark.parametrize(("name", "table", "t"), TIMES)
def test_the_printed_figures_are_reproduced(name, table, t):
    turn, k = moved(name, t)
    digits = PRINTED_EARLY if t == 0.025 else PRINTED
    for body, rows in table["printed"].items():
        check(of_body(turn, body, k), rows, digits)


@pytest.mark.row("E1")
@pytest.mark.parametrize(("name", "table", "t"), TIMES)
@pytest.mark.parametrize("plan", ["small", "large"])
def test_the_recomputed_figures_are_reproduced(name, table, t, plan):
    turn, k = moved(name, t, plan=plan)
    for body, rows in table["recomputed"].items():
        check(of_body(turn, body, k), rows, RECOMPUTED)


@pytest.mark.row("E2")
@pytest.mark.parametrize(("t", "table"), TABLES["sung_four_bar"].items())
def test_the_point_of_interest_moves_as_recomputed(t, table):
    turn, k = moved("sung_four_bar", float(t))
    P = turn["body3.P"]
    found = np.array([P.position[k], P.velocity[k], P.acceleration[k]])
    check(found, table["P"], RECOMPUTED)

"""Closing loops: the dense and the sparse search agree, and what is held stays."""

import numpy as np
import pytest

import kempe
from kempe.equations import equations_of
from kempe.kinematics.closing.closing import close, close_sparse
from kempe.kinematics.closing.placement import first_guess
from kempe.kinematics.closing.winding import initial_turns
from kempe.kinematics.laws.drive_laws import law_rate
from kempe.results.state import State

pytestmark = pytest.mark.core

SAME_PLACE = 1e-9  # both end where Newton's last step is below 1e-7


@pytest.fixture(params=["four_bar", "jansen", "bennett", "stewart"])
def case(request):
    """Equations, and a guess a little off."""
    layout = kempe.gallery.MECHANISMS[request.param]().layout
    equations = equations_of(layout)
    q = close(equations, first_guess(layout, 0, 0.0), 0.0).q
    d = np.random.default_rng(2).normal(size=layout.n_v) * 0.02
    return equations, equations.program.retract(q, d / layout.step_weights)


def test_the_sparse_search_ends_where_the_dense_one_does(case):
    equations, q = case
    dense = close(equations, q, 0.0)
    start = State(0.0, q, turns=initial_turns(equations, 0.0, q))
    rows, columns = equations.row_weights, 1.0 / equations.step_weights
    sparse = close_sparse(equations, start, rows, columns)
    assert dense.is_closed
    assert sparse.is_closed
    assert sparse.q == pytest.approx(dense.q, abs=SAME_PLACE)


def test_what_is_held_stays_to_the_last_bit(case):
    equations, q = case
    layout = equations.layout
    held = np.zeros(layout.n_v, dtype=bool)
    held[: layout.chart.n_v] = True
    there = close(equations, q, 0.0, held=held)
    assert there.q[: layout.chart.n_q] == pytest.approx(q[: layout.chart.n_q], abs=1e-15)
    assert not np.array_equal(there.q, q)


def test_a_stationary_misfit_has_no_slope_left():
    layout = kempe.gallery.four_bar(crank=1, coupler=1, rocker=1, ground=4).layout
    end = close(equations_of(layout), first_guess(layout, 0, 0.0), 0.0)
    assert not end.is_closed
    assert end.is_stationary


def test_the_rate_of_a_law_is_its_derivative():
    drive = kempe.gallery.sarrus().model.drives[0]
    h = 1e-6
    difference = (drive.law.value(0.3 + h) - drive.law.value(0.3 - h)) / (2 * h)
    assert law_rate(drive.law, 0.3) == pytest.approx(float(difference), rel=1e-7)


def test_a_chain_of_2500_bars_without_a_guess_is_put_together():
    """Its coordinates are rounded by more than a tenth of what counts as closed for one bar."""
    m = kempe.Builder("chain", plane=True)
    end = m.ground.at(0, 0)
    for k in range(2500):
        bar = m.bar(f"bar{k}", 1.0)
        m.revolute(end, bar.start)
        end = bar.end
    layout = m.build().layout
    q = first_guess(layout, 0, 0.0)
    found = close(equations_of(layout), q, 0.0)
    assert found.is_closed
    assert found.iterations <= 3
    reach = np.abs(found.q).max()
    tips = found.q.reshape(-1, 3)
    gaps = tips[:-1, :2] + np.column_stack([np.cos(tips[:-1, 2]), np.sin(tips[:-1, 2])])
    assert np.abs(gaps - tips[1:, :2]).max() <= 8.0 * np.finfo(float).eps * reach


def loop_of_bars(count, reach):
    """Bars of 1 m from the origin to a place that is this share of their length away."""
    m = kempe.Builder("loop", plane=True)
    end = m.ground.at(0, 0)
    for k in range(count):
        bar = m.bar(f"bar{k}", 1.0)
        m.revolute(end, bar.start)
        end = bar.end
    m.revolute(end, m.ground.at(reach * count, 0))
    return m.build()


def test_a_loop_of_two_hundred_bars_is_put_together():
    start = loop_of_bars(200, 0.6).assemble()
    angles = np.array([start[f"bar{k}.angle"] for k in range(200)])
    tip = [np.cos(angles).sum(), np.sin(angles).sum()]
    assert tip == pytest.approx([120.0, 0.0], abs=SAME_PLACE)


def test_a_long_loop_that_is_too_short_is_told_in_a_few_lines():
    with pytest.raises(kempe.KempeError, match="reach only 140 m") as told:
        loop_of_bars(140, 1.1).assemble()
    assert len(str(told.value)) < 600

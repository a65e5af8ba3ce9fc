"""Elimination body by body finds the rank, and what the rows allow, as a full matrix does."""

import numpy as np
import pytest

import kempe
from kempe.equations import equations_of
from kempe.equations.rank import sparse_rows
from kempe.kinematics.drag.drag import released

NOTHING = 1e-9  # of rows of length 1: rounding leaves 1e-15 of a row that repeats others
NAMES = sorted(kempe.gallery.MECHANISMS)


@pytest.mark.parametrize("name", NAMES)
def test_the_rank_of_every_mechanism_of_the_gallery_is_that_of_its_full_matrix(name):
    mechanism = kempe.gallery.MECHANISMS[name]()
    free = released(mechanism.layout, 0.0)
    equations, layout = free.equations, free.equations.layout
    if not equations.program.shape.rows:
        return
    J = equations.scaled_jacobian(free.start)
    J = J / np.maximum(np.linalg.norm(J, axis=1), 1e-300)[:, None]
    rows = sparse_rows(equations, free.start)
    rank = np.linalg.matrix_rank(J, NOTHING)
    assert len(rows.kept) == rank
    assert sorted((*rows.kept, *rows.redundant)) == list(range(len(J)))
    assert np.linalg.matrix_rank(J[list(rows.kept)], NOTHING) == rank
    assert len(rows.free) == layout.n_v - rank
    motions = [rows.motion(mix) for mix in np.eye(len(rows.free))]
    for motion in motions:
        assert np.abs(J @ motion).max() <= NOTHING * np.abs(motion).max()
    if motions:
        assert np.linalg.matrix_rank(np.array(motions)) == len(motions)


def chain(n):
    """Bars in a row, each hinged to the one before."""
    m = kempe.Builder("chain", plane=True)
    end, x, y = m.ground.at(0, 0), 0.0, 0.0
    for k in range(n):
        angle = 0.3 * (-1) ** k
        bar = m.bar(f"bar{k}", 1.0, at=(x, y), angle=angle)
        m.revolute(end, bar.start)
        end, x, y = bar.end, x + np.cos(angle), y + np.sin(angle)
    return m.build()


def work(n):
    """Multiplications of the elimination of a chain, about."""
    layout = chain(n).layout
    free = released(layout, 0.0)
    rows = sparse_rows(equations_of(layout), free.start)
    assert len(rows.kept) == 2 * n
    return sum(step.A.size * len(step.given) for step in rows.steps)


def test_the_work_on_a_chain_grows_with_its_length():
    assert work(400) <= 2.1 * work(200)


def test_a_thousand_bars_are_checked_and_told_in_a_few_sentences():
    report = chain(1000).check()
    assert report.mobility == report.mobility_at_start == 1000
    assert not report.redundant_rows
    assert "So it is with 994 more motions" in str(report)

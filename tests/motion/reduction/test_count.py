"""The count before solving: what is free, settled and too much, by name."""

import numpy as np
import pytest

import kempe
from kempe.geometry.curves import Circle
from kempe.motion.reduction.count import matching


@pytest.mark.parametrize(
    ("name", "unknowns", "equations", "verdict"),
    [
        ("barton_piston", 2, 1, "well-defined"),
        ("barton_chain", 6, 4, "underconstrained"),
        ("barton_well_defined", 6, 5, "well-defined"),
        ("barton_two_tracks", 4, 3, "well-defined"),
        ("barton_stuck", 3, 3, "stuck"),
        ("barton_stretching_bar", 5, 4, "well-defined"),
        ("barton_converter", 3, 2, "well-defined"),
    ],
)
def test_the_figures_are_counted_as_their_captions_say(name, unknowns, equations, verdict):
    count = getattr(kempe.gallery, name)().count()
    assert (len(count.unknowns), len(count.constraints)) == (unknowns, equations)
    assert count.verdict == verdict
    assert count.freedom == unknowns - equations


def test_too_many_bars_in_one_place_are_named_though_the_sum_is_right():
    """Three bars hold P, which needs two; Q and R have one too few: the whole counts 1."""
    m = kempe.Builder("uneven", plane=True)
    P, Q, R = (m.point(n) for n in "PQR")
    for k, (x, y) in enumerate([(0, 0), (1, 0), (0, 1)]):
        m.stick(f"hold{k}", m.ground.at(x, y), P, 1.0)
    m.stick("QR", Q, R, 1.0)
    m.stick("swing", m.ground.at(3, 0), Q, 1.0)
    count = m.build().count()
    assert count.freedom == 1
    assert count.verdict == "overconstrained"
    (over,) = count.over
    assert over.constraints == ("hold0", "hold1", "hold2")
    assert over.unknowns == ("P.x", "P.y")
    assert over.freedom == -1
    (under,) = count.under
    assert set(under.unknowns) == {"Q.x", "Q.y", "R.x", "R.y"}
    assert under.freedom == 2
    assert "hold2" in str(count)


def test_what_hangs_on_a_settled_part_is_settled_apart():
    m = kempe.Builder("settled", plane=True)
    P, Q = m.point("P"), m.point("Q", on=Circle((3, 0), 1.0))
    m.stick("a", m.ground.at(0, 0), P, 1.0)
    m.stick("b", m.ground.at(1, 0), P, 1.0)
    m.stick("c", P, Q, 2.5)
    count = m.build().count()
    assert count.freedom == 0
    assert not count.over
    assert not count.under
    assert sum(len(part.unknowns) for part in count.well) == 3


def test_the_domains_are_those_of_the_curves():
    (p, q) = kempe.gallery.barton_piston().count().unknowns
    assert (p.low, p.high, p.is_closed) == (-4.5, 4.5, False)
    assert (q.low, q.high, q.is_closed) == (0.0, 2 * np.pi, True)


def test_a_matching_is_as_large_as_can_be():
    """Against every choice of rows and unknowns, on 60 random patterns of up to 6 by 6."""
    rng = np.random.default_rng(7)
    for _ in range(60):
        m, n = rng.integers(1, 7, 2)
        pattern = rng.random((m, n)) < 0.4
        row_of, column_of = matching([set(np.flatnonzero(r).tolist()) for r in pattern], int(n))
        pairs = [(r, c) for r, c in enumerate(column_of) if c >= 0]
        assert all(pattern[r, c] and row_of[c] == r for r, c in pairs)
        generic = np.linalg.matrix_rank(pattern * rng.normal(size=(m, n)))
        assert len(pairs) == generic


def test_bodies_are_counted_too():
    count = kempe.gallery.four_bar().count()
    assert count.freedom == 1
    assert count.verdict == "well-defined"

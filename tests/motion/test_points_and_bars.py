"""Points, bars and curves: what a user asks, against closed forms and dense sampling."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadConnection, BadNumber, UnknownName
from kempe.geometry.curves import BSpline, Circle, Ellipse, Helix, Line, Polyline
from kempe.results.maps.certificate import Promise

#: Rows of samples: the solver promises a tube, which is far narrower than this.
TUBE = 1e-9

BARTON = {
    "barton_piston": 2,
    "barton_well_defined": 4,
    "barton_two_tracks": 4,
    "barton_stretching_bar": 2,
    "barton_tangent": 1,
    "barton_converter": 2,
}


def xy(samples, mechanism, name):
    k = mechanism.layout.body_index[name]
    return samples.q[:, 3 * k : 3 * k + 2]


@pytest.mark.row("B1")
@pytest.mark.parametrize("name", BARTON)
def test_the_seed_s_figures_have_their_loops_all_of_them(name):
    found = getattr(kempe.gallery, name)().motions()
    assert found.outcome is Promise.COMPLETE
    assert [c.closed for c in found.components] == [True] * BARTON[name]


def test_the_stuck_figure_has_finitely_many_placements_and_one_is_its_own():
    mechanism = kempe.gallery.barton_stuck()
    found = mechanism.assemblies()
    assert found.outcome is Promise.COMPLETE
    assert len(found) == 2
    own = np.concatenate(
        [mechanism.layout.chart.coordinates(b.guess) for b in mechanism.model.moving]
    )
    assert min(np.abs(state.q - own).max() for state in found) < TUBE


def test_a_converter_keeps_its_angle_and_its_bar_along_both_loops():
    mechanism = kempe.gallery.barton_converter()
    for component in mechanism.motions().components:
        samples = component.sample(0.05)
        blue, yellow, white = (xy(samples, mechanism, n) for n in ("blue", "yellow", "white"))
        pink = np.array([3.0, 3.5])
        np.testing.assert_allclose(np.linalg.norm(blue - yellow, axis=1), 3.5, atol=TUBE)
        u, v = pink - yellow, white - pink
        cosine = (u * v).sum(axis=1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)
        np.testing.assert_allclose(cosine, math.cos(math.pi / 6), atol=TUBE)
        np.testing.assert_allclose(np.linalg.norm(yellow, axis=1), 1.0, atol=TUBE)


def test_a_stretching_bar_touches_its_circle_all_along():
    mechanism = kempe.gallery.barton_stretching_bar()
    for component in mechanism.motions().components:
        samples = component.sample(0.05)
        P, Q = (xy(samples, mechanism, n) for n in "PQ")
        u, w = Q - P, np.array([2.5, 0.0]) - P
        distance = np.abs(u[:, 0] * w[:, 1] - u[:, 1] * w[:, 0]) / np.linalg.norm(u, axis=1)
        np.testing.assert_allclose(distance, 0.6, atol=TUBE)


@pytest.mark.row("B7")
def test_two_tracks_are_counted_as_a_dense_sweep_counts_them():
    """|C(s) - E(t)| = d over a torus of 400 x 400: its level lines, each twice for both sides."""
    s, t = np.meshgrid(np.linspace(0, math.tau, 400), np.linspace(0, math.tau, 400))
    x = 4.0 + 1.5 * np.cos(t) - np.cos(s)
    y = 0.8 * np.sin(t) - np.sin(s)
    apart = math.sqrt(2.5**2 + 2.2**2 - 2 * 2.5 * 2.2 * math.cos(1.8))
    inside = np.hypot(x, y) < apart
    from scipy.ndimage import label

    changes = np.zeros_like(inside)
    for axis in (0, 1):
        changes |= inside != np.roll(inside, 1, axis=axis)
    marks, count = label(changes, structure=np.ones((3, 3)))
    for axis in (0, 1):  # the torus closes on itself
        first, last = marks.take(0, axis=axis), marks.take(-1, axis=axis)
        for a, b in {(int(a), int(b)) for a, b in zip(first, last, strict=True) if a and b}:
            if a != b:
                marks[marks == b] = a
    count = len(set(marks[marks > 0].tolist()))
    assert len(kempe.gallery.barton_two_tracks().motions()) == 2 * count


def two_points(first, second, length):
    m = kempe.Builder("two points", plane=True)
    P, Q = m.point("P", on=first), m.point("Q", on=second)
    m.stick("bar", P, Q, length)
    return m.build()


def test_a_bar_too_short_for_its_curves_is_proved_to_have_no_placement():
    found = two_points(Circle((0, 0), 1.0), Circle((5, 0), 1.0), 2.5).motions()
    assert found.outcome is Promise.COMPLETE
    assert len(found) == 0


@pytest.mark.row("B4")
def test_contradicting_bars_have_no_placement():
    m = kempe.Builder("two lengths", plane=True)
    P = m.point("P", on=Circle((0, 0), 1.0))
    Q = m.point("Q", on=Circle((3, 0), 1.0))
    m.stick("one", P, Q, 2.5)
    m.stick("two", P, Q, 2.6)
    found = m.build().assemblies()
    assert found.outcome is Promise.COMPLETE
    assert len(found) == 0


def test_an_open_curve_makes_arcs_that_end_where_it_ends():
    found = two_points(
        Circle((0, 0), 1.0), BSpline(((2, -2), (3, -1), (2, 0), (3, 1), (2, 2))), 2.0
    )
    arcs = found.motions()
    assert arcs.outcome is Promise.COMPLETE
    assert len(arcs) > 0
    for component in arcs.components:
        if not component.closed:
            assert {end.kind for end in component.ends} == {"limit"}
            assert all(end.limit.startswith("Q_path.t") for end in component.ends)


def test_a_polyline_is_followed_round_its_corners_or_says_where_it_is_not():
    found = two_points(Circle((0, 0), 1.0), Polyline(((4, -1), (5, 0), (4, 1))), 4.5).motions()
    assert found.outcome in (Promise.COMPLETE, Promise.COMPLETE_EXCEPT)
    assert len(found) > 0


def test_points_and_bodies_live_in_one_mechanism():
    """A crank carries a curve; a point runs along it at the end of a bar from the ground."""
    m = kempe.Builder("mixed", plane=True)
    crank = m.bar("crank", 1.0, at=(0, 0), angle=0.3)
    m.revolute(m.ground.at(0, 0), crank.start)
    P = m.point("P", at=(3.0, 1.0), on=Ellipse((3.0, 0.0), (0.8, 0.0), (0.0, 0.5)), of=crank)
    m.stick("link", m.ground.at(4.5, 0.0), P, 2.0)
    mechanism = m.build()
    found = mechanism.motions()
    assert found.outcome is Promise.COMPLETE
    assert len(found) > 0
    samples = found.components[0].sample(0.1)
    place = xy(samples, mechanism, "P")
    np.testing.assert_allclose(np.hypot(place[:, 0] - 4.5, place[:, 1]), 2.0, atol=TUBE)
    k = mechanism.layout.body_index["crank"]
    back = (place[:, 0] + 1j * place[:, 1]) * np.exp(-1j * samples.q[:, 3 * k + 2])
    off = ((back.real - 3.0) / 0.8) ** 2 + (back.imag / 0.5) ** 2
    np.testing.assert_allclose(off, 1.0, atol=TUBE)


@pytest.mark.row("B2")
def test_every_word_of_a_stick_holds_what_it_says():
    m = kempe.Builder("words", plane=True)
    A, B = m.point("A", at=(0.0, 0.0)), m.point("B", at=(1.0, 0.1))
    C, D = m.point("C", at=(0.1, 1.0)), m.point("D", at=(1.2, 1.1))
    first, second = m.stick("AB", A, B, 1.0), m.stick("CD", C, D, 1.1)
    first.parallel_to(second, apart=0.9)
    first.clear_of(m.ground.at(0.5, -0.4), 0.4)
    first.off(Circle((0.5, 3.0), 0.5), 2.4)
    names = {type(j).__name__ for j in m.build().model.joints}
    assert {"BarsApart", "PointFromBar", "BarOffCurve", "Rod", "NoRotation"} <= names
    line = first.angle_to(second, "30 deg", oriented=False)
    assert type(line.joint).__name__ == "LineAngle"
    assert type(first.parallel_to(second).joint).__name__ == "BarsParallel"
    with pytest.raises(BadNumber, match="between 0 and pi"):
        first.angle_to(second, 0.0)


def test_the_length_of_a_flexible_bar_can_be_read():
    trajectory = kempe.gallery.barton_stretching_bar().kinematics(until=1.0, steps=50)
    lengths = trajectory["bar.length"].values
    apart = trajectory["P"].position - trajectory["Q"].position
    np.testing.assert_allclose(lengths, np.linalg.norm(apart, axis=1), atol=1e-12)
    assert np.ptp(lengths) > 1e-3


def test_a_sweep_that_runs_off_a_curve_ends_there_and_says_so():
    m = kempe.Builder("short track", plane=True)
    P = m.point("P", at=(0.5, 0.0), on=Line((0, 0), (1, 0), limits=(0.0, 1.0)))
    m.drive(P.x, start=0.5, speed=1.0)
    outcome = m.build().kinematics(until=1.0, steps=100).outcome
    assert outcome.name == "LimitReached"
    assert "P_path" in str(outcome)
    assert outcome.facts["t"] == pytest.approx(0.5, abs=0.011)


def test_a_curve_that_leaves_the_plane_is_refused():
    m = kempe.Builder("off", plane=True)
    m.point("P", on=Helix((0, 0), 1.0, 0.2, 2.0))
    with pytest.raises(BadConnection, match="leaves the plane"):
        m.build()


def test_an_unbounded_line_that_nothing_bounds_is_told():
    m = kempe.Builder("endless", plane=True)
    m.point("P", on=Line((0, 0), (1, 0)))
    with pytest.raises(kempe.KempeError, match="P_path"):
        m.build().motions()


def test_a_line_without_ends_is_bounded_by_its_bar():
    found = two_points(Circle((0, 0), 1.0), Line((0, 0), (1, 0)), 2.0).motions()
    assert found.outcome is Promise.COMPLETE
    assert [c.closed for c in found.components] == [True, True]


def test_a_bar_between_nothing_is_refused():
    m = kempe.Builder("lost", plane=True)
    with pytest.raises(BadConnection, match="places such as"):
        m.stick("bar", "P", m.ground.at(0, 0), 1.0)
    with pytest.raises(UnknownName):
        m.stick("bar", kempe.Marker("nobody"), m.ground.at(0, 0), 1.0)

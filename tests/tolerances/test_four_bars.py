"""What tolerances do to a four-bar is what its closed form says, at corners and in between."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import kempe as kp
from kempe.errors import BadNumber, GradientError, KempeError, UnknownName, UnsolvableKind

MM = 1e-3
OFF = {"crank": 0.05, "coupler": 0.1, "rocker": (-0.1, 0.02)}
PLAY = 0.04  # mm
ROUNDING = 1e-12  # m: of the closed form, whose lengths are 0.1 m
SECOND_ORDER = 0.02  # of the worst case: tolerances are a thousandth of the lengths


@kp.parametric
def four_bar(crank=30.0, coupler=90.0, rocker=70.0):
    m = kp.Builder("four-bar", plane=True, units="mm")
    first, last = m.bar("crank", crank), m.bar("rocker", rocker)
    middle = m.bar("coupler", coupler, points={"P": (45.0, 40.0)})
    m.revolute(m.ground.at(0, 0), first.start, name="A")
    m.revolute(first.end, middle.start, name="B")
    m.revolute(middle.end, last.end, name="C")
    m.revolute(last.start, m.ground.at(100, 0), name="D")
    m.drive(first.angle, rpm=60)
    return m.build()


def closed_form(t, crank, coupler, rocker, pin=(0.0, 0.0), side=1):
    """P (n, 2) in m; the pin of B lies off the crank's end by `pin` (mm, axes of the crank)."""
    angle = 2.0 * np.pi * t
    along, across = (
        np.array([np.cos(angle), np.sin(angle)]),
        np.array([-np.sin(angle), np.cos(angle)]),
    )
    B = ((crank + pin[0]) * along + pin[1] * across).T * MM
    way = np.array([100.0 * MM, 0.0]) - B
    d = np.linalg.norm(way, axis=1)
    c, r = coupler * MM, rocker * MM
    u = (d**2 + c**2 - r**2) / (2.0 * d)
    h = side * np.sqrt(c**2 - u**2)
    e = way / d[:, None]
    n = np.column_stack([-e[:, 1], e[:, 0]])
    x = (u[:, None] * e + h[:, None] * n) / c
    y = np.column_stack([-x[:, 1], x[:, 0]])
    return B + 45.0 * MM * x + 40.0 * MM * y


@pytest.fixture(scope="module")
def off():
    return four_bar().tolerances(
        OFF, ["coupler.P"], until=1.0, steps=36, clearances={"B": PLAY}, count=300, seed=3
    )["coupler.P"]


@pytest.fixture(scope="module")
def side(off):
    return min(
        (1, -1), key=lambda s: np.abs(closed_form(off.t, 30, 90, 70, side=s) - off.value).max()
    )


def some_machines(t, side):
    """P of machines at all corners, with the pin all round."""
    for a, b, c in itertools.product((-0.05, 0.0, 0.05), (-0.1, 0.0, 0.1), (-0.1, 0.0, 0.02)):
        for turn in np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False):
            pin = PLAY * np.cos(turn), PLAY * np.sin(turn)
            yield closed_form(t, 30 + a, 90 + b, 70 + c, pin, side)


def test_proved_bounds_hold_for_every_corner_and_are_hardly_wider_than_what_they_reach(off, side):
    assert off.is_proved
    reached = np.array(list(some_machines(off.t, side)))
    assert (reached >= off.low - ROUNDING).all()
    assert (reached <= off.high + ROUNDING).all()
    most, least = reached.max(axis=0), reached.min(axis=0)
    width = off.above - off.under
    assert (off.high - most <= SECOND_ORDER * width).all()
    assert (least - off.low <= SECOND_ORDER * width).all()


def test_the_worst_case_to_first_order_is_that_of_corners_but_for_the_second_order(off, side):
    reached = np.array(list(some_machines(off.t, side)))
    width = off.above - off.under
    assert (np.abs(reached.max(axis=0) - off.value - off.above) <= SECOND_ORDER * width).all()
    assert (np.abs(reached.min(axis=0) - off.value - off.under) <= SECOND_ORDER * width).all()


def test_machines_that_are_drawn_are_those_of_the_closed_form():
    found = four_bar().tolerances(
        OFF, ["coupler.P"], until=1.0, steps=6, clearances={"B": PLAY}, count=20, seed=1
    )
    off, columns = found["coupler.P"], found.columns
    pins = [columns[f"play of B: {axis}"] / MM for axis in "xy"]
    assert np.hypot(*pins) == pytest.approx(PLAY, rel=1e-12)
    side = min(
        (1, -1), key=lambda s: np.abs(closed_form(off.t, 30, 90, 70, side=s) - off.value).max()
    )
    for k, own in enumerate(off.drawn):
        lengths = [n + columns[name][k] for name, n in zip(OFF, (30, 90, 70), strict=True)]
        true = closed_form(off.t, *lengths, (pins[0][k], pins[1][k]), side)
        assert np.abs(own - true).max() < 1e-10  # m


def test_standard_deviations_by_gradients_are_those_of_many_machines():
    given = {"crank": stats.norm(0.0, 0.02), "rocker": stats.uniform(-0.05, 0.1)}
    off = four_bar().tolerances(given, ["rocker.angle"], until=1.0, steps=12, count=4000)[
        "rocker.angle"
    ]
    assert off.std == pytest.approx(off.sigma, rel=0.06)  # 1 / sqrt(2 * 4000) is 0.011
    assert off.low is None  # a normal distribution has no bounds


def test_forces_have_a_worst_case_and_no_proof():
    off = kp.gallery.four_bar().tolerances(
        {"crank": 0.01}, ["transmission.angle", "rocker.angle"], until=1.0, steps=8, count=10
    )
    assert off["transmission.angle"].low is None
    assert off["rocker.angle"].is_proved
    assert any("transmission.angle" in note for note in off.notes)
    with pytest.raises(BadNumber, match="no machines were drawn"):
        off["transmission.angle"].quantile(0.5)


def test_tolerances_that_are_too_wide_are_said_to_be_unproved():
    off = four_bar().tolerances({"crank": 12.0}, ["coupler.P"], until=1.0, steps=12, count=0)
    spread = off["coupler.P"]
    assert not spread.is_proved
    assert np.isinf(spread.low).any()
    assert "too wide" in off.notes[-1]


def test_the_end_of_a_rod_in_space_has_play_in_three_ways_and_no_proof():
    rssr = kp.gallery.rssr()
    off = rssr.tolerances({}, ["rocker.angle"], 0.5, 8, clearances={"rod": 1e-3}, count=40)
    assert len(off.columns) == 3
    assert off["rocker.angle"].low is None
    assert (off["rocker.angle"].std <= off["rocker.angle"].worst).all()


@pytest.mark.parametrize(
    ("given", "kind", "said"),
    [
        ({"parameters": {"crnk": 0.1}}, UnknownName, "crank"),
        ({"parameters": {"crank": "0.1 mm"}}, BadNumber, "without a unit"),
        ({"parameters": {"crank": np.nan}}, BadNumber, "finite"),
        ({"parameters": {"crank": (0.1, 0.2)}}, BadNumber, "must hold 0"),
        ({"parameters": {}}, BadNumber, "what is off"),
        ({"clearances": {"Q": 0.1}}, UnknownName, "'Q'"),
        ({"clearances": {"B": -0.1}}, BadNumber, "positive"),
        ({"parameters": {"crank": 0.1}, "spread": "gauss"}, UnknownName, "spread"),
        ({"parameters": {"crank": 0.1}, "count": 1}, BadNumber, "count"),
        ({"parameters": {"crank": 0.1}, "of": []}, BadNumber, "outputs"),
        ({"parameters": {"crank": 0.1}, "seed": -1}, BadNumber, "`seed` is a whole number"),
        ({"parameters": {"crank": 0.1}, "count": 2.5}, BadNumber, "`count` is a whole number"),
        ({"parameters": {"crank": stats.norm(0.0, np.nan)}}, BadNumber, "make no distribution"),
    ],
)
def test_what_means_nothing_is_refused_in_words(given, kind, said):
    asked = {"parameters": {}, "of": ["coupler.P"], "until": 1.0, "steps": 4, **given}
    with pytest.raises(kind, match=said):
        four_bar().tolerances(**asked)


def test_shares_of_machines_are_between_0_and_1(off):
    with pytest.raises(BadNumber, match=r"between 0 and 1, not 1\.5"):
        off.quantile(1.5)
    least = off.drawn.min(axis=0)
    assert (off.quantile(np.array([0.0, 1.0]))[0] == least).all()


def test_where_no_machine_comes_there_is_no_spread_and_no_warning(off, recwarn):
    lost = replace(off, drawn=np.full((3, *off.value.shape), np.nan))
    assert np.isnan(lost.std).all()
    assert np.isnan(lost.quantile(0.5)).all()
    assert not len(recwarn)


def test_a_motion_that_ends_early_as_designed_is_refused():
    with pytest.raises(GradientError, match="as it is designed"):
        four_bar(crank=65.0).tolerances({"crank": 0.1}, ["coupler.P"], until=1.0)


def test_a_slider_has_no_play_of_one_number():
    crank = kp.gallery.slider_crank()
    slide = next(j.name for j in crank.model.joints if j.ways(plane=True).kind.name == "SLIDER")
    with pytest.raises(UnsolvableKind, match="no hinge"):
        crank.tolerances({}, ["slider.x"], until=1.0, clearances={slide: 0.1})


def test_what_it_says_pickles():
    import pickle

    found = four_bar().tolerances({"crank": 0.1}, ["coupler.P"], until=1.0, steps=4, count=5)
    assert str(pickle.loads(pickle.dumps(found))) == str(found)
    assert isinstance(UnknownName("x"), KempeError)

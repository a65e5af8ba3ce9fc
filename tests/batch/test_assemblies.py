"""Batches of assemblies: many variants put together at once, against closed forms."""

import numpy as np
import pytest

import kempe as kp
from kempe.errors import BadNumber, UnknownName

EXACT = 1e-11  # rad: what closing leaves


@kp.parametric
def four_bar(crank=30.0, coupler=90.0, rocker=70.0, ground=100.0):
    m = kp.Builder("four-bar", plane=True, units="mm")
    first, last = m.bar("crank", crank), m.bar("rocker", rocker, angle="100 deg")
    middle = m.bar("coupler", coupler)
    m.revolute(m.ground.at(0, 0), first.start)
    m.revolute(first.end, middle.start)
    m.revolute(middle.end, last.end)
    m.revolute(last.start, m.ground.at(ground, 0))
    m.drive(first.angle, start="40 deg", rpm=60)
    return m.build()


def rockers(crank, angle, side, coupler=90.0, rocker=70.0, ground=100.0):
    """The angle of the rocker by two circles."""
    B = crank * np.exp(1j * angle)
    gap = B - ground
    d = np.abs(gap)
    x = (rocker**2 - coupler**2 + d * d) / (2 * d)
    return np.angle(gap / d * (x + 1j * side * np.sqrt(rocker**2 - x * x)))


def same(one, other):
    return np.abs(np.sin(0.5 * (one - other))).max()


def side_of(made):
    found = made.assemble(at=0.0)["rocker.angle"]
    return min((1, -1), key=lambda s: same(rockers(30.0, np.radians(40.0), s), found))


def test_variants_stand_where_two_circles_meet_on_the_branch_of_the_mechanism():
    made = four_bar()
    crank = np.linspace(20.0, 35.0, 300)
    found = made.batch({"crank": crank}, outputs=["rocker.angle"], analysis="assemblies")
    assert found["rocker.angle"].values.shape == (300, 1)
    assert found.is_done.all()
    told = rockers(crank, np.radians(40.0), side_of(made))
    assert same(found["rocker.angle"].values[:, 0], told) < EXACT


def test_measures_are_held_at_values_of_their_own_with_parameters_and_without():
    made, side = four_bar(), side_of(four_bar())
    angle, crank = np.linspace(0.0, 6.0, 200), np.linspace(22.0, 33.0, 200)
    how = {"outputs": ["rocker.angle", "crank.angle"], "analysis": "assemblies"}
    both = made.batch({"crank": crank}, start={"crank.angle": angle}, **how)
    assert np.abs(both["crank.angle"].values[:, 0] - angle).max() < EXACT
    assert same(both["rocker.angle"].values[:, 0], rockers(crank, angle, side)) < EXACT
    assert list(both.parameters) == ["crank"]
    alone = made.batch({}, start={"crank.angle": angle}, **how)
    assert same(alone["rocker.angle"].values[:, 0], rockers(30.0, angle, side)) < EXACT
    turn = both.variant(9).kinematics(until=0.01, steps=2, start=both.start(9))
    assert turn.outcome.name == "Done"


def test_the_rocker_may_be_held_in_place_of_the_crank_and_dead_points_are_told():
    """What cannot be reached is beyond where crank and coupler lie on one line."""
    made = four_bar()
    values = np.linspace(0.8, 2.8, 60)
    found = made.batch(
        {}, outputs=["crank.angle"], analysis="assemblies", start={"rocker.angle": values}
    )
    C = 100.0 + 70.0 * np.exp(1j * values)
    can = (np.abs(C) < 120.0) & (np.abs(C) > 60.0)
    assert (found.is_done == can).all()
    assert "singular position" in found.why(int(np.flatnonzero(~can)[0]))
    crank = found["crank.angle"].values[can, 0]
    assert np.abs(np.abs(C[can] - 30.0 * np.exp(1j * crank)) - 90.0).max() < 1e-9


def test_an_arm_finds_all_its_joints_at_once():
    m = kp.Builder("arm", plane=True)
    upper, lower = m.bar("upper", 1.0, angle="30 deg"), m.bar("lower", 0.6, angle="100 deg")
    hand = m.body("hand")
    m.revolute(m.ground.at(0, 0), upper.start, name="shoulder")
    m.revolute(upper.end, lower.start, name="elbow")
    m.fixed(lower.end, hand.at(0, 0))
    rng = np.random.default_rng(2)
    r, phi = rng.uniform(0.5, 1.5, 500), rng.uniform(-0.5, 2.0, 500)
    places = {"hand.x": r * np.cos(phi), "hand.y": r * np.sin(phi)}
    found = m.build().batch(
        {}, outputs=["elbow.angle", "hand"], analysis="assemblies", start=places
    )
    assert found.is_done.all()
    expected = np.arccos((r * r - 1.36) / 1.2)
    assert np.abs(found["elbow.angle"].values[:, 0] - expected).max() < 1e-10


def test_legs_of_a_platform_lead_back_to_the_places_that_they_were_found_for():
    made, of = kp.gallery.planar_platform(), ["PQ.x", "PQ.y", "PQ.angle"]
    legs = [f"leg{k}.length" for k in (1, 2, 3)]
    here, rng = made.assemble(at=0.0), np.random.default_rng(1)
    places = {name: here[name] + rng.uniform(-0.2, 0.2, 60) for name in of}
    there = made.batch({}, outputs=legs, analysis="assemblies", start=places)
    lengths = {name: there[name].values[:, 0] for name in legs}
    back = made.batch({}, outputs=of, analysis="assemblies", start=lengths)
    assert there.is_done.all()
    assert back.is_done.all()
    for name in of:
        assert np.abs(back[name].values[:, 0] - places[name]).max() < 1e-10


def test_what_makes_no_sense_is_refused():
    made, how = four_bar(), {"outputs": ["rocker.angle"], "analysis": "assemblies"}
    lengths = {"crank": [20.0, 30.0]}
    for more, kind, word in (
        ({"until": 1.0}, BadNumber, "moves nothing"),
        ({"derivatives": 1}, BadNumber, "values of what stands"),
        ({"keep": "summary"}, BadNumber, "values of what stands"),
        ({"folder": "x"}, BadNumber, "leave `folder` out"),
        ({"start": {"krank.angle": [1.0, 2.0]}}, UnknownName, "krank"),
        ({"start": {"crank.angle": [1.0]}}, BadNumber, "equally long"),
    ):
        with pytest.raises(kind, match=word):
            made.batch(lengths, **how, **more)
    with pytest.raises(BadNumber, match="parameters that vary"):
        made.batch({}, **how)

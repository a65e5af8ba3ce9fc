"""Circuits, branches and ways of linkages whose positions are known in closed form."""

import math

import numpy as np
import pytest

import kempe as kp
from kempe.drives import Ramp
from kempe.results.state import State


def _four_bar(crank, coupler, rocker, ground):
    m = kp.Builder("linkage", plane=True)
    a, b, c = m.bar("crank", crank), m.bar("coupler", coupler), m.bar("rocker", rocker)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(m.ground.at(ground, 0), c.start)
    m.revolute(b.end, c.end)
    m.drive(a.angle, Ramp(speed=1.0))
    return m.build()


def _lengths(rng):
    """Four lengths that close, and that no three or four of them make a flat linkage by a hair."""
    while True:
        r = rng.uniform(0.5, 3.0, 4)
        s, p, q, longest = np.sort(r)
        if longest < 0.97 * (s + p + q) and abs(s + longest - p - q) > 0.05:
            return [float(x) for x in r]


def _reach(a, b, c, d):
    """The crank's angles at its dead points, 0 to pi: where coupler and rocker are in one line."""
    cosines = [
        (a * a + d * d - (b + c) ** 2) / (2 * a * d),
        (a * a + d * d - (b - c) ** 2) / (2 * a * d),
    ]
    return [math.acos(x) for x in cosines if abs(x) < 1.0]


def _side(state, layout):
    """Whether coupler and rocker are bent one way or the other, seen along the diagonal."""
    _, coupler, rocker = (row[2] for row in layout.coordinates.q_by_body(state.q))
    return math.sin(rocker - coupler) > 0.0


@pytest.mark.parametrize("seed", range(40))
def test_circuits_and_branches_of_four_bars_are_those_of_grashof(seed):
    a, b, c, d = _lengths(np.random.default_rng(seed))
    found = _four_bar(a, b, c, d).circuits()
    s, p, q, longest = sorted((a, b, c, d))
    assert len(found) == (2 if s + longest < p + q else 1)
    assert found.motions.outcome == "complete"
    assert found.proved == ("crank.angle",)
    assert all(circuit.is_closed_off for circuit in found)
    stops = _reach(a, b, c, d)
    branches = [branch for circuit in found for branch in circuit.branches]
    if not stops:
        assert [branch.turns_round for branch in branches] == [True, True]
        return
    assert not any(branch.turns_round for branch in branches)
    lows = sorted(abs(math.remainder(branch.low, math.tau)) for branch in branches)
    highs = sorted(abs(math.remainder(branch.high, math.tau)) for branch in branches)
    for angle in (*lows, *highs):  # every end of a branch is a dead point
        assert min(abs(angle - stop) for stop in stops) < 1e-9
    turned = {round(branch.high - branch.low, 9) for branch in branches}
    if len(stops) == 1:  # one stop on either side of the straight line, 0 or pi in between
        due = {round(2 * stops[0], 9), round(math.tau - 2 * stops[0], 9)}
        assert turned <= due
        assert len(turned) == 1
    else:
        assert turned == {round(abs(stops[0] - stops[1]), 9)}


@pytest.mark.parametrize("seed", range(30))
def test_a_four_bar_comes_from_one_assembly_to_another_where_grashof_lets_it(seed):
    rng = np.random.default_rng(seed)
    a, b, c, d = _lengths(rng)
    linkage = _four_bar(a, b, c, d)
    s, p, q, longest = sorted((a, b, c, d))
    places = []
    while len(places) < 2:
        angle = float(rng.uniform(-math.pi, math.pi))
        diagonal = math.sqrt(a * a + d * d - 2 * a * d * math.cos(angle))
        if abs(b - c) * 1.02 < diagonal < 0.98 * (b + c):
            places.append(list(linkage.assemblies({"crank.angle": angle})))
    one = places[0][int(rng.integers(2))]
    for other in places[1]:
        way = linkage.path(one, other)
        if s + longest > p + q:  # one circuit
            assert way.is_possible
        elif s in (a, d):  # the crank turns round, and the elbow never straightens
            layout = linkage.layout
            assert way.is_possible == (_side(one, layout) == _side(other, layout))
        if not way.is_possible:
            assert way.trajectory is None
            assert "taken apart" in str(way)
            continue
        _follows(way.trajectory.motion.q, (a, b, c, d))
        assert _same(way.trajectory.motion.q[0], one.q)
        assert _same(way.trajectory.motion.q[-1], other.q)


def _same(q, other):
    at = [0, 1, 3, 4, 6, 7]
    turns = (q - other)[[2, 5, 8]] / math.tau
    return np.allclose(q[at], other[at], atol=1e-9) and np.allclose(
        turns, np.round(turns), atol=1e-9
    )


def _follows(q, lengths):
    """Every position closes, by the places of the pins, and no step is long."""
    a, b, c, d = lengths
    A, B, C = q[:, 2], q[:, 5], q[:, 8]
    x = a * np.cos(A) + b * np.cos(B) - d - c * np.cos(C)
    y = a * np.sin(A) + b * np.sin(B) - c * np.sin(C)
    assert np.hypot(x, y).max() < 1e-8
    assert np.abs(np.diff(q[:, [2, 5, 8]], axis=0)).max(initial=0.0) < 0.2


def test_a_way_passes_where_branches_meet_and_says_so():
    """A parallelogram and its crossed form meet where it lies flat, and nowhere else."""
    linkage = _four_bar(1.0, 2.0, 1.0, 2.0)
    found = linkage.assemblies({"crank.angle": "60 deg"})
    parallel, crossed = sorted(found, key=lambda s: abs(math.remainder(s.q[8] - s.q[2], math.tau)))
    way = linkage.path(parallel, crossed)
    assert way.is_possible
    assert len(way.through) == 1
    assert "1 singular place" in str(way)
    _follows(way.trajectory.motion.q, (1.0, 2.0, 1.0, 2.0))
    assert len(linkage.circuits()) == 1


def test_a_limit_cuts_a_loop_and_the_way_goes_round_the_other_side():
    """Crank and coupler are in one line where the rocker is furthest out; a limit forbids that."""
    a, b, c, d = 1.0, 3.0, 2.5, 3.2
    linkage = _four_bar(a, b, c, d)
    most = math.acos(((a + b) ** 2 + d * d - c * c) / (2 * (a + b) * d))  # of the crank, stretched
    upper = [
        max(linkage.assemblies({"crank.angle": most + turn}), key=lambda s: math.sin(s.q[8]))
        for turn in (-0.6, 0.0, 0.6)
    ]
    near, out, far = upper
    free = linkage.path(near, far).trajectory["crank.angle"].values
    assert abs(free[-1] - free[0]) == pytest.approx(1.2, abs=1e-9)
    angle = float(out.q[8])
    limits = {"rocker.angle": (angle + 0.01, angle + 2.0)}  # it stands highest on its way back
    cut = linkage.path(near, far, limits=limits).trajectory["crank.angle"].values
    assert abs(cut[-1] - cut[0]) == pytest.approx(math.tau - 1.2, abs=1e-9)


def test_a_position_of_no_assembly_is_refused():
    linkage = _four_bar(1.0, 3.0, 2.5, 3.2)
    one = linkage.assemblies({"crank.angle": 0.5})[0]
    open_ = State(0.0, one.q + 0.1)
    with pytest.raises(kp.KempeError, match="where the path ends is no position of 'linkage'"):
        linkage.path(one, open_)


def test_a_measure_that_is_named_twice_has_its_branches_once():
    bar = kp.gallery.four_bar(crank=60, coupler=50, rocker=70, ground=100, units="mm")
    assert len(bar.circuits("crank.angle", "crank.angle")[0].branches) == 2

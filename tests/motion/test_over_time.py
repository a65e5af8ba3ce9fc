"""Positions over time: branches, their births and deaths, and what is refused.

The oracles are closed forms of the four-bar and circles that are cut with each other; none of them
knows how kempe searches.
"""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

import kempe
from kempe.drives import Cycloidal, Formula, Harmonic, ModifiedSine, Piecewise, Ramp, Table
from kempe.errors import BadNumber, DriveError, UnsolvableKind
from kempe.gallery.platforms import BASE, LEGS, SIDES

pytestmark = pytest.mark.row("B8")

LENGTHS = (2.0, 3.0, 2.5, 2.2)  # crank, coupler, rocker, ground: a triple rocker
CLOSED_FORM = 1e-10  # s: a certified birth against the root of a closed form
BOUND = math.acos((2.0**2 + 2.2**2 - 0.5**2) / (2.0 * 2.0 * 2.2))  # rad, where two bars lie folded
COUNTED = 40_000  # angles of the first leg at which the others are looked at


def four_bar(law, *, plane=True):
    crank, coupler, rocker, ground = LENGTHS
    bar = kempe.gallery.four_bar(
        crank=crank, coupler=coupler, rocker=rocker, ground=ground, plane=plane
    )
    drive = replace(bar.model.drives[0], law=law)
    return kempe.Mechanism(replace(bar.model, drives=(drive,)))


def is_open(angle):
    """Whether the crank of the four-bar stands where coupler and rocker reach each other."""
    return math.cos(angle) < math.cos(BOUND)


def test_births_and_deaths_are_where_coupler_and_rocker_fold():
    swing = Harmonic(amplitude=6.0, frequency=0.4)
    found = four_bar(swing).timeline(0.0, 3.0)
    assert (str(found.outcome), found.is_proved) == ("complete", True)
    times = np.linspace(0.0, 3.0, 3001)
    states = [is_open(float(swing.value(t))) for t in times]
    changes = [k for k in range(3000) if states[k] != states[k + 1]]
    roots = [
        brentq(
            lambda t: math.cos(float(swing.value(t))) - math.cos(BOUND),
            times[k],
            times[k + 1],
            xtol=1e-14,
        )
        for k in changes
    ]
    assert len(roots) == 5
    assert [e.t for e in found.events] == pytest.approx(roots, abs=CLOSED_FORM)
    assert [e.is_birth for e in found.events] == [states[k + 1] for k in changes]
    assert all(e.radius < CLOSED_FORM and e.position is not None for e in found.events)
    for t in (0.01, 0.4, 1.0, 1.3, 2.2, 2.9):
        assert found.count(t) == 2 * is_open(float(swing.value(t)))


def test_every_sample_follows_the_law_and_closes_the_loop():
    swing = Harmonic(amplitude=2.0, frequency=0.5, mean=3.0)
    mechanism = four_bar(swing)
    for branch in mechanism.timeline(0.0, 1.0).branches:
        crank, coupler, rocker = branch.q[:, 2], branch.q[:, 5], branch.q[:, 8]
        turned = crank - np.array([float(swing.value(t)) for t in branch.t])
        assert np.abs(np.exp(1j * turned) - 1.0).max() < 1e-9
        tip = 2.0 * np.exp(1j * crank) + 3.0 * np.exp(1j * coupler)
        assert np.abs(tip - 2.2 - 2.5 * np.exp(1j * rocker)).max() < 1e-9
        assert (np.diff(branch.t) >= 0.0).all()


@pytest.mark.parametrize(
    "law",
    [
        Cycloidal(rise=4.0, duration=1.0, dwell=0.5, start=0.2),
        ModifiedSine(rise=4.0, duration=1.5, dwell=0.25, start=0.1),
        Piecewise(((1.0, Ramp(0.0, 2.0)), (1.0, Ramp(2.0, -1.5)), (1.0, Ramp(0.5, 0.0)))),
        Piecewise(((0.5, Ramp(0.1, 2.0)), (0.5, Ramp(1.1, -2.0))), repeats=True),
        Table(((0.2, 0.1), (1.0, 2.0), (2.0, 1.0), (2.5, 4.0))),
        Table(((0.0, 0.1), (0.5, 2.0), (1.0, 0.1)), periodic=True),
    ],
    ids=repr,
)
def test_branches_go_on_over_the_corners_of_a_law(law):
    found = four_bar(law).timeline(0.0, 2.8)
    assert (str(found.outcome), found.is_proved) == ("complete", True)
    times = np.linspace(0.0, 2.8, 28_001)
    states = [is_open(float(law.value(t))) for t in times]
    changes = [times[k + 1] for k in range(len(times) - 1) if states[k] != states[k + 1]]
    assert [e.t for e in found.events] == pytest.approx(changes, abs=1.1e-4)

    assert {b.begins for b in found.branches} | {b.ends for b in found.branches} <= {
        "start",
        "stop",
        "birth",
        "death",
    }
    assert len(found) == 2 * states[0] + 2 * sum(e.is_birth for e in found.events)


@pytest.mark.parametrize(
    "law",
    [
        Cycloidal(rise=4.0, duration=1.0, dwell=0.5, start=0.2),
        ModifiedSine(rise=-3.0, duration=1.5, dwell=0.25, start=0.1),
        Piecewise(((1.0, Ramp(0.0, 2.0)), (1.0, Cycloidal(rise=1.0, duration=0.5, start=2.0)))),
        Piecewise(((0.5, Ramp(0.1, 2.0)), (0.5, Ramp(1.1, -2.0))), repeats=True),
        Table(((0.2, 0.1), (1.0, 2.0), (2.0, 1.0), (2.5, 4.0))),
        Table(((0.0, 0.1), (0.5, 2.0), (1.0, 0.1)), periodic=True),
        Formula(lambda t: t * t),
    ],
    ids=lambda law: type(law).__name__,
)
def test_between_its_corners_a_law_is_the_formula_that_it_gives(law):
    start, stop = -1.3, 4.7
    ends = [start, *law.corners(start, stop), stop]
    assert ends == sorted(set(ends))
    for low, high in itertools.pairwise(ends):
        own = law.between(low, high)
        for t in np.linspace(low, high, 12):
            assert float(own.value(float(t))) == pytest.approx(
                float(law.value(float(t))), abs=1e-12
            )


def platforms(legs):
    """How many ways a triangle can stand on three legs: circles cut, over all first angles."""
    a = np.linspace(0.0, math.tau, COUNTED + 1) + 1e-4
    P = legs[0] * np.exp(1j * a)
    count = 0
    with np.errstate(invalid="ignore"):
        for side, hand in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            Q = cut(P, complex(BASE[0]), SIDES[0], legs[1], side)
            gap = np.abs(cut(P, Q, SIDES[2], SIDES[1], hand) - complex(BASE[1], BASE[2])) - legs[2]
            near = np.abs(gap[1:]) + np.abs(gap[:-1]) < 0.1  # no jump of a branch
            count += int((near & (gap[1:] * gap[:-1] < 0.0)).sum())
    return count


def cut(p, q, r, s, side):
    """Where circles of radii r about p and s about q meet, to one side; nan where nowhere."""
    d = np.abs(q - p)
    x = (d * d + r * r - s * s) / (2.0 * d)
    return p + (x + side * 1j * np.sqrt(r * r - x * x)) * (q - p) / d


def test_as_many_ways_live_at_a_time_as_circles_meet():
    found = kempe.gallery.planar_platform(swing=0.8).timeline(0.0, 1.0)
    assert (str(found.outcome), found.is_proved) == ("complete", True)
    assert (len(found), len(found.events)) == (18, 6)
    for t in (0.1, 0.3, 0.45, 0.55, 0.64, 0.75, 0.86, 0.95):
        first = LEGS[0] + 0.8 * math.sin(math.tau * t)
        assert found.count(t) == platforms((first, *LEGS[1:]))


def test_in_space_the_same_four_bar_has_the_same_timeline():
    swing = Harmonic(amplitude=6.0, frequency=0.4)
    flat, deep = (four_bar(swing, plane=p).timeline(0.0, 1.5) for p in (True, False))
    assert deep.outcome == "complete"
    assert [e.t for e in deep.events] == pytest.approx([e.t for e in flat.events], abs=CLOSED_FORM)
    assert len(deep) == len(flat)


def test_a_map_over_time_is_proved_again_from_its_file(tmp_path):
    motions = four_bar(Harmonic(amplitude=6.0, frequency=0.4)).motions(during=(0, "2 s"))
    assert len(motions) == 2
    assert motions.verify().holds
    saved = type(motions).load(motions.save(tmp_path / "map.npz"))
    assert saved.verify().holds
    forged = replace(saved, origin=replace(saved.origin, during=(0.0, 0.25)))
    assert not forged.verify().holds
    fewer = replace(saved, components=saved.components[:1])
    assert not fewer.verify().holds


def test_time_turns_back_where_branches_are_born():
    bar = four_bar(Harmonic(amplitude=6.0, frequency=0.4))
    found = bar.turning_points("t", during=(0.0, 3.0))
    assert found.outcome == "complete"
    events = bar.timeline(0.0, 3.0).events
    assert sorted(s.others["t"] for s in found) == pytest.approx([e.t for e in events])


def test_what_cannot_be_asked_says_why():
    bar = four_bar(Harmonic(amplitude=6.0, frequency=0.4))
    with pytest.raises(BadNumber, match="from one moment to a later one"):
        bar.timeline(1.0, 1.0)
    with pytest.raises(BadNumber, match="either `at` one time or `during`"):
        bar.motions(at=0.0, during=(0.0, 1.0))
    with pytest.raises(DriveError, match="nothing changes with time"):
        bar.timeline(0.0, 1.0, held={"crank.angle": 1.0})
    with pytest.raises(UnsolvableKind, match="goes over to another formula at t"):
        four_bar(Cycloidal(rise=1.0, duration=1.0, dwell=0.5)).motions(during=(0.0, 1.0))
    with pytest.raises(DriveError, match="has no value"):
        four_bar(Formula(lambda t: np.log(t))).motions(during=(-1.0, 1.0))
    with pytest.raises(BadNumber, match="ask for a shorter span"):
        four_bar(Piecewise(((0.01, Ramp()), (0.01, Ramp())), repeats=True)).timeline(0.0, 9.0)
    with pytest.raises(BadNumber, match="not in the span"):
        bar.timeline(0.0, 1.0).count(2.0)

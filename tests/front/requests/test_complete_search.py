"""What no start leads to is looked for everywhere: it is found, or proved not to be there."""

import itertools
import math
import pickle
import time

import numpy as np
import pytest

import kempe
from kempe.errors import AssemblyError
from kempe.front.requests.every_assembly import every_assembly
from kempe.kinematics.check import assembly
from kempe.kinematics.closing.closing import close
from kempe.kinematics.closing.placement import scattered

CLOSE = 1e-9
CLEAR = 1e-6  # of the margin by which links reach: nearer to it rounding decides


def four_bar(lengths, start, *, plane=True, **guess):
    """Crank, coupler and rocker on a ground, the crank driven from `start` on."""
    m = kempe.Builder("four-bar", plane=plane)
    crank, coupler = m.bar("crank", lengths[0]), m.bar("coupler", lengths[1])
    rocker = m.bar("rocker", lengths[2], **guess)
    zero = () if plane else (0,)
    m.revolute(m.ground.at(0, 0, *zero), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(rocker.start, m.ground.at(lengths[3], 0, *zero))
    if start is not None:
        m.drive(crank.angle, start=start, speed=0.1)
    return m.build()


def margin(lengths, start):
    """By how much coupler and rocker reach each other; negative where they do not."""
    crank, coupler, rocker, ground = lengths
    gap = math.dist((crank * math.cos(start), crank * math.sin(start)), (ground, 0.0))
    return min(coupler + rocker - gap, gap - abs(coupler - rocker))


@pytest.mark.parametrize("seed", range(40))
def test_a_four_bar_goes_together_or_is_proved_not_to(seed):
    rng = np.random.default_rng(seed)
    lengths, start = rng.uniform(0.3, 2.0, 4).tolist(), float(rng.uniform(-3, 3))
    reach = margin(lengths, start)
    assert abs(reach) > CLEAR
    if reach > 0.0:
        assert four_bar(lengths, start).assemble(at=0).residual < 1e-12
        return
    with pytest.raises(AssemblyError) as refused:
        four_bar(lengths, start).assemble(at=0)
    assert refused.value.facts["proved"]


@pytest.mark.parametrize("ask", ["check", "kinematics", "simulate", "assemble", "drag"])
def test_every_analysis_says_that_it_is_proved(ask):
    mechanism = four_bar((2.0, 1.0, 1.5, 2.0), 3.0)
    arguments = {"kinematics": {"until": 1}, "simulate": {"until": 1}, "assemble": {"at": 0}}
    with pytest.raises(AssemblyError, match="cannot be put together at t = 0 s, which is proved"):
        getattr(mechanism, ask)(**arguments.get(ask, {}))


def test_where_one_freedom_is_left_a_proof_is_one_of_all_motions():
    m = kempe.Builder("out of reach", plane=True)
    one, two = m.bar("one", 1.0), m.bar("two", 1.0)
    m.revolute(m.ground.at(0, 0), one.start)
    m.revolute(one.end, two.start)
    slider = m.body("slider")
    m.revolute(two.end, slider.at(0, 0))
    m.prismatic(m.ground.at(0, 5), slider.at(0, 0))
    with pytest.raises(AssemblyError, match="proved"):
        m.build().assemble()


def test_in_space_nothing_is_called_impossible_without_a_proof():
    with pytest.raises(AssemblyError) as refused:
        four_bar((2.0, 1.0, 1.5, 2.0), 3.0, plane=False).assemble(at=0)
    assert not refused.value.facts["proved"]
    assert f"was not closed from {refused.value.facts['starts']} starts" in str(refused.value)
    assert "cannot" not in str(refused.value)


@pytest.mark.parametrize("angle", [1.4, -1.4])
def test_the_nearest_of_all_assemblies_is_taken_where_no_start_leads_to_one(angle, monkeypatch):
    """As if all searches had failed: the rocker of either assembly is found by its angle."""

    def in_vain(equations, t, given, **_):
        layout = equations.layout
        held = np.ones(layout.n_v, bool)
        return close(equations, scattered(layout, 0), t, held=held), False

    monkeypatch.setattr(assembly, "fitting", in_vain)
    lengths, start = (1.0, 2.5, 2.0, 3.0), 0.8
    motion = four_bar(lengths, start, angle=angle).kinematics(until=0.1, steps=1)
    end = complex(*motion["rocker.end"].position[0][:2])
    crank = complex(*motion["crank.end"].position[0][:2])
    assert abs(end - lengths[3]) == pytest.approx(lengths[2], abs=CLOSE)
    assert abs(end - crank) == pytest.approx(lengths[1], abs=CLOSE)
    assert end.imag * angle > 0.0


@pytest.mark.parametrize("start", [0.8, None])
def test_a_slow_machine_finds_the_same(start, monkeypatch):
    """As if every look at the clock came an hour after the last."""
    layout = four_bar((1.0, 2.5, 2.0, 3.0), start).layout
    quick = every_assembly(layout, 0.0)
    hours = itertools.count(step=3600.0)
    monkeypatch.setattr(time, "monotonic", lambda: next(hours))
    slow = every_assembly(layout, 0.0)
    assert np.array_equal(slow.starts, quick.starts)
    assert len(slow.starts) >= 2


def test_a_search_ends_with_the_charts_that_it_may_try():
    """The last curve may have as many once more on either side of where it began."""
    leg = kempe.gallery.jansen()
    whole, part = leg.motions(), leg.motions(effort=kempe.Effort(charts=40))
    assert str(whole.outcome) == "complete"
    assert whole.counts["charts"] > 3 * 40
    assert str(part.outcome) != "complete"
    assert part.counts["charts"] < 3 * 40
    assert "As many charts as allowed were tried" in part.message


def test_large_blocks_are_not_searched_for_a_start():
    """Each plate hangs on its neighbours: one block of 36 unknowns."""
    m = kempe.Builder("plates", plane=True)
    plates = [m.body(f"plate{k}") for k in range(9)]
    for k, plate in enumerate(plates):
        for j in range(3):
            other = plates[(k + j + 1) % 9] if j < 2 else m.ground
            place = (4.0 * k, 1.0) if j == 2 else (0.1, -0.3 * j)
            m.add(kempe.joints.Rod(other.at(*place), plate.at(0.2 * j, 0.4), length=3.0))
    assert every_assembly(m.build().layout, 0.0) is None


def test_a_layout_that_was_pickled_asks_as_well():
    layout = four_bar((2.0, 1.0, 1.5, 2.0), 3.0).layout
    assert pickle.loads(pickle.dumps(layout)).complete_search is every_assembly

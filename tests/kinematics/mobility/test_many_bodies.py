"""Many bodies, one joint said twice: rows are told by elimination, with no full matrix anywhere."""

import numpy as np
import pytest

import kempe
from kempe.compile.program.program import DynamicProgram, Program
from kempe.drives import Ramp

INERTIA = kempe.Inertia(1.0, (0, 0, 0), 0.1 * np.eye(3))


@pytest.fixture
def no_full_matrices(monkeypatch):
    def refuse(*_given):
        raise AssertionError("a full matrix of a large system")

    monkeypatch.setattr(Program, "dense_jacobian", refuse)
    monkeypatch.setattr(DynamicProgram, "dense_jacobian", refuse)


def dyads(count: int, twice: int | None) -> kempe.Mechanism:
    """A crank that moves one dyad after the other; a foot of one of them is hinged twice."""
    m = kempe.Builder("dyads", plane=True)
    crank = m.bar("crank", 1.0, angle=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    last = crank.end
    for k in range(count):
        rod, rocker = m.bar(f"rod{k}", 3.0, angle=0.7), m.bar(f"rocker{k}", 3.0, angle=2.3)
        foot = 4.0 * (k + 1)
        m.revolute(last, rod.start)
        m.revolute(rod.end, rocker.end)
        m.revolute(m.ground.at(foot, 0), rocker.start)
        if k == twice:
            m.revolute(m.ground.at(foot, 0), rocker.start, name="again")
        last = rocker.at(0.8, 0)
    m.drive(crank.angle, Ramp(0.5, 1.0))
    return m.build()


def hanging(count: int, twice: int | None) -> kempe.Mechanism:
    """A chain, let go when it is level; one of its hinges is there twice."""
    m = kempe.Builder("chain", plane=True, gravity=(0, -9.81))
    last = m.ground.at(0, 0)
    for k in range(count):
        bar = m.bar(f"bar{k}", 1.0, at=(k, 0), angle=0.0, inertia=INERTIA)
        m.revolute(last, bar.start)
        if k == twice:
            m.revolute(last, bar.start, name="again")
        last = bar.end
    return m.build()


def assert_alike_but_for_a_row(plain, doubled, names, close):
    assert plain.outcome.is_done
    assert doubled.outcome.is_done
    assert len(doubled.redundant) == 1
    assert not plain.redundant
    for name in names:
        assert doubled[name].values == pytest.approx(plain[name].values, abs=close)


@pytest.mark.usefixtures("no_full_matrices")
def test_a_hinge_said_twice_changes_no_sweep_of_many_bodies():
    plain, doubled = (dyads(70, twice).kinematics(until=0.1, steps=3) for twice in (None, 40))
    names = ("rocker0.angle", "rocker40.angle", "rocker69.angle")
    assert_alike_but_for_a_row(plain, doubled, names, 1e-11)
    for name in names:
        assert doubled[name].acceleration == pytest.approx(plain[name].acceleration, abs=1e-9)


@pytest.mark.usefixtures("no_full_matrices")
def test_a_hinge_said_twice_changes_no_simulation_of_many_bodies():
    plain, doubled = (hanging(150, k).simulate(until=0.05, steps=2) for k in (None, 75))
    names = ("bar0.angle", "bar75.angle", "bar149.angle")
    assert_alike_but_for_a_row(plain, doubled, names, 1e-9)


def test_too_many_drives_of_many_bodies_are_refused():
    m = kempe.Builder("chain", plane=True)
    last, bars = m.ground.at(0, 0), []
    for k in range(60):
        bars.append(m.bar(f"bar{k}", 1.0, at=(k, 0), angle=0.0, inertia=INERTIA))
        m.revolute(last, bars[-1].start)
        m.revolute(last, bars[-1].start, name=f"again{k}")
        last = bars[-1].end
    for bar in bars:
        m.drive(bar.angle, Ramp(0.0, 0.1))
    m.drive(bars[3].x, Ramp(3.0, 0.0))
    with pytest.raises(kempe.errors.DriveError, match="drive"):
        m.build().simulate(until=0.1, steps=1)

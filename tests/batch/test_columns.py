"""Forces of variants in a batch are those that each variant tells by itself, on its branch."""

import numpy as np
import pytest

import kempe as kp
from kempe.errors import BadNumber, UnknownName

SAME = 1e-9  # of the largest: two sweeps of one variant


@kp.parametric
def machine(crank=0.05, heavy=0.2):
    m = kp.Builder("four-bar", plane=True, gravity=(0, -9.81))
    lengths = {"crank": crank, "coupler": 0.15, "rocker": 0.12}
    bars = {
        name: m.bar(name, x, inertia=kp.Inertia(heavy, (x / 2, 0), 1e-4))
        for name, x in lengths.items()
    }
    m.revolute(m.ground.at(0, 0), bars["crank"].start, name="A")
    m.revolute(bars["crank"].end, bars["coupler"].start, name="B")
    m.revolute(bars["coupler"].end, bars["rocker"].end, name="C")
    m.revolute(bars["rocker"].start, m.ground.at(0.16, 0), name="D")
    m.drive(bars["crank"].angle, rpm=120)
    return m.build()


COLUMNS = {"crank": [0.04, 0.05, 0.115, 0.055], "heavy": [0.1, 0.2, 0.2, 0.4]}
READ = ["crank.angle.effort", "rocker.angle", "B.force"]


@pytest.fixture(scope="module")
def found():
    return machine().batch(COLUMNS, until=0.5, steps=20, outputs=READ)


def test_forces_are_those_of_each_variant_by_itself(found):
    assert found.names == tuple(READ)
    assert found.outcomes.tolist() == ["Done", "Done", "DeadPoint", "Done"]
    for k in (0, 1, 3):
        alone = found.variant(k).kinematics(until=0.5, steps=20, start=machine().assemble())
        effort, force = alone["crank.angle.effort"].values, np.asarray(alone["B.force"].values)
        assert (
            np.abs(found["crank.angle.effort"].values[k] - effort).max()
            < SAME * np.abs(effort).max()
        )
        assert np.abs(found["B.force"].values[k] - force).max() < SAME * np.abs(force).max()
    assert any("variant by variant" in note for note in found.notes)


def test_what_ends_early_has_no_forces_and_keeps_its_reason(found):
    assert np.isnan(found["B.force"].values[2]).all()
    assert np.isfinite(found["rocker.angle"].values[2, : found.samples[2]]).all()
    assert "DeadPoint" in found.why(2)


def test_a_drive_puts_nothing_into_a_turn_of_a_machine_without_losses():
    """An oracle of another kind: the balance of energy over a whole turn at an even speed."""
    turn = machine().batch(
        {"heavy": [0.1, 0.3]}, until=0.5, steps=400, outputs=["crank.angle.effort"]
    )
    effort = turn["crank.angle.effort"].values
    mean = effort[:, :-1].mean(axis=1)
    assert (np.abs(mean) < 1e-6 * np.abs(effort).max(axis=1)).all()


def test_a_summary_of_forces_is_that_of_their_samples(found):
    short = machine().batch(COLUMNS, until=0.5, steps=20, outputs=READ, keep="summary")
    done = found.is_done
    for name in ("crank.angle.effort", "rocker.angle"):
        assert short[name].max()[done] == pytest.approx(found[name].max()[done], rel=1e-9)
        assert short[name].mean()[done] == pytest.approx(found[name].mean()[done], rel=1e-9)


def test_derivatives_of_forces_and_names_of_nothing_are_refused():
    with pytest.raises(UnknownName, match=r"B\.force"):
        machine().batch(COLUMNS, until=0.5, steps=4, outputs=["B.forc"])
    found = machine().batch(COLUMNS, until=0.5, steps=4, outputs=["B.force"], derivatives=1)
    with pytest.raises(BadNumber):
        found["B.force"].rate.max()

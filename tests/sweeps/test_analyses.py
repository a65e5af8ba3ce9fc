"""Every analysis of a sweep gives what the question gives that is asked of each variant."""

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, UnknownName
from kempe.sweeps import Assemblies, Kinematics, Modes, Simulation, Statics
from tests.sweeps.asked import FOUR_BAR

LENGTHS = [0.5, 1.0, 2.0]


@kempe.parametric
def pendulum(length=1.0, spring=3.0):
    m = kempe.Builder("pendulum", plane=True, gravity=(0, -9.81))
    bob = kempe.Inertia(1.0, (length, 0, 0), [[0, 0, 0], [0, 0, 0], [0, 0, 0]])
    rod = m.bar("rod", length, inertia=bob, angle=-1.5)
    m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    return m.build()


@kempe.parametric
def late(lag=0.2):
    m = kempe.Builder("late", plane=True)
    bar = m.bar("bar", 1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.drive(bar.angle, start=-lag, speed=1.0)
    m.output("bar.angle", name="lag")
    return m.build()


def over(analysis, **more):
    return kempe.sweep(
        pendulum(), over={"length": LENGTHS}, analysis=analysis, executor="serial", **more
    )


def test_frequencies_are_those_of_pendula():
    found = over(Modes(count=1))
    known = np.sqrt(9.81 / np.array(LENGTHS)) / (2.0 * np.pi)
    np.testing.assert_allclose(found["frequency.1"], known, rtol=1e-9)


def test_pendula_rest_below_their_hinge_and_hang_from_it():
    found = over(Statics(["hinge.angle", "hinge.force"]))
    np.testing.assert_allclose(found["hinge.angle"], -np.pi / 2.0, atol=1e-9)
    np.testing.assert_allclose(found["hinge.force.y"], 9.81, rtol=1e-9)
    assert found["stable"].tolist() == ["True"] * 3


def test_simulations_read_curves_and_numbers():
    found = over(Simulation(["hinge.angle", "last(hinge.angle)"], until=0.5, steps=10))
    for k, length in enumerate(LENGTHS):
        motion = pendulum(length=length).simulate(until=0.5, steps=10)["hinge.angle"].values
        np.testing.assert_array_equal(found["hinge.angle"][k], motion)
        assert found["last(hinge.angle)"][k] == motion[-1]


def test_assemblies_are_counted_where_there_are_any():
    cranks = {"crank": [0.5, 1.0, 9.0]}
    held = Assemblies({"crank.angle": "60 deg"})
    found = kempe.sweep(FOUR_BAR, over=cranks, analysis=held, executor="serial")
    assert found["count"].tolist() == [2, 2, 0]
    assert found["promise"].tolist() == ["complete"] * 3


READ = ["max(rocker.angle)", "coupler.P.y", "rms(coupler.P.speed)", "range(coupler.P.ax)",
        "mean(rocker.angle.rate)", "last(coupler.angle.rate)"]  # fmt: skip


def test_lanes_read_what_one_by_one_is_read():
    cranks = {"crank": "0.8..1.2 in 4"}
    lanes = Kinematics(READ, until=1.0, steps=60)
    singly = Kinematics([*READ, "max(transmission.angle)"], until=1.0, steps=60)
    assert lanes._lanes(FOUR_BAR) is not None
    assert singly._lanes(FOUR_BAR) is None
    one, other = (
        kempe.sweep(FOUR_BAR, over=cranks, analysis=asked, executor="serial")
        for asked in (lanes, singly)
    )
    for name in READ:
        np.testing.assert_allclose(one[name], other[name], rtol=1e-9, atol=1e-9, err_msg=name)


def test_a_motion_that_ends_early_has_no_numbers_but_its_curve_so_far():
    read = ["max(rocker.angle)", "rocker.angle"]
    asked = Kinematics(read, until=1.0, steps=60)
    found = kempe.sweep(
        FOUR_BAR, over={"crank": [1.0, 2.9, 40.0]}, analysis=asked, executor="serial"
    )
    assert found["outcome"].tolist() == ["Done", "DeadPoint", "NotReached"]
    assert np.isfinite(found["max(rocker.angle)"]).tolist() == [True, False, False]
    ended = np.isfinite(found["rocker.angle"]).sum(axis=1)
    assert ended[0] == 61
    assert 0 < ended[1] < 61
    assert ended[2] == 0
    assert found["message"][1].startswith("after")


@pytest.mark.parametrize(
    ("analysis", "mistake", "words"),
    [
        (lambda: Kinematics([], until=1.0), BadNumber, "what is to be read?"),
        (lambda: Kinematics(["rocker.angel"], until=1.0), UnknownName, "Did you mean"),
        (lambda: Kinematics(["coupler.P"], until=1.0), BadNumber, "read one, such as coupler.P.x"),
        (lambda: Kinematics(["outcome"], until=1.0), BadNumber, "a column that every sweep has"),
        (lambda: Kinematics(["max(rocker.angle)"]), BadNumber, "how far?"),
        (lambda: "kinematics", BadNumber, "is one of kempe.sweeps"),
        (lambda: Kinematics, BadNumber, "is one of kempe.sweeps"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anything_runs(analysis, mistake, words):
    with pytest.raises(mistake) as found:
        kempe.sweep(FOUR_BAR, over={"crank": [1.0]}, analysis=analysis(), executor="serial")
    assert words in str(found.value)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (lambda m: 1j, "is 1j, which is no number"),
        (lambda m: {"a": np.eye(2)}, "which is 2-dimensional"),
        (lambda m: {"a": [[1.0], [2.0, 3.0]]}, "which is no number"),
        (lambda m: {"a": m}, "a column holds numbers, texts or curves"),
        (lambda m: {"crank": 1.0}, "a parameter that is swept over"),
        (lambda m: {"outcome": 1.0}, "a column that every sweep has"),
        (lambda m: {1: 1.0}, "no name of a column"),
    ],
)
def test_what_fits_in_no_column_is_a_row_that_says_so(given, words):
    found = kempe.sweep(FOUR_BAR, over={"crank": [1.0]}, analysis=given, executor="serial")
    assert found.outcomes == {"BadNumber": 1}
    assert words in found["message"][0]


def test_curves_without_samples_are_columns():
    found = kempe.sweep(
        FOUR_BAR, over={"crank": [1.0, 1.1]}, analysis=lambda m: {"a": []}, executor="serial"
    )
    assert found["a"].shape == (2, 0)


def test_a_reading_called_as_a_parameter_is_refused():
    asked = Kinematics(["lag"], until=1.0, steps=2)
    with pytest.raises(BadNumber, match="'lag' is a parameter that is swept over and a reading"):
        kempe.sweep(late(), over={"lag": [0.5]}, analysis=asked, executor="serial")
    again = Kinematics(["0 + lag"], until=1.0, steps=2)
    found = kempe.sweep(late(), over={"lag": [0.5]}, analysis=again, executor="serial")
    assert found["0 + lag"][0].tolist() == [-0.5, 0.0, 0.5]


def test_chunks_of_nothing_are_refused():
    with pytest.raises(BadNumber, match="`chunk` is a number of variants"):
        kempe.sweep(FOUR_BAR, over={"crank": [1.0]}, analysis=len, chunk=0, executor="serial")


def test_parameters_that_there_are_not_are_refused():
    with pytest.raises(UnknownName, match="Did you mean 'crank'"):
        kempe.sweep(FOUR_BAR, over={"krank": [1.0]}, analysis=Modes(), executor="serial")
    bare = kempe.Mechanism(FOUR_BAR.model)
    with pytest.raises(UnknownName, match="has no parameters"):
        kempe.sweep(bare, over={"crank": [1.0]}, analysis=Modes(), executor="serial")


def test_memory_bounds_chunks_and_refuses_what_cannot_fit():
    asked = Kinematics(["rocker.angle"], until=1.0)
    many = {"crank": "0.8..1.2 in 20000"}
    with pytest.raises(BadNumber, match="give a `folder`, or read numbers"):
        kempe.sweep(FOUR_BAR, over=many, analysis=asked, executor="serial", memory="10 MB")
    with pytest.raises(BadNumber, match="bytes of memory are too few"):
        kempe.sweep(FOUR_BAR, over=many, analysis=asked, executor="serial", memory="50 kB")
    few = kempe.sweep(
        FOUR_BAR, over={"crank": "0.8..1.2 in 40"}, analysis=asked, executor="serial",
        memory="1 MB",
    )  # fmt: skip
    assert few.manifest["chunk"] * 8 * asked.width * 3 <= 1e6
    assert few.outcomes == {"Done": 40}

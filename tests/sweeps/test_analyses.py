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

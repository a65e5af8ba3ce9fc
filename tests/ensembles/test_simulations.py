"""A batch of simulations is, run by run, what `simulate` gives, and starts as it is told."""

import math

import numpy as np
import pytest

import kempe
from kempe.couplers import GearPair
from kempe.errors import BadNumber, UnknownName

SAME = 1e-9  # of the largest value: starts are closed once more where a run is made alone
G = 9.81


def rods(length: float = 0.5) -> kempe.Mechanism:
    """A thin rod that swings about its end; at rest it hangs down, at an angle of -90 degrees."""
    m = kempe.Builder("rod", plane=True, gravity=(0, -G))
    third = kempe.Inertia(1.0, (length / 2, 0, 0), np.diag([0, 1, 1]) * length**2 / 12)
    rod = m.bar("rod", length, inertia=third, angle="-90 deg")
    m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    return m.build()


def told(channel) -> np.ndarray:
    values = getattr(channel, "values", None)
    return channel.position if values is None else values


def compared(mechanism, columns, start, outputs, until=1.0, steps=60):
    """The batch, each run of which is like one alone."""
    found = mechanism.batch(
        columns, until, steps, outputs=outputs, analysis="simulation", start=start, threads=1
    )
    for k in range(len(found)):
        alone = found.variant(k) if columns else mechanism
        at = None if columns else found.start(k)
        motion = alone.simulate(until, steps, start=at)
        assert (found.outcomes[k], found.samples[k]) == (motion.outcome.name, len(motion))
        for name in outputs:
            mine, own = found[name].values[k][: len(motion)], told(motion[name])
            assert np.abs(mine - own).max() <= SAME * np.abs(own).max(initial=1.0), (k, name)
    return found


def test_a_rod_rises_as_high_as_its_first_rate_lifts_it() -> None:
    # w^2 L / (3 g) = 1 - cos(largest swing)
    rates = np.linspace(0.5, 6.0, 12)
    found = rods().batch(
        {},
        2.0,
        2000,
        outputs=["rod.angle"],
        analysis="simulation",
        start={"rod.angle": -0.5 * math.pi, "rod.angle.rate": rates},
        keep="summary",
    )
    assert found.is_done.all()
    swing = found["rod.angle"].max() + 0.5 * math.pi
    exact = np.arccos(1.0 - rates**2 * 0.5 / (3.0 * G))
    # between two samples, 1 ms apart, the peak is missed by at most a h^2 / 8
    assert np.abs(swing - exact).max() < 1e-5


def test_starts_are_where_and_as_fast_as_they_were_given_to_be() -> None:
    double = kempe.gallery.double_pendulum()
    start = {
        "top.angle": np.array([0.3, -2.0, 3.0]),
        "middle.angle": np.array([9.0, 0.0, -20.0]),  # turned round already
        "middle.angle.rate": np.array([0.0, 2.0, -1.0]),
    }
    outputs = ["lower.P", "middle.angle", "energy.total", "energy.kinetic", "top.force"]
    found = compared(double, {}, start, outputs)
    np.testing.assert_allclose(found["middle.angle"].values[:, 0], start["middle.angle"])
    moving = double.batch(
        {}, 0.1, 1, outputs=["middle.angle"], derivatives=1, analysis="simulation", start=start
    )
    rate = moving["middle.angle"].rate[:, 0]
    np.testing.assert_allclose(rate, start["middle.angle.rate"], atol=1e-12)


def test_in_space_a_top_keeps_what_it_starts_with() -> None:
    m = kempe.Builder("swivel", gravity=(0, 0, -G))
    bob = kempe.Inertia(1.0, (0.3, 0, 0), np.diag([0.01, 0.1, 0.1]))
    yoke = m.body("yoke", inertia=kempe.Inertia(1.0, (0, 0, 0), np.diag([0.1, 0.1, 0.1])))
    arm = m.body("arm", inertia=bob)
    m.revolute(m.ground.at(0, 0, 0), yoke.at(0, 0, 0), name="turn")
    m.revolute(yoke.at(0, 0, 0).facing((0, 1, 0)), arm.at(0, 0, 0).facing((0, 1, 0)), name="nod")
    start = {
        "turn.angle": np.array([0.0, 1.0, -2.0]),
        "turn.angle.rate": np.array([3.0, -1.0, 0.0]),
        "nod.angle": np.array([0.2, 0.1, -0.4]),
    }
    compared(m.build(), {}, start, ["arm", "nod.angle", "energy.kinetic", "turn.torque"])


def test_wheels_start_meshed_and_springs_count_their_turns() -> None:
    m = kempe.Builder("wheels", plane=True)
    heavy = kempe.Inertia(1.0, (0, 0), 0.1)
    first, second = m.body("first", inertia=heavy), m.body("second", inertia=heavy, at=(1, 0))
    a = m.revolute(m.ground.at(0, 0), first.at(0, 0), name="a")
    b = m.revolute(m.ground.at(1, 0), second.at(0, 0), name="b")
    m.couple(kempe.couplers.GearPair((a.angle, b.angle), teeth=(20, 40)))
    m.force(kempe.forces.TorsionSpring(a.angle, stiffness=2.0), "spring")
    start = {"a.angle": np.array([0.5, 4.0, 9.0])}
    found = compared(m.build(), {}, start, ["a.angle", "b.angle", "energy.potential"], 0.5)
    np.testing.assert_allclose(found["energy.potential"].values[:, 0], start["a.angle"] ** 2)


def test_variants_run_as_they_would_alone() -> None:
    double = kempe.gallery.double_pendulum()
    columns = {"lower": np.array([0.5, 1.0, -1.0, 1.4]), "mass": np.array([1.0, 2.0, 1.0, 0.5])}
    found = double.batch(
        columns, 0.5, 20, outputs=["lower.P"], analysis="simulation", derivatives=2, threads=2
    )
    assert found.outcomes.tolist() == ["Done", "Done", "Refused", "Done"]
    assert "-1" in found.why(2)
    alone = found.variant(3).simulate(0.5, 20)["lower.P"]
    for mine, own in zip(
        found["lower.P"].orders, (alone.position, alone.velocity, alone.acceleration), strict=True
    ):
        np.testing.assert_array_equal(mine[3], own)
        assert np.isnan(mine[2]).all()


def test_what_happens_on_the_way_happens_in_a_batch_too() -> None:
    m = kempe.Builder("dropped", plane=True, gravity=(0, -G))
    third = kempe.Inertia(1.0, (0.25, 0, 0), np.diag([0, 1, 1]) / 48)
    rod = m.bar("rod", 0.5, inertia=third, angle=0.0)
    hinge = m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    m.event(kempe.events.Stop(hinge.angle, low=-0.5, restitution=0.5), "stop")
    found = compared(m.build(), {}, {"hinge.angle": np.array([0.0, 0.3])}, ["hinge.angle"])
    assert found["hinge.angle"].values.min() > -0.5 - 1e-6


def test_a_start_that_cannot_be_reached_says_so() -> None:
    m = kempe.Builder("rockers", plane=True)
    inertia = kempe.Inertia(1.0, (0, 0), 1.0)
    first, middle, last = (
        m.bar(n, x, inertia=inertia) for n, x in zip("abc", (2, 1, 2), strict=True)
    )
    m.revolute(m.ground.at(0, 0), first.start, name="crank")
    m.revolute(first.end, middle.start)
    m.revolute(middle.end, last.end)
    m.revolute(last.start, m.ground.at(2, 0))
    rockers = m.build()
    found = rockers.batch(
        {},
        0.1,
        4,
        outputs=["crank.angle"],
        analysis="simulation",
        start={"crank.angle": np.array([1.2, math.pi])},
    )
    assert found.outcomes.tolist() == ["Done", "NotReached"]
    assert np.isnan(found["crank.angle"].values[1]).all()
    with pytest.raises(BadNumber, match="run 1 has no start"):
        found.start(1)


BAD = [
    ({"analysis": "statics"}, UnknownName, "analysis"),
    ({"start": {"hinge.angle": [0.1]}, "analysis": "kinematics"}, BadNumber, "start"),
    ({"start": {"hinge.angel": [0.1]}}, UnknownName, "hinge.angle"),
    ({"start": {"hinge.angle": [np.nan]}}, BadNumber, "not finite"),
    ({"start": {"rod.angle": [0.1], "rod.x": [0.2]}}, BadNumber, "1 freedom"),
    ({"start": {}}, BadNumber, "nothing varies"),
    ({"start": {"rod.angle": [0.1]}, "until": None}, BadNumber, "until"),
    ({"start": {"rod.angle": [0.1]}, "device": "emulated", "method": "gear"}, BadNumber, "order 8"),
    ({"start": {"rod.angle": [0.1]}, "device": "card"}, UnknownName, "card"),
    ({"start": {"rod.angle": [0.1]}, "over": ("rod.angle", 0, 1)}, BadNumber, "over"),
    ({"start": {"rod.angle": [0.1]}, "method": "euler"}, BadNumber, "euler"),
    ({"start": {"rod.angle": [0.1]}, "outputs": ["rod.PP"]}, UnknownName, "rod.PP"),
    ({"start": {"rod.angle": [0.1]}, "memory": 10}, BadNumber, "GiB"),
]


@pytest.mark.parametrize(("change", "kind", "words"), BAD)
def test_what_is_asked_for_wrongly_is_said(change, kind, words) -> None:
    how = {"until": 1.0, "steps": 10, "outputs": ["rod.angle"], "analysis": "simulation"} | change
    with pytest.raises(kind, match=words):
        rods().batch({}, **how)


def test_energies_have_no_rates() -> None:
    found = rods().batch(
        {},
        0.1,
        2,
        outputs=["energy.total", "rod.angle"],
        derivatives=1,
        analysis="simulation",
        start={"rod.angle": [0.0, 0.1]},
    )
    assert found["rod.angle"].rate.shape == (2, 3)
    with pytest.raises(BadNumber, match="energies have no rates"):
        _ = found["energy.total"].rate


def test_starts_many_turns_away_are_reached() -> None:
    double = kempe.gallery.double_pendulum()
    start = {"top.angle": [100.0, -150.0], "middle.angle": 0.0}
    asked = {"until": 0.01, "steps": 1, "analysis": "simulation", "start": start}
    found = double.batch({}, outputs=["top.angle"], **asked)
    assert found["top.angle"].values[:, 0] == pytest.approx([100.0, -150.0], abs=1e-12)


def meshed(plane: bool) -> kempe.Mechanism:
    """Two wheels of 20 and 47 teeth: after one turn of the first nothing is there again."""
    m = kempe.Builder("wheels", plane=plane)
    wheel = kempe.Inertia(1.0, (0.02, 0, 0), 0.01 * np.eye(3))
    ends = []
    for name, x in (("small", 0.0), ("large", 0.3)):
        place = (x, 0.0) if plane else (x, 0.0, 0.0)
        body = m.body(name, at=place, inertia=wheel)
        origin = (0.0, 0.0) if plane else (0.0, 0.0, 0.0)
        ends.append(m.revolute(m.ground.at(*place), body.at(*origin), name=f"{name}_pin").angle)
    m.couple(GearPair((ends[0], ends[1]), teeth=(20, 47)), "mesh")
    return m.build()


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
def test_geared_starts_a_million_turns_away_are_reached(plane: bool) -> None:
    turns = 2.0 * np.pi * np.array([0.0, 1000.0, -1e6])
    start = {"small_pin.angle": 0.3 + turns, "small_pin.angle.rate": 2.0}
    asked = {"until": 0.1, "steps": 1, "analysis": "simulation", "start": start, "threads": 1}
    found = meshed(plane).batch({}, outputs=["small_pin.angle", "large_pin.angle"], **asked)
    small, large = found["small_pin.angle"].values, found["large_pin.angle"].values
    assert found.outcomes.tolist() == ["Done"] * 3
    assert small[:, 0] == pytest.approx(start["small_pin.angle"], rel=1e-12)
    assert small[:, 1] - small[:, 0] == pytest.approx(0.2, abs=1e-8)  # nothing pushes
    assert large == pytest.approx(-20.0 / 47.0 * small, rel=1e-12)


def test_starts_of_a_loop_a_million_turns_away_are_as_without_those_turns() -> None:
    """The crank goes round, the rocker does not: with every turn the coupler's joint opens one."""
    lengths = {"crank": 0.1, "coupler": 0.3, "rocker": 0.25}
    m = kempe.Builder("four-bar", plane=True, gravity=(0, -G))
    crank, coupler, rocker = (
        m.bar(name, x, inertia=kempe.Inertia(1.0, (x / 2, 0, 0), 0.01 * np.eye(3)))
        for name, x in lengths.items()
    )
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, coupler.start, name="B")
    m.revolute(coupler.end, rocker.end, name="C")
    m.revolute(m.ground.at(0.28, 0), rocker.start, name="D")
    turns = np.array([0, 1000, -(10**6)])
    start = {"A.angle": 0.3 + 2.0 * np.pi * turns, "A.angle.rate": 2.0}
    asked = {"until": 0.1, "steps": 1, "analysis": "simulation", "start": start, "threads": 1}
    found = m.build().batch({}, outputs=["A.angle", "B.angle", "D.angle"], **asked)
    assert found.outcomes.tolist() == ["Done"] * 3
    assert found["A.angle"].values[:, 0] == pytest.approx(start["A.angle"], rel=1e-12)
    opened = found["B.angle"].values + 2.0 * np.pi * turns[:, None]
    assert np.ptp(opened, axis=0) == pytest.approx(0.0, abs=1e-8)  # digits of 6e6 rad
    assert np.ptp(found["D.angle"].values, axis=0) == pytest.approx(0.0, abs=1e-8)

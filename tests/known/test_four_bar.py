"""The four-bar against its closed form: over a turn, in the plane, in space, at its dead point."""

import math
import runpy
from pathlib import Path

import numpy as np
import pytest

import kempe
from kempe.compile.llvm.machine_code import llvm_available

TURN = 2.0 * math.pi
LENGTHS = {"crank": 1.0, "coupler": 3.5, "rocker": 3.0, "ground": 4.0}
#: A sample is solved to 1e-13 of the machine's size; the coupler and rocker are never nearer to a
#: line than sin = 0.4, and two derivatives each bring a factor of the speed 2 pi.
POSITION, VELOCITY, ACCELERATION = 1e-12, 1e-11, 1e-10
#: Two ways to compute the same motion, relative to its largest value.
SAME = 1e-12


@pytest.fixture(scope="module")
def turn():
    return kempe.gallery.four_bar(**LENGTHS).kinematics(until=1.0, steps=720)


def channels(trajectory):
    names = ("crank.angle", "coupler.angle", "rocker.angle")
    found = {name: trajectory[name] for name in names}
    return {n: np.stack([c.values, c.rate, c.acceleration]) for n, c in found.items()}


def points(trajectory):
    found = [trajectory[name] for name in ("crank.end", "coupler.end", "coupler.P", "rocker.end")]
    return [np.stack([p.position, p.velocity, p.acceleration])[..., :2] for p in found]


def assert_same(first, second, tolerance=SAME):
    """Equal to the tolerance, which is relative to the largest value, or to powers of 1 turn/s."""
    for a, b in zip(first, second, strict=True):
        for order, (mine, other) in enumerate(zip(a, b, strict=True)):
            size = max(np.abs(other).max(), TURN**order)
            np.testing.assert_allclose(mine, other, rtol=0, atol=tolerance * size)


# -- the closed form -------------------------------------------------------------------------


@pytest.mark.row("A1")
def test_the_crank_turns_as_it_is_driven(turn):
    crank = turn["crank.angle"]
    np.testing.assert_allclose(crank.values - crank.values[0], TURN * turn.t, atol=POSITION)
    np.testing.assert_allclose(crank.rate, TURN, atol=VELOCITY)
    np.testing.assert_allclose(crank.acceleration, 0.0, atol=ACCELERATION)


def test_coupler_and_rocker_turn_as_the_closed_form_says(turn, closed_form, turned_alike):
    truth = closed_form(**LENGTHS)
    theta = turn["crank.angle"].values
    angles, rates = truth.angles(theta), truth.rates(theta, TURN)
    accelerations = truth.accelerations(theta, TURN)
    for k, name in enumerate(("coupler.angle", "rocker.angle")):
        channel = turn[name]
        turned_alike(channel.values, angles[k], POSITION)
        np.testing.assert_allclose(channel.rate, rates[k], atol=VELOCITY)
        np.testing.assert_allclose(channel.acceleration, accelerations[k], atol=ACCELERATION)


def test_the_coupler_point_moves_as_the_closed_form_says(turn, closed_form):
    place = (1.75, 1.75)
    truth = closed_form(**LENGTHS).coupler_point(turn["crank.angle"].values, TURN, place)
    P = turn["coupler.P"]
    for found, expected, size in zip(
        (P.position, P.velocity, P.acceleration),
        truth,
        (POSITION, VELOCITY, ACCELERATION),
        strict=True,
    ):
        np.testing.assert_allclose(found, expected, atol=size * 4)


def test_it_comes_back_after_a_turn(turn):
    for a in points(turn):
        np.testing.assert_allclose(a[:, 0], a[:, -1], atol=ACCELERATION)


# -- one mechanism, many ways ----------------------------------------------------------------


def test_four_hinges_in_space_move_as_four_pins_in_the_plane(turn):
    space = kempe.gallery.four_bar(**LENGTHS, plane=False).kinematics(until=1.0, steps=720)
    assert space.outcome.is_done
    assert space.redundant
    assert_same(points(space), points(turn))
    assert_same(channels(space).values(), channels(turn).values())
    for name in ("coupler.P", "rocker.end"):
        assert np.abs(space[name].position[:, 2]).max() < POSITION


@pytest.mark.parametrize("plane", [True, False])
def test_the_small_and_the_large_plan_agree(plane):
    mechanism = kempe.gallery.four_bar(**LENGTHS, plane=plane)
    small, large = (mechanism.kinematics(until=1.0, plan=plan) for plan in ("small", "large"))
    assert_same(points(small), points(large))


@pytest.mark.skipif(not llvm_available(), reason="llvmlite does not work here")
@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("plan", ["small", "large"])
def test_compiled_code_and_the_vm_compute_the_same_bits(plane, plan):
    mechanism = kempe.gallery.four_bar(**LENGTHS, plane=plane)
    vm, llvm = (
        mechanism.kinematics(until=1.0, executor=executor, plan=plan).motion
        for executor in ("vm", "llvm")
    )
    for name in ("t", "q", "v", "a"):
        np.testing.assert_array_equal(getattr(vm, name), getattr(llvm, name))
    assert vm.counts["iterations"] == llvm.counts["iterations"]


def test_few_samples_are_those_of_many(turn):
    """Steps of sixty degrees: the sweep takes smaller ones by itself and stays on the branch."""
    coarse = kempe.gallery.four_bar(**LENGTHS).kinematics(until=1.0, steps=6)
    fine = [points_of[:, ::120] for points_of in points(turn)]
    assert_same(points(coarse), fine, tolerance=1e-11)


def test_the_first_example_of_the_manual():
    """Source: closed form, by the extreme positions; and by the coupler point's speed."""
    example = Path(__file__).parents[2] / "examples" / "four_bar.py"
    turn = runpy.run_path(str(example))["mechanism"].kinematics(until=1.0)
    stretched = math.acos((70**2 + 100**2 - 120**2) / (2 * 70 * 100))
    folded = math.acos((70**2 + 100**2 - 60**2) / (2 * 70 * 100))
    swing = turn["rocker.angle"].ptp("deg")
    # the extremes lie between samples of one degree: 1/2 psi'' (0.5 deg)^2 off at most
    assert swing == pytest.approx(math.degrees(stretched - folded), abs=0.01)
    assert f"{swing:.1f} deg" == "51.8 deg"
    assert f"{turn['coupler.P'].speed.max():.0f}" == "272"
    assert str(turn["coupler.P"].speed.max()) == "272.3 mm/s"


# -- the dead point --------------------------------------------------------------------------


def test_a_dead_point_is_located_and_what_was_reached_is_kept(closed_form, turned_alike):
    """Crank 3 on ground 4 reaches until coupler and rocker stretch: cos = (a^2+d^2-(b+c)^2)/2ad."""
    lengths = LENGTHS | {"crank": 3.0}
    limit = math.acos((3.0**2 + 4.0**2 - 6.5**2) / (2 * 3.0 * 4.0))
    turn = kempe.gallery.four_bar(**lengths, start=0.5).kinematics(until=1.0, steps=360)
    outcome = turn.outcome
    assert outcome.name == "DeadPoint"
    assert outcome.facts["drive"] == "crank.angle"
    # near the limit the angle is quadratic in the position: sqrt of 1e-13 is 3e-7, its square 1e-13
    assert outcome.facts["value"] == pytest.approx(limit, abs=1e-9)
    assert f"{limit:.6f}" in f"{outcome.facts['value']:.6f}"
    assert "crank.angle cannot go beyond 2.3727991 rad" in outcome.message
    assert outcome.advice
    reached = math.floor((limit - 0.5) / TURN * 360) + 1
    assert len(turn) == reached
    theta = turn["crank.angle"].values
    truth = closed_form(**lengths)
    turned_alike(turn["rocker.angle"].values, truth.angles(theta)[1], 1e-9)
    assert theta[-1] <= limit < theta[-1] + TURN / 360


def test_backwards_the_dead_point_is_the_mirrored_one():
    limit = math.acos((3.0**2 + 4.0**2 - 6.5**2) / (2 * 3.0 * 4.0))
    mechanism = kempe.gallery.four_bar(**(LENGTHS | {"crank": 3.0}), start=0.5)
    turn = mechanism.kinematics(over=("crank.angle", 0.5, -TURN))
    assert turn.outcome.name == "DeadPoint"
    assert turn.outcome.facts["value"] == pytest.approx(-limit, abs=1e-9)


#: (input, coupler, output, ground), limits of the input in degrees. Source: Grashof's classes.
LIMITED = [
    ((3.0, 1.0, 2.5, 3.2), (27.76129475939128, 68.65010125963215)),
    ((2.5, 3.0, 1.0, 3.2), (38.68216451681889, 88.245042353091)),
    ((2.0, 3.0, 2.2, 4.0), (-116.10388113733993, 116.10388113733993)),
]


@pytest.mark.parametrize(("lengths", "limits"), LIMITED)
@pytest.mark.parametrize("end", [0, 1])
def test_a_rocker_that_is_driven_stops_at_its_limits(lengths, limits, end):
    crank, coupler, rocker, ground = lengths
    start = math.radians(0.5 * sum(limits))
    mechanism = kempe.gallery.four_bar(
        crank=crank, coupler=coupler, rocker=rocker, ground=ground, start=start
    )
    goal = start + (TURN if end else -TURN)
    turn = mechanism.kinematics(over=("crank.angle", start, goal))
    assert turn.outcome.name == "DeadPoint"
    assert math.degrees(turn.outcome.facts["value"]) == pytest.approx(limits[end], abs=1e-7)


#: Flat positions where a second branch crosses: (crank, coupler, rocker, ground), crank angle.
CHANGE_POINTS = [((1.0, 2.0, 1.0, 2.0), math.pi), ((1.0, 1.0, 2.0, 2.0), math.pi)]


@pytest.mark.parametrize(("lengths", "place"), CHANGE_POINTS, ids=["parallelogram", "kite"])
def test_a_change_point_is_reported_and_not_silently_followed(lengths, place):
    crank, coupler, rocker, ground = lengths
    mechanism = kempe.gallery.four_bar(
        crank=crank, coupler=coupler, rocker=rocker, ground=ground, start=1.0
    )
    turn = mechanism.kinematics(over=("crank.angle", 1.0, 5.0), steps=100)
    assert turn.outcome.name == "Bifurcation"
    # where branches cross, pivots fall linearly: 1e-7 of a pivot is as near as it comes
    assert turn.outcome.facts["value"] == pytest.approx(place, abs=1e-5)
    assert (turn["crank.angle"].values < place).all()


# -- many ------------------------------------------------------------------------------------


def rotatable(rng):
    """Lengths of a four-bar whose crank turns fully, by a margin of 1e-3 ... 0.5 of its size."""
    while True:
        a, b, c, d = rng.uniform(0.5, 3.0, 4)
        shortest, longest = min(a, b, c, d), max(a, b, c, d)
        margin = a + b + c + d - 2 * (shortest + longest)
        if margin > 1e-3 and shortest in (a, d):
            return {"crank": a, "coupler": b, "rocker": c, "ground": d}


@pytest.mark.parametrize("steps", [8, 36])
def test_two_hundred_four_bars_stay_on_their_branch(steps, rng, closed_form, turned_alike):
    """Crank-rockers and drag links, some a thousandth away from changing branch."""
    hardest = 1.0
    for _ in range(200):
        lengths = rotatable(rng)
        turn = kempe.gallery.four_bar(**lengths).kinematics(until=1.0, steps=steps)
        assert turn.outcome.is_done, (lengths, turn.outcome)
        theta = turn["crank.angle"].values
        truth = closed_form(**lengths)
        worst = truth.transmission(theta).min()
        hardest = min(hardest, worst)
        # 1e-13 of a residual becomes 1e-13 / sin of the transmission angle
        for name, expected in zip(("coupler", "rocker"), truth.angles(theta), strict=True):
            turned_alike(turn[f"{name}.angle"].values, expected, 1e-11 / worst)
        beta, psi = turn["coupler.angle"].values, turn["rocker.angle"].values
        assert (np.sin(beta - psi) * np.sin(beta[0] - psi[0]) > 0).all()
    assert hardest < 0.1  # the sample holds hard ones


@pytest.mark.parametrize("side", [1, -1])
def test_the_crossed_assembly_stays_crossed(side, closed_form, turned_alike):
    truth = closed_form(**LENGTHS, side=side)
    beta, psi = truth.angles(0.3)
    m = kempe.Builder("four-bar", plane=True)
    crank = m.bar("crank", 1.0, at=(0, 0), angle=0.3)
    coupler = m.bar("coupler", 3.5, at=(math.cos(0.3), math.sin(0.3)), angle=float(beta))
    rocker = m.bar("rocker", 3.0, at=(4, 0), angle=float(psi))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(4, 0), rocker.start)
    m.drive(crank.angle, start=0.3, rpm=60)
    turn = m.build().kinematics(until=3.0, steps=300)
    assert turn.outcome.is_done
    turned_alike(turn["rocker.angle"].values, truth.angles(turn["crank.angle"].values)[1], POSITION)

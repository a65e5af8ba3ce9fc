"""The assembly nearest to a wish: no closed configuration around it is nearer."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import AssemblyError, BadNumber, DriveError, UnknownName
from kempe.geometry import Pose, Rotation, Vector
from kempe.kinematics.closing import nearest as nearest_room

# Newton stops where its step is 1e-9 of the size; the objective is flat to second order there.
NEAREST = 1e-12
EXACT = 1e-12
SAME_EVERYWHERE = 1e-7  # places are weighed by the machine's size, which grows; Newton ends at 1e-9
WISH = {"crank": (0.1, -0.1, 1.3), "coupler": (0.7, 1.1, 0.1), "rocker": (3.4, 0.1, 1.9)}


@pytest.fixture(scope="module")
def four_bar():
    return kempe.gallery.four_bar(crank=1, coupler=3, rocker=3, ground=3.5)


def cost(mechanism, assembly, weights):
    """|W d|^2 from WISH, lengths in sizes of the machine."""
    q = assembly.trajectory.motion.q[0].reshape(3, 3)
    d = (q - np.array([WISH[b] for b in ("crank", "coupler", "rocker")])) * weights
    d[:, :2] /= mechanism.layout.size
    return float((d**2).sum())


@pytest.mark.parametrize(
    ("given", "factors"),
    [
        ({}, np.ones((3, 3))),
        ({"coupler": 10.0}, np.array([[1.0], [10.0], [1.0]]) * np.ones((3, 3))),
        ({"rocker.angle": 30.0}, np.array([[1, 1, 1], [1, 1, 1], [1, 1, 30.0]])),
    ],
    ids=["plain", "body", "coordinate"],
)
def test_no_neighbour_is_nearer_to_the_wish(four_bar, given, factors):
    found = four_bar.assemble(WISH, weights=given)
    least = cost(four_bar, found, factors)
    assert found.freedom == 1
    for turn in (-0.1, -1e-3, 1e-3, 0.1):
        angle = found["crank.angle"] + turn
        beside = four_bar.assemble(WISH, values={"crank.angle": angle})
        assert cost(four_bar, beside, factors) > least - NEAREST


def test_a_heavy_body_stays_nearer_to_its_place_than_a_light_one(four_bar):
    way, turn = zip(
        *(four_bar.assemble(WISH, weights=w).moved["coupler"] for w in ({}, {"coupler": 50.0})),
        strict=True,
    )
    plain, heavy = np.hypot(np.array(way) / four_bar.layout.size, turn)
    assert heavy < plain


def test_what_is_locked_does_not_move_by_one_bit(four_bar):
    where = {"rocker": (3.5, 0.0, 1.9)}
    found = four_bar.assemble(where, locked=["rocker"])
    assert found["rocker.angle"] == 1.9
    assert found.moved["rocker"] == (0.0, 0.0)
    assert found.residual <= EXACT


def test_a_locked_coordinate_or_joint_keeps_its_reading(four_bar):
    there = {"crank.angle": 1.1}
    assert four_bar.assemble(there, locked=["crank.angle"])["crank.angle"] == 1.1
    reading = four_bar.assemble()["C.angle"]
    held = four_bar.assemble(locked=["C.angle"])
    assert held["C.angle"] == pytest.approx(reading, abs=EXACT)


def test_locks_that_prevent_closing_are_named_with_the_gap(four_bar):
    with pytest.raises(AssemblyError) as caught:
        four_bar.assemble(WISH, locked=["rocker", "crank"])
    assert caught.value.facts["locked"] == ("rocker", "crank")
    assert caught.value.facts["loop"] == ("ground", "crank", "coupler", "rocker")
    assert caught.value.facts["misfit"] > 1e-3
    assert "unlock one of them" in caught.value.message


def test_values_are_met_and_the_branch_is_that_of_the_wish(four_bar):
    up, down = (
        four_bar.assemble({"rocker.angle": angle}, values={"crank.angle": "60 deg"})
        for angle in (1.9, -1.9)
    )
    assert up["crank.angle"] == pytest.approx(math.pi / 3, abs=EXACT)
    assert down["crank.angle"] == pytest.approx(math.pi / 3, abs=EXACT)
    assert up["rocker.end"][1] > 0.0 > down["rocker.end"][1]


def test_at_a_time_the_drives_hold_with_their_rates(four_bar):
    start = four_bar.kinematics(until=1.0, steps=1)
    found = four_bar.assemble(at=0.0)
    assert found["rocker.angle"] == pytest.approx(start["rocker.angle"].values[0], abs=EXACT)
    assert found.rate("rocker.angle") == pytest.approx(start["rocker.angle"].rate[0], rel=1e-10)


def test_a_given_rate_is_met_and_the_others_follow(four_bar):
    found = four_bar.assemble(values={"crank.angle": 1.0}, rates={"crank.angle": "60 rpm"})
    turn = four_bar.kinematics(over=("crank.angle", 1.0, 1.0 + math.tau), steps=1)
    assert found.rate("crank.angle") == pytest.approx(math.tau, rel=1e-12)
    assert found.rate("coupler.end") == pytest.approx(turn["coupler.end"].velocity[0], abs=1e-9)


def test_a_wished_twist_becomes_the_nearest_one_the_joints_allow(four_bar):
    unit = four_bar.assemble(rates={"crank.angle": 1.0})
    allowed = np.array([*unit.rate("coupler"), unit.rate("coupler.angle")])
    wanted = np.array([1.0, 0.5, 0.2])
    found = four_bar.assemble(twists={"coupler": tuple(wanted)})
    got = np.array([*found.rate("coupler"), found.rate("coupler.angle")])
    size = np.array([four_bar.layout.size] * 2 + [1.0])
    a, w = allowed / size, wanted / size
    assert got == pytest.approx(allowed * (a @ w) / (a @ a), abs=1e-5)  # others weigh 1e-6


def test_rates_that_fight_each_other_are_refused(four_bar):
    with pytest.raises(DriveError, match="cannot be had together"):
        four_bar.assemble(rates={"crank.angle": 1.0, "rocker.angle": 5.0})


def test_a_platform_goes_where_it_is_wished_and_its_legs_follow():
    stewart = kempe.gallery.stewart()
    here = stewart.assemble().poses["platform"]
    there = Pose(
        here.position + Vector(0.05, 0.02, 0.03),
        here.rotation @ Rotation.about((0.0, 0.0, 1.0), 0.2),
    )
    found = stewart.assemble({"platform": there})
    assert max(found.moved["platform"]) < 1e-5  # the legs weigh 1e-3 each
    exact = stewart.assemble({"platform": there}, locked=["platform"])
    assert exact.moved["platform"] == (0.0, 0.0)
    assert exact.freedom == 0


def test_an_assembly_is_a_wish_for_the_next_one(four_bar):
    first = four_bar.assemble(values={"crank.angle": 2.0})
    again = four_bar.assemble(first)
    assert again["crank.angle"] == pytest.approx(2.0, abs=1e-9)


@pytest.mark.parametrize(
    ("asked", "kind", "word"),
    [
        ({"near": {"crnk": (0, 0, 0)}}, UnknownName, "Did you mean 'crank'"),
        ({"near": {"crank": (0, 0)}}, BadNumber, "x, y, angle"),
        ({"near": {"crank.z": 1.0}}, UnknownName, "'crank.z'"),
        ({"values": {"crank.angel": 1.0}}, UnknownName, "Did you mean 'crank.angle'"),
        ({"weights": {"crank": 0.0}}, BadNumber, "must be positive"),
        ({"locked": "crank"}, BadNumber, 'locked=["crank"]'),
        ({"locked": ["ground"]}, UnknownName, "no moving body"),
        ({"twists": {"crank": (1, 2)}}, BadNumber, "vx, vy, w"),
    ],
)
def test_a_wish_that_means_nothing_is_refused_by_name(four_bar, asked, kind, word):
    with pytest.raises(kind) as caught:
        four_bar.assemble(**asked)
    assert word in caught.value.message


def test_a_displacement_in_space_is_what_the_chart_retracts():
    bennett = kempe.gallery.bennett()
    layout = bennett.layout
    q = bennett.assemble().trajectory.motion.q[0]
    from kempe.equations import equations_of

    d = np.random.default_rng(3).normal(size=layout.n_v) * 1e-4
    moved = equations_of(layout).program.retract(q, d)
    assert layout.displacement(q, moved) == pytest.approx(d, abs=1e-11)


def parallelograms(count):
    """Loops side by side that are guessed a little wrong, each free to move."""
    m = kempe.Builder("parallelograms", plane=True)
    for k in range(count):
        x = 5.0 * k
        crank = m.bar(f"crank{k}", 1, at=(x, 0.1), angle=1.1)
        coupler = m.bar(f"coupler{k}", 2, at=(x + 0.4, 0.9), angle=0.1)
        rocker = m.bar(f"rocker{k}", 1, at=(x + 2, 0), angle=0.9)
        m.revolute(m.ground.at(x, 0), crank.start)
        m.revolute(crank.end, coupler.start)
        m.revolute(coupler.end, rocker.end)
        m.revolute(m.ground.at(x + 2, 0), rocker.start)
    return m.build()


def test_loops_that_do_not_touch_are_fitted_each_as_if_it_were_alone(monkeypatch):
    asked = []
    evaluated = nearest_room._jacobian
    monkeypatch.setattr(
        nearest_room, "_jacobian", lambda *given: asked.append(1) or evaluated(*given)
    )
    counts = {}
    for count in (1, 12):
        asked.clear()
        start = parallelograms(count).assemble()
        counts[count] = len(asked)
        angles = np.array([start[f"crank{k}.angle"] for k in range(count)])
        # The guesses turn crank and rocker to 1.1 and 0.9 rad, and push all three as they may.
        assert np.ptp(angles) <= SAME_EVERYWHERE
        if count == 1:
            alone = angles[0]
        assert angles[0] == pytest.approx(alone, abs=SAME_EVERYWHERE)
    assert counts[12] <= counts[1] + 2

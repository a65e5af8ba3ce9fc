"""A live solver goes where it is told, on its branch, or says that it cannot."""

import math

import numpy as np
import pytest

import kempe
from kempe.couplers import GearPair
from kempe.errors import BadNumber, DriveError, UnitError, UnknownName

EXACT = 1e-11  # a position is solved to 1e-13 of the machine's size
CRANK_ROCKER = {"crank": 1.0, "coupler": 3.5, "rocker": 3.0, "ground": 4.0}
DOUBLE_ROCKER = {"crank": 3.0, "coupler": 1.0, "rocker": 3.0, "ground": 3.0}
STAYED = 1e-6  # how near to the limit of its motion it stands: a billionth of the way, its root


@pytest.fixture(scope="module")
def crank_rocker():
    return kempe.gallery.four_bar(**CRANK_ROCKER)


def test_it_starts_where_the_drive_starts(crank_rocker):
    solver = crank_rocker.solver()
    start = crank_rocker.kinematics(until=1.0, steps=1)
    assert solver.values == {"crank.angle": start["crank.angle"].values[0]}
    assert solver.state["rocker.angle"] == pytest.approx(start["rocker.angle"].values[0], abs=EXACT)


def test_it_stands_where_a_sweep_passes(crank_rocker):
    solver = crank_rocker.solver()
    sweep = crank_rocker.kinematics(until=1.0, steps=12)
    for k in (1, 5, 12, 3, 0):  # also backwards, and over most of a turn at once
        now = solver.update({"crank.angle": float(sweep["crank.angle"].values[k])})
        assert now.outcome.is_done
        assert now["rocker.angle"] == pytest.approx(sweep["rocker.angle"].values[k], abs=EXACT)
        np.testing.assert_allclose(now["coupler.P"], sweep["coupler.P"].position[k], atol=EXACT)


def test_many_turns_at_once_are_turns_and_no_jump(crank_rocker):
    solver = crank_rocker.solver()
    here = solver.update({"crank.angle": 1.0})
    there = solver.update({"crank.angle": 1.0 + 6 * math.tau})
    assert there.outcome.is_done
    assert there["rocker.angle"] == pytest.approx(here["rocker.angle"], abs=EXACT)
    assert there["crank.angle"] == pytest.approx(1.0 + 6 * math.tau, abs=EXACT)


def test_zero_and_one_are_values_like_any_other(crank_rocker):
    """A number of a model may fold into the program at 0; a setting never does."""
    solver = crank_rocker.solver()
    for value in (0.0, 1.0, 0.0, -1.0, 0.3, 0.0):
        now = solver.update({"crank.angle": value})
        np.testing.assert_allclose(now["crank.end"], (math.cos(value), math.sin(value)), atol=EXACT)


def test_a_value_may_have_a_unit(crank_rocker):
    now = crank_rocker.solver().update({"crank.angle": "90 deg"})
    np.testing.assert_allclose(now["crank.end"], (0.0, 1.0), atol=EXACT)


def test_the_same_value_again_changes_nothing(crank_rocker):
    solver = crank_rocker.solver()
    first, second = (solver.update({"crank.angle": 0.4}) for _ in range(2))
    assert second.outcome.is_done
    np.testing.assert_allclose(second.q, first.q, rtol=0, atol=EXACT)


def test_a_pose_is_read_by_the_body_s_name(crank_rocker):
    now = crank_rocker.solver().update({"crank.angle": 0.4})
    assert now.pose("crank").rotation.angle == pytest.approx(0.4, abs=EXACT)
    np.testing.assert_allclose(
        now.pose("crank").position.x, now["crank.start"][0], rtol=0, atol=EXACT
    )
    with pytest.raises(UnknownName):
        now.pose("cramk")


# -- limits ----------------------------------------------------------------------------------


def test_it_stops_at_a_dead_point_and_says_so():
    """The double rocker's arm ends where coupler and rocker lie in line: cosine law."""
    c, b, a, d = (DOUBLE_ROCKER[k] for k in ("crank", "coupler", "rocker", "ground"))
    limit = math.acos((c * c + d * d - (a + b) ** 2) / (2 * c * d))
    solver = kempe.gallery.four_bar(**DOUBLE_ROCKER).solver()
    inside = solver.update({"crank.angle": 1.0})
    beyond = solver.update({"crank.angle": 3.0})
    assert beyond.outcome.name == "DeadPoint"
    assert beyond.values["crank.angle"] == pytest.approx(limit, abs=STAYED)
    assert beyond["crank.angle"] == pytest.approx(limit, abs=STAYED)
    again = solver.update({"crank.angle": 3.0})
    assert again.outcome.name == "DeadPoint"
    back = solver.update({"crank.angle": 1.0})
    assert back.outcome.is_done
    assert back["rocker.angle"] == pytest.approx(inside["rocker.angle"], abs=EXACT)


def test_it_never_leaves_its_branch(rng):
    """Pushed to and fro against its limits, it is always on the side it started on."""
    solver = kempe.gallery.four_bar(**DOUBLE_ROCKER).solver()

    def side(now):
        a, b, c = now["crank.end"], now["coupler.end"], now["rocker.start"]
        u, v = b - a, c - b
        return u[0] * v[1] - u[1] * v[0]

    start = side(solver.state)
    for value in rng.uniform(-1.0, 3.0, 40):
        assert side(solver.update({"crank.angle": float(value)})) * start > 0.0


# -- several values, space, couplers ----------------------------------------------------------


def five_bar():
    m = kempe.Builder("five-bar", plane=True)
    a, b = m.bar("a", 1.0, at=(0, 0), angle=2.0), m.bar("b", 1.5)
    d, c = m.bar("d", 1.0, at=(1, 0), angle=1.1), m.bar("c", 1.5)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(m.ground.at(1, 0), d.start)
    m.revolute(a.end, b.start)
    m.revolute(d.end, c.start)
    m.revolute(b.end, c.end)
    m.drive(a.angle, start=2.0, speed=1.0)
    m.drive(d.angle, start=1.1, speed=1.0)
    return m.build()


def test_one_of_several_values_may_be_set_alone():
    solver = five_bar().solver()
    now = solver.update({"d.angle": 0.8})
    assert now.values == {"a.angle": 2.0, "d.angle": 0.8}
    left, right = now["a.end"], now["d.end"]
    np.testing.assert_allclose(left, (math.cos(2.0), math.sin(2.0)), atol=EXACT)
    np.testing.assert_allclose(right, (1 + math.cos(0.8), math.sin(0.8)), atol=EXACT)
    for end in (left, right):
        assert np.linalg.norm(now["b.end"] - end) == pytest.approx(1.5, abs=EXACT)


def test_turns_are_counted_through_all_updates():
    """A gear of ratio 1/3 in space: after three turns of one the other is back, not before."""
    m = kempe.Builder("gears")
    small, large = m.body("small", at=(0, 0)), m.body("large", at=(1, 0))
    m.revolute(m.ground.at(0, 0), small.at(0, 0))
    m.revolute(m.ground.at(1, 0), large.at(0, 0))
    m.couple(GearPair((small.angle, large.angle), teeth=(10, 30)))
    m.drive(small.angle, rpm=60)
    solver = m.build().solver()
    for k in range(1, 20):
        angle = 2.0 * k
        now = solver.update({"small.angle": angle})
        assert now.outcome.is_done
        turned = now["large.angle"] + angle / 3
        assert math.remainder(turned, math.tau) == pytest.approx(0.0, abs=EXACT)
        assert now["small.angle"] == pytest.approx(angle, abs=EXACT)


def test_other_measures_than_the_driven_one_may_be_set(crank_rocker):
    solver = crank_rocker.solver("rocker.angle")
    assert list(solver.values) == ["rocker.angle"]
    now = solver.update({"rocker.angle": solver.values["rocker.angle"] + 0.05})
    assert now.outcome.is_done
    assert now["rocker.angle"] == pytest.approx(solver.values["rocker.angle"], abs=EXACT)
    with pytest.raises(UnknownName, match="Did you mean"):
        crank_rocker.solver("rocker.angel")


# -- refusals --------------------------------------------------------------------------------


def test_what_is_not_driven_cannot_be_set(crank_rocker):
    solver = crank_rocker.solver()
    with pytest.raises(UnknownName, match="not driven"):
        solver.update({"rocker.angle": 0.3})
    with pytest.raises(UnitError):
        solver.update({"crank.angle": "3 mm"})
    with pytest.raises(BadNumber):
        solver.update({"crank.angle": math.nan})
    assert solver.state.outcome.is_done


def test_a_mechanism_without_a_drive_has_no_value_to_set():
    m = kempe.Builder("still", plane=True)
    bar = m.bar("bar", 1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    with pytest.raises(DriveError, match="no value to set"):
        m.build().solver()
    assert m.build().solver("bar.angle").update({"bar.angle": 0.5}).outcome.is_done

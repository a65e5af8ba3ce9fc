"""The sweep stays on its branch, ends where it must, and does not depend on who runs it."""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import kempe
from kempe import gallery
from kempe.compile.program.program import PROGRAMS
from kempe.front import Mechanism

pytestmark = pytest.mark.core

# Newton ends within a hundred roundings of lengths near 1.
SAME_MOTION = 1e-12
# A dead point is found by halving steps to the last digits; the square root at it costs half.
DEAD_POINT = 1e-8


@pytest.mark.parametrize("executor", ["vm", "llvm"])
@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("plane", [True, False])
def test_executors_and_plans_give_one_motion(executor: str, plan: str, plane: bool) -> None:
    reference = gallery.four_bar().kinematics(until=1.0, steps=60, executor="vm", plan="small")
    turn = gallery.four_bar(plane=plane).kinematics(
        until=1.0, steps=60, executor=executor, plan=plan
    )
    assert turn.outcome.is_done
    expected = reference["coupler.P"]
    found = turn["coupler.P"]
    np.testing.assert_allclose(found.position[:, :2], expected.position, atol=SAME_MOTION)
    speed = np.abs(expected.velocity).max()
    np.testing.assert_allclose(found.velocity[:, :2], expected.velocity, atol=SAME_MOTION * speed)
    size = np.abs(expected.acceleration).max()
    np.testing.assert_allclose(
        found.acceleration[:, :2], expected.acceleration, atol=SAME_MOTION * size
    )


def test_redundant_hinges_in_space_are_named_and_watched() -> None:
    turn = gallery.four_bar(plane=False).kinematics(until=1.0, steps=10)
    assert turn.outcome.is_done
    assert turn.redundant


@pytest.mark.parametrize("executor", ["vm", "llvm"])
def test_a_crank_that_cannot_turn_fully_stops_at_its_dead_point(executor: str) -> None:
    a, b, c, d = 3.0, 3.5, 3.0, 4.0
    mechanism = gallery.four_bar(crank=a, coupler=b, rocker=c, ground=d)
    turn = mechanism.kinematics(until=1.0, steps=360, executor=executor)
    limit = math.acos((a * a + d * d - (b + c) ** 2) / (2 * a * d))
    assert turn.outcome.name == "DeadPoint"
    assert turn.outcome.facts["value"] == pytest.approx(limit, abs=DEAD_POINT)
    assert 2 < len(turn) < 361
    assert np.isfinite(turn["coupler.P"].acceleration).all()


@pytest.mark.parametrize("executor", ["vm", "llvm"])
def test_a_parallelogram_stops_where_it_folds_flat(executor: str) -> None:
    mechanism = gallery.four_bar(crank=1.0, coupler=2.0, rocker=1.0, ground=2.0)
    turn = mechanism.kinematics(until=1.0, steps=360, executor=executor)
    assert turn.outcome.name == "Bifurcation"
    assert turn.outcome.facts["value"] == pytest.approx(math.pi, abs=1e-6)
    advised = 'End the sweep before it, or say which: through="momentum" (straight on, '
    assert turn.outcome.advice.startswith(advised)
    crossed = np.sin(turn["coupler.angle"].values - turn["rocker.angle"].values)
    assert (np.sign(crossed) == np.sign(crossed[0])).all()


@pytest.mark.parametrize("executor", ["vm", "llvm"])
@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("wheels", [2, 3, 4])
def test_coupled_wheels_stop_where_all_rods_lie_flat_however_many(
    wheels: int, plan: str, executor: str, coupled_wheels: Callable[[int], kempe.Mechanism]
) -> None:
    """Two rods flat at once leave the sign of the whole determinant as it was."""
    turn = coupled_wheels(wheels).kinematics(until=1.0, steps=50, executor=executor, plan=plan)
    assert turn.outcome.name == "Bifurcation"
    more = len(turn.outcome.continuations) - 4
    assert turn.outcome.advice.endswith(f"; {more} more in `continuations`.") == (more > 0)
    assert turn.outcome.facts["value"] == pytest.approx(math.pi, abs=1e-6)


def test_random_four_bars_never_change_branch() -> None:
    random = np.random.default_rng(20)
    for a, b, c, d in random.uniform(0.5, 3.0, (60, 4)):
        if 2 * max(a, b, c, d) >= a + b + c + d:
            continue
        turn = gallery.four_bar(crank=a, coupler=b, rocker=c, ground=d).kinematics(
            until=1.0, steps=90
        )
        can_turn = abs(b - c) <= abs(d - a) and a + d <= b + c
        assert turn.outcome.is_done == can_turn, (a, b, c, d)
        side = np.sign(np.sin(turn["coupler.angle"].values - turn["rocker.angle"].values))
        assert (side == side[0]).all(), (a, b, c, d)


def test_large_steps_are_cut_and_give_the_same_samples() -> None:
    mechanism = gallery.four_bar()
    coarse = mechanism.kinematics(until=1.0, steps=3)
    fine = mechanism.kinematics(until=1.0, steps=300)
    assert coarse.motion.counts["substeps"] > 0
    np.testing.assert_allclose(
        coarse["rocker.angle"].values, fine["rocker.angle"].values[::100], atol=SAME_MOTION
    )


def test_many_lengths_share_one_program() -> None:
    PROGRAMS.clear()
    for k in range(20):
        turn = gallery.four_bar(crank=0.99 + 0.001 * k).kinematics(until=1.0, steps=4)
        assert turn.outcome.is_done
    assert len(PROGRAMS) == 1


def test_threads_that_share_a_program_do_not_disturb_each_other() -> None:
    mechanisms = [gallery.four_bar(crank=0.8 + 0.01 * k) for k in range(24)]

    def motion(mechanism: Mechanism) -> np.ndarray:
        return mechanism.kinematics(until=1.0, steps=40).motion.q

    alone = [motion(m) for m in mechanisms]
    again = [gallery.four_bar(crank=0.8 + 0.01 * k) for k in range(24)]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(motion, again))
    for a, b in zip(alone, together, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_long_chain_moves_in_the_large_plan() -> None:
    turn = gallery.four_bar_chain(loops=40).kinematics(until=1.0, steps=20)
    assert turn.outcome.is_done

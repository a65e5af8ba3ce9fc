"""Closed loops: shortest corrections, motions that are let through, the weakest direction."""

import numpy as np
import pytest

import kempe
from kempe.kinematics.drag.closed_loops import ClosedLoops, LoopState
from kempe.kinematics.drag.drag import released
from kempe.kinematics.mobility.finite_motion import Released

# Condition numbers here stay below 1e4.
CLOSE = 1e-10
MECHANISMS = {
    "four-bar": kempe.gallery.four_bar,
    "four-bar in space": lambda: kempe.gallery.four_bar(plane=False),
    "Bennett": kempe.gallery.bennett,
    "planetary train": kempe.gallery.planetary_train,
    "chain": lambda: kempe.gallery.four_bar_chain(loops=20),
}


@pytest.fixture(params=MECHANISMS)
def free(request: pytest.FixtureRequest) -> Released:
    return released(MECHANISMS[request.param]().layout, 0.0)


def jacobian(loops: ClosedLoops, place: LoopState) -> np.ndarray:
    """The scaled Jacobian of the independent rows, column by column."""
    columns = np.eye(len(loops.scale))
    return np.column_stack([loops.applied(place, d) for d in columns])


def test_what_is_let_through_is_the_push_on_the_null_space(free: Released, rng) -> None:
    loops = ClosedLoops(free)
    place = loops.place(free.start.q, free.start.turns)
    J = jacobian(loops, place)
    N = np.linalg.svd(J)[2][len(J) :]
    assert loops.freedom == len(N) >= 1
    pushes = rng.normal(size=(3, J.shape[1]))
    np.testing.assert_allclose(loops.let_through(place, pushes), pushes @ N.T @ N, atol=CLOSE)


def test_the_weakest_direction_is_that_of_the_smallest_singular_value(free: Released) -> None:
    loops = ClosedLoops(free)
    place = loops.place(free.start.q, free.start.turns)
    found = loops.weakness(place)
    smallest = np.linalg.svd(jacobian(loops, place), compute_uv=False)[-1]
    # an estimate from above; where singular values lie close together it is one of them
    assert smallest * (1.0 - CLOSE) <= found.sigma < 1.2 * smallest
    assert loops.strength(place, found) == pytest.approx(found.sigma, rel=1e-6)


def test_corrections_close_what_a_push_has_opened(free: Released, rng) -> None:
    loops = ClosedLoops(free)
    place = loops.place(free.start.q, free.start.turns)
    open_ = loops.moved(place, 1e-3 * rng.normal(size=len(loops.scale)))
    assert open_.misfit > 1e-5
    nothing = np.zeros((0, len(loops.scale)))
    for _ in range(4):
        open_ = loops.moved(open_, loops.correction(open_, nothing, np.zeros(0)))
    assert open_.misfit < 1e-12

"""Vectors and tensors know their frame."""

import numpy as np
import pytest

from kempe.errors import BadNumber, FrameMismatch
from kempe.frames import FramedTensor, FramedVector, KinematicState

ROUNDING = 1e-14


def test_a_vector_keeps_its_length_and_angles_in_another_frame(any_state, rng) -> None:
    s = any_state("B", "A")
    u, v = (FramedVector(x, "B") for x in rng.normal(size=(2, 3)))
    u_A, v_A = u.expressed(s), v.expressed(s)
    assert u_A.frame == "A"
    assert float(u_A @ v_A) == pytest.approx(float(u @ v), abs=ROUNDING * 10)
    both = u.cross(v).expressed(s)
    np.testing.assert_allclose(both.components, u_A.cross(v_A).components, atol=ROUNDING * 10)
    np.testing.assert_allclose(u_A.expressed(s).components, u.components, atol=ROUNDING * 10)


def test_a_tensor_applied_before_or_after_the_change_of_frame_gives_the_same(
    any_state, rng
) -> None:
    s = any_state("B", "A", 4)
    T, v = FramedTensor(rng.normal(size=(3, 3)), "B"), FramedVector(rng.normal(size=3), "B")
    after, before = (T @ v).expressed(s), T.expressed(s) @ v.expressed(s)
    np.testing.assert_allclose(after.components, before.components, atol=ROUNDING * 100)


@pytest.mark.row("D7")
@pytest.mark.parametrize(
    "mix",
    [
        lambda u, v, T: u + v,
        lambda u, v, T: u - v,
        lambda u, v, T: u @ v,
        lambda u, v, T: u.cross(v),
        lambda u, v, T: T @ v,
        lambda u, v, T: T + FramedTensor(np.eye(3), "crane"),
    ],
)
def test_mixing_frames_is_refused_and_both_are_named(mix) -> None:
    u, v = FramedVector([1, 0, 0], "boom"), FramedVector([0, 1, 0], "crane")
    with pytest.raises(FrameMismatch, match="'boom' and one in 'crane'"):
        mix(u, v, FramedTensor(np.eye(3), "boom"))


def test_a_state_of_other_frames_says_nothing_about_a_vector() -> None:
    with pytest.raises(FrameMismatch, match="'ship'"):
        FramedVector([1, 0, 0], "ship").expressed(KinematicState("boom", "crane"))


def test_components_must_be_three_and_finite() -> None:
    with pytest.raises(BadNumber):
        FramedVector([1, 2], "A")
    with pytest.raises(BadNumber):
        FramedTensor([[np.inf] * 3] * 3, "A")

"""Laws that rotations and poses obey alike, and those of whatever is seen from another frame."""

from collections.abc import Callable
from typing import Any

import numpy as np

Numbers = Callable[[Any], np.ndarray]


def assert_a_group(numbers: Numbers, a: Any, b: Any, c: Any, one: Any, rounding: float) -> None:
    """(a b) c = a (b c), a 1 = 1 a = a, a a^-1 = 1."""
    np.testing.assert_allclose(numbers((a @ b) @ c), numbers(a @ (b @ c)), atol=rounding)
    np.testing.assert_array_equal(numbers(a @ one), numbers(a))
    np.testing.assert_array_equal(numbers(one @ a), numbers(a))
    np.testing.assert_allclose(numbers(a @ a.inverse()), numbers(one), atol=rounding)
    np.testing.assert_allclose(numbers(a.inverse() @ a), numbers(one), atol=rounding)


def assert_frames_compose(numbers: Numbers, any_: Any, of_C: Any, rounding: float) -> None:
    """What is seen of C from B and that from A is what is seen of C from A, and comes back."""
    X_AB, X_BC = any_.pose(), any_.pose()
    once, twice = of_C.seen_from(X_AB @ X_BC), of_C.seen_from(X_BC).seen_from(X_AB)
    back = of_C.seen_from(X_BC).seen_from(X_BC.inverse())
    for name in of_C.__slots__:
        known, seen, same = (numbers(getattr(one, name)) for one in (once, twice, back))
        np.testing.assert_allclose(known, seen, atol=rounding)
        np.testing.assert_allclose(same, numbers(getattr(of_C, name)), atol=rounding)

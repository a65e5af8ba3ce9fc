"""Reactions of every joint and coupler, alone and beside another, are those of Newton and Euler.

What is compared, and with what, is said in `tests/campaigns/newton_euler.py`; there any two parts
meet, here each class meets its neighbour in the alphabet.
"""

import numpy as np
import pytest

from tests.campaigns.newton_euler import judged, kinds

MOST = 60  # thrown at random, not all go together: a bar may be too far from a curve


@pytest.mark.parametrize("is_alone", [True, False])
@pytest.mark.parametrize("name", sorted(kinds()))
def test_what_a_part_exerts_is_what_moves_the_bodies(name, is_alone):
    names = sorted(kinds())
    other = [] if is_alone else [names[(names.index(name) + 1) % len(names)]]
    for seed in range(MOST):
        faults = judged(np.random.default_rng([1876, seed]), [name, *other])
        assert not faults, f"seed {seed}: {faults[0]}"
        if faults is not None:
            return
    pytest.fail("nothing was judged")

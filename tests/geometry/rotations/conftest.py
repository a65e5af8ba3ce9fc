"""What the tests of rotations share."""

import numpy as np
import pytest

from kempe.geometry.rotations import uniform


@pytest.fixture
def q(rng: np.random.Generator) -> np.ndarray:
    """A thousand unit quaternions, uniform over all rotations."""
    return uniform(1000, rng)

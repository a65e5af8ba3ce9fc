"""Random rotations, poses and vectors."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kempe.geometry import Pose, Rotation, Vector


class Geometry:
    """Random things of this room, and numbers of them."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def vector(self) -> Vector:
        return Vector(*self.rng.uniform(-2.0, 2.0, 3).tolist())

    def quaternion(self) -> np.ndarray:
        q = self.rng.normal(size=4)
        q /= np.linalg.norm(q)
        return q if q[0] >= 0 else -q

    def rotation(self) -> Rotation:
        return Rotation.from_quaternion(self.quaternion().tolist())

    def pose(self) -> Pose:
        return Pose(self.vector(), self.rotation())


@pytest.fixture
def any_(rng: np.random.Generator) -> Geometry:
    return Geometry(rng)


@pytest.fixture(scope="session")
def numbers() -> Callable[[Any], np.ndarray]:
    """A vector's, rotation's or pose's numbers as an array."""

    def array(thing: Any) -> np.ndarray:
        if isinstance(thing, Vector):
            return np.array(thing, dtype=float)
        return thing.matrix()

    return array

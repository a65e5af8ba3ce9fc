"""What the tests of forces share."""

from collections.abc import Callable

import numpy as np
import pytest

from kempe import Builder, Inertia
from kempe.front.parts import BodyPart
from kempe.joints import Prismatic

Slider = tuple[Builder, BodyPart]


@pytest.fixture
def slider() -> Callable[..., Slider]:
    """Builds a mass on rails along x."""

    def build(mass: float = 2.0, at: float = 0.3, *, plane: bool = True) -> Slider:
        m = Builder("slider", plane=plane)
        block = m.body("block", at=(at, 0), angle=0.0, inertia=Inertia(mass, (0, 0, 0), np.eye(3)))
        rail = (1, 0, 0)
        m.add(Prismatic(m.ground.at(0, 0).facing(rail), block.at(0, 0).facing(rail)), "rail")
        return m, block

    return build

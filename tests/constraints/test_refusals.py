"""Numbers a constraint cannot be made with."""

import math

import pytest

from kempe.constraints import AtAngle, Distance, DistanceFromLine, InPlane
from kempe.errors import BadNumber
from kempe.geometry import Z


@pytest.mark.parametrize("length", [0.0, -0.1, math.nan, math.inf])
def test_a_distance_is_positive(length):
    with pytest.raises(BadNumber, match="must be positive"):
        Distance(length)
    with pytest.raises(BadNumber, match="must be positive"):
        DistanceFromLine(Z, length)


@pytest.mark.parametrize("angle", [0.0, math.pi, -0.3, 4.0, math.nan])
def test_an_angle_lies_between_its_flat_ends(angle):
    with pytest.raises(BadNumber, match="between 0 and pi"):
        AtAngle(Z, Z, angle)


def test_an_offset_is_finite():
    with pytest.raises(BadNumber, match="finite"):
        InPlane(Z, math.inf)

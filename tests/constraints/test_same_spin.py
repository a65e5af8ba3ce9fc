"""The row of the constant velocity joint says what it claims: equal spins at any bend."""

import numpy as np
import pytest

from kempe.constraints import SameSpin
from kempe.geometry import Pose, Rotation, Vector

ROUNDING = 1e-14  # of sums of a few products of cosines


def shafts(bend, spin_I, spin_J):
    """Two shafts with outward z axes, bent by `bend` about y, and spun."""
    outward = Rotation.about((0.0, 1.0, 0.0), bend) @ Rotation.about((1.0, 0.0, 0.0), np.pi)
    I, J = Rotation.planar(spin_I), outward @ Rotation.planar(spin_J)
    return [Pose(Vector(0.0, 0.0, 0.0), R) for R in (I, J)]


@pytest.mark.parametrize("bend", [0.0, 0.4, -1.2])
@pytest.mark.parametrize("spin", [0.0, 0.5, 2.8])
def test_shafts_that_spun_equally_satisfy_it_at_any_bend(bend, spin):
    """Seen along each outward axis, the two spins oppose each other."""
    (row,) = SameSpin().phi(*shafts(bend, spin, -spin))
    assert abs(row) < ROUNDING


@pytest.mark.parametrize("bend", [0.0, 0.4, -1.2])
def test_shafts_that_spun_unequally_do_not(bend):
    (row,) = SameSpin().phi(*shafts(bend, 0.5, -0.6))
    assert abs(row) > 0.1


def test_it_says_nothing_where_the_z_axes_point_the_same_way():
    X_WI, X_WJ = (Pose(Vector(0.0, 0.0, 0.0), Rotation.planar(a)) for a in (0.5, 1.9))
    (row,) = SameSpin().phi(X_WI, X_WJ)
    assert abs(row) < ROUNDING

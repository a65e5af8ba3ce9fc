"""A motion that is written as ASMT is read again with the same samples, and moves the same way."""

import numpy as np
import pytest

import kempe
from kempe.export.writing import write
from kempe.foreign.asmt.results import bryant_angles

SAME = 1e-12  # numbers are written with all their digits; angles and matrices round
MOVED = 1e-9  # m: a sweep ends its Newton steps there


def turned(angles):
    """Rx(a) Ry(b) Rz(c), by hand."""
    (a, b, c), one = angles, np.eye(3)
    for k, angle in enumerate((a, b, c)):
        i, j = (k + 1) % 3, (k + 2) % 3
        turn = np.eye(3)
        turn[i, i] = turn[j, j] = np.cos(angle)
        turn[i, j], turn[j, i] = -np.sin(angle), np.sin(angle)
        one = one @ turn
    return one


@pytest.mark.parametrize("name", ["four_bar", "rssr"])
def test_series_of_bodies_come_back_and_the_mechanism_moves_alike(name, tmp_path):
    motion = kempe.gallery.MECHANISMS[name]().kinematics(until=0.5, steps=10)
    again = kempe.load(write(motion, tmp_path / "motion.asmt"))
    results = again.imported.results
    np.testing.assert_array_equal(results.t, motion.t)
    assert again.imported.run.until == 0.5
    swept = again.kinematics(until=0.5, steps=10)
    for body, series in results.bodies.items():
        wide = motion[body].position.shape[1]
        for word in ("position", "velocity", "acceleration"):
            np.testing.assert_array_equal(
                getattr(series, word)[:, :wide], getattr(motion[body], word)
            )
        places = swept[body].position[:, :wide]
        np.testing.assert_allclose(places, motion[body].position, atol=MOVED)
    spin = results.bodies["crank"].spin[:, 2]
    rate = (
        motion["crank.angle"].rate if wide == 2 else motion["crank.angular_velocity"].values[:, 2]
    )
    np.testing.assert_allclose(spin, rate, atol=SAME)


def test_bryant_angles_turn_as_their_matrices_also_where_two_of_them_are_one(rng):
    for angles in (*rng.uniform(-1.5, 1.5, (20, 3)), (0.3, np.pi / 2, 0.8), (0.3, -np.pi / 2, 0.8)):
        R = turned(angles)
        np.testing.assert_allclose(turned(bryant_angles(R[None])[0]), R, atol=SAME * 1e3)

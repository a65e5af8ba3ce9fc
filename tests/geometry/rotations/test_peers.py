"""The same numbers as SciPy and pytransform3d, on random input."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation as Scipy
from scipy.spatial.transform import Slerp

from kempe.geometry.rotations import (
    SEQUENCES,
    AxisAngle,
    Euler,
    Matrix,
    ModifiedRodrigues,
    Quaternion,
    RotationVector,
    adjoint,
    converted,
    cubic,
    distance,
    exp_se3,
    exp_so3,
    log_se3,
    log_so3,
    mean,
    product,
    slerp,
    turned,
    uniform,
)
from kempe.geometry.screw import Screw

# What both libraries promise, of numbers up to ten.
AGREED = 1e-12
theirs = pytest.importorskip("pytransform3d.rotations")
moved = pytest.importorskip("pytransform3d.transformations")


@pytest.fixture
def q(rng: np.random.Generator) -> np.ndarray:
    return uniform(100, rng)


def displacements(rng: np.random.Generator, n: int) -> np.ndarray:
    X = np.tile(np.eye(4), (n, 1, 1))
    X[:, :3, :3] = Matrix().of_quaternions(uniform(n, rng))
    X[:, :3, 3] = rng.normal(size=(n, 3))
    return X


@pytest.mark.parametrize("name", [*SEQUENCES, *(s.lower() for s in SEQUENCES)])
def test_all_euler_conventions_are_those_of_pytransform3d(name: str, q: np.ndarray) -> None:
    i, j, k = ("XYZ".index(letter) for letter in name.upper())
    angles = np.random.default_rng(5).uniform(-3, 3, (30, 3))
    for one in angles:
        R = theirs.matrix_from_euler(one, i, j, k, name.islower())
        assert abs(converted(one, Euler(name), Matrix()) - R).max() < AGREED
    for one in q[:30]:
        back = theirs.euler_from_quaternion(one, i, j, k, name.islower())
        assert abs(Euler(name).of_quaternions(one) - back).max() < AGREED


def test_every_other_representation_is_that_of_pytransform3d(q: np.ndarray) -> None:
    for one in q:
        R = theirs.matrix_from_quaternion(one)
        pairs = [
            (Matrix(), R),
            (AxisAngle(), theirs.axis_angle_from_quaternion(one)),
            (RotationVector(), theirs.compact_axis_angle_from_quaternion(one)),
            (Quaternion("last"), theirs.quaternion_xyzw_from_wxyz(one)),
        ]
        for representation, numbers in pairs:
            assert abs(representation.of_quaternions(one) - numbers).max() < AGREED
            assert distance(representation.quaternions(numbers), one) < AGREED
        mrp = theirs.mrp_from_quaternion(one)
        assert distance(ModifiedRodrigues().quaternions(mrp), one) < AGREED
        assert abs(log_so3(R) - theirs.compact_axis_angle_from_matrix(R)).max() < AGREED


def test_products_turned_vectors_and_distances_are_those_of_pytransform3d(
    q: np.ndarray, rng: np.random.Generator
) -> None:
    for a, b, v in zip(q[:50], q[50:], rng.normal(size=(50, 3)), strict=True):
        assert abs(product(a, b) - theirs.concatenate_quaternions(a, b)).max() < AGREED
        assert abs(turned(a, v) - theirs.q_prod_vector(a, v)).max() < AGREED
        # an arc cosine of theirs loses half of the digits near its ends
        assert distance(a, b) == pytest.approx(theirs.quaternion_dist(a, b), abs=1e-7)
        for t in (0.0, 0.2, 0.7, 1.0):
            halfway = theirs.quaternion_slerp(a, b, t, shortest_path=True)
            assert distance(slerp(a, b, t), halfway) < AGREED


def test_interpolation_and_means_are_those_of_scipy(q: np.ndarray) -> None:
    R = Scipy.from_quat(q[:10], scalar_first=True)
    between = Slerp(np.arange(10), R)(np.linspace(0, 9, 50)).as_quat(scalar_first=True)
    places = np.linspace(0, 9, 50)
    k = np.minimum(places.astype(int), 8)
    assert distance(slerp(q[k], q[k + 1], places - k), between).max() < AGREED
    assert (
        distance(mean(q), Scipy.from_quat(q, scalar_first=True).mean().as_quat(scalar_first=True))
        < AGREED
    )
    steady = cubic(
        q[0],
        product(q[0], RotationVector().quaternions([0, 0, 1.0])),
        [0, 0, 0.5],
        [0, 0, 0.5],
        2.0,
        1.0,
    )
    half = Scipy.from_quat(q[0], scalar_first=True) * Scipy.from_rotvec([0, 0, 0.5])
    assert distance(steady, half.as_quat(scalar_first=True)) < AGREED


def test_exponentials_and_logarithms_of_displacements_are_those_of_both(
    rng: np.random.Generator,
) -> None:
    X = displacements(rng, 100)
    for one, twist, Ad in zip(X, log_se3(X), adjoint(X), strict=True):
        v, w = twist[:3], twist[3:]
        S = np.zeros((4, 4))
        S[:3, :3], S[:3, 3] = [[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]], v
        assert abs(expm(S) - one).max() < AGREED * 10  # SciPy's series has that rounding
        stheta = moved.exponential_coordinates_from_transform(one)  # w stands before v
        assert abs(np.concatenate([w, v]) - stheta).max() < AGREED * 10
        assert abs(exp_se3(twist) - moved.transform_from_exponential_coordinates(stheta)).max() < (
            AGREED * 10
        )
        theirs_first = moved.adjoint_from_transform(one)
        swap = [3, 4, 5, 0, 1, 2]
        assert abs(Ad - theirs_first[np.ix_(swap, swap)]).max() < AGREED


def test_the_screw_of_a_displacement_is_that_of_pytransform3d(rng: np.random.Generator) -> None:
    for X in displacements(rng, 50):
        screw = Screw.of(X)
        stheta = moved.exponential_coordinates_from_transform(X)
        axis, theta = moved.screw_axis_from_exponential_coordinates(stheta)
        point, direction, pitch = moved.screw_parameters_from_screw_axis(axis)
        assert abs(screw.direction - direction).max() < AGREED
        assert screw.angle == pytest.approx(theta, abs=AGREED)
        assert screw.pitch == pytest.approx(pitch, abs=AGREED * 10, rel=1e-11)
        # any point of the axis will do: theirs must lie on it
        off = np.cross(point - screw.point, direction)
        assert abs(off).max() < AGREED * 100


def test_the_exponential_of_rotations_is_that_of_scipy(rng: np.random.Generator) -> None:
    v = rng.normal(size=(200, 3)) * rng.uniform(0, 3, (200, 1))
    assert abs(exp_so3(v) - Scipy.from_rotvec(v).as_matrix()).max() < AGREED

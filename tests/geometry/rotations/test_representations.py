"""Every way to write a rotation: there and back, against SciPy and pytransform3d, mistakes."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation as Scipy

import kempe.geometry.rotations as room
from kempe.errors import BadNumber, KempeError, UnknownName
from kempe.geometry.rotations import (
    SEQUENCES,
    AbstractRepresentation,
    AxialRotator,
    AxisAngle,
    Euler,
    GimbalLock,
    Matrix,
    ModifiedRodrigues,
    Quaternion,
    RotationVector,
    SixD,
    converted,
    distance,
    orthonormal,
)

pytestmark = pytest.mark.core

# A dozen roundings of numbers around one.
ROUNDING = 1e-14
# What was asked of the comparison with other libraries, which round in another order.
AGREED = 1e-12
NAMES = [*SEQUENCES, *(s.lower() for s in SEQUENCES)]
COMPLETE = [
    Matrix(),
    Quaternion(),
    Quaternion("last"),
    AxisAngle(),
    RotationVector(),
    ModifiedRodrigues(),
    SixD(),
    *(Euler(s) for s in NAMES),
]


def test_the_list_of_representations_is_complete() -> None:
    members = {m for m in vars(room).values() if isinstance(m, type)}
    members = {m for m in members if issubclass(m, AbstractRepresentation)}
    assert members - {AbstractRepresentation} == {type(r) for r in COMPLETE} | {AxialRotator}


@pytest.mark.parametrize("target", COMPLETE, ids=repr)
def test_every_rotation_survives_the_way_there_and_back(
    target: AbstractRepresentation, q: np.ndarray
) -> None:
    numbers = target.of_quaternions(q)
    assert numbers.shape == (1000, *target.shape)
    assert distance(target.quaternions(numbers), q).max() < ROUNDING


@pytest.mark.parametrize("source", [*COMPLETE[:7], Euler("ZXZ"), Euler("zyx")], ids=repr)
@pytest.mark.parametrize("target", [*COMPLETE[:7], Euler("YXY"), Euler("xyz")], ids=repr)
def test_any_two_representations_convert_and_keep_the_shape_of_the_array(
    source: AbstractRepresentation, target: AbstractRepresentation, q: np.ndarray
) -> None:
    given_numbers = source.of_quaternions(q.reshape(10, 20, 5, 4))
    result = converted(given_numbers, source, target)
    assert result.shape == (10, 20, 5, *target.shape)
    assert distance(target.quaternions(result).reshape(-1, 4), q).max() < 2 * ROUNDING


@pytest.mark.parametrize("sequence", NAMES)
def test_euler_angles_are_those_of_scipy(sequence: str, q: np.ndarray) -> None:
    theirs = Scipy.from_quat(q, scalar_first=True)
    assert abs(Euler(sequence).of_quaternions(q) - theirs.as_euler(sequence)).max() < AGREED
    angles = np.random.default_rng(3).uniform(-7, 7, (1000, 3))
    expected = Scipy.from_euler(sequence, angles).as_matrix()
    assert abs(converted(angles, Euler(sequence), Matrix()) - expected).max() < AGREED


def test_the_other_representations_are_those_of_scipy(q: np.ndarray) -> None:
    theirs = Scipy.from_quat(q, scalar_first=True)
    pairs = [
        (Matrix(), theirs.as_matrix()),
        (Quaternion("last"), theirs.as_quat()),
        (RotationVector(), theirs.as_rotvec()),
        (ModifiedRodrigues(), theirs.as_mrp()),
    ]
    for representation, expected in pairs:
        assert abs(representation.of_quaternions(q) - expected).max() < AGREED
        assert distance(representation.quaternions(expected), q).max() < AGREED


def test_matrices_axes_and_angles_are_those_of_pytransform3d(q: np.ndarray) -> None:
    theirs = pytest.importorskip("pytransform3d.rotations")
    for one in q[:100]:
        R = theirs.matrix_from_quaternion(one)
        assert abs(Matrix().of_quaternions(one) - R).max() < AGREED
        axis_angle = theirs.axis_angle_from_quaternion(one)
        assert abs(AxisAngle().of_quaternions(one) - axis_angle).max() < AGREED
        zxz = theirs.euler_from_quaternion(one, 2, 0, 2, False)
        assert abs(Euler("ZXZ").of_quaternions(one) - zxz).max() < AGREED


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1.0, 1e9, 1e200])
def test_the_length_of_a_quaternion_does_not_matter(scale: float, q: np.ndarray) -> None:
    assert distance(Quaternion().quaternions(scale * q), q).max() < ROUNDING


@given(st.floats(0, 1e-3), st.integers(0, 2))
def test_small_turns_keep_all_their_digits(angle: float, axis: int) -> None:
    v = angle * np.eye(3)[axis]
    back = converted(converted(v, RotationVector(), Quaternion()), Quaternion(), RotationVector())
    assert abs(back - v).max() <= 4 * np.finfo(float).eps * angle


def test_half_turns_about_every_axis_are_written_as_half_turns(rng: np.random.Generator) -> None:
    axes = rng.standard_normal((500, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    R = converted(np.hstack([axes, np.full((500, 1), np.pi)]), AxisAngle(), Matrix())
    assert abs(R - (2 * axes[:, :, None] * axes[:, None] - np.eye(3))).max() < ROUNDING
    written = converted(R, Matrix(), AxisAngle())
    assert abs(written[:, 3] - np.pi).max() < ROUNDING
    assert abs(abs(np.einsum("ij,ij->i", written[:, :3], axes)) - 1).max() < ROUNDING


@pytest.mark.parametrize("sequence", NAMES)
def test_at_the_gimbal_lock_the_rotation_is_right_and_a_warning_is_given(sequence: str) -> None:
    euler = Euler(sequence)
    locks = (0.0, np.pi) if euler.is_proper else (-np.pi / 2, np.pi / 2)
    first, third = np.meshgrid(np.linspace(-3, 3, 7), np.linspace(-3, 3, 7))
    for lock in locks:
        angles = np.stack([first, np.full_like(first, lock), third], axis=-1)
        rotations = euler.quaternions(angles)
        with pytest.warns(GimbalLock, match=r"49 of 49 rotations .*" + euler.partner.sequence):
            written = euler.of_quaternions(rotations)
        assert distance(euler.quaternions(written), rotations).max() < ROUNDING
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            euler.partner.of_quaternions(rotations)


@pytest.mark.parametrize("sequence", NAMES)
@pytest.mark.parametrize("off", [1e-15, 1e-12, 1e-9, 1e-6, 1e-3])
def test_near_the_gimbal_lock_no_digit_of_the_rotation_is_lost(sequence: str, off: float) -> None:
    euler = Euler(sequence)
    lock = 0.0 if euler.is_proper else np.pi / 2
    rotations = euler.quaternions([[1.1, lock + off, 0.4], [1.1, lock - off, 0.4]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GimbalLock)
        written = euler.of_quaternions(rotations)
    assert distance(euler.quaternions(written), rotations).max() < ROUNDING


def test_capitals_turn_about_moving_axes_and_small_letters_about_fixed_ones() -> None:
    c, s = np.cos(0.3), np.sin(0.3)
    Rz = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    c, s = np.cos(0.5), np.sin(0.5)
    Rx = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    assert abs(converted([0.3, 0.5, 0.0], Euler("ZXZ"), Matrix()) - Rz @ Rx).max() < ROUNDING
    assert abs(converted([0.3, 0.5, 0.0], Euler("zxz"), Matrix()) - Rx @ Rz).max() < ROUNDING


def test_an_axial_rotator_writes_turns_about_its_axis_and_refuses_others() -> None:
    rotator = AxialRotator((1.0, 2.0, -2.0))
    angles = np.linspace(-3.1, 3.1, 9)[:, None]
    q = rotator.quaternions(angles)
    assert abs(rotator.of_quaternions(q) - angles).max() < ROUNDING
    assert abs(rotator.of_quaternions(-q) - angles).max() < ROUNDING
    with pytest.raises(BadNumber, match="no turn about"):
        rotator.of_quaternions(np.array([0.0, 1.0, 0.0, 0.0]))


def test_a_drifting_matrix_is_mended_to_the_nearest_rotation(
    q: np.ndarray, rng: np.random.Generator
) -> None:
    R = Matrix().of_quaternions(q)
    drifted = R + 1e-3 * rng.standard_normal(R.shape)
    mended = orthonormal(drifted)
    nearer = np.linalg.norm(mended - drifted, axis=(1, 2))
    assert (nearer <= np.linalg.norm(R - drifted, axis=(1, 2)) + ROUNDING).all()
    assert abs(mended @ mended.transpose(0, 2, 1) - np.eye(3)).max() < ROUNDING
    assert np.linalg.det(mended).min() > 0
    with pytest.raises(BadNumber, match="no rotation is nearest"):
        orthonormal(np.diag([1.0, 0.0, 0.0]))


@pytest.mark.parametrize(
    ("representation", "numbers", "message"),
    [
        (Quaternion(), [[1, 0, 0, 0], [0, 0, 0, 0]], "number 1 of 2 .* length is zero"),
        (Quaternion(), [np.nan, 0, 0, 1], "finite"),
        (Quaternion(), [1, 0, 0], r"shape \(..., 4\)"),
        (Matrix(), np.diag([1.0, 1.0, 1.1]), "off from orthonormal by 0.21"),
        (Matrix(), np.diag([1.0, 1.0, -1.0]), "mirrors"),
        (Matrix(), np.full((3, 3), np.nan), "finite"),
        (AxisAngle(), [0, 0, 0, 1.0], "axis must not be zero"),
        (RotationVector(), [np.inf, 0, 0], "finite"),
        (SixD(), [1, 0, 0, 2, 0, 0], "parallel"),
        (ModifiedRodrigues(), [np.nan, 0, 0], "finite"),
        (Euler("ZYX"), [np.inf, 0, 0], "finite"),
        (AxialRotator((0, 0, 1)), [np.nan], "finite"),
    ],
)
def test_what_is_no_rotation_is_refused_with_its_row_and_advice(
    representation: AbstractRepresentation, numbers: object, message: str
) -> None:
    with pytest.raises(BadNumber, match=message):
        representation.quaternions(numbers)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ZXX", "Neighbouring axes must differ.*Did you mean.*'ZX"),
        ("zXz", "do not mix"),
        ("ZXW", "Did you mean.*ZX"),
        ("zy", "Did you mean.*zy"),
        ("", "there is no Euler sequence ''"),
    ],
)
def test_an_unknown_sequence_is_refused_with_a_guess(name: str, message: str) -> None:
    with pytest.raises(UnknownName, match=message):
        Euler(name)


def test_a_quaternion_has_its_scalar_first_or_last_only() -> None:
    with pytest.raises(KempeError, match="first or last"):
        Quaternion("middle")  # type: ignore[arg-type]


@pytest.mark.parametrize("representation", [*COMPLETE[:8], AxialRotator((0, 0, 1))], ids=repr)
def test_no_rotations_at_all_are_fine(representation: AbstractRepresentation) -> None:
    q = representation.quaternions(np.empty((0, 5, *representation.shape)))
    assert q.shape == (0, 5, 4)
    assert representation.of_quaternions(q).shape == (0, 5, *representation.shape)

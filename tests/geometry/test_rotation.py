"""Rotations: group laws, every way in and back, and what is refused."""

import math
from fractions import Fraction

import numpy as np
import pytest

from kempe.errors import BadNumber
from kempe.geometry import Rotation, Vector, X, Y, Z
from tests.geometry.group_laws import assert_a_group

ROUNDING = 4e-15  # entries are sums of three products of numbers up to 1
#: Near a half turn the axis comes from differences of 1e-8 and its own length: half the digits.
HALF_TURN_AXIS = 1e-7

#: Quaternion (scalar first) and matrix, exact. Source: [Pissanetzky] eq. 1.33, 1.47-1.51.
RATIONAL = [
    (["-1/2", "1/2", "1/2", "1/2"], [["0", "1", "0"], ["0", "0", "1"], ["1", "0", "0"]]),
    (["0", "0", "0", "1"], [["-1", "0", "0"], ["0", "-1", "0"], ["0", "0", "1"]]),
    (
        ["-13/15", "4/15", "-2/15", "2/5"],
        [
            ["29/45", "28/45", "4/9"],
            ["-172/225", "121/225", "16/45"],
            ["-4/225", "-128/225", "37/45"],
        ],
    ),
]
HALF_TURNS = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, -1, 0), (0, 1, -1), (1, 2, 3)]


def test_it_is_a_group(any_, numbers):
    a, b, c, one = any_.rotation(), any_.rotation(), any_.rotation(), Rotation.identity()
    assert_a_group(numbers, a, b, c, one, ROUNDING)
    np.testing.assert_array_equal(numbers(one), np.eye(3))
    np.testing.assert_allclose(
        numbers((a @ b).inverse()), numbers(b.inverse() @ a.inverse()), atol=ROUNDING
    )
    assert not np.allclose(numbers(a @ b), numbers(b @ a))


def test_composition_and_application_are_those_of_matrices(any_, numbers):
    a, b, v = any_.rotation(), any_.rotation(), any_.vector()
    np.testing.assert_allclose(numbers(a @ b), numbers(a) @ numbers(b), atol=ROUNDING)
    np.testing.assert_allclose(numbers(a.apply(v)), numbers(a) @ numbers(v), atol=ROUNDING)
    for k, axis in enumerate((X, Y, Z)):
        np.testing.assert_array_equal(numbers(a.axis(axis)), numbers(a)[:, k])


def test_it_keeps_lengths_angles_and_handedness(any_, numbers):
    R, v, w = any_.rotation(), any_.vector(), any_.vector()
    assert R.apply(v) @ R.apply(w) == pytest.approx(v @ w, abs=4 * ROUNDING)
    np.testing.assert_allclose(
        numbers(R.apply(v.cross(w))), numbers(R.apply(v).cross(R.apply(w))), atol=8 * ROUNDING
    )


# -- ways in and back ------------------------------------------------------------------------


def test_a_quaternion_comes_back(any_):
    for _ in range(200):
        q = any_.quaternion()
        back = Rotation.from_quaternion(q.tolist()).quaternion()
        np.testing.assert_allclose(back, q, atol=ROUNDING)


def test_a_quaternion_and_its_negative_are_one_rotation(any_, numbers):
    q = any_.quaternion()
    there, back = (Rotation.from_quaternion(s.tolist()) for s in (q, -q))
    np.testing.assert_array_equal(numbers(there), numbers(back))


def test_a_matrix_comes_back(any_, numbers):
    R = numbers(any_.rotation())
    np.testing.assert_array_equal(numbers(Rotation.from_matrix(R)), R)
    q = Rotation.from_matrix(R).quaternion()
    np.testing.assert_allclose(numbers(Rotation.from_quaternion(q.tolist())), R, atol=ROUNDING)


@pytest.mark.parametrize("angle", [1e-12, 1e-3, 1.0, 3.0, math.pi - 1e-3])
def test_an_axis_and_an_angle_come_back(any_, numbers, angle):
    axis = numbers(any_.vector())
    axis /= np.linalg.norm(axis)
    back, turn = Rotation.about(axis, angle).axis_angle()
    assert turn == pytest.approx(angle, rel=1e-9)
    np.testing.assert_allclose(back, axis, atol=1e-3 if angle < 1e-9 else 1e-12)


def test_a_negative_angle_is_a_turn_about_the_opposite_axis(any_, numbers):
    axis = numbers(any_.vector())
    np.testing.assert_allclose(
        numbers(Rotation.about(axis, -0.7)), numbers(Rotation.about(-axis, 0.7)), atol=ROUNDING
    )
    back, turn = Rotation.about(axis, -0.7).axis_angle()
    assert turn == pytest.approx(0.7, rel=1e-14)
    assert back @ axis < 0


@pytest.mark.parametrize("axis", HALF_TURNS)
@pytest.mark.parametrize("off", [0.0, 1e-9, -1e-9, 1e-15])
def test_half_turns_come_back(numbers, axis, off):
    unit = np.array(axis) / np.linalg.norm(axis)
    R = Rotation.about(axis, math.pi + off)
    np.testing.assert_allclose(np.abs(R.quaternion() @ [0.0, *unit]), 1.0, atol=1e-15)
    again = Rotation.from_quaternion(R.quaternion().tolist())
    np.testing.assert_allclose(numbers(again), numbers(R), atol=ROUNDING)
    back, turn = R.axis_angle()
    assert turn == pytest.approx(math.pi, abs=2e-9)
    assert abs(back @ unit) == pytest.approx(1.0, abs=HALF_TURN_AXIS)
    assert numbers(R)[0, 0] == pytest.approx(2 * unit[0] ** 2 - 1, abs=1e-8)


def test_no_rotation_has_an_angle_of_zero_about_z():
    axis, angle = Rotation.identity().axis_angle()
    assert angle == 0.0
    assert axis.tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize(("quaternion", "matrix"), RATIONAL)
def test_rational_rotations_are_exact_to_the_last_digit(quaternion, matrix):
    q = [float(Fraction(c)) for c in quaternion]
    R = Rotation.from_quaternion(q).matrix()
    for i, row in enumerate(matrix):
        for j, entry in enumerate(row):
            assert R[i, j] == pytest.approx(float(Fraction(entry)), abs=4e-16)


def test_rodrigues_formula_holds(any_, numbers):
    u, angle, v = numbers(any_.vector()), 1.1, numbers(any_.vector())
    u /= np.linalg.norm(u)
    turned = math.cos(angle) * v + math.sin(angle) * np.cross(u, v)
    turned = turned + (1 - math.cos(angle)) * (u @ v) * u
    np.testing.assert_allclose(numbers(Rotation.about(u, angle)) @ v, turned, atol=ROUNDING)


# -- the plane -------------------------------------------------------------------------------


@pytest.mark.parametrize("quarters", [*range(-9, 10), 400, -4001])
def test_quarter_turns_are_exact(quarters):
    R = Rotation.planar(quarters * (0.5 * math.pi))
    c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarters % 4]
    assert R.matrix().tolist() == [[c, -s, 0], [s, c, 0], [0, 0, 1]]


@pytest.mark.parametrize("degrees", [90, 180, 270, -90, 720])
def test_quarter_turns_from_degrees_are_exact(degrees):
    assert set(np.abs(Rotation.planar(math.radians(degrees)).matrix()).ravel()) == {0.0, 1.0}


def test_a_nearly_quarter_turn_is_not_rounded():
    angle = math.nextafter(0.5 * math.pi, 0.0)
    assert Rotation.planar(angle).x.x == math.cos(angle) != 0.0


def test_the_plane_counts_whole_turns(numbers):
    a, b = Rotation.planar(5.0), Rotation.planar(4.0)
    assert (a @ b).angle == 9.0
    assert (a @ b.inverse()).angle == 1.0
    assert Rotation.about([0, 0, 1], 0.3).angle is None
    np.testing.assert_allclose(numbers(a @ b), numbers(Rotation.planar(9.0)), atol=ROUNDING)


def test_a_traced_turn_has_the_numbers_of_a_plain_one(traced, evaluate, numbers):
    (x,) = traced("x")
    R = Rotation.planar(x)
    outputs = [0.0 * x + e for axis in (R.x, R.y, R.z) for e in axis]
    result = evaluate([x], outputs, [0.8]).reshape(3, 3).T
    np.testing.assert_allclose(result, numbers(Rotation.planar(0.8)), atol=1e-16)


# -- an axis ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "direction",
    [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, -1), (-1, 0, 0), (3, -4, 0), (1, 2, 3), (0, 5, 1e-9)],
)
def test_with_z_is_a_rotation_with_that_axis(numbers, direction):
    R = numbers(Rotation.with_z(direction))
    np.testing.assert_allclose(R[:, 2], np.array(direction) / np.linalg.norm(direction), atol=1e-15)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=ROUNDING)
    assert np.linalg.det(R) > 0


def test_an_axis_in_the_plane_has_exact_zeros():
    """Rows of a slider that vanish in the plane must vanish exactly."""
    for angle in np.linspace(0.0, 6.0, 13):
        R = Rotation.with_z([math.cos(angle), math.sin(angle), 0.0])
        assert (R.x.x, R.x.y, abs(R.x.z)) == (0.0, 0.0, 1.0)
        assert R.y.z == R.z.z == 0.0


# -- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Rotation.from_quaternion([1.0, 0.0, 0.0]), "4 components, this one has 3"),
        (lambda: Rotation.from_quaternion([1.0, 1.0, 0.0, 0.0]), "length 1, .* 1.41421356"),
        (lambda: Rotation.from_quaternion([0.0, 0.0, 0.0, 0.0]), "length 1, .* 0"),
        (lambda: Rotation.from_quaternion([math.nan, 0.0, 0.0, 1.0]), "length nan"),
        (lambda: Rotation.from_quaternion([math.inf, 0.0, 0.0, 1.0]), "length inf"),
        (lambda: Rotation.from_matrix(np.eye(2)), "3 x 3"),
        (lambda: Rotation.from_matrix(2.0 * np.eye(3)), "off from orthonormal by 3"),
        (lambda: Rotation.from_matrix(np.diag([1.0, 1.0, -1.0])), "mirrors"),
        (lambda: Rotation.from_matrix(np.full((3, 3), math.nan)), "no rotation matrix"),
        (lambda: Rotation.about([0.0, 0.0, 0.0], 1.0), "not all zero"),
        (lambda: Rotation.about([1.0, 0.0], 1.0), "three numbers"),
        (lambda: Rotation.about([1.0, 0.0, math.nan], 1.0), "three numbers"),
        (lambda: Rotation.about([1.0, 0.0, 0.0], math.nan), "angle"),
        (lambda: Rotation.with_z([0.0, 0.0, 0.0]), "not all zero"),
        (lambda: Rotation.planar(math.nan), "angle"),
        (lambda: Rotation.planar(math.inf), "angle"),
    ],
)
def test_what_is_no_rotation_is_refused(make, words):
    with pytest.raises(BadNumber, match=words):
        make()


def test_small_errors_of_a_typed_quaternion_are_forgiven(numbers):
    q = [0.7071068, 0.7071068, 0.0, 0.0]  # seven digits
    R = numbers(Rotation.from_quaternion(q))
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=ROUNDING)


def test_a_vector_is_no_rotation():
    with pytest.raises(BadNumber):
        Rotation.from_matrix(np.array(Vector(1.0, 0.0, 0.0), dtype=float))


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e-160, 1e160, 1e308])
def test_an_axis_is_a_direction_whatever_its_length(size):
    """The squares of such numbers are zero or infinite."""
    axis, turn = [size, 0.0, -size], Rotation.about([1.0, 0.0, -1.0], 0.7)
    np.testing.assert_allclose(Rotation.about(axis, 0.7).matrix(), turn.matrix(), atol=ROUNDING)
    np.testing.assert_allclose(
        Rotation.with_z(axis).matrix(), Rotation.with_z([1.0, 0.0, -1.0]).matrix(), atol=ROUNDING
    )

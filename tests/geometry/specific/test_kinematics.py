"""Velocities and accelerations of specific coordinates, and back."""

from collections.abc import Sequence

import numpy as np
import pytest

import kempe.geometry.specific as room
from kempe.errors import BadNumber, SingularCoordinates
from kempe.geometry.rotations import SEQUENCES, axial, distance, skew, uniform
from kempe.geometry.specific import (
    AbstractOrientator,
    AbstractTranslator,
    AxialAngle,
    AxisAndAngle,
    Cartesian,
    Cylindrical,
    DirectionCosines,
    EulerAngles,
    EulerParameters,
    ExponentialCoordinates,
    OrientationCoordinates,
    RodriguesParameters,
    Spherical,
    TranslationCoordinates,
    TwoAxes,
)

HALF_STEP = 1e-5
# A central difference is off by HALF_STEP^2 times a third derivative, here up to some tens, and by
# 1e-16 / HALF_STEP.
DIFFERENCE = 1e-8
# Systems here have condition numbers up to a hundred or so.
SOLVED = 1e-12
EVERY: list[AbstractOrientator] = [
    *(EulerAngles(s) for s in SEQUENCES),
    *(EulerAngles(s.lower()) for s in SEQUENCES),
    EulerParameters(),
    ExponentialCoordinates(),
    RodriguesParameters(),
    AxialAngle((1.0, -2.0, 0.5)),
    AxisAndAngle(),
    TwoAxes(),
    DirectionCosines(),
]
FREE = [o for o in EVERY if not isinstance(o, AxialAngle)]
TRANSLATORS: list[AbstractTranslator] = [Cartesian(), Cylindrical(), Spherical()]
ROUNDING = 1e-13


def regular(orientator: AbstractOrientator, rng: np.random.Generator) -> np.ndarray:
    """Coordinates of thirty orientations that are not near a singularity."""
    if isinstance(orientator, AxialAngle):
        return rng.uniform(-3, 3, (30, 1))
    coordinates = OrientationCoordinates(orientator)
    s = coordinates.coordinates(uniform(200, rng))
    return s[coordinates.singularity(s).distance > 0.2][:30]


def motion(
    orientator: AbstractOrientator, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coordinates, rates and second rates that keep the constraint."""
    s = regular(orientator, rng)
    if isinstance(orientator, AxialAngle):
        return s, rng.standard_normal(s.shape), rng.standard_normal(s.shape)
    coordinates = OrientationCoordinates(orientator)
    w, alpha = rng.standard_normal((2, len(s), 3))
    rate = coordinates.rates(s, w)
    return s, rate, coordinates.accelerations(s, rate, alpha)


@pytest.mark.parametrize(
    ("base", "listed"), [(AbstractOrientator, EVERY), (AbstractTranslator, TRANSLATORS)]
)
def test_the_lists_of_orientators_and_translators_are_complete(
    base: type, listed: Sequence[object]
) -> None:
    members = {m for m in vars(room).values() if isinstance(m, type) and issubclass(m, base)}
    assert members - {base} == {type(member) for member in listed}


@pytest.mark.parametrize("orientator", EVERY, ids=repr)
def test_A_is_the_rotation_that_the_representation_means(
    orientator: AbstractOrientator, rng: np.random.Generator
) -> None:
    from kempe.geometry.rotations import Matrix

    s = regular(orientator, rng)
    A = OrientationCoordinates(orientator).orientation(s)
    expected = Matrix().of_quaternions(orientator.representation.quaternions(s))
    assert abs(A - expected).max() < 1e-14


@pytest.mark.parametrize("orientator", EVERY, ids=repr)
def test_derivatives_of_A_are_its_derivatives(
    orientator: AbstractOrientator, rng: np.random.Generator
) -> None:
    coordinates = OrientationCoordinates(orientator)
    s = regular(orientator, rng)
    dA, d2A = coordinates.first_derivatives(s), coordinates.second_derivatives(s)
    for k, step in enumerate(HALF_STEP * np.eye(s.shape[1])):
        A = coordinates.orientation
        expected = (A(s + step) - A(s - step)) / (2 * HALF_STEP)
        assert abs(dA[:, k] - expected).max() < DIFFERENCE * (1 + abs(s).max())
        D = coordinates.first_derivatives
        expected = (D(s + step) - D(s - step)) / (2 * HALF_STEP)
        assert abs(d2A[:, k] - expected).max() < DIFFERENCE * (1 + abs(s).max())
    assert abs(d2A - d2A.transpose(0, 2, 1, 3, 4)).max() < 1e-13


@pytest.mark.row("D2")
@pytest.mark.parametrize("orientator", EVERY, ids=repr)
def test_G_and_its_rate_are_the_derivatives_of_A_in_both_axes(
    orientator: AbstractOrientator, rng: np.random.Generator
) -> None:
    coordinates = OrientationCoordinates(orientator)
    s, rate, _ = motion(orientator, rng)
    A = coordinates.orientation(s)
    A_rate = np.einsum("tk,tkij->tij", rate, coordinates.first_derivatives(s))
    At = A.transpose(0, 2, 1)
    w_body = coordinates.angular_velocity(s, rate)
    w_reference = coordinates.angular_velocity(s, rate, axes="reference")
    assert abs(At @ A_rate - skew(w_body)).max() < SOLVED
    assert abs(A_rate @ At - skew(w_reference)).max() < SOLVED
    assert abs(np.einsum("tij,tj->ti", A, w_body) - w_reference).max() < SOLVED
    for axes in ("body", "reference"):
        after, before = (coordinates.G(s + h * rate, axes=axes) for h in (HALF_STEP, -HALF_STEP))
        G_rate = coordinates.G_rate(s, rate, axes=axes)
        speed = 1 + abs(rate).max() ** 3
        assert abs(G_rate - (after - before) / (2 * HALF_STEP)).max() < DIFFERENCE * speed


@pytest.mark.parametrize("orientator", EVERY, ids=repr)
def test_angular_acceleration_is_the_axial_vector_of_the_second_derivative(
    orientator: AbstractOrientator, rng: np.random.Generator
) -> None:
    coordinates = OrientationCoordinates(orientator)
    s, rate, second = motion(orientator, rng)
    A, dA, d2A = (
        coordinates.orientation(s),
        coordinates.first_derivatives(s),
        coordinates.second_derivatives(s),
    )
    A_second = np.einsum("tk,tkij->tij", second, dA) + np.einsum(
        "tk,tl,tklij->tij", rate, rate, d2A
    )
    alpha = coordinates.angular_acceleration(s, rate, second, axes="reference")
    size = 1 + abs(second).max()
    assert abs(axial(A_second @ A.transpose(0, 2, 1)) - alpha).max() < SOLVED * size
    body = coordinates.angular_acceleration(s, rate, second)
    assert abs(np.einsum("tij,tj->ti", A, body) - alpha).max() < SOLVED * size


@pytest.mark.parametrize("axes", ["body", "reference"])
@pytest.mark.parametrize("orientator", EVERY, ids=repr)
def test_angular_velocity_and_acceleration_give_the_rates_back(
    orientator: AbstractOrientator, axes: str, rng: np.random.Generator
) -> None:
    coordinates = OrientationCoordinates(orientator)
    s, rate, second = motion(orientator, rng)
    w = coordinates.angular_velocity(s, rate, axes=axes)
    alpha = coordinates.angular_acceleration(s, rate, second, axes=axes)
    assert abs(coordinates.rates(s, w, axes=axes) - rate).max() < SOLVED * (1 + abs(rate).max())
    back = coordinates.accelerations(s, rate, alpha, axes=axes)
    assert abs(back - second).max() < SOLVED * (1 + abs(second).max()) * 10


@pytest.mark.parametrize("orientator", FREE, ids=repr)
def test_coordinates_of_a_rotation_give_it_back(
    orientator: AbstractOrientator, rng: np.random.Generator
) -> None:
    coordinates, q = OrientationCoordinates(orientator), uniform(100, rng)
    s = coordinates.coordinates(q.reshape(4, 25, 4))
    assert s.shape == (4, 25, len(orientator.names))
    assert distance(coordinates.quaternions(s).reshape(100, 4), q).max() < 1e-14


ROWS = {EulerParameters: 1, AxisAndAngle: 1, TwoAxes: 3, DirectionCosines: 6}


@pytest.mark.parametrize("orientator", EVERY, ids=repr)
def test_coordinates_beyond_the_freedoms_have_a_constraint_that_motions_keep(
    orientator: AbstractOrientator, rng: np.random.Generator
) -> None:
    coordinates = OrientationCoordinates(orientator)
    s, rate, second = motion(orientator, rng)
    rows = ROWS.get(type(orientator), 0)
    c, C, C_rate = coordinates.constraint(s), coordinates.C(s), coordinates.C_rate(s, rate)
    assert c.shape == (len(s), rows)
    assert rows == 0 or len(orientator.names) == 3 + rows
    assert abs(c).max(initial=0.0) < 1e-14
    kept = np.einsum("tij,tj->ti", C, rate)
    assert abs(kept).max(initial=0.0) < SOLVED
    kept = np.einsum("tij,tj->ti", C, second) + np.einsum("tij,tj->ti", C_rate, rate)
    assert abs(kept).max(initial=0.0) < SOLVED * (1 + abs(second).max())
    for k, step in enumerate(HALF_STEP * np.eye(s.shape[1])):
        after, before = coordinates.constraint(s + step), coordinates.constraint(s - step)
        assert abs(C[..., k] - (after - before) / (2 * HALF_STEP)).max(initial=0.0) < DIFFERENCE


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_a_gimbal_lock_is_measured_and_refused_with_the_partner_named(sequence: str) -> None:
    orientator = EulerAngles(sequence)
    coordinates = OrientationCoordinates(orientator)
    lock = 0.0 if sequence[0] == sequence[2] else np.pi / 2
    off = np.array([1e-6, 1e-3, 0.1])
    s = np.stack([np.full(3, 0.4), lock + off, np.full(3, 1.0)], axis=1)
    measured = coordinates.singularity(s)
    assert np.allclose(measured.distance, np.sqrt(2) * np.sin(off / 2), rtol=1e-6)
    assert np.allclose(measured.condition, 1 / np.tan(off / 2), rtol=1e-6)
    with pytest.raises(SingularCoordinates, match=orientator.partner.sequence):
        coordinates.rates([[0.4, lock + 1.0, 0.2], [0.4, lock, 0.2]], [1.0, 0.0, 0.0])


def test_euler_parameters_are_equally_good_everywhere(rng: np.random.Generator) -> None:
    measured = OrientationCoordinates(EulerParameters()).singularity(uniform(100, rng))
    assert abs(measured.condition - 1).max() < 1e-14
    assert abs(measured.distance - 2).max() < 1e-14


def test_exponential_coordinates_are_regular_at_rest_and_singular_at_a_full_turn() -> None:
    coordinates = OrientationCoordinates(ExponentialCoordinates())
    assert (coordinates.G([0.0, 0.0, 0.0]) == np.eye(3)).all()
    twice = abs(coordinates.second_derivatives([0.0, 0.0, 0.0])[0, 1])
    assert (twice == [[0, 0.5, 0], [0.5, 0, 0], [0, 0, 0]]).all()
    across = [1.0 - 1e-12, 1.0 + 1e-12]  # the series ends and the closed form begins
    s = np.outer(across, [0.6, 0.0, 0.8])
    for quantity in (coordinates.G, coordinates.second_derivatives):
        assert abs(quantity(s)[0] - quantity(s)[1]).max() < 1e-11
    assert coordinates.singularity([0.0, 2 * np.pi, 0.0]).distance < 1e-15


def test_an_axial_angle_refuses_to_follow_another_axis() -> None:
    coordinates = OrientationCoordinates(AxialAngle((0.0, 0.0, 1.0)))
    assert coordinates.rates([0.3], [0.0, 0.0, 2.0]) == pytest.approx([2.0], rel=1e-15)
    with pytest.raises(SingularCoordinates, match="outside its freedoms"):
        coordinates.rates([0.3], [0.1, 0.0, 2.0])


def test_mistakes_are_refused() -> None:
    coordinates = OrientationCoordinates(EulerAngles("ZXZ"))
    with pytest.raises(BadNumber, match="3 coordinates are needed"):
        coordinates.orientation([1.0, 2.0])
    with pytest.raises(BadNumber, match="not finite"):
        coordinates.orientation([1.0, np.nan, 2.0])
    with pytest.raises(BadNumber, match="'body' or 'reference'"):
        coordinates.G([1.0, 2.0, 3.0], axes="world")  # type: ignore[arg-type]


@pytest.mark.parametrize("translator", TRANSLATORS, ids=repr)
def test_H_and_its_rate_are_derivatives_of_the_position(
    translator: AbstractTranslator, rng: np.random.Generator
) -> None:
    coordinates = TranslationCoordinates(translator)
    s, rate = rng.uniform(0.5, 1.5, (2, 20, 3))
    for k, step in enumerate(HALF_STEP * np.eye(3)):
        r = coordinates.position
        expected = (r(s + step) - r(s - step)) / (2 * HALF_STEP)
        assert abs(coordinates.H(s)[..., k] - expected).max() < DIFFERENCE
    after, before = (coordinates.H(s + h * rate) for h in (HALF_STEP, -HALF_STEP))
    difference = (after - before) / (2 * HALF_STEP)
    assert abs(coordinates.H_rate(s, rate) - difference).max() < DIFFERENCE * 10


@pytest.mark.parametrize("translator", TRANSLATORS, ids=repr)
def test_positions_velocities_and_accelerations_go_round_trip(
    translator: AbstractTranslator, rng: np.random.Generator
) -> None:
    coordinates = TranslationCoordinates(translator)
    r, v, a = rng.uniform(0.3, 2.0, (3, 50, 3))
    s = coordinates.coordinates(r)
    rate = coordinates.rates(s, v)
    second = coordinates.accelerations(s, rate, a)
    assert abs(coordinates.position(s) - r).max() < ROUNDING
    assert abs(coordinates.velocity(s, rate) - v).max() < ROUNDING
    assert abs(coordinates.acceleration(s, rate, second) - a).max() < 100 * ROUNDING


def test_a_circle_in_cylindrical_coordinates_has_its_centripetal_acceleration() -> None:
    coordinates = TranslationCoordinates(Cylindrical())
    a = coordinates.acceleration([2.0, 0.0, 1.0], [0.5, 3.0, 0.0], [0.0, 0.0, 0.0])
    assert abs(a - [-18.0, 3.0, 0.0]).max() < ROUNDING  # -r w^2, 2 r' w (Coriolis)


@pytest.mark.parametrize("translator", TRANSLATORS[1:], ids=repr)
def test_on_the_axis_rates_are_refused(translator: AbstractTranslator) -> None:
    coordinates = TranslationCoordinates(translator)
    with pytest.raises(SingularCoordinates, match=r"row 0: it is on the axis.*Cartesian"):
        coordinates.rates(coordinates.coordinates([0.0, 0.0, 1.0]), [1.0, 0.0, 0.0])

"""Laws of all coordinates of places."""

import numpy as np
import pytest

import kempe.geometry.specific as room
from kempe.errors import SingularCoordinates
from kempe.geometry.specific import (
    AbstractTranslator,
    Cartesian,
    Cylindrical,
    Spherical,
    TranslationCoordinates,
)

EVERY: list[AbstractTranslator] = [Cartesian(), Cylindrical(), Spherical()]
ROUNDING = 1e-13
HALF_STEP = 1e-5
DIFFERENCE = 1e-8  # HALF_STEP^2 times a third derivative, and 1e-16 / HALF_STEP


def test_the_list_of_translators_is_complete() -> None:
    members = {m for m in vars(room).values() if isinstance(m, type)}
    members = {m for m in members if issubclass(m, AbstractTranslator)} - {AbstractTranslator}
    assert members == {type(t) for t in EVERY}


@pytest.mark.parametrize("translator", EVERY, ids=repr)
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


@pytest.mark.parametrize("translator", EVERY, ids=repr)
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


@pytest.mark.parametrize("translator", EVERY[1:], ids=repr)
def test_on_the_axis_rates_are_refused(translator: AbstractTranslator) -> None:
    coordinates = TranslationCoordinates(translator)
    with pytest.raises(SingularCoordinates, match=r"row 0: it is on the axis.*Cartesian"):
        coordinates.rates(coordinates.coordinates([0.0, 0.0, 1.0]), [1.0, 0.0, 0.0])

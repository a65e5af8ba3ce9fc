"""What the measures read, on poses where one knows it."""

import math

import numpy as np
import pytest

from kempe.errors import BadNumber
from kempe.geometry import Pose, Rotation, Vector, X, Y, Z
from kempe.measures import (
    Back,
    Bearing,
    Coordinate,
    Displacement,
    Distance,
    Heading,
    Held,
    Inclination,
    Sum,
    Turn,
    Wrapped,
)

ROUNDING = 1e-14  # a few products of numbers of size 1
ORIGIN = Pose.identity()


def placed(x, y, z, axis=(0.0, 0.0, 1.0), angle=0.0):
    return Pose(Vector(x, y, z), Rotation.about(axis, angle))


@pytest.mark.parametrize(
    ("measure", "X_IJ", "value"),
    [
        (Displacement(X), placed(0.3, -0.4, 0.5), 0.3),
        (Displacement(Z), placed(0.3, -0.4, 0.5), 0.5),
        (Distance(), placed(0.3, 0.4, 1.2), 1.3),
        (Turn(Z), placed(0.1, 0.2, 0.3, (0, 0, 1), 2.5), 2.5),
        (Turn(X), placed(0.1, 0.2, 0.3, (1, 0, 0), -2.5), -2.5),
        (Turn(Y), placed(0.1, 0.2, 0.3, (0, 1, 0), 1.5), 1.5),
        (Bearing(), placed(-0.3, 0.3, 0.5), 0.75 * math.pi),
        (Bearing(Y), placed(0.3, 0.3, 0.3), 0.25 * math.pi),
        (Heading(), placed(0, 0, 0, (0, 1, 0), 0.25 * math.pi), 0.0),
        (Heading(), placed(0, 0, 0, (1, 0, 0), 0.25 * math.pi), -0.5 * math.pi),
        (Heading(Z, X), placed(0, 0, 0, (0, 0, 1), 0.7), 0.7),
        (Inclination(), placed(0, 0, 0, (0.6, 0.8, 0.0), 2.1), 2.1),
        (Inclination(X, Y), placed(0, 0, 0, (0, 0, 1), 0.4), 0.5 * math.pi + 0.4),
        (Back(Displacement(X)), placed(0.3, 0.4, 0.5), -0.3),
        (Back(Bearing()), placed(0.5, 0.0, 0.0, (0, 0, 1), 0.3), math.pi - 0.3),
        (Sum(((2, Displacement(X)), (-1.5, Displacement(Y)))), placed(0.3, -0.4, 0.5), 1.2),
        (Sum(((1, Turn(Z)), (2, Turn(X)))), placed(0, 0, 0, (1, 0, 0), 0.2), 0.4),
    ],
    ids=repr,
)
def test_a_measure_reads_what_one_would_measure(measure, X_IJ, value, anywhere):
    X_WI = anywhere()
    assert measure.number(X_WI, X_WI @ X_IJ) == pytest.approx(value, abs=ROUNDING)


def test_a_coordinate_is_the_world_s_whatever_I_is(anywhere):
    X_WJ = anywhere()
    for axis, value in zip((X, Y, Z), X_WJ.position, strict=True):
        assert Coordinate(axis).value(anywhere(), X_WJ) == value


def test_an_inclination_keeps_its_digits_near_zero():
    """The arc cosine of 1 - 5e-21 is 0; the arc tangent is right to the last digits."""
    X_WJ = placed(0, 0, 0, (1, 0, 0), 1e-10)
    assert Inclination().number(ORIGIN, X_WJ) == pytest.approx(1e-10, rel=1e-12)


# -- turns -----------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", [Turn(Z), Turn(X), Bearing(), Heading(), Back(Bearing())])
def test_an_angle_in_space_is_known_up_to_whole_turns(measure, anywhere):
    assert isinstance(measure.value(anywhere(), anywhere()), Wrapped)


def test_a_turn_in_the_plane_counts_its_turns():
    ends = [Pose(Vector(0.0, 0.0, 0.0), Rotation.planar(a)) for a in (1.0, 20.0)]
    assert Turn(Z).value(*ends) == 19.0


def test_a_sum_of_turns_is_known_up_to_whole_turns(anywhere):
    X_WI, X_WJ = anywhere(), anywhere()
    total = Sum(((1, Turn(Z)), (-3, Turn(X)), (0.5, Displacement(X)))).value(X_WI, X_WJ)
    assert isinstance(total, Wrapped)


def test_a_sum_refuses_a_part_of_a_turn_in_space(anywhere):
    half = Sum(((0.5, Turn(Z)),))
    with pytest.raises(BadNumber, match="must be an integer"):
        half.value(anywhere(), anywhere())


def test_a_sum_takes_a_part_of_a_turn_in_the_plane():
    ends = [Pose(Vector(0.0, 0.0, 0.0), Rotation.planar(a)) for a in (1.0, 9.0)]
    assert Sum(((0.5, Turn(Z)),)).value(*ends) == 4.0


def test_a_sum_is_a_length_as_soon_as_one_part_is():
    assert Sum(((1, Turn(Z)), (1, Turn(X)))).unit == "rad"
    assert Sum(((1, Turn(Z)), (1, Displacement(X)))).unit == "m"


@pytest.mark.parametrize("terms", [(), ((math.nan, Turn(Z)),), ((math.inf, Turn(Z)),)])
def test_a_sum_refuses_what_is_no_sum(terms):
    with pytest.raises(BadNumber):
        Sum(terms)


# -- words -----------------------------------------------------------------------------------


def test_no_two_measures_of_a_frame_share_a_word():
    axes = (X, Y, Z)
    measures = [kind(a) for kind in (Displacement, Turn, Bearing) for a in axes]
    measures += [Heading(), Distance(), Inclination()]
    measures += [Back(m) for m in measures]
    assert len({m.word for m in measures}) == len(measures)
    assert all(m.word.isidentifier() for m in measures)


# -- held ------------------------------------------------------------------------------------


def test_a_held_sum_without_a_value_takes_it_from_the_poses(anywhere):
    X_WI, X_WJ = anywhere(), anywhere()
    screw = Held((Displacement(Z), Turn(Z)), (1.0, -0.3), None)
    settled = screw.settled(X_WI, X_WJ)
    d, a = (m.number(X_WI, X_WJ) for m in screw.measures)
    assert settled.value == pytest.approx(d - 0.3 * a, abs=ROUNDING)
    assert settled.settled(anywhere(), anywhere()) == settled


def test_a_held_sum_needs_one_coefficient_a_measure():
    with pytest.raises(BadNumber, match="one each"):
        Held((Turn(Z), Turn(X)), (1.0,))
    with pytest.raises(BadNumber, match="not finite"):
        Held((Turn(Z),), (np.nan,))

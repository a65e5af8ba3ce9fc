"""Instant centres: closed forms, infinity, rest, and the theorem of Kennedy and Aronhold."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

import kempe
from kempe.drives import Formula
from kempe.errors import KempeError, UnknownName

# Positions of order 1 m from samples that are solved to 1e-13.
CLOSE = 1e-10
# Centres that are far away carry the rounding of a small turning: unit vectors, so relative.
COLLINEAR = 1e-9


def crossing(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Where the lines ab and cd meet, (n, 2)."""
    u, v, w = b - a, d - c, c - a
    s = (w[:, 0] * v[:, 1] - w[:, 1] * v[:, 0]) / (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
    return a + s[:, None] * u


@pytest.fixture(scope="module")
def turn() -> kempe.Trajectory:
    return kempe.gallery.four_bar().kinematics(until=1.0, steps=90)


def test_two_bodies_on_a_hinge_turn_about_it(turn: kempe.Trajectory) -> None:
    hinge = turn["crank.end"].position
    for pair in (("crank", "coupler"), ("coupler", "crank")):
        centre = turn.relative(*pair).instant_centre
        np.testing.assert_allclose(centre.point, hinge, atol=CLOSE)
        assert np.isnan(centre.direction).all()


def test_the_coupler_turns_about_the_crossing_of_crank_and_rocker(turn: kempe.Trajectory) -> None:
    centre = turn.relative("coupler").instant_centre
    p = {name: turn[name].position for name in ("crank.start", "crank.end", "rocker.end")}
    foot = turn["rocker.start"].position
    expected = crossing(p["crank.start"], p["crank.end"], foot, p["rocker.end"])
    size = np.maximum(1.0, np.linalg.norm(expected, axis=1))[:, None]
    np.testing.assert_allclose(centre.point / size, expected / size, atol=COLLINEAR)


def test_crank_and_rocker_turn_about_the_crossing_of_coupler_and_ground(
    turn: kempe.Trajectory,
) -> None:
    centre = turn.relative("rocker", "crank").instant_centre
    ends = [turn[name].position for name in ("coupler.start", "coupler.end")]
    expected = crossing(*ends, turn["crank.start"].position, turn["rocker.start"].position)
    size = np.maximum(1.0, np.linalg.norm(expected, axis=1))[:, None]
    np.testing.assert_allclose(centre.point / size, expected / size, atol=COLLINEAR)


def test_what_only_slides_has_its_centre_at_infinity_square_to_its_way() -> None:
    turn = kempe.gallery.slider_crank(offset=0.2).kinematics(until=1.0, steps=50)
    centre = turn.relative("slider").instant_centre
    assert not centre.is_finite.any()
    np.testing.assert_allclose(np.abs(centre.direction), [[0.0, 1.0]] * len(turn), atol=CLOSE)
    np.testing.assert_allclose(np.abs(centre.homogeneous[:, 1]), 1.0, atol=CLOSE)


def test_the_coupler_of_a_parallelogram_has_its_centre_at_infinity_along_the_cranks() -> None:
    long = kempe.gallery.four_bar(crank=1, coupler=3, rocker=1, ground=3, start=0.5)
    turn = long.kinematics(over=("crank.angle", 0.5, 2.5), steps=20)
    assert turn.outcome.is_done
    centre = turn.relative("coupler").instant_centre
    angle = turn["crank.angle"].values
    along = np.column_stack([np.cos(angle), np.sin(angle)])
    assert not centre.is_finite.any()
    np.testing.assert_allclose(np.abs(np.sum(centre.direction * along, axis=1)), 1.0, atol=CLOSE)


def test_the_centre_is_where_it_is_also_while_the_mechanism_rests() -> None:
    model = kempe.gallery.four_bar().model
    law = Formula(lambda t: 1.0 + (t - 0.5) ** 2)
    model = replace(model, drives=(replace(model.drives[0], law=law),))
    turn = kempe.Mechanism(model).kinematics(until=1.0, steps=10)
    assert turn["crank.angle"].rate[5] == 0.0
    assert turn.relative("coupler").motion.at_rest.tolist() == [k == 5 for k in range(11)]
    centre = turn.relative("coupler").instant_centre
    tips = (turn["crank.end"].position, turn["rocker.end"].position)
    feet = (turn["crank.start"].position, turn["rocker.start"].position)
    expected = crossing(feet[0], tips[0], feet[1], tips[1])
    np.testing.assert_allclose(centre.point, expected, rtol=COLLINEAR)


def test_bodies_that_are_welded_together_have_no_centre() -> None:
    m = kempe.Builder("weld", plane=True)
    a, b = m.bar("a", 1.0), m.bar("b", 1.0)
    m.revolute(m.ground.at(0, 0), a.start)
    m.fixed(a.end, b.start)
    m.drive(a.angle, rpm=60)
    centre = m.build().kinematics(until=1.0, steps=10).relative("b", "a").instant_centre
    assert np.isnan(centre.point).all()
    assert np.isnan(centre.direction).all()


@pytest.mark.parametrize("kind", ["four-bar", "Watt", "Stephenson"])
def test_the_centres_of_any_three_bodies_lie_on_one_line(kind, random_linkage, rng) -> None:
    checked = 0
    for _ in range(12):
        turn = random_linkage(kind, rng).kinematics(over=("1.angle", 0.0, 0.5), steps=10)
        names = ["ground", *(body.name for body in turn.layout.model.moving)]
        for a, b, c in itertools.combinations(names, 3):
            lines = np.stack(
                [
                    turn.relative(*pair).instant_centre.homogeneous
                    for pair in ((a, b), (b, c), (c, a))
                ],
                axis=1,
            )
            assert np.abs(np.linalg.det(lines)).max() < COLLINEAR, (a, b, c)
            checked += len(lines)
    assert checked > 100


def test_a_spatial_mechanism_is_told_to_ask_for_screw_axes() -> None:
    turn = kempe.gallery.four_bar(plane=False).kinematics(until=1.0, steps=4)
    with pytest.raises(KempeError, match="screw axis"):
        _ = turn.relative("coupler").instant_centre


def test_unknown_and_equal_bodies_are_refused(turn: kempe.Trajectory) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'coupler'"):
        turn.relative("cuopler")
    with pytest.raises(KempeError, match="against itself"):
        turn.relative("coupler", "coupler")

"""Transmission angles against closed forms, in every shape of loop that has one."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import KempeError, UnknownName
from kempe.front.parts import BodyPart
from kempe.joints import Rod

# Angles of order 1 rad from samples that are solved to 1e-13.
CLOSE = 1e-10
A, B, C, D = 1.0, 3.5, 3.0, 4.0


def four_bar_angle(theta: np.ndarray) -> np.ndarray:
    cosine = (B * B + C * C - A * A - D * D + 2 * A * D * np.cos(theta)) / (2 * B * C)
    return np.arccos(cosine)


@pytest.mark.parametrize("plane", [True, False])
def test_a_four_bar_has_the_angle_of_the_cosine_rule(plane: bool) -> None:
    four_bar = kempe.gallery.four_bar(crank=A, coupler=B, rocker=C, ground=D, plane=plane)
    turn = four_bar.kinematics(until=1.0, steps=60)
    theta = turn["crank.angle"].values
    np.testing.assert_allclose(turn.transmission.angle().values, four_bar_angle(theta), atol=CLOSE)
    np.testing.assert_allclose(
        turn.transmission.pressure_angle().values,
        np.abs(math.pi / 2 - four_bar_angle(theta)),
        atol=CLOSE,
    )


def test_its_rate_is_that_of_the_cosine_rule() -> None:
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=60)
    theta = turn["crank.angle"]
    mu = turn.transmission.angle()
    expected = A * D * np.sin(theta.values) * theta.rate / (B * C * np.sin(mu.values))
    np.testing.assert_allclose(mu.rate, expected, atol=CLOSE)


def test_the_mirrored_assembly_has_the_same_angle() -> None:
    m = kempe.Builder("below", plane=True)
    crank, coupler = m.bar("crank", A, at=(0, 0), angle=0), m.bar("coupler", B, angle=-0.9)
    rocker = m.bar("rocker", C, at=(D, 0), angle=-1.8)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(rocker.start, m.ground.at(D, 0))
    m.drive(crank.angle, rpm=60)
    turn = m.build().kinematics(until=1.0, steps=60)
    assert turn["rocker.end"].position[:, 1].max() < 0.0
    expected = four_bar_angle(turn["crank.angle"].values)
    np.testing.assert_allclose(turn.transmission.angle().values, expected, atol=CLOSE)


@pytest.mark.parametrize("offset", [0.0, 0.4])
def test_a_slider_crank_has_the_angle_between_rod_and_normal(offset: float) -> None:
    turn = kempe.gallery.slider_crank(crank=1, rod=3, offset=offset).kinematics(until=1.0)
    theta = turn["crank.angle"].values
    cosine = (np.sin(theta) - offset) / 3.0
    np.testing.assert_allclose(
        np.abs(np.cos(turn.transmission.angle().values)), np.abs(cosine), atol=CLOSE
    )


def test_a_rod_is_a_coupler_without_a_body() -> None:
    m = kempe.Builder("rod", plane=True)
    crank = m.bar("crank", A, at=(0, 0), angle=0)
    rocker = m.bar("rocker", C, at=(D, 0), angle=1.8)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(rocker.start, m.ground.at(D, 0))
    m.add(Rod(crank.end, rocker.end, length=B), "rod")
    m.drive(crank.angle, rpm=60)
    turn = m.build().kinematics(until=1.0, steps=60)
    expected = four_bar_angle(turn["crank.angle"].values)
    np.testing.assert_allclose(turn.transmission.angle().values, expected, atol=CLOSE)


@pytest.mark.parametrize("aside", [0.0, 0.3])
def test_a_block_in_a_slot_pushes_squarely_but_for_the_offset_of_the_slot(aside: float) -> None:
    """cos mu = offset of the slot from the pivot, over the distance of the crank's pin."""
    m = kempe.Builder("quick return", plane=True)
    crank, arm = m.bar("crank", 1.0, at=(0, 0), angle=0.3), m.body("arm", at=(0, -2.5), angle=1.2)
    block = m.body("block", at=(1, 0.3), angle=1.2)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(m.ground.at(0, -2.5), arm.at(0, 0))
    m.revolute(crank.end, block.at(0, 0))
    m.prismatic(arm.at(0, aside), block.at(0, 0))
    m.drive(crank.angle, start=0.3, rpm=60)
    turn = m.build().kinematics(until=1.0, steps=60)
    pin = turn["crank.end"].position - [0.0, -2.5]
    expected = aside / np.linalg.norm(pin, axis=1)
    mu = turn.transmission.angle("arm")
    np.testing.assert_allclose(np.abs(np.cos(mu.values)), expected, atol=CLOSE)


@pytest.mark.parametrize("name", ["quick_return", "whitworth"])
def test_a_pin_in_a_slot_through_the_pivot_pushes_squarely(name: str) -> None:
    turn = getattr(kempe.gallery, name)().kinematics(until=1.0, steps=60)
    mu = turn.transmission.angle("lever")
    np.testing.assert_allclose(mu.values, math.pi / 2, atol=CLOSE)


def test_it_is_nought_in_a_dead_point() -> None:
    m = kempe.gallery.four_bar(crank=60, coupler=50, rocker=70, ground=100, start=1.0)
    turn = m.kinematics(until=1.0, steps=100_000)
    assert turn.outcome.name == "DeadPoint"
    mu = turn.transmission.angle().values
    assert np.pi - mu[-1] < 0.02  # coupler and rocker in line, up to the last sample's distance
    assert np.abs(np.pi / 2 - mu).argmax() == len(mu) - 1


def watt() -> kempe.Mechanism:
    """Two four-bars on one ground: the rocker of the first drives the second."""
    m = kempe.gallery.four_bar().edit()
    rocker = BodyPart(m, "rocker")
    second = m.bar("second", 2.0)
    link = m.bar("link", 3.0)
    m.revolute(m.ground.at(7, 0), second.start)
    m.revolute(second.end, link.end)
    m.revolute(link.start, rocker.end)
    return m.build()


def test_a_loop_is_chosen_by_its_input_and_output() -> None:
    turn = watt().kinematics(until=1.0, steps=20)
    first = turn.transmission.angle()
    second = turn.transmission.angle("second", input="rocker")
    assert first.name == "transmission angle of ground - crank - coupler - rocker"
    assert second.name == "transmission angle of ground - rocker - link - second"
    link, arm = turn["link.angle"].values, turn["second.angle"].values
    between = np.arccos(np.cos(link - arm))
    np.testing.assert_allclose(second.values, between, atol=CLOSE)


def test_a_choice_that_is_open_is_named() -> None:
    turn = watt().kinematics(until=1.0, steps=2)
    with pytest.raises(KempeError, match="2 loops that take the motion of 'rocker' on") as mistake:
        turn.transmission.angle(input="rocker")
    assert set(mistake.value.facts["outputs"]) == {"crank", "second"}


def test_a_loop_that_is_not_there_is_refused() -> None:
    turn = watt().kinematics(until=1.0, steps=2)
    with pytest.raises(KempeError, match="no loop of four hinges or sliders"):
        turn.transmission.angle("second")
    with pytest.raises(UnknownName, match="Did you mean 'rocker'"):
        turn.transmission.angle("rokcer")


def test_a_loop_whose_hinges_are_not_parallel_is_refused() -> None:
    m = kempe.Builder("skew")
    a, b = m.body("a"), m.body("b")
    m.revolute(m.ground.at(0, 0, 0), a.at(0, 0))
    m.revolute(m.ground.at(2, 0, 0.3).facing((0.3, 1.0, 0.2)), b.at(0, 0))
    m.add(Rod(a.at(0.4, 0), b.at(1.0, 0.2), length=1.9), "rod")
    m.drive(a.angle, rpm=60)
    turn = m.build().kinematics(until=1.0, steps=2)
    with pytest.raises(KempeError, match="hinges are not parallel"):
        turn.transmission.angle()

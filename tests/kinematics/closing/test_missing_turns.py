"""Whole turns that a coupler asks for are counted, and nothing moves for them."""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest

import kempe
from kempe.couplers import Combination, RackAndPinion
from kempe.forces import SpringDamper
from kempe.joints import Revolute, Screw, Spherical

NEAREST = 1e-9  # rad^2


def wheels(
    guesses: Sequence[float], coefficients: Sequence[float], constant: float, *, plane: bool
) -> kempe.Mechanism:
    """Wheels on hinges of their own, the sum of their turns held."""
    m = kempe.Builder("wheels", plane=plane)
    angles = []
    for k, guess in enumerate(guesses):
        if plane:
            wheel = m.body(f"wheel{k}", at=(2.0 * k, 0), angle=guess)
            hinge = m.revolute(m.ground.at(2.0 * k, 0), wheel.at(0, 0), name=f"H{k}")
        else:
            turn = kempe.Rotation.about((0, 0, 1), guess)
            wheel = m.body(f"wheel{k}", at=(2.0 * k, 0, 0), rotation=turn)
            hinge = m.revolute(m.ground.at(2.0 * k, 0, 0), wheel.at(0, 0, 0), name=f"H{k}")
        angles.append(hinge.angle)
    held = Combination(tuple(angles), coefficients=tuple(coefficients), constant=constant)
    m.couple(held, "sum")
    return m.build()


def least(guesses: Sequence[float], coefficients: Sequence[float], constant: float) -> float:
    """The least sum of squares: of all planes c x = constant that whole turns make, the nearest."""
    c = np.array(coefficients)
    turns = np.array(list(itertools.product(range(-6, 7), repeat=len(c))))
    off = c @ np.array(guesses) - constant + math.tau * turns @ c
    return float((off**2).min() / (c @ c))


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize(
    ("guesses", "coefficients", "constant"),
    [
        ((3.0, 0.0), (1.0, -2.0), 3.0 - math.tau),
        ((3.0, 0.0), (1.0, -2.0), -math.pi),
        ((3.3, 0.0), (1.0, -2.0), 3.0),
        ((3.3, 0.0), (1.0, -2.0), math.pi),
        ((-3.7, 0.2), (4.0, 2.5), -0.8),
        ((2.1, 0.8), (-3.0, 4.0), 8.4),
        ((2.3, -1.6, -0.4), (0.5, 2.0, 0.5), -7.3),
        ((1.4, 3.4, 2.6), (2.0, 2.0, 0.5), 7.7),
    ],
)
def test_the_nearest_of_all_turns_is_taken(
    guesses: Sequence[float], coefficients: Sequence[float], constant: float, plane: bool
) -> None:
    put = wheels(guesses, coefficients, constant, plane=plane).assemble()
    off = [put[f"H{k}.angle"] - guess for k, guess in enumerate(guesses)]
    found = sum(math.remainder(x, math.tau) ** 2 for x in off)
    assert found == pytest.approx(least(guesses, coefficients, constant), abs=NEAREST)


@pytest.mark.parametrize("turns", [-2, -1, 0, 1, 3])
def test_what_fits_but_for_whole_turns_starts_where_it_was_put(turns: int) -> None:
    first, second = 1.0, 2.0
    R1, R2 = (kempe.Rotation.about((0, 0, 1), x) for x in (first, first + second))
    m = kempe.Builder("three")
    inertia = kempe.Inertia(1.0, (0, 0, 0), np.eye(3))
    a = m.body("a", at=(0, 0, 0), inertia=inertia)
    b = m.body("b", at=(1, 0, 0), rotation=R1, inertia=inertia)
    c = m.body("c", at=(1, 1, 0), rotation=R2, inertia=inertia)
    on_b = R1.matrix().T @ np.array([0.0, 1.0, 0.0])
    on_c = R2.matrix().T @ np.array([-1.0, -1.0, 1.0])
    H = m.add(Revolute(a.at(1, 0, 0), b.at(0, 0, 0)), "H")
    K = m.add(Revolute(b.at(*map(float, on_b)), c.at(0, 0, 0)), "K")
    m.add(Spherical(a.at(0, 0, 1), c.at(*map(float, on_c))), "S")
    constant = first - 2.0 * second + math.tau * turns
    angles = (H.angle, K.angle)
    m.couple(Combination(angles, coefficients=(1.0, -2.0), constant=constant), "sum")
    three = m.build()
    put, checked = three.assemble(), three.check()
    run = three.simulate(until=1e-3, steps=1)
    assert max(way + turn for way, turn in put.moved.values()) < NEAREST
    assert put.notes == checked.notes == run.notes == ()
    assert run.state(0).q[14:17] == pytest.approx([1.0, 1.0, 0.0], abs=NEAREST)


LEAD = 0.2  # m


@pytest.mark.parametrize("angle", [3.0, 3.3, -3.3, 7.0, -10.0, 20.0, 4000.0])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_nut_far_up_its_thread_starts_and_reads_as_it_was_put(
    angle: float, swapped: bool
) -> None:
    way = -1.0 if swapped else 1.0  # the ground's angle about an axis of the nut, along it
    m = kempe.Builder("nut")
    height = way * LEAD * angle / math.tau
    turn = kempe.Rotation.about((0, 0, 1), way * angle)
    nut = m.body("nut", at=(0, 0, height), rotation=turn)
    ends = (m.ground.at(0, 0, 0), nut.at(0, 0, 0))
    I, J = reversed(ends) if swapped else ends
    m.add(Screw(I, J, lead=LEAD, start=0.0), "s")
    put = m.build().assemble()
    assert put["nut"][2] == pytest.approx(height, abs=NEAREST)
    assert put["s.angle"] == pytest.approx(angle, abs=NEAREST)
    assert put.notes == ()


def sprung_rack(centre: float, *, plane: bool, driven: bool) -> kempe.Mechanism:
    """A pinion of radius 0.1 m under a spring of 1 N m / rad, its rack put 7 rad out.

    Both weigh 1 kg, `centre` away from axle and marker, and have 1 kg m^2 about that centre.
    """
    m = kempe.Builder("rack", plane=plane)
    pinion = m.body("pinion", inertia=kempe.Inertia(1.0, (centre, 0, 0), np.eye(3)))
    far = (0.7, -0.1) if plane else (0.7, -0.1, 0.0)
    rack = m.body("rack", at=far, inertia=kempe.Inertia(1.0, (centre, 0, 0), np.eye(3)))
    O = (0.0,) * len(far)
    Q = (0.0, *far[1:])
    h = m.revolute(m.ground.at(*O), pinion.at(*O), name="h")
    s = m.prismatic(m.ground.at(*Q), rack.at(*O), name="s")
    m.couple(RackAndPinion((s.displacement, h.angle), radius=0.1, constant=0.0), "mesh")
    m.force(SpringDamper(h.angle, stiffness=1.0), "spring")
    if driven:
        m.drive(h.angle, start=7.0, speed=0.0)
    return m.build()


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("centre", [0.0, 0.3])
def test_a_spring_pulls_by_all_turns_that_a_rack_has_made(plane: bool, centre: float) -> None:
    run = sprung_rack(centre, plane=plane, driven=False).simulate(until=2.0, steps=4)
    faster = 1.0 / math.sqrt(1.0 + centre**2 + 0.1**2)  # rad/s, of 1 kg at 0.1 m beside the pinion
    assert run["h.angle"].values == pytest.approx(7.0 * np.cos(faster * run.t), abs=1e-7)
    assert run["s.displacement"].values == pytest.approx(0.1 * run["h.angle"].values, abs=NEAREST)


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("centre", [0.0, 0.3])
def test_a_drive_holds_against_all_turns_of_a_spring(plane: bool, centre: float) -> None:
    run = sprung_rack(centre, plane=plane, driven=True).simulate(until=1.0, steps=1)
    assert run["h.angle.effort"].values == pytest.approx([7.0, 7.0], abs=1e-7)
    assert run["spring.effort"].values == pytest.approx([-7.0, -7.0], abs=1e-7)

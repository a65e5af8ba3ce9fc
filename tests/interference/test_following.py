"""What lies between samples: whole turns, strokes and blows, against closed forms."""

import math
from dataclasses import replace

import numpy as np
import pytest

import kempe
from kempe.drives import TextFormula
from kempe.events import Stop
from kempe.forces import Control
from kempe.front import Trajectory
from kempe.geometry.solids import Cuboid, Mesh, Plate, Sphere
from tests.campaigns.touching_shapes import Outline, gap

#: edges of touches, to the last digits of a motion that is 1e-9 of a shape off, at 0.5 m/s or more
TIMES = 1e-8
LENGTHS = 1e-8
#: of the smaller shape: how much nearer than told shapes may come, as the theory has it
SEARCHED = 1e-4

TETRAHEDRON = Mesh(
    ((0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)), ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
)


def arm_and_post(law, plane=True, distance=0.8):
    """A beam from 0 to 1 that turns about the origin, past a ball at (0, distance)."""
    m = kempe.Builder("arm and post", plane=plane)
    arm = m.bar("arm", 1.0)
    m.revolute(m.ground.at(0, 0), arm.start, name="hinge")
    m.shape(arm, Cuboid((1.0, 0.1, 0.1)), at=(0.5, 0), name="beam")
    m.shape(m.ground, Sphere(0.05), at=(0.0, distance), name="post")
    m.drive(arm.angle, law)
    return m.build()


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("steps", [1, 2, 3, 6])
def test_every_turn_between_two_samples_meets_the_post(plane, steps):
    """Six turns, with one or more of them from a sample to the next, at which poses are alike."""
    run = arm_and_post(TextFormula("2 * pi * t"), plane).kinematics(until=6.0, steps=steps)
    touches = run.interference()["arm", "ground"].touches
    half = math.asin((0.05 + 0.05) / 0.8) / (2 * math.pi)
    expected = [k + 0.25 + side * half for k in range(6) for side in (-1, 1)]
    found = [t for touch in touches for t in (touch.start, touch.end)]
    assert found == pytest.approx(expected, abs=TIMES)
    assert [touch.depth for touch in touches] == pytest.approx([0.1] * 6, abs=1e-5)


@pytest.mark.parametrize("width", [0.3, 0.02, 0.002])
def test_a_stroke_between_two_samples_is_seen_in_the_law_of_the_drive(width):
    """At both samples, and in the middle, the arm stands still: it strikes out and back between."""
    law = TextFormula("1.6 * exp(0 - ((t - 3.3) / w) ** 2)", ("w",), (width,))
    run = arm_and_post(law).kinematics(until=10.0, steps=1)
    (touch,) = run.interference()["arm", "ground"].touches
    at = math.pi / 2 - math.asin(0.1 / 0.8)
    reach = width * math.sqrt(math.log(1.6 / at))
    assert [touch.start, touch.end] == pytest.approx([3.3 - reach, 3.3 + reach], abs=1e-6)


def test_a_mesh_that_goes_round_between_samples_is_met():
    m = kempe.Builder("mesh on an arm")
    arm = m.bar("arm", 1.0)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.shape(arm, TETRAHEDRON, at=(1.0, 0.0, 0.0), name="tip")
    m.shape(m.ground, Sphere(0.2), at=(0.0, 1.0), name="ball")
    m.drive(arm.angle, speed=2 * math.pi)
    touches = m.build().kinematics(until=2.0, steps=2).interference()["arm", "ground"].touches
    assert len(touches) == 2
    assert touches[1].start - touches[0].start == pytest.approx(1.0, abs=1e-6)
    assert touches[0].depth > 0.15


def test_a_free_arm_that_spins_meets_what_a_thousand_samples_meet():
    """A pendulum with 15 rad/s at the bottom goes round and round; two samples in three seconds."""
    m = kempe.Builder("spinning arm", plane=True, gravity=(0, -9.81))
    bob = kempe.Inertia(1.0, (0.5, 0, 0), [[0, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
    arm = m.bar("arm", 1.0, at=(0, 0), angle=-math.pi / 2, inertia=bob)
    hinge = m.revolute(m.ground.at(0, 0), arm.start, name="hinge")
    m.rate(hinge.angle, 15.0)
    m.shape(arm, Sphere(0.05), at=(1.0, 0), name="tip")
    m.shape(m.ground, Sphere(0.05), at=(0.7, 0.75), name="post")
    model = m.build()
    pair = model.simulate(until=3.0, steps=1).interference()["arm", "ground"]
    dense = model.simulate(until=3.0, steps=30_000)
    tip = dense["arm.end"].position
    gaps = np.hypot(tip[:, 0] - 0.7, tip[:, 1] - 0.75) - 0.1
    inside = np.flatnonzero(np.diff((gaps < 0).astype(int)))
    found = [t for touch in pair.touches for t in (touch.start, touch.end)]
    assert found == pytest.approx(dense.t[inside], abs=1e-4)
    assert len(pair.touches) > 3
    assert -pair.gap == pytest.approx(-gaps.min(), abs=1e-5)


def test_a_blow_between_two_samples_is_a_corner_of_the_motion():
    """A car runs against a stop at x = 0.5 and back: it comes within 0.1 of a wall at 0.6."""
    m = kempe.Builder("buffer", plane=True)
    car = m.body("car", at=(0, 0), inertia=kempe.Inertia(1.0, (0, 0, 0), np.eye(3)))
    rail = m.prismatic(m.ground.at(0, 0), car.at(0, 0), name="rail")
    m.rate(rail.displacement, 1.0)
    m.event(Stop(rail.displacement, high=0.5, restitution=1.0))
    m.shape(car, Sphere(0.01), name="nose")
    m.shape(m.ground, Cuboid((0.1, 0.4, 0.1)), at=(0.65, 0), name="wall")
    run = m.build().simulate(until=1.7, steps=2)
    assert run.events
    pair = run.interference()["car", "ground"]
    assert pair.gap == pytest.approx(0.6 - 0.5 - 0.01, abs=LENGTHS)
    assert pair.at == pytest.approx(0.5, abs=1e-6)
    assert pair.uncertainty < 1e-4


def test_a_motion_that_cannot_be_made_again_is_told_as_not_known():
    """Poses of whole turns, and nobody to ask what was between them."""
    run = arm_and_post(TextFormula("2 * pi * t")).kinematics(until=6.0, steps=6)
    found = Trajectory(run.layout, replace(run.motion, again=None)).interference()
    assert not found.touching
    assert not found.is_clear
    assert found.uncertainty == math.inf
    assert [pair.name for pair in found.unknown] == ["arm.beam - ground.post"]
    assert not found.clear
    assert found.facts()["uncertainty"] is None
    assert "it is not known whether 1 of 1 pair of shapes touch" in str(found)
    assert "ask for more steps" in str(found)


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 7])
def test_few_samples_that_stand_alone_have_an_uncertainty_that_covers_the_truth(steps):
    """A ball on an arm of 1 passes one that is 1.3 from the hinge."""
    m = kempe.Builder("two balls", plane=True)
    arm = m.bar("arm", 1.0)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.shape(arm, Sphere(0.05), at=(1.0, 0), name="tip")
    m.shape(m.ground, Sphere(0.05), at=(1.3 * math.cos(0.33), 1.3 * math.sin(0.33)), name="post")
    m.drive(arm.angle, speed=1)
    run = m.build().kinematics(until=0.9, steps=steps)
    pair = Trajectory(run.layout, replace(run.motion, again=None)).interference().pairs[0]
    assert pair.uncertainty > 0.0
    assert abs(pair.gap - 0.2) <= pair.uncertainty


def test_two_samples_of_bodies_that_rest_are_known():
    found = arm_and_post(TextFormula("0 * t")).kinematics(until=1.0, steps=1).interference()
    assert found.is_clear
    assert found["arm", "ground"].gap == pytest.approx(0.7, abs=LENGTHS)
    assert found.uncertainty < SEARCHED


def polygon(rng):
    """Corners of a random convex quadrilateral, counterclockwise."""
    angles = np.sort(rng.uniform(0, 2 * math.pi, 4)) + np.arange(4) * 0.01
    return np.column_stack([np.cos(angles), np.sin(angles)]) * rng.uniform(0.05, 0.2)


@pytest.mark.parametrize("seed", range(8))
def test_the_least_gap_lies_within_its_uncertainty(seed):
    """A plate on a swinging arm and one on the ground: 4001 instants measured edge by edge."""
    rng = np.random.default_rng(seed)
    a, u, w = (float(x) for x in rng.uniform((0.5, 1, 0), (2, 9, 2)))
    one, two = polygon(rng), polygon(rng)
    m = kempe.Builder("plates", plane=True)
    arm = m.bar("arm", 1.0)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.shape(arm, Plate(tuple(map(tuple, one.tolist())), 0.1), at=(1.0, 0), name="one")
    m.shape(m.ground, Plate(tuple(map(tuple, two.tolist())), 0.1), at=(0.2, 1.4), name="two")
    m.drive(arm.angle, TextFormula("a * sin(u * t) + w * t", ("a", "u", "w"), (a, u, w)))
    pair = m.build().kinematics(until=3.0, steps=5).interference()["arm", "ground"]
    t = np.linspace(0, 3, 4001)
    still = Outline(two + np.array([0.2, 1.4]), 0.0)
    moving = Outline(one + np.array([1.0, 0.0]), 0.0)
    turn = a * np.sin(u * t) + w * t
    gaps = [gap(moving.placed(np.zeros(2), float(angle)), still) for angle in turn]
    assert pair.gap - pair.uncertainty <= min(gaps) + LENGTHS
    assert pair.gap <= min(gaps) + SEARCHED * abs(min(gaps)) + 1e-5
    assert pair.uncertainty < 1e-3 * max(abs(pair.gap), 0.1)


def test_a_dead_point_that_is_passed_between_samples_is_part_of_the_motion():
    """A rocker drives its crank through dead points, near which the crank is infinitely fast.

    The way is that of the crank driven evenly: ends of bars against bars at 4001 places.
    """
    model = kempe.gallery.four_bar()
    first = float(model.kinematics(until=0.01, steps=1)["rocker.angle"].values[0])
    over = ("rocker.angle", first, first + 1.4)
    run = model.kinematics(over=over, steps=20, through="momentum")
    assert run.passes
    turn = run["crank.angle"].values
    dense = model.kinematics(over=("crank.angle", turn[0], turn[-1]), steps=4000)
    bars = [
        [dense[f"{bar}.{end}"].position for end in ("start", "end")] for bar in ("crank", "rocker")
    ]
    gaps = [
        min(
            distance(bars[i][e][k], bars[1 - i][0][k], bars[1 - i][1][k])
            for i in (0, 1)
            for e in (0, 1)
        )
        for k in range(len(dense))
    ]
    pair = run.interference()["crank", "rocker"]
    assert pair.gap - pair.uncertainty <= min(gaps) + 1e-6
    assert pair.gap <= min(gaps) * (1 + SEARCHED) + 1e-5
    assert pair.uncertainty < 1e-3 * pair.gap


def distance(point, start, end):
    """Of a point from a bar."""
    along = end - start
    share = np.clip((point - start) @ along / (along @ along), 0, 1)
    return float(np.linalg.norm(start + share * along - point))


def test_a_push_out_and_back_between_two_samples_of_a_simulation_is_seen():
    """x = a exp(-((t - c) / d)^2) by the force m x'': at rest at the start, middle and end."""
    a, c, d = 0.5, 3.3, 0.3
    m = kempe.Builder("pushed car", plane=True)
    car = m.body("car", at=(0, 0), angle=0.0, inertia=kempe.Inertia(1.0, (0, 0, 0), np.eye(3)))
    m.prismatic(m.ground.at(0, 0), car.at(0, 0), name="rail")
    push = "a * (4 * (t - c) ** 2 / d ** 4 - 2 / d ** 2) * exp(0 - ((t - c) / d) ** 2)"
    m.force(Control(car.x, push, constants=("a", "c", "d"), values=(a, c, d)), "push")
    m.shape(car, Sphere(0.1), name="nose")
    m.shape(m.ground, Cuboid((0.2, 0.4, 0.1)), at=(0.6, 0), name="wall")
    run = m.build().simulate(until=10.0, steps=2, tolerance=1e-10)
    (touch,) = run.interference()["car", "ground"].touches
    reach = d * math.sqrt(math.log(a / 0.4))
    assert [touch.start, touch.end] == pytest.approx([c - reach, c + reach], abs=1e-5)
    assert touch.depth == pytest.approx(0.1, abs=1e-5)

"""`check` is ready where `kinematics` starts, and idle spins are told apart from freedoms."""

from typing import Any

import numpy as np
import pytest

import kempe as kp
from kempe.compile.trace.part_names import gauges_by_name
from kempe.couplers import GearPair
from kempe.errors import DriveError
from kempe.joints import (
    Cylindrical,
    PinInSlot,
    PointInPlane,
    PointOnLine,
    Revolute,
    Spherical,
)
from kempe.measures import Coordinate

IN_SPACE = (Revolute, Spherical, Spherical, Cylindrical, PointInPlane, PointOnLine)
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def rod_between_balls():
    m = kp.Builder("rod")
    a = m.bar("a", 1.0)
    m.add(Spherical(m.ground.at(0, 0, 0), a.start), "b1")
    m.add(Spherical(m.ground.at(1, 0, 0), a.end), "b2")
    return m


def three_feet_in_a_line():
    """On the plane z = 0: it slides along x and y, turns about z, and rolls about its line."""
    m = kp.Builder("feet")
    n = m.body("n", at=(0, 0, 0), rotation=kp.Rotation.identity())
    for i in range(3):
        m.add(PointInPlane(m.ground.at(0, 0, 0), n.at(i, 0, 0)), f"f{i}")
    return m, n


def triangle_of_balls():
    m = kp.Builder("triangle")
    a, b = m.bar("a", 1.0), m.bar("b", 1.0)
    m.add(Spherical(m.ground.at(0, 0, 0), a.start), "left")
    m.add(Spherical(m.ground.at(1, 0, 0), b.start), "right")
    m.add(Spherical(a.end, b.end), "top")
    return m, a


def test_nothing_is_ready_without_a_drive():
    triangle = kp.Builder("triangle", plane=True)
    a, b = triangle.bar("a", 1.0), triangle.bar("b", 1.0)
    triangle.revolute(triangle.ground.at(0, 0), a.start)
    triangle.revolute(triangle.ground.at(1, 0), b.start)
    triangle.revolute(a.end, b.end)
    for built in (rod_between_balls().build(), triangle.build()):
        assert not built.check().is_ready
        with pytest.raises(DriveError):
            built.kinematics(until=1.0)


def test_a_rod_that_can_only_spin_is_not_told_to_be_driven():
    built = rod_between_balls().build()
    assert "The spin of 'a' about the line of its ends needs no drive" in str(built.check())
    assert "add a drive" not in str(built.check())
    with pytest.raises(DriveError) as caught:
        built.kinematics(until=1.0)
    assert "Add" not in caught.value.message
    assert "spin of 'a'" in caught.value.message


def test_of_three_feet_in_a_line_only_the_roll_needs_no_drive():
    m, n = three_feet_in_a_line()
    report = m.build().check()
    assert report.mobility == 4
    assert report.passive == ("n",)
    assert "'n' can still move in 3 ways: add 3 drives" in str(report)
    assert [motion.is_idle_spin for motion in report.free] == [False, False, False, True]
    (roll,) = report.free[-1].motions
    assert np.abs(roll.direction) == pytest.approx([1.0, 0.0, 0.0], abs=1e-12)
    with pytest.raises(DriveError, match="Add 3 drives"):
        m.build().kinematics(until=1.0)
    m.drive(n.x, speed=1.0)
    with pytest.raises(DriveError, match=r"'n' can still move by itself\. Add 2 drives"):
        m.build().kinematics(until=1.0)


def test_of_three_balls_the_swing_needs_the_one_drive_and_the_spins_none():
    m, a = triangle_of_balls()
    report = m.build().check()
    assert report.mobility == 3
    assert report.passive == ("a", "b")
    assert "can still move: add a drive or a joint" in str(report)
    assert "more motion" not in str(report)
    assert "The spins of 'a' and 'b' about the lines of their ends need no drive" in str(report)
    with pytest.raises(DriveError, match="Add 1 drive,"):
        m.build().kinematics(until=1.0)
    height = m.gauge("height", Coordinate(kp.Z), m.ground.at(0, 0, 0), a.end)
    m.drive(height, start=0.2, speed=0.1)
    assert m.build().check().is_ready
    swing = m.build().kinematics(until=1.0, steps=10)
    assert swing.outcome.is_done
    assert swing["a.end"].position[:, 0] == pytest.approx(0.5, abs=1e-9)  # an equilateral one


def test_a_drive_more_than_a_rod_between_cranks_needs_is_to_be_removed_not_moved():
    m = kp.Builder("RSSR")
    a, b, rod = (m.body(name) for name in ("a", "b", "rod"))
    one = m.revolute(m.ground.at(0, 0, 0), a.at(0, 0, 0), name="A")
    axis = m.ground.at(1.0, 0.5, 0.2).facing((1, 0, 0))
    two = m.revolute(axis, b.at(0, 0, 0), name="B")
    m.add(Spherical(a.at(0.3, 0, 0), rod.at(0, 0, 0)), "C")
    m.add(Spherical(b.at(0.9, 0, 0), rod.at(1.4, 0, 0)), "D")
    stands = m.build().assemble()
    for hinge in (one, two):
        m.drive(hinge.angle, start=float(stands[hinge.angle.name]), speed=1.0)
    report = m.build().check()
    assert not report.is_ready
    assert "There is 1 drive too many" in str(report)
    with pytest.raises(DriveError, match="depend on each other: remove one of them") as caught:
        m.build().kinematics(until=1.0)
    assert "drive another measure" not in caught.value.message


def test_wheels_that_mesh_in_a_ring_are_freed_at_a_coupler_too():
    """Three external meshes turn every wheel against itself: a = -b = c = -a."""
    m = kp.Builder("ring", plane=True)
    places = ((0, 0), (2, 0), (1, 3**0.5))
    wheels = [m.body(f"w{k}", at=at, angle=0.0) for k, at in enumerate(places)]
    hinges = [
        m.revolute(m.ground.at(*at), w.at(0, 0)) for at, w in zip(places, wheels, strict=True)
    ]
    for k in range(3):
        pair = (hinges[k].angle, hinges[(k + 1) % 3].angle)
        m.couple(GearPair(pair, teeth=(20, 20)), f"mesh{k}")
    with pytest.raises(DriveError, match=r"Remove .*'mesh0' or 'mesh1' or 'mesh2' first"):
        m.build().kinematics(until=1.0)
    m.drive(hinges[0].angle, speed=1.0)
    assert "cannot move at all" in str(m.build().check())
    with pytest.raises(DriveError, match="Remove 'mesh0' or 'mesh1' or 'mesh2'"):
        m.build().kinematics(until=1.0)
    m.remove("mesh2")
    assert m.build().check().is_ready


def driven_at_random(seed: int) -> Any:
    """A mechanism of one to three bodies with none to one drive more than its count has freedoms.

    On a lattice its points come to lie on lines, so that bodies spin idly and positions are
    singular; off it they are general. Every drive starts where its measure stands.
    """
    rng = np.random.default_rng(seed)
    plane, is_lattice = bool(rng.integers(2)), bool(rng.integers(2))
    m = kp.Builder(f"model {seed}", plane=plane)
    d = 2 if plane else 3

    def somewhere() -> np.ndarray:
        return rng.integers(0, 3, d).astype(float) if is_lattice else rng.uniform(0.0, 2.0, d)

    origins = [somewhere() for _ in range(int(rng.integers(1, 4)))]
    bodies = [m.ground]
    for k, at in enumerate(origins):
        facing = {"angle": 0.0} if plane else {"rotation": kp.Rotation.identity()}
        bodies.append(m.body(f"b{k}", at=tuple(at), **facing))
    places = [np.zeros(d), *origins]
    pairs = [(int(rng.integers(0, k)), k) for k in range(1, len(bodies))]
    for _ in range(int(rng.integers(0, 3))):
        pairs.append(tuple(sorted(rng.permutation(len(bodies))[:2].tolist())))
    for n, (i, j) in enumerate(pairs):
        p = somewhere()
        here = [bodies[k].at(*(p - places[k])) for k in (i, j)]
        if plane:
            kind = rng.integers(4)
            way = (1.0, 0.0) if is_lattice else tuple(rng.standard_normal(2))
            if kind < 2:
                m.revolute(*here, name=f"j{n}")
            elif kind == 2:
                m.prismatic(*here, along=way, name=f"j{n}")
            else:
                m.add(PinInSlot(here[0].facing(way), here[1]), f"j{n}")
            continue
        axis = AXES[int(rng.integers(3))] if is_lattice else tuple(rng.standard_normal(3))
        joint = IN_SPACE[int(rng.integers(len(IN_SPACE)))]
        m.add(joint(*(marker.facing(axis) for marker in here)), f"j{n}")
    built = m.build()
    report = built.check()
    count = report.mobility - len(report.passive)
    start = built.assemble()
    gauges = gauges_by_name(built.model)
    names = [n for n in gauges if not n.startswith("ground.")]
    many = count if rng.integers(3) else int(rng.integers(0, report.mobility + 2))
    for name in rng.permutation(names)[:many]:
        value = float(start[str(name)])
        if np.isfinite(value):
            m.drive(gauges[str(name)], start=value, speed=float(rng.uniform(0.5, 1.0)))
    return m.build()


@pytest.mark.parametrize("seed", range(60))
def test_is_ready_just_where_kinematics_starts(seed):
    built = driven_at_random(seed)
    try:
        starts = len(built.kinematics(until=1e-6, steps=1)) == 2
    except DriveError:
        starts = False
    report = built.check()
    assert report.is_ready == starts, report


def test_of_many_bodies_the_spins_are_told_apart_too(monkeypatch):
    m, _ = triangle_of_balls()
    few = m.build().check().free
    monkeypatch.setattr(
        "kempe.kinematics.mobility.free_motions.DENSE", 1
    )  # as if it were a large one
    many = m.build().check().free
    assert [motion.is_idle_spin for motion in many] == [False, True, True]
    assert many[-2:] == few[-2:]
    rows = [
        np.concatenate([motion.twists.get(body, np.zeros(6)) for body in ("a", "b")])
        for motion in (*few, *many)
    ]
    assert np.linalg.matrix_rank(np.array(rows), tol=1e-9) == len(few) == 3

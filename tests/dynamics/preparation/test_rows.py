"""Redundant rows are found, left out well, and hold all the same."""

import math

import numpy as np
import pytest

import kempe
from kempe import Builder, Inertia
from kempe.dynamics.preparation.rows import expendable_rows
from kempe.errors import AssemblyError, DriveError
from kempe.joints import Revolute


def spatial_four_bar(tilt: float = 0.0):
    """A parallelogram of hinges in space: three of its twenty rows say nothing new."""
    m = Builder("hinged in space", gravity=(0, -9.81, 0))
    inertia = Inertia(1.0, (0.5, 0, 0), np.diag([1e-3, 1 / 12, 1 / 12]))
    up = math.radians(60)
    a = m.body("a", at=(0, 0, 0), angle=up, inertia=inertia)
    c = m.body("c", at=(2, 0, 0), angle=up, inertia=inertia)
    b_inertia = Inertia(2.0, (1.0, 0, 0), np.diag([1e-3, 2 / 3, 2 / 3]))
    b = m.body("b", at=(math.cos(up), math.sin(up), 0), inertia=b_inertia)
    m.add(Revolute(m.ground.at(0, 0, 0), a.at(0, 0, 0)), "A")
    m.add(Revolute(a.at(1, 0, 0), b.at(0, 0, 0)), "B")
    m.add(Revolute(b.at(2, 0, 0), c.at(1, 0, 0)), "C")
    theirs = (tilt * math.sin(up), tilt * math.cos(up), 1)  # the same direction, seen from c
    m.add(Revolute(m.ground.at(2, 0, 0).facing((0, tilt, 1)), c.at(0, 0, 0).facing(theirs)), "D")
    return m.build()


def test_a_planar_loop_of_hinges_in_space_moves_as_in_the_plane():
    m = Builder("in the plane", plane=True, gravity=(0, -9.81))
    inertia = Inertia(1.0, (0.5, 0, 0), np.diag([1e-3, 1 / 12, 1 / 12]))
    up = math.radians(60)
    a = m.bar("a", 1.0, at=(0, 0), angle=up, inertia=inertia)
    c = m.bar("c", 1.0, at=(2, 0), angle=up, inertia=inertia)
    long = Inertia(2.0, (1.0, 0, 0), np.diag([1e-3, 2 / 3, 2 / 3]))
    b = m.bar("b", 2.0, at=(math.cos(up), math.sin(up)), angle=0.0, inertia=long)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(m.ground.at(2, 0), c.start)
    flat = m.build().simulate(until=1.0, steps=20)
    space = spatial_four_bar().simulate(until=1.0, steps=20)
    assert space.outcome.is_done
    assert len(space.redundant) > 0
    ours, theirs = space["b"].position[:, :2], flat["b"].position
    assert np.abs(ours - theirs).max() < 1e-7
    assert np.abs(space["b"].position[:, 2]).max() < 1e-12


def test_reactions_of_redundant_joints_say_which_components_are_unique():
    motion = spatial_four_bar().simulate(until=0.5, steps=5)
    force, torque = motion["B.force"], motion["B.torque"]
    assert force.unique == (True, True, False)
    assert torque.unique == (False, False, True)


def test_a_hinge_that_is_tilted_a_little_is_refused_by_name():
    with pytest.raises(AssemblyError, match="nearly redundant: joint"):
        spatial_four_bar(1e-5).simulate(until=1.0)


def test_drives_that_fight_are_refused():
    m = Builder("two drives", plane=True)
    inertia = Inertia(1.0, (0.5, 0, 0), np.diag([1e-3, 1 / 12, 1 / 12]))
    rod = m.bar("rod", 1.0, inertia=inertia)
    m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    m.drive(rod.angle, rpm=60)
    m.drive(rod.x, speed=1.0)
    with pytest.raises(DriveError, match="only 1 freedom"):
        m.build().simulate(until=1.0)


def test_a_structure_is_locked_and_keeps_its_first_sample():
    m = Builder("frame", plane=True, gravity=(0, -9.81))
    inertia = Inertia(1.0, (0.5, 0, 0), np.diag([1e-3, 1 / 12, 1 / 12]))
    rod = m.bar("rod", 1.0, angle=0.0, inertia=inertia)
    m.fixed(m.ground.at(0, 0), rod.start, name="weld")
    motion = m.build().simulate(until=1.0)
    assert motion.outcome.name == "Locked"
    assert len(motion) == 1
    assert motion["weld.force"].values[0] == pytest.approx([0.0, 9.81])
    assert motion["weld.torque"].values[0] == pytest.approx([9.81 / 2])


def test_the_row_left_out_is_one_that_can_go_in_every_position():
    first = np.array([[1.0, 0.0], [1.0, 1e-3], [0.0, 1.0]])
    second = np.array([[1.0, 0.0], [1e-3, 1.0], [0.0, 1.0]])
    assert expendable_rows([first, second]) == [1]


def test_the_row_left_out_counts_by_the_masses_it_moves():
    J = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])  # two rows say the same
    light, heavy = [np.array([3.0, 1.0, 1.0])], [np.array([1.0, 3.0, 1.0])]
    assert expendable_rows([J], light) == [0]
    assert expendable_rows([J], heavy) == [1]


def test_bricards_mechanism_is_solved_without_damping_through_its_whole_motion():
    fall = kempe.gallery.falling_bricard().simulate(until=10.0)
    assert fall.outcome.is_done
    assert fall.motion.counts["damped"] == 0

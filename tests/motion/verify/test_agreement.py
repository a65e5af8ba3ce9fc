"""The equations of a search in space beside what joints say: the same, and every change is seen."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import kempe
from kempe.motion.equations.question import Holding
from kempe.motion.equations.spatial import spatial_equations
from kempe.motion.equations.system import SystemRow
from kempe.motion.verify.written.agreement import agreement
from kempe.motion.verify.written.planar_rows import Asked
from tests.motion import _machines_in_space as machines

ROUNDED = 1e-11  # of rows of the size of 1: far below 1e-6, by which they are changed here

MACHINES = {
    "circles": lambda: kempe.gallery.spherical_four_bar(),
    "rods": lambda: kempe.gallery.rssr(),
    "slides": lambda: kempe.gallery.rscr(),
    "axes": lambda: kempe.gallery.bennett(),
    "more rows than needed": lambda: kempe.gallery.sarrus(),
    "crosses": lambda: kempe.gallery.cardan_shaft(),
    "a platform in a plane": lambda: machines.platform(*machines.octahedral()),
    "a dual quaternion": lambda: machines.platform(
        *machines.random_platform(np.random.default_rng(7))
    ),
    "oblique axes": lambda: kempe.gallery.wobble_plate(),
}


@cache
def machine(name):
    return MACHINES[name]()


def written(name):
    found = machine(name)
    freedom = 0 if "platform" in name or "quaternion" in name else 1
    return spatial_equations(found.layout, freedom=freedom), found.layout


@pytest.mark.parametrize("name", MACHINES)
def test_search_and_joints_say_the_same(name):
    compared = agreement(*written(name), Asked())
    assert compared.unproved == []
    assert compared.off < ROUNDED


def without_its_last(system):
    system.equations.pop()


def with_another(system):
    first = system.inputs[0]
    system.equations.append(SystemRow(first * first - 0.25, "nobody"))


def with_one_off(system):
    row = system.equations[-1]
    system.equations[-1] = replace_row(row, row.value + 1e-6)


def replace_row(row, value):
    return SystemRow(value, row.source)


def with_a_side(system):
    system.keep_positive(system.inputs[0], "nobody")


def read_elsewhere(system):
    name = next(n for n in system.readings if n.endswith(".ux"))
    system.readings[name] = system.readings[name.replace(".ux", ".vx")]


def in_a_smaller_domain(system):
    first = system.unknowns[0]
    system.unknowns[0] = replace(first, low=-0.9, high=0.9)


CHANGES = [
    without_its_last,
    with_another,
    with_one_off,
    with_a_side,
    read_elsewhere,
    in_a_smaller_domain,
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ["circles", "rods", "slides"])
def test_what_is_changed_in_the_search_is_not_what_joints_say(name, change):
    system, layout = written(name)
    change(system)
    assert agreement(system, layout, Asked()).unproved


@pytest.mark.parametrize("name", ["a platform in a plane", "a dual quaternion"])
@pytest.mark.parametrize("change", [without_its_last, with_another, with_one_off, read_elsewhere])
def test_what_is_changed_of_a_platform_is_not_what_its_rods_say(name, change):
    system, layout = written(name)
    change(system)
    assert agreement(system, layout, Asked()).unproved


def test_a_held_angle_is_that_angle():
    found = machine("circles")
    (drive,) = found.layout.model.drives
    gauge = drive.gauge
    held = spatial_equations(found.layout, [Holding(gauge, 0.4)])
    assert agreement(held, found.layout, Asked(held=((gauge, 0.4),))).unproved == []
    assert agreement(held, found.layout, Asked(held=((gauge, 0.4 + 1e-6),))).unproved

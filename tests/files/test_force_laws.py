"""Laws of forces in a file: what their numbers mean, whatever the document's units."""

import math

import numpy as np
import pytest

from kempe import Mechanism
from kempe.errors import FileError, FormulaError

DEGREE = math.pi / 180.0
START = """
version: 1
plane: true
units: {length: mm, angle: deg}
parameters: {k: 50 N/mm, twist: {value: 3, unit: N*m/rad}}
bodies: {block: {at: [30, 0], angle: 0, inertia: {mass: 2, tensor: [1, 1, 1]}}}
joints: {rail: {type: prismatic, I: ground, J: block, axis: [1, 0, 0]}}
forces:
  spring: """


@pytest.fixture
def spring(document):
    return lambda text: document(START + text).model.forces[0]


def test_a_table_of_a_spring_is_of_the_documents_lengths_and_of_newtons(spring):
    law = spring(
        "{type: nonlinear_spring, gauge: block.x, law: {type: table, points:"
        " [[-10, -500], [0, 0], [10, 500], [2 cm, 1 kN]]}}"
    ).law
    assert law.points == ((-0.01, -500.0), (0.0, 0.0), (0.01, 500.0), (0.02, 1000.0))


def test_a_table_of_a_torsion_spring_is_of_the_documents_angles(spring):
    law = spring(
        "{type: nonlinear_spring, gauge: block.angle, law: {type: table, points:"
        " [[0, 0], [90, 2], [180 deg, 4 N*m]]}}"
    ).law
    assert np.array(law.points) == pytest.approx(
        np.array([[0.0, 0.0], [90 * DEGREE, 2.0], [math.pi, 4.0]])
    )


def test_a_table_of_a_damper_is_of_speeds(spring):
    force = spring(
        "{type: nonlinear_spring, gauge: block.x, law: 0, damper: {type: table, points:"
        " [[-100, -5], [0, 0], [1 m/s, 50]]}}"
    )
    assert force.damper.points == ((-0.1, -5.0), (0.0, 0.0), (1.0, 50.0))


FORMULAS = {
    "bare numbers are in mm": ("50 * t", 500.0),
    "parameters have their own units": ("k * t", 500.0),
    "a cube of millimetres": ("0.5 * t^3", 500.0),
    "a number is held": ("120 N", 120.0),
}


@pytest.mark.parametrize("case", FORMULAS)
def test_a_formula_of_a_spring_means_the_same_stretch_as_its_free_length(spring, case):
    """At 10 mm."""
    text, newtons = FORMULAS[case]
    force = spring(f'{{type: nonlinear_spring, gauge: block.x, law: "{text}", free: 100}}')
    assert force.free == 0.1
    assert force.law.value(0.01) == pytest.approx(newtons)


def test_a_formula_of_a_torsion_spring_is_of_degrees_or_of_radians(spring):
    for text, expected in (("2 * t", 180.0), ("twist * t", 3.0 * math.pi / 2)):
        force = spring(f'{{type: nonlinear_spring, gauge: block.angle, law: "{text}"}}')
        assert force.law.value(math.pi / 2) == pytest.approx(expected)


def test_an_energy_that_a_file_gives_is_of_the_same_stretch_and_checked(document):
    """50 N/mm over t mm store 25 N/mm t^2: 0.025 J at a millimetre."""
    text = START + '{type: nonlinear_spring, gauge: block.x, law: "50 * t", stored: "0.025 * t^2"}'
    motion = Mechanism(document(text).model).simulate(until=0.01, steps=2)
    assert motion.energy.potential[0] == pytest.approx(0.025 * 30.0**2)
    wrong = text.replace("0.025", "25")
    with pytest.raises(FormulaError, match="energy of force 'spring'"):
        Mechanism(document(wrong).model).simulate(until=0.01, steps=2)


def test_a_bare_force_is_in_newtons_in_every_document(spring):
    """Units of a document are those of lengths, angles and masses."""
    actuator = spring("{type: actuator, gauge: block.x, law: 5}")
    assert actuator.law.value(0.3) == 5.0
    assert spring("{type: actuator, gauge: block.angle, law: 5 * t}").law.value(0.3) == 1.5
    line = spring("{type: line_spring, I: ground, J: block, stiffness: 7, free: 20, preload: 3}")
    assert (line.stiffness, line.free, line.preload) == (7.0, 0.02, 3.0)


def test_laws_of_a_load_are_forces_and_torques(spring):
    load = spring(
        '{type: applied_load, at: block, force: ["3 * sin(t)", 2 kN, 0], torque: [0, 0, "4 * t"]}'
    )
    assert [law.value(math.pi / 2) for law in load.force] == [3.0, 2000.0, 0.0]
    assert [law.value(0.5) for law in load.torque] == [0.0, 0.0, 2.0]


WRONG = {
    "seconds where a stretch is": (
        "{type: nonlinear_spring, gauge: block.x, law:"
        " {type: table, points: [[0 s, 0], [1 s, 1]]}}",
        "where a length is needed",
    ),
    "a length for a force": (
        "{type: actuator, gauge: block.x, law: 3 mm}",
        "is a length",
    ),
    "a torque for a force": (
        '{type: applied_load, at: block, force: ["twist * t", 0, 0]}',
        "a stiffness of turning, where a force is needed",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_measures_something_else_is_refused(spring, wrong):
    text, says = WRONG[wrong]
    with pytest.raises(FileError, match=says):
        spring(text)

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


SPELLINGS = {  # 50 N/mm in a file of millimetres
    "text": "50 * t",
    "polynomial": "{type: polynomial, coefficients: [0, 50]}",
    "ramp": "{speed: 50}",
    "ramp with a unit": "{speed: 50 N/mm}",
    "table": "{type: table, points: [[-10, -500], [0, 0], [10, 500]]}",
    "text_formula": '{type: text_formula, text: "50 * t"}',
    "text_formula with a name": '{type: text_formula, text: "k * t", names: [k], values: [50]}',
    "text_formula with a unit": "{type: text_formula, text: k * t, names: [k], values: [50 N/mm]}",
    "parameter": "k * t",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_spring_pulls_the_same_however_its_law_is_spelled(spring, spelling):
    force = spring(f"{{type: nonlinear_spring, gauge: block.x, law: {SPELLINGS[spelling]}}}")
    assert force.law.value(0.01) == pytest.approx(500.0)


def test_what_a_spring_swings_by_is_read_off_its_plot(spring):
    """A sine of 20 N that repeats every 4 mm."""
    force = spring(
        "{type: nonlinear_spring, gauge: block.x, law:"
        " {type: harmonic, amplitude: 20, frequency: 0.25, phase: 90}}"
    )
    assert force.law.value(0.004) == pytest.approx(20.0)
    assert force.law.value(0.002) == pytest.approx(-20.0)


CAM = """
version: 1
plane: true
units: {length: mm, angle: deg}
bodies: {cam: {at: [0, 0]}, follower: {at: [0, 50]}}
joints:
  A: {type: revolute, I: ground, J: cam}
  B: {type: prismatic, I: {body: ground, at: [0, 50]}, J: follower, axis: [0, 1, 0]}
couplers:
  profile: {type: cam_law, gauges: [A.angle, B.displacement], law: LAW}
drives: {A.angle: "90 * t"}
"""
LIFTS = {  # 60 mm at 90 deg, and nothing at 0
    "table": "{type: table, points: [[0, 0], [90, 60], [180, 120], [360, 240]]}",
    "text": '"60 * t / 90"',
    "sine": '"60 * sin(pi / 180 * t)"',
    "polynomial": "{type: polynomial, coefficients: [0, 0.6666666666666667]}",
    "polynomial with units": "{type: polynomial, coefficients: [0 mm, 0.6666666666666667 mm/deg]}",
    "ramp": "{speed: 0.6666666666666667}",
    "cycloidal": "{type: cycloidal, rise: 60, duration: 90}",
    "in turns": "{type: cycloidal, rise: 60, duration: 0.25 turn}",
    "harmonic": "{type: harmonic, amplitude: 60, frequency: 0.002777777777777778}",
}


@pytest.mark.parametrize("spelling", LIFTS)
def test_a_cam_in_a_file_of_degrees_lifts_by_what_stands_there(document, spelling):
    model = document(CAM.replace("LAW", LIFTS[spelling])).model
    turn = Mechanism(model).kinematics(until=1.0, steps=4)
    assert turn["B.displacement"].to("mm")[[0, -1]] == pytest.approx([0.0, 60.0], abs=1e-9)


def test_a_sine_of_degrees_themselves_is_refused(document):
    for text in ('"60 * sin(t)"', '"cos(t - 3) + t"', '{type: text_formula, text: "sin(-t)"}'):
        with pytest.raises(FileError, match=r"takes radians, and t is in deg here"):
            _ = document(CAM.replace("LAW", text)).model
    in_radians = CAM.replace("angle: deg", "angle: rad").replace("LAW", '"60 * sin(t)"')
    law = document(in_radians).model.couplers[0].law
    assert law.value(math.pi / 2) == pytest.approx(0.06)


def test_a_parameter_with_a_unit_makes_t_the_argument_itself(document):
    text = CAM.replace("bodies:", "parameters: {a: 60 mm}\nbodies:", 1)
    law = document(text.replace("LAW", '"a * sin(t)"')).model.couplers[0].law
    assert law.value(math.pi / 2) == pytest.approx(0.06)
    with pytest.raises(FileError, match="where a length is needed"):
        _ = document(text.replace("LAW", '"a * a * t"')).model.couplers


def test_a_drive_in_a_file_of_degrees_is_in_degrees_however_it_is_spelled(document):
    text = CAM.replace("LAW", "0").split("drives:")[0]
    for law in (
        '"30 * t"',
        '{type: text_formula, text: "30 * t"}',
        '{type: text_formula, text: "w * t", names: [w], values: [30]}',
        '{type: text_formula, text: "w * t", names: [w], values: [5 rpm]}',
        "{type: polynomial, coefficients: [0, 30]}",
        "{speed: 30}",
        "{type: polynomial, coefficients: [0, 5 rpm]}",
    ):
        model = document(f"{text}drives: {{A.angle: {law}}}").model
        assert model.drives[0].law.value(1.0) == pytest.approx(30 * DEGREE), law


def test_a_combination_of_a_length_and_an_angle_says_its_unit(document):
    """2 mm a degree: 180 mm for a quarter turn."""
    profile = "{type: cam_law, gauges: [A.angle, B.displacement], law: LAW}"
    for share in ("'-2 mm/deg'", "'-720 mm/turn'"):
        gauges = "gauges: [B.displacement, A.angle]"
        text = CAM.replace(profile, f"{{type: combination, {gauges}, coefficients: [1, {share}]}}")
        turn = Mechanism(document(text).model).kinematics(until=1.0, steps=2)
        assert turn["B.displacement"].to("mm")[-1] == pytest.approx(180.0)
    with pytest.raises(FileError, match="say its unit, such as '5 mm/deg'"):
        _ = document(text.replace("'-720 mm/turn'", "-2")).model
    with pytest.raises(FileError, match="is a mass, where"):
        _ = document(text.replace("'-720 mm/turn'", "-2 kg")).model


def test_a_gas_spring_s_area_is_in_the_files_lengths(spring):
    gas = "{type: gas_spring, gauge: block.x, pressure: 2e5, area: AREA, length: 50}"
    assert spring(gas.replace("AREA", "300")).area == pytest.approx(3e-4)
    assert spring(gas.replace("AREA", "3 cm^2")).area == pytest.approx(3e-4)


def test_a_law_that_was_written_is_read_as_it_was(document, tmp_path):
    from kempe.files.documents.document import read_document
    from kempe.files.documents.writer import write_model

    for text in (CAM.replace("LAW", law) for law in LIFTS.values()):
        model = document(text).model
        again = read_document(write_model(model, tmp_path / "cam.json")).model
        assert again.couplers[0].law == model.couplers[0].law

"""`kempe simulate`: forces from a file, and how the run went."""

import json

import numpy as np

import kempe as package

MODEL = """
version: 1
name: pendulum
plane: true
gravity: [0, -9.81]
bodies:
  rod:
    {length: 1, at: [0, 0], angle: 0, inertia: {mass: 1, centre: [0.5, 0], tensor: [0, 0.1, 0.1]}}
joints:
  hinge: {type: revolute, I: ground, J: rod.start}
forces:
  spring: {type: spring_damper, gauge: rod.angle, stiffness: 3, damping: 0.1}
  motor: {type: actuator, gauge: rod.angle, law: 0.5 * sin(2 * t)}
  load: {type: weight, at: rod.end, pull: [0 N, -2 N, 0 N]}
rates:
  rod.angle: 60 rpm
"""


OUTPUTS = """
version: 1
plane: true
gravity: [0, -9.81]
bodies:
  rod:
    length: 1
    inertia: {mass: 1, centre: [0.5, 0], tensor: [0, 0.1, 0.1]}
joints:
  hinge: {type: revolute, I: ground, J: rod.start}
forces:
  coil: {type: torsion_spring, gauge: rod.angle, stiffness: 2}
outputs:
  - hinge.force
  - {name: twice, value: 2 * coil.energy, unit: J}
run: {analysis: dynamics, until: 0.1, steps: 2}
"""


def header(path):
    return path.read_text().splitlines()[0].split(",")


def test_a_table_shows_the_outputs_of_the_file_or_the_columns_of_the_options(kempe, tmp_path):
    model, table = tmp_path / "model.yaml", tmp_path / "out.csv"
    model.write_text(OUTPUTS)
    for command in ("simulate", "run"):
        assert kempe(command, str(model), "-o", str(table)).code == 0
        assert header(table) == ["t", "hinge.force.x", "hinge.force.y", "twice"]
        options = ["-c", "coil", "-c", "twice", "-c", "3 * coil.effort"]
        assert kempe(command, str(model), "-o", str(table), *options).code == 0
        words = ["coil.effort", *(f"coil.angle{end}" for end in ("", ".rate", ".acceleration"))]
        words += ["coil.power", "coil.energy", "twice", "3 * coil.effort"]
        assert header(table) == ["t", *words]
        wrong = kempe(command, str(model), "-o", str(table), "-c", "coyl")
        assert wrong.code == 2
        assert "'coil'" in wrong.err


def test_it_moves_a_file_by_its_forces(kempe, tmp_path):
    (tmp_path / "pendulum.yaml").write_text(MODEL)
    answer = kempe(
        "simulate", str(tmp_path / "pendulum.yaml"), "--until", "500 ms", "--steps", "5",
        "-o", str(tmp_path / "swing.csv"),
    )  # fmt: skip
    assert answer.code == 0, answer.err
    assert "pendulum: 6 positions from t = 0 s to 0.5 s." in answer.out
    assert "It went all the way." in answer.out
    said = [line.strip() for line in answer.out.splitlines()]
    assert any(line.startswith("rod.angle ") for line in said)
    assert any(line.startswith("motor exerts at most 0.4") for line in said)
    assert any(line.startswith("the balance of all is kept to ") for line in said)
    header = (tmp_path / "swing.csv").read_text().splitlines()[0]
    assert "hinge.force.x" in header
    assert "spring.effort" in header


def test_a_file_of_forces_comes_back_as_it_was_written(tmp_path):
    path = tmp_path / "pendulum.yaml"
    path.write_text(MODEL)
    mechanism = package.load(path)
    again = package.load(package.Mechanism(mechanism.model).save(tmp_path / "again.json"))
    names = [force.name for force in again.model.forces]
    assert names == ["spring", "motor", "load"]
    assert again.model.rates[0].rate == 2 * np.pi
    one, two = (m.simulate(until=0.5, steps=2).motion.q for m in (mechanism, again))
    assert np.array_equal(one, two)


def test_json_holds_counts_and_the_energy_balance(kempe, tmp_path):
    (tmp_path / "pendulum.yaml").write_text(MODEL)
    answer = kempe("simulate", str(tmp_path / "pendulum.yaml"), "--json", "--tolerance", "1e-10")
    facts = json.loads(answer.out)
    assert facts["outcome"] == "Done"
    assert facts["method"] == "dop853"
    assert facts["counts"]["evaluations"] > 100
    assert facts["energy_change"] < 1e-7


def test_a_mechanism_whose_masses_determine_nothing_is_a_mistake(kempe, tmp_path):
    bare = MODEL.replace(", inertia: {mass: 1, centre: [0.5, 0], tensor: [0, 0.1, 0.1]}", "")
    (tmp_path / "bare.yaml").write_text(bare)
    answer = kempe("simulate", str(tmp_path / "bare.yaml"))
    assert answer.code == 2
    assert "mass matrix is singular" in answer.err


def test_run_makes_the_analysis_that_the_file_asks_for(kempe, tmp_path):
    path = tmp_path / "pendulum.yaml"
    path.write_text(
        MODEL + "run: {analysis: dynamics, until: 500 ms, steps: 4, tolerance: 1.0e-6}\n"
    )
    answer = kempe("run", str(path), "--json")
    facts = json.loads(answer.out)
    assert facts["outcome"] == "Done"
    assert facts["samples"] == 5
    assert facts["counts"]["evaluations"] > 10


def test_a_run_that_ends_early_says_why_and_writes_what_it_has(kempe, tmp_path):
    path, table = tmp_path / "pendulum.yaml", tmp_path / "swing.csv"
    path.write_text(MODEL.replace("0.5 * sin(2 * t)", "sqrt(0.5 - t)"))
    answer = kempe("simulate", str(path), "--until", "1", "--steps", "100", "-o", str(table))
    assert answer.code == 1
    assert "It ended early. Diverged: at t = 0.5" in answer.out
    assert "Look for a formula that divides by zero" in answer.out
    assert "Traceback" not in answer.out + answer.err
    rows = table.read_text().splitlines()
    assert len(rows) == 51
    assert "nan" not in "".join(rows)


def test_a_bead_that_runs_off_its_wire_is_told_on_the_command_line(kempe, tmp_path):
    path = tmp_path / "bead.yaml"
    path.write_text(
        """
version: 1
name: bead
plane: true
gravity: [0, -9.81]
bodies: {bead: {at: [0, 0], angle: 0, inertia: {mass: 1, tensor: [1, 1, 1]}}}
joints:
  slope: {type: point_on_curve, I: ground, J: bead,
          curve: {type: line, through: [0, 0], direction: [1, -1], limits: [0, 2]}}
"""
    )
    answer = kempe("simulate", str(path), "--until", "3")
    assert answer.code == 1, answer.err
    assert "LimitReached" in answer.out
    assert "'slope' runs off its curve" in answer.out

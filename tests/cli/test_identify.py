"""`kempe identify`, `kempe balance` and `least:` of `kempe design`, on files."""

import json

import numpy as np
import pytest

import kempe as kp
from kempe.cli.main import main

ARM = """
version: 1
name: arm
plane: true
gravity: [0, -9.81]
parameters: {stiffness: 20, damping: 0.5}
bodies:
  arm:
    length: 0.5
    at: [0, 0]
    angle: 0
    inertia: {mass: 2, centre: [0.4, 0, 0], tensor: [0.05, 0.05, 0.1]}
joints:
  axle: {type: revolute, I: ground, J: arm.start}
forces:
  lift: {type: spring_damper, gauge: arm.angle, stiffness: stiffness, damping: damping, free: 0.3}
"""
DRIVEN = ARM + "drives:\n  arm.angle: {start: 0, speed: 0.1}\n"


@pytest.fixture
def arm(tmp_path):
    file = tmp_path / "arm.yaml"
    file.write_text(ARM)
    return file


def test_a_table_of_a_swing_tells_the_spring_and_saves_the_machine(arm, tmp_path, capsys):
    real = kp.load(arm).with_parameters({"stiffness": 26.0, "damping": 0.8})
    run = real.simulate(until=1.0, steps=30, tolerance=1e-10)
    table = np.column_stack([run.t, run["arm.angle"].values])
    data = tmp_path / "swing.csv"
    data.write_text("t,arm.angle\n" + "\n".join(f"{a!r},{b!r}" for a, b in table.tolist()))
    out = tmp_path / "found.yaml"
    words = ["--find", "stiffness=5..60", "--find", "damping=0..3", "--simulated"]
    assert main(["identify", str(arm), str(data), *words, "-o", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["parameters"]["stiffness"] == pytest.approx(26.0, rel=1e-5)
    assert kp.load(out).parameters["damping"] == pytest.approx(0.8, rel=1e-4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("arm.angle\n1\n", "first line"),
        ("t,arm.angle\n0,x\n", "line 2: 'x' is no number"),
        ("t,arm.angle\n0\n", "1 cells, 2 columns"),
        ("t,t\n0,1\n", "one name"),
        ("", "first line"),
    ],
)
def test_a_table_that_is_none_is_refused_with_its_line(arm, tmp_path, capsys, text, said):
    data = tmp_path / "swing.csv"
    data.write_text(text)
    assert main(["identify", str(arm), str(data), "--find", "damping=0..3"]) == 2
    assert said in capsys.readouterr().err


def test_counterweights_come_from_the_command_line(tmp_path, capsys):
    file = tmp_path / "driven.yaml"
    file.write_text(DRIVEN)
    out = tmp_path / "quiet.yaml"
    words = ["--on", "arm=0.2", "--until", "1", "--steps", "12", "-o", str(out), "--json"]
    assert main(["balance", str(file), *words]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["counterweights"]["arm"]["mass"] == pytest.approx(4.0)  # 2 kg * 0.4 m / 0.2 m
    assert told["after"]["force"]["most"] < 1e-9 * told["before"]["force"]["most"]
    weighed = kp.load(out).model.body("arm").inertia
    assert weighed.mass == pytest.approx(6.0)
    assert np.abs(weighed.centre).max() < 1e-9


def test_a_wish_for_least_effort_sizes_the_spring(tmp_path, capsys):
    (tmp_path / "driven.yaml").write_text(DRIVEN.replace("damping: 0.5", "damping: 0"))
    wish = {
        "model": "driven.yaml",
        "parameters": {"stiffness": [1, 60]},
        "least": "arm.angle.effort",
        "over": ["arm.angle", "-20 deg", "20 deg"],
        "steps": 12,
    }
    file = tmp_path / "wish.json"
    file.write_text(json.dumps(wish))
    assert main(["design", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    # effort = k (x - 0.3) + m g c cos x, without a damper: least squares by hand, at the samples
    x = np.linspace(np.radians(-20), np.radians(20), 13)
    away, weight = x - 0.3, 2 * 9.81 * 0.4 * np.cos(x)
    assert told["parameters"]["stiffness"] == pytest.approx(-(away @ weight) / (away @ away))
    file.write_text(json.dumps({**wish, "starts": 5}))
    assert main(["design", str(file)]) == 2
    assert "no meaning beside" in capsys.readouterr().err

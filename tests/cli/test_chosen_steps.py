"""Orders and lengths of steps in files and on the command line: as in Python, to the last bit."""

import json

import numpy as np
import pytest

import kempe
from kempe.cli import main
from kempe.dynamics import FixedStep, Gear
from kempe.errors import FileError

TEXT = """
version: 1
use: gallery/double_pendulum
run: {{analysis: dynamics, until: 0.2 s, steps: 20, method: {method}}}
"""
METHODS = {
    "gear": "gear",
    "{type: gear, order: 4, step: 1 ms}": Gear(order=4, step=1e-3),
    "{type: gear, most_order: 3, newton_iterations: 6}": Gear(most_order=3, newton_iterations=6),
    "{type: fixed, order: 5, step: 0.002}": FixedStep(order=5, step=0.002),
    "fixed": "fixed",
}


@pytest.mark.parametrize("text", METHODS)
@pytest.mark.parametrize("command", ["run", "simulate"])
def test_a_file_moves_as_the_same_method_does_in_python(text, command, tmp_path, capsys):
    file, saved = tmp_path / "pendulum.yaml", tmp_path / "out.npz"
    file.write_text(TEXT.format(method=text), encoding="utf-8")
    assert main([command, str(file), "-o", str(saved), "--json"]) == 0
    capsys.readouterr()
    moved = kempe.Trajectory.load(saved)
    known = kempe.gallery.double_pendulum().simulate(until=0.2, steps=20, method=METHODS[text])
    assert np.array_equal(moved.motion.q, known.motion.q)


@pytest.mark.parametrize(
    ("options", "method"),
    [
        (["--method", "gear", "--order", "2", "--step", "1 ms"], Gear(order=2, step=1e-3)),
        (["--method", "fixed", "--order", "5"], FixedStep(order=5)),
        (["--method", "fixed", "--step", "0.005"], FixedStep(step=0.005)),
    ],
)
@pytest.mark.parametrize("command", ["run", "simulate"])
def test_options_choose_order_and_step(options, method, command, tmp_path, capsys):
    saved = tmp_path / "out.npz"
    asked = [command, "double_pendulum", "--until", "0.2", "--steps", "20", *options]
    assert main([*asked, "-o", str(saved), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outcome"] == "Done"
    known = kempe.gallery.double_pendulum().simulate(until=0.2, steps=20, method=method)
    assert np.array_equal(kempe.Trajectory.load(saved).motion.q, known.motion.q)


@pytest.mark.parametrize("command", ["run", "simulate"])
def test_an_option_changes_what_the_file_says(command, tmp_path, capsys):
    file, saved = tmp_path / "pendulum.yaml", tmp_path / "out.npz"
    file.write_text(TEXT.format(method="{type: gear, order: 4, step: 1 ms}"), encoding="utf-8")
    assert main([command, str(file), "--step", "2 ms", "-o", str(saved), "--json"]) == 0
    capsys.readouterr()
    known = kempe.gallery.double_pendulum().simulate(
        until=0.2, steps=20, method=Gear(order=4, step=2e-3)
    )
    assert np.array_equal(kempe.Trajectory.load(saved).motion.q, known.motion.q)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--order", "3"], "--method gear or --method fixed"),
        (["--method", "dop853", "--step", "1 ms"], "--method gear or --method fixed"),
        (["--method", "gear", "--order", "3"], "give both order and step"),
        (["--method", "fixed", "--order", "4"], "order must be 3 or 5"),
    ],
)
@pytest.mark.parametrize("command", ["run", "simulate"])
def test_what_does_not_go_together_is_refused(options, said, command, capsys):
    assert main([command, "double_pendulum", *options]) == 2
    assert said in capsys.readouterr().err


OF_A_METHOD = ["--method", "--order", "--step"]


@pytest.mark.parametrize(
    ("command", "option"),
    [
        *(("plot", each) for each in OF_A_METHOD),
        *(("run", x) for x in [*OF_A_METHOD, "--tolerance"]),
    ],
)
def test_what_is_swept_makes_no_steps_of_a_method(command, option, tmp_path, capsys):
    quantity = ["rocker.angle"] if command == "plot" else []
    asked = [command, "four_bar", *quantity, option, "1", "-o", str(tmp_path / "out.svg")]
    assert main(asked) == 2
    assert f"{option} has no meaning for it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("{type: gear, order: 4}", "give both order and step"),
        ("{type: fixed, most_order: 3}", "has no 'most_order'"),
        ("{type: gear, order: 9, step: 1 ms}", "order"),
        ("{type: gears}", "gear"),
        ("{type: gear, order: 2, step: 3 kg}", "kg"),
    ],
)
def test_a_mistake_in_a_file_is_told_with_its_place(method, said, tmp_path):
    file = tmp_path / "pendulum.yaml"
    file.write_text(TEXT.format(method=method), encoding="utf-8")
    with pytest.raises(FileError, match=said) as refused:
        _ = kempe.load(file).document.run
    assert "pendulum.yaml:4:" in str(refused.value)

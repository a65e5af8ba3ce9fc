"""Exit codes 0, 1 and 2; a mistake is one line on stderr and never a traceback."""

import json
import os
import subprocess
import sys

import pytest

import kempe as package

COMMANDS = ["demo", "run", "gallery", "bench", "doctor", "version"]

#: arguments -> words of the one line on stderr
MISTAKES = {
    ("dance",): ["dance", "--help"],
    ("run",): ["FILE|NAME", "--help"],
    ("run", "four_bra"): ["'four_bra'", "Did you mean 'four_bar'"],
    ("run", "nowhere.py"): ["nowhere.py"],
    ("run", "four_bar", "--steps", "many"): ["--steps", "integer", "--help"],
    ("run", "four_bar", "--steps", "0"): ["`steps`", "between 1 and"],
    ("run", "four_bar", "--steps", "-5"): ["`steps`", "-5"],
    ("run", "four_bar", "--until", "soon"): ["'soon'"],
    ("run", "four_bar", "--until", "3 m"): ["'m'", "time"],
    ("run", "four_bar", "--until", "nan"): ["nan"],
    ("run", "four_bar", "--until", "9**9**9"): ["9**9**9"],
    ("run", "four_bar", "--over", "crank.angle"): ["--over", "crank.angle, 0, 360 deg"],
    ("run", "four_bar", "--over", "crank.angel, 0, 1"): ["Did you mean 'crank.angle'"],
    ("run", "four_bar", "--over", "crank.angle, 0, 3 m"): ["'m'", "angle"],
    ("run", "four_bar", "-o", "turn.xls"): ["turn.xls", ".csv"],
    ("run", "four_bar", "-o", "nowhere/turn.csv"): ["no folder", "nowhere"],
    ("run", "four_bar", "-o", "turn.html", "--trace", "couplr.P"): ["Did you mean 'coupler.P'"],
    ("run", "four_bar", "--quick"): ["--quick", "--help"],
    ("bench", "nothing"): ["'nothing'"],
}


@pytest.mark.parametrize("arguments", MISTAKES, ids=" ".join)
def test_a_mistake_is_one_line_on_stderr_and_exit_code_2(kempe, arguments):
    answer = kempe(*arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("kempe: ")
    assert answer.err.count("\n") == 1
    for word in MISTAKES[arguments]:
        assert word in answer.err


#: what a model file says -> words of the one line
SCRIPTS = {
    "": ["model.py defines no `mechanism`"],
    "mechanism = 3": ["model.py defines no `mechanism`"],
    "import kempe\nm = kempe.Builder('m', plane=True)\nm.bar('a', -1)": ["bar 'a'", "-1"],
    "x = 1\ny = x +\n": ["model.py:2"],
    "x = 1\nmechanism = build()\n": ["model.py:2", "build"],
    "raise ValueError('two\\nlines')": ["model.py:1", "two lines"],
    "import nothing_like_it": ["model.py", "nothing_like_it"],
    "import kempe\nmechanism = kempe.Builder('m', plane=True).build()": ["no drive"],
}


@pytest.mark.parametrize("text", SCRIPTS)
def test_a_mistake_in_a_model_file_is_one_line_that_says_where(kempe, script, text):
    answer = kempe("run", script(text))
    assert answer.code == 2, answer
    assert answer.err.count("\n") == 1, answer.err
    assert "Traceback" not in answer.err
    for word in SCRIPTS[text]:
        assert word in answer.err


def test_a_sweep_that_ends_early_is_the_answer_no(kempe, script):
    text = (
        "import kempe\n"
        "mechanism = kempe.gallery.four_bar(crank=3, coupler=3.5, rocker=3, ground=4, start=0.5)"
    )
    answer = kempe("run", script(text), "-o", "turn.csv")
    assert answer.code == 1
    assert "DeadPoint" in answer.out
    assert "2.3727991" in answer.out
    assert answer.err == ""


def test_an_output_that_cannot_be_written_leaves_nothing_behind(kempe, tmp_path):
    (tmp_path / "turn.csv").mkdir()
    answer = kempe("run", "four_bar", "-o", "turn.csv")
    assert answer.code == 2
    assert "turn.csv" in answer.err
    assert [p.name for p in tmp_path.iterdir()] == ["turn.csv"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_explains_itself_with_an_example(kempe, command, flag):
    answer = kempe(command, flag)
    assert answer.code == 0
    assert f"Example: kempe {command}" in answer.out


def test_help_lists_every_command(kempe):
    answer = kempe("--help")
    assert answer.code == 0
    for command in COMMANDS:
        assert command in answer.out


def test_nothing_asked_is_answered_with_help(kempe):
    answer = kempe()
    assert "Usage" in answer.out + answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("command", ["version", "gallery", "doctor"])
def test_every_answer_can_be_had_as_json(kempe, command):
    answer = kempe(command, "--json")
    assert answer.code == 0
    assert json.loads(answer.out)
    assert answer.err == ""


def test_the_version_is_the_package_s(kempe):
    assert kempe("version").out == f"kempe {package.__version__}\n"
    assert json.loads(kempe("version", "--json").out) == {"version": package.__version__}


def test_the_gallery_lists_what_can_be_run(kempe):
    listed = [entry["name"] for entry in json.loads(kempe("gallery", "--json").out)]
    assert listed == list(package.gallery.MECHANISMS)
    assert all(name in kempe("gallery").out for name in listed)


def test_the_doctor_s_trial_run_is_right(kempe):
    report = json.loads(kempe("doctor", "--json").out)
    assert "right" in report["trial"]
    assert report["kempe"] == package.__version__


def test_the_doctor_says_of_every_extra_what_it_adds(kempe):
    extras = json.loads(kempe("doctor", "--json").out)["extras"]
    assert len(extras) > 5
    assert [name for name, entry in extras.items() if not entry["adds"]] == []


def test_a_process_exits_with_the_command_s_code():
    for arguments, code in ((["version"], 0), (["run", "nothing"], 2)):
        ran = subprocess.run(
            [sys.executable, "-m", "kempe.cli", *arguments],
            capture_output=True,
            text=True,
            env=os.environ | {"NO_COLOR": "1"},
            check=False,
        )
        assert ran.returncode == code
        assert "Traceback" not in ran.stderr


def test_help_needs_no_numbers():
    """`kempe --help` answers at once: NumPy and friends are imported when a command needs them."""
    heavy = ["numpy", "scipy", "llvmlite", "pint", "matplotlib"]
    program = f"""
import sys
from kempe.cli.main import main
main(["--help"])
print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stderr.strip() == "[]"


@pytest.mark.parametrize("stop", [KeyboardInterrupt, package.interruption.Interrupted])
def test_an_interrupt_while_a_file_is_written_is_said(kempe, monkeypatch, stop):
    def interrupted(*_: object) -> None:
        raise stop("by hand")

    monkeypatch.setattr("kempe.disk.os.fsync", interrupted)
    answer = kempe("run", "four_bar", "--steps", "4", "-o", "turn.npz")
    assert (answer.code, answer.err.strip()) == (130, "kempe: interrupted.")


def test_the_package_itself_is_the_command(capfd):
    ended = subprocess.run([sys.executable, "-m", "kempe", "check", "no_such"], check=False)
    assert ended.returncode == 2
    assert "no_such" in capfd.readouterr().err

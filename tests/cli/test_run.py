"""`kempe run`: what it prints, what it writes, and that both are the sweep's."""

import csv
import json

import numpy as np
import pytest

import kempe as package

SAMPLES = 13


@pytest.fixture(scope="module")
def turn():
    return package.gallery.four_bar().kinematics(until="500 ms", steps=SAMPLES - 1)


def test_it_says_how_the_sweep_went(kempe):
    answer = kempe("run", "four_bar", "--until", "500 ms", "--steps", str(SAMPLES - 1))
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0] == f"four-bar: {SAMPLES} positions from t = 0 s to 0.5 s."
    assert "  crank.angle turns from 0 to 180 deg" in lines
    assert lines[-1] == "It went all the way."
    assert answer.err == ""


def test_json_holds_the_facts(kempe):
    answer = kempe("run", "four_bar", "--steps", "12", "--json", "-o", "turn.csv")
    facts = json.loads(answer.out)
    assert facts["outcome"] == "Done"
    assert facts["samples"] == SAMPLES
    assert facts["t"] == [0.0, 1.0]
    assert facts["written"] == ["turn.csv"]
    assert "rocker.angle" in facts["names"]


def test_a_dead_point_is_in_the_json_with_its_place(kempe, script):
    text = (
        "import kempe\n"
        "mechanism = kempe.gallery.four_bar(crank=3, coupler=3.5, rocker=3, ground=4, start=0.5)"
    )
    answer = kempe("run", script(text), "--json")
    facts = json.loads(answer.out)
    assert answer.code == 1
    assert facts["outcome"] == "DeadPoint"
    assert facts["facts"]["value"] == pytest.approx(np.arccos(-17.25 / 24.0), abs=1e-9)
    assert facts["advice"]


def test_a_csv_holds_the_numbers_of_the_sweep(kempe, turn, tmp_path):
    kempe("run", "four_bar", "--until", "0.5", "--steps", str(SAMPLES - 1), "-o", "turn.csv")
    with (tmp_path / "turn.csv").open() as file:
        rows = list(csv.DictReader(file))
    angles = [float(row["rocker.angle"]) for row in rows]
    assert angles == turn["rocker.angle"].values.tolist()


def test_several_files_are_written_at_once(kempe, tmp_path):
    names = ["turn.csv", "turn.json", "turn.npz", "turn.svg", "turn.html"]
    outputs = [word for name in names for word in ("-o", name)]
    answer = kempe("run", "four_bar", "--steps", "12", *outputs, "--trace", "coupler.P")
    assert answer.code == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(names)
    assert [line for line in answer.out.splitlines() if line.startswith("wrote")] == [
        f"wrote {name}" for name in names
    ]


def test_a_measure_is_swept_between_two_values(kempe, tmp_path):
    answer = kempe(
        "run", "four_bar", "--over", "crank.angle, 10 deg, 50 deg", "--steps", "4", "-o", "t.csv"
    )
    assert answer.code == 0
    with (tmp_path / "t.csv").open() as file:
        angles = [float(row["crank.angle"]) for row in csv.DictReader(file)]
    assert np.degrees(angles) == pytest.approx([10, 20, 30, 40, 50])


def test_a_model_file_sees_its_own_folder_and_is_not_run_as_a_program(kempe, script):
    text = (
        "import kempe\n"
        "if __name__ == '__main__':\n"
        "    raise SystemExit('run as a program')\n"
        "mechanism = kempe.gallery.slider_crank()\n"
    )
    answer = kempe("run", script(text), "--steps", "4")
    assert answer.code == 0
    assert answer.out.startswith("slider-crank: 5 positions")


def test_dead_points_are_passed_as_asked_and_that_is_said(kempe):
    sizes = ("--until", "1", "--steps", "60")
    answer = kempe("run", "sung_combined", *sizes, "--json")
    stopped = json.loads(answer.out)
    assert answer.code == 1
    assert stopped["outcome"] == "DeadPoint"
    assert [way["number"] for way in stopped["continuations"]] == [1, 2]
    assert sum(stopped["step_control"]["refusals"].values()) == stopped["counts"]["halvings"]
    answer = kempe("run", "sung_combined", *sizes, "--through", "momentum", "-o", "turn.html")
    assert answer.code == 0
    assert "It passed a DeadPoint at" in answer.out
    assert "It went all the way." in answer.out


def test_a_way_through_that_is_none_is_refused(kempe):
    answer = kempe("run", "four_bar", "--through", "force")
    assert answer.code == 2
    assert "'momentum' or 'branch k'" in answer.err


#: what is wrong -> words of the command, and what it says
TOO_LATE = {
    "an ending in the file": ((".docx", ""), ["--write"], "turn.docx"),
    "a folder in the file": (("/turn.csv", ""), ["--write"], "there is no folder"),
    "a point that the file traces": ((".csv", "nobody.P"), [], "'nobody.P' to trace"),
    "a point that the command traces": ((".csv", ""), ["--trace", "nobody.P"], "to trace"),
    "a point that is nearly one": ((".csv", ""), ["--trace", "couple.P"], "'coupler.P'"),
    "a point that stands still": ((".csv", ""), ["--trace", "ground.A"], "'ground.A' to trace"),
    "a measure to trace": ((".csv", ""), ["--trace", "rocker.angle"], "no point 'rocker.angle'"),
    "a unit": ((".csv", ""), ["--unit", "parsec/"], "'parsec/'"),
    "two units of one thing": ((".csv", ""), ["--unit", "mm", "--unit", "cm"], "same thing"),
}


@pytest.mark.parametrize("command", ["run", "simulate"])
@pytest.mark.parametrize("mistake", TOO_LATE)
def test_what_cannot_be_written_is_refused_before_anything_is_computed(
    mistake, command, kempe, tmp_path, monkeypatch
):
    (ending, point), words, says = TOO_LATE[mistake]
    trace = f", trace: [{point}]" if point else ""
    (tmp_path / "a.yaml").write_text(
        f"version: 1\nplane: true\nuse: gallery/four_bar\nrun: {{outputs: [turn{ending}]{trace}}}\n"
    )

    def computed(*_, **__):
        raise AssertionError("computed before the mistake was told")

    for word in ("kinematics", "simulate"):
        monkeypatch.setattr(package.Mechanism, word, computed)
    answer = kempe(command, "a.yaml", *words)
    assert (answer.code, says in answer.err) == (2, True), answer.err
    assert answer.err.count("\n") == 1

"""`kempe statics` and `kempe modes` from the door to the file."""

import csv
import json
import math

import pytest

from kempe.cli.main import main


def told(capsys, *words: str) -> dict:
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_statics_tells_the_verdict_and_writes_a_picture_and_a_table(tmp_path, capsys):
    picture, table = tmp_path / "rest.svg", tmp_path / "rest.csv"
    files = ["-o", str(picture), "-o", str(table), "-c", "WA.angle", "-c", "WA.force"]
    assert main(["statics", "hanging_four_bar", *files]) == 0
    out = capsys.readouterr().out
    assert "is stable" in out
    assert f"wrote {picture}" in out
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    rows = [r for r in csv.reader(table.read_text().splitlines()) if not r[0].startswith("#")]
    values = dict(zip(rows[0], map(float, rows[1]), strict=True))
    assert values["WA.angle"] == pytest.approx(-math.acos(0.25), abs=1e-9)
    assert values["WA.force.y"] == pytest.approx(1.5 * 20 * 9.8, rel=1e-9)


def test_statics_as_json_has_outcome_stiffness_and_place(capsys):
    facts = told(capsys, "statics", "snap_toggle")
    assert facts["outcome"] == "Done"
    assert facts["stable"] is True
    assert facts["conservative"] is True
    assert len(facts["stiffness"]) == 1
    assert told(capsys, "statics", "snap_toggle", "--seek", "nearest")["stable"] is False


def test_a_path_of_equilibria_is_followed_and_written(tmp_path, capsys):
    table, plot = tmp_path / "path.csv", tmp_path / "path.png"
    words = ["statics", "snap_toggle", "--over", "left.stiffness, 100, 140", "--steps", "4"]
    assert main([*words, "-o", str(table), "-o", str(plot)]) == 0
    assert "5 equilibria over left.stiffness, 5 of them stable" in capsys.readouterr().out
    rows = list(csv.reader(table.read_text().splitlines()))
    assert rows[0][:2] == ["left.stiffness", "stable"]
    assert len(rows) == 6
    assert plot.stat().st_size > 1000


def test_nothing_to_rest_on_is_an_answer_of_no(capsys):
    assert main(["statics", "free_body"]) in (0, 1)
    capsys.readouterr()
    assert main(["statics", "four_bar"]) == 2
    assert "no masses and no forces" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["statics", "snap_toggle", "--over", "left"], "two values"),
        (["statics", "snap_toggle", "--steps", "3"], "without --over"),
        (["statics", "snap_toggle", "--over", "left.free,1,2", "--seek", "nearest"], "--seek"),
        (["statics", "snap_toggle", "-o", "rest.xyz"], ".svg"),
        (["statics", "snap_toggle", "--seek", "best"], "none of"),
        (["statics", "snap_toggle", "--preload", "left.colour"], "no parameter"),
        (["modes", "snap_toggle", "--look", "rail.displacement"], "--look"),
        (["modes", "snap_toggle", "--mode", "9"], "no mode 9"),
        (["modes", "four_bar"], "no masses"),
        (["modes", "snap_toggle", "-o", "modes.xyz"], ".csv"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(words, said, mistaken):
    assert said in mistaken(*words)


def test_modes_are_told_tabulated_drawn_and_played(tmp_path, capsys):
    names = ("modes.csv", "modes.json", "mode.svg", "mode.html", "modes.png")
    files = [word for name in names for word in ("-o", str(tmp_path / name))]
    assert main(["modes", "hanging_four_bar", *files]) == 0
    assert "mode 1: 0.27644" in capsys.readouterr().out
    for name in names:
        assert (tmp_path / name).stat().st_size > 50
    table = json.loads((tmp_path / "modes.json").read_text())
    facts = told(capsys, "modes", "hanging_four_bar")
    assert facts["frequencies"] == pytest.approx(table["frequency"])
    assert facts["stable"] is True


def test_an_answer_to_an_effort_is_plotted(tmp_path, capsys):
    plot = tmp_path / "response.png"
    words = ["modes", "hanging_four_bar", "--effort", "WA.angle", "--look", "WC.angle"]
    assert main([*words, "-o", str(plot)]) == 0
    assert plot.stat().st_size > 1000


def test_a_preload_holds_the_assembled_position(capsys):
    facts = told(
        capsys, "statics", "snap_toggle", "--preload", "left.preload", "--preload", "right.free"
    )
    assert facts["outcome"] == "Done"
    assert set(facts["parameters"]) == {"left.preload", "right.free"}

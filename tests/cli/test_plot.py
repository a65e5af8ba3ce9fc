"""`kempe plot` and what `kempe run` writes for it: files, words and exit codes."""

import json
import sys
from pathlib import Path

import pyarrow.parquet as parquet
import pytest

import kempe
from kempe.cli import main

FINE, NO, MISTAKE = 0, 1, 2


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_a_quantity_of_the_gallery_is_plotted(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"rocker{ending}"
    assert main(["plot", "four_bar", "rocker.angle", "--rate", "-o", name]) == FINE
    assert capsys.readouterr().out == f"wrote {name}\n"
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_a_saved_motion_is_plotted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "four_bar", "--steps", "20", "-o", "turn.npz"]) == FINE
    arguments = ["coupler.P.y", "--against", "coupler.P.x", "--unit", "cm", "--json"]
    capsys.readouterr()
    assert main(["plot", "turn.npz", *arguments]) == FINE
    answer = json.loads(capsys.readouterr().out)
    assert answer == {"written": "plot.png", "outcome": "Done", "samples": 21}
    assert Path("plot.png").stat().st_size > 0


def test_an_early_end_is_plotted_and_answered_with_no(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plot", "sung_combined", "body5.angle", "--steps", "400"]) == NO
    assert "DeadPoint" in capsys.readouterr().out
    assert Path("plot.png").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["four_bar", "rocker.angel"], "Did you mean 'rocker.angle'"),
        (["four_bar"], "QUANTITY"),
        (["four_barr", "rocker.angle"], "Did you mean 'four_bar'"),
        (["nothing.npz", "rocker.angle"], "nothing.npz: there is no such file"),
        (["four_bar", "rocker.angle", "-o", "plot.gif"], "plot.gif: a plot is written to .png"),
        (["four_bar", "rocker.angle", "-o", "nowhere/plot.png"], "no folder 'nowhere'"),
        (["four_bar", "rocker.angle", "--unit", "kg"], "'kg' is no unit of anything"),
        (["four_bar", "rocker.angle", "--over", "crank.angle"], "--over"),
    ],
)
def test_a_mistake_is_one_line_and_no_file(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["plot", *arguments]) == MISTAKE
    heard = capsys.readouterr()
    assert said in heard.err
    assert heard.err.count("\n") == 1
    assert not heard.out
    assert not list(tmp_path.iterdir())


def test_without_matplotlib_the_answer_is_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["plot", "four_bar", "rocker.angle"]) == MISTAKE
    assert "pip install 'kempe[plot]'" in capsys.readouterr().err


def test_run_writes_every_ending_in_the_chosen_units() -> None:
    names = [f"turn{e}" for e in (".csv", ".json", ".npz", ".parquet", ".txt", ".svg", ".html")]
    outputs = [word for name in names for word in ("-o", name)]
    assert main(["run", "four_bar", "--steps", "8", "--unit", "mm", *outputs]) == FINE
    assert Path("turn.csv").read_text().startswith("t [s],crank.x [mm],")
    assert json.loads(Path("turn.json").read_text())["units"]["crank.vx"] == "mm/s"
    assert parquet.read_schema("turn.parquet").field("crank.x").metadata == {b"unit": b"mm"}
    assert Path("turn.txt").read_text().startswith("KINEMATIC ANALYSIS of four-bar")
    assert len(kempe.Trajectory.load("turn.npz")) == 9


def test_a_bad_ending_is_found_before_anything_is_computed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("it was computed")

    monkeypatch.setattr("kempe.cli.run.motion_of", refused)
    assert main(["run", "four_bar", "-o", "turn.xls"]) == MISTAKE
    assert "turn.xls: a motion is written to .csv" in capsys.readouterr().err


def test_a_saved_motion_is_told_again(capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "sung_combined", "--steps", "400", "-o", "turn.npz", "--json"])
    before = json.loads(capsys.readouterr().out)
    assert main(["run", "turn.npz", "--json"]) == NO
    after = json.loads(capsys.readouterr().out)
    assert before | {"written": []} == after

"""The commands that read and write model files: run, check, convert, schema."""

import csv
import json
from pathlib import Path

import jsonschema
import pytest

import kempe
from kempe.cli import main

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "models").glob("*.yaml"))
FINE, NO, MISTAKE = 0, 1, 2  # exit codes


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def four_bar():
    text = (ROOT / "examples" / "models" / "four_bar.yaml").read_text(encoding="utf-8")
    Path("four_bar.yaml").write_text(text, encoding="utf-8")
    return text


def said(capsys):
    return capsys.readouterr().out


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_passes_the_check(path, capsys):
    assert main(["check", str(path), "--syntax", "--json"]) == FINE
    facts = json.loads(said(capsys))
    assert facts["valid"]
    assert facts["joints"] > 0


def test_run_does_what_the_file_asks_and_writes_when_told_to(four_bar, capsys):
    asked = four_bar.replace("run: {", "run: {outputs: [motion.csv], ").replace("360", "12")
    Path("four_bar.yaml").write_text(asked, encoding="utf-8")
    assert main(["run", "four_bar.yaml"]) == FINE
    assert said(capsys).splitlines()[-1] == (
        "The file asks for motion.csv: add --write to have them written."
    )
    assert not Path("motion.csv").exists()
    assert main(["run", "four_bar.yaml", "--write"]) == FINE
    lines = said(capsys).splitlines()
    assert lines[0] == "four-bar: 13 positions from t = 0 s to 1 s."
    assert lines[-2:] == ["It went all the way.", "wrote motion.csv"]
    with Path("motion.csv").open(encoding="utf-8") as file:
        assert len(list(csv.reader(file))) >= 14


def test_options_win_over_the_file(four_bar, capsys):
    assert main(["run", "four_bar.yaml", "--until", "500 ms", "--steps", "5", "--json"]) == FINE
    facts = json.loads(said(capsys))
    assert (facts["samples"], facts["t"]) == (6, [0.0, 0.5])


def test_run_sweeps_over_the_measure_that_the_file_names(four_bar, capsys):
    text = four_bar.replace("until: 1 s", "over: [crank.angle, 0, 90]")
    Path("over.json").write_text("", encoding="utf-8")
    Path("over.yaml").write_text(text, encoding="utf-8")
    assert main(["run", "over.yaml", "-o", "motion.json", "--steps", "4"]) == FINE
    angle = json.loads(Path("motion.json").read_text(encoding="utf-8"))["columns"]["crank.angle"]
    assert angle[0] == pytest.approx(0.0, abs=1e-12)
    assert angle[-1] == pytest.approx(kempe.acos(0.0))


def test_run_still_knows_the_gallery_and_python_files(capsys):
    assert main(["run", "four_bar", "--steps", "4"]) == FINE
    code = "import kempe\nmechanism = kempe.gallery.slider_crank()\n"
    Path("model.py").write_text(code, encoding="utf-8")
    assert main(["run", "model.py", "--steps", "4"]) == FINE
    assert "slider-crank: 5 positions" in said(capsys)


def test_a_run_that_ends_early_says_so_and_returns_1(four_bar, capsys):
    text = four_bar.replace("{speed: 60 rpm}", "sqrt(100 - 200 * t)")
    Path("ends.yaml").write_text(text, encoding="utf-8")
    assert main(["run", "ends.yaml"]) == NO
    assert "LimitReached" in said(capsys)


def test_check_answers_in_words(four_bar, capsys):
    assert main(["check", "four_bar.yaml", "--syntax"]) == FINE
    wanted = "four_bar.yaml: four-bar, 3 bodies, 4 joints, 1 drive. The file is in order.\n"
    assert said(capsys) == wanted
    assert main(["check", "four_bar.yaml"]) == FINE
    assert "DOF 1" in said(capsys)
    assert main(["check", "four_bar.yaml", "--json"]) == FINE
    assert json.loads(said(capsys))["mobility"] == 1


def test_check_says_no_where_the_links_are_too_short(four_bar, capsys):
    Path("short.yaml").write_text(four_bar.replace("coupler: 90", "coupler: 900"), encoding="utf-8")
    assert main(["check", "short.yaml", "--syntax"]) == FINE
    assert main(["check", "short.yaml"]) == NO
    assert main(["check", "short.yaml", "--json"]) == NO
    assert json.loads(said(capsys).splitlines()[-1])["assembles"] is False


@pytest.mark.parametrize("command", ["run", "check", "convert"])
def test_a_mistake_is_one_line_with_its_place(four_bar, command, capsys):
    Path("bad.yaml").write_text(four_bar.replace("revolute", "revolut", 1), encoding="utf-8")
    assert main([command, "bad.yaml", *(["out.json"] if command == "convert" else [])]) == MISTAKE
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("kempe: bad.yaml:16:13: joints.A: there is no joint type 'revolut'.")
    assert err.count("\n") == 1
    assert not Path("out.json").exists()


def test_check_gives_the_place_as_data_too(four_bar, capsys):
    Path("bad.yaml").write_text(four_bar.replace("revolute", "revolut", 1), encoding="utf-8")
    assert main(["check", "bad.yaml", "--syntax", "--json"]) == MISTAKE
    facts = json.loads(said(capsys))
    assert (facts["valid"], facts["path"], facts["line"], facts["column"]) == (
        False,
        "bad.yaml",
        16,
        13,
    )


@pytest.mark.parametrize("name", ["missing.yaml", "missing.json", "missing.py", "folder.yaml"])
def test_a_file_that_is_not_there_is_a_mistake(name, capsys):
    Path("folder.yaml").mkdir()
    assert main(["run", name]) == MISTAKE
    assert capsys.readouterr().err.count("\n") == 1


def test_convert_there_and_back_keeps_the_document(four_bar, capsys):
    assert main(["convert", "four_bar.yaml", "four_bar.json"]) == FINE
    assert main(["convert", "four_bar.json", "again.yaml"]) == FINE
    assert said(capsys) == "wrote four_bar.json\nwrote again.yaml\n"
    first, again = (kempe.load(name).document.data for name in ("four_bar.yaml", "again.yaml"))
    assert first == again
    assert again["parameters"]["frame"]["doc"]


def test_convert_can_work_everything_out(four_bar, capsys):
    assert main(["convert", "four_bar.yaml", "flat.json", "--flat", "--json"]) == FINE
    assert json.loads(said(capsys)) == {"written": "flat.json"}
    flat = json.loads(Path("flat.json").read_text(encoding="utf-8"))
    assert "parameters" not in flat
    assert flat["bodies"]["crank"]["length"] == 0.03


def test_convert_takes_the_gallery_and_refuses_other_endings(capsys):
    assert main(["convert", "slider_crank", "a.yaml"]) == FINE
    assert kempe.load("a.yaml").name == "slider-crank"
    assert main(["convert", "slider_crank", "a.txt"]) == MISTAKE
    assert main(["convert", "slider_crank", "no/folder/a.yaml"]) == MISTAKE
    code = (
        "import kempe\nm = kempe.Builder(plane=True)\nb = m.bar('b', 1)\n"
        "m.revolute(m.ground.at(0, 0), b.start)\nm.drive(b.angle, lambda t: t)\n"
        "mechanism = m.build()\n"
    )
    Path("own.py").write_text(code, encoding="utf-8")
    assert main(["convert", "own.py", "b.yaml"]) == MISTAKE
    assert "cannot be written" in capsys.readouterr().err
    assert not Path("b.yaml").exists()


def test_schema_prints_a_schema_that_the_examples_obey(capsys):
    assert main(["schema"]) == FINE
    schema = json.loads(said(capsys))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in EXAMPLES:
        validator.validate(kempe.load(path).document.data)
    assert main(["schema", "--json"]) == FINE
    assert json.loads(said(capsys)) == schema


def test_schema_can_go_to_a_file(capsys):
    assert main(["schema", "-o", "kempe.schema.json"]) == FINE
    assert said(capsys) == "wrote kempe.schema.json\n"
    assert json.loads(Path("kempe.schema.json").read_text(encoding="utf-8"))["title"]

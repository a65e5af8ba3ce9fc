"""`kempe transmission` and `kempe centrodes`: words, JSON, tables and pictures."""

import csv
import json

import pytest


def test_it_says_how_well_a_mechanism_transmits(kempe):
    answer = kempe("transmission", "four_bar", "--ratio", "d(rocker.angle)/d(crank.angle)")
    assert answer.code == 0
    assert "54.31 (t = 0 s) to 100.3 deg (t = 0.5 s), good" in answer.out
    assert "d(rocker.angle)/d(crank.angle): -0.3978" in answer.out
    assert "condition number" in answer.out


def test_json_and_files_hold_the_same(kempe, tmp_path):
    outputs = ["-o", "t.csv", "-o", "t.json", "-o", "t.png", "-o", "t.parquet"]
    answer = kempe("transmission", "four_bar", "--json", "--steps", "12", *outputs)
    facts = json.loads(answer.out)
    assert facts["written"] == ["t.csv", "t.json", "t.png", "t.parquet"]
    assert facts["angle"]["least"] == pytest.approx(54.3147, abs=1e-3)
    with (tmp_path / "t.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["t", "transmission.angle", "transmission.condition"]
    assert len(rows) == 13
    assert json.loads((tmp_path / "t.json").read_text())["columns"]["transmission.angle"]


def test_an_early_end_is_said_and_is_the_exit_code(kempe, script):
    text = (
        "import kempe\n"
        "mechanism = kempe.gallery.four_bar(crank=3, coupler=3.5, rocker=3, ground=4, start=0.5)"
    )
    answer = kempe("transmission", script(text))
    assert answer.code == 1
    assert "DeadPoint" in answer.out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["four_bar", "--ratio", "d(rocker.angel)/d(crank.angle)"], "rocker.angle"),
        (["four_bar", "--ratio", "rocker.angle/crank.angle"], "d(rocker.angle)/d(crank.angle)"),
        (["four_bar", "-o", "t.exe"], ".exe"),
        (["four_bar", "--to", "nobody"], "nobody"),
    ],
)
def test_a_mistake_is_one_line(kempe, words, complaint):
    answer = kempe("transmission", *words)
    assert answer.code == 2
    assert complaint in answer.err
    assert answer.err.count("\n") == 1


def test_centrodes_are_told_and_drawn(kempe, tmp_path):
    answer = kempe("centrodes", "elliptic_trammel", "bar", "-o", "rolling.svg")
    assert answer.code == 0
    assert "bar against ground: it turns about its instant centre" in answer.out
    assert (tmp_path / "rolling.svg").read_text().startswith("<svg")


def test_screw_axes_are_told_in_space(kempe):
    answer = kempe("centrodes", "bennett", "link2", "--json", "--steps", "12")
    facts = json.loads(answer.out)
    assert len(facts["direction"]) == 3
    assert facts["pitch"][0] < facts["pitch"][1]


def test_a_body_that_only_slides_has_its_centre_at_infinity(kempe):
    answer = kempe("centrodes", "slider_crank", "slider", "--steps", "12")
    assert "starts at infinity; in 13 of 13 positions it only slides" in answer.out

"""`kempe interference`: words, JSON, exit codes, a table, a plot and a picture."""

import csv
import json

import pytest


def test_what_touches_is_said_and_is_the_exit_code(kempe):
    answer = kempe("interference", "tray_and_post", "--steps", "60")
    assert answer.code == 1
    assert "1 of 9 pairs of shapes touches" in answer.out
    assert kempe("interference", "four_bar", "--steps", "12").code == 0


def test_json_and_files_hold_the_same(kempe, tmp_path):
    outputs = ["-o", "t.csv", "-o", "t.png", "-o", "t.svg"]
    answer = kempe("interference", "tray_and_post", "--json", "--steps", "60", *outputs)
    facts = json.loads(answer.out)
    assert answer.code == 1
    assert facts["written"] == ["t.csv", "t.png", "t.svg"]
    assert not facts["is_clear"]
    (touch,) = facts["pairs"][0]["touches"]
    with (tmp_path / "t.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 9
    assert float(rows[0]["start"]) == touch["start"]
    assert rows[1]["start"] == ""
    assert (tmp_path / "t.svg").read_text().startswith("<svg")
    assert (tmp_path / "t.png").read_bytes()[:4] == b"\x89PNG"


def test_the_options_reach_the_search(kempe):
    words = ["--between", "rocker", "--between", "ground.post", "--steps", "60"]
    answer = kempe("interference", "tray_and_post", *words, "--margin", "0.5 m", "--joined")
    assert "1 of 1 pair of shapes touches or come nearer than 0.5 m" in answer.out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["four_bar", "--between", "carnk"], "crank"),
        (["four_bar", "-o", "t.exe"], ".exe"),
        (["four_bar", "--margin", "2 kg"], "kg"),
        (["simple_pendulum"], "fewer than two bodies"),
    ],
)
def test_a_mistake_is_one_line(kempe, words, complaint):
    answer = kempe("interference", *words)
    assert answer.code == 2
    assert complaint in answer.err
    assert answer.err.count("\n") == 1

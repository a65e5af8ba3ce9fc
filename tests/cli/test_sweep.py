"""`kempe sweep`: options, a file with a sweep of its own, folders, mistakes."""

import json

import pytest

READ = ("--read", "range(rocker.angle)", "--executor", "serial", "--steps", "20")
FILE = """version: 1
name: press
plane: true
units: {length: mm, angle: deg}
parameters: {crank: 30, coupler: 90}
bodies:
  crank: {length: crank, at: [0, 0], angle: 90}
  coupler: {length: coupler}
  rocker: {length: 70}
joints:
  A: {type: revolute, I: ground, J: crank.start}
  B: {type: revolute, I: crank.end, J: coupler.start}
  C: {type: revolute, I: coupler.end, J: rocker.end}
  D: {type: revolute, I: {body: ground, at: [100, 0]}, J: rocker.start}
drives:
  crank.angle: {start: 90, speed: 60 rpm}
run: {until: 1 s, steps: 20}
sweep:
  over: {crank: 25..35 in 3, coupler: [88, 92]}
  read: [max(rocker.angle)]
"""


def test_it_tells_what_was_found_and_writes_it(kempe, tmp_path):
    words = ("--vary", "crank=0.8..1.2 in 5", *READ, "-o", "t.csv", "-o", "t.png")
    answer = kempe("sweep", "four_bar", *words)
    assert answer.code == 0, answer.err
    assert "Sweep of 5 variants of 'four-bar': 5 Done" in answer.out
    assert "wrote t.csv\nwrote t.png" in answer.out
    assert len((tmp_path / "t.csv").read_text().splitlines()) == 6


def test_a_file_says_what_to_sweep_and_options_say_otherwise(kempe, tmp_path):
    (tmp_path / "press.yaml").write_text(FILE)
    facts = json.loads(kempe("sweep", "press.yaml", "--executor", "serial", "--json").out)
    assert (facts["size"], facts["outcomes"]) == (6, {"Done": 6})
    assert list(facts["numbers"]) == ["max(rocker.angle)"]
    words = ("--vary", "crank=25..35", "--sampling", "sobol", "--count", "4", "--vary")
    answer = kempe("sweep", "press.yaml", *words, "coupler=90", "--executor", "serial", "--json")
    assert json.loads(answer.out)["size"] == 4


def test_a_folder_is_gone_on_with(kempe):
    words = ("sweep", "four_bar", "--vary", "crank=0.8..1.2 in 5", *READ, "--folder", "s")
    assert kempe(*words).code == 0
    refused = kempe(*words)
    assert refused.code == 2
    assert "--resume" in refused.err
    assert json.loads(kempe(*words, "--resume", "--json").out)["complete"] is True


def test_no_variant_that_comes_to_its_end_is_a_no(kempe):
    answer = kempe("sweep", "four_bar", "--vary", "crank=40, 50", *READ)
    assert answer.code == 1
    assert "2 NotReached" in answer.out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["four_bar", *READ], "what is to vary?"),
        (["four_bar", "--vary", "crank", *READ], "has no value"),
        (["four_bar", "--vary", "krank=1..2", *READ], "Did you mean 'crank'"),
        (["four_bar", "--vary", "crank=1..2", *READ], "how many variants?"),
        (["four_bar", "--vary", "crank=1, nan", *READ], "not finite"),
        (["four_bar", "--vary", "crank=1, 2"], "what is to be read?"),
        (["four_bar", "--vary", "crank=1", *READ, "--analysis", "kinematik"], "Did you mean"),
        (["four_bar", "--vary", "crank=1", *READ, "--memory", "2 apples"], "such as '2 GB'"),
        (["four_bar", "--vary", "crank=1", *READ, "-o", "t.exe"], ".csv"),
        (["four_bar", "--vary", "crank=1", *READ, "--resume"], "`folder`"),
    ],
)
def test_a_mistake_is_one_line(mistaken, words, complaint):
    assert complaint in mistaken("sweep", *words)


@pytest.mark.parametrize(
    ("entry", "place", "words"),
    [
        ("over: {crank: 25..35 in 3, krank: 3}", "", "there is no parameter 'krank'"),
        ("over: {crank: thirty}", "", "'thirty' is no number"),
        ("over: {}", "", "over"),
        ("over: {crank: 3}, sampling: sobel", "", "sobel"),
    ],
)
def test_a_mistake_in_a_file_has_its_place(mistaken, tmp_path, entry, place, words):
    text = FILE[: FILE.index("sweep:")] + f"sweep: {{{entry}}}\n"
    (tmp_path / "press.yaml").write_text(text)
    said = mistaken("sweep", "press.yaml", "--executor", "serial", "--read", "max(rocker.angle)")
    assert words in said
    assert f"press.yaml:{text.splitlines().index(text.splitlines()[-1]) + 1}:" in said

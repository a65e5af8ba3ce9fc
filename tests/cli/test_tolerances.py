"""`kempe tolerances`: the numbers of `mechanism.tolerances`, from words of a shell."""

import json
from pathlib import Path

import pytest

import kempe as kp
from kempe.cli.main import main

MODEL = str(Path(__file__).resolve().parents[2] / "examples" / "models" / "four_bar.yaml")


def test_it_says_what_the_mechanism_says_and_draws_it(tmp_path, capsys):
    out = tmp_path / "off.svg"
    words = ["--off", "rocker=0.1", "--off", "crank=-0.2..0", "--play", "B=0.05 mm"]
    asked = ["--of", "rocker.angle", "--until", "0.5", "--steps", "6", "--count", "0"]
    assert main(["tolerances", MODEL, *words, *asked, "-o", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["readings"]["rocker.angle"]
    unit = kp.load(MODEL).tolerances(
        {"rocker": 0.1, "crank": (-0.2, 0.0)},
        ["rocker.angle"],
        until=0.5,
        steps=6,
        clearances={"B": "0.05 mm"},
        count=0,
    )
    assert told == unit["rocker.angle"].facts()
    assert out.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--off", "rocker"], "has no value"),
        (["--off", "rockr=1"], "'rocker'"),
        (["--off", "rocker=wide"], "no number"),
        (["--play", "B=-1"], "positive"),
        ([], "what is off"),
        (["--off", "rocker=1", "--spread", "odd"], "normal"),
    ],
)
def test_a_mistake_is_one_line(words, said, capsys):
    assert main(["tolerances", MODEL, *words, "--of", "rocker.angle", "--count", "0"]) == 2
    assert said in capsys.readouterr().err

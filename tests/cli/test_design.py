"""`kempe design`: a wish in a file becomes a mechanism in another."""

import json
from pathlib import Path

import kempe as kp
from kempe.cli.main import main

MODELS = Path(__file__).resolve().parents[2] / "examples" / "models"


def wished(folder: Path, **more: object) -> str:
    made = kp.load(MODELS / "four_bar.yaml").with_parameters({"rocker": 72})
    swing = made.kinematics(until=0.2, steps=4)["rocker.angle"].values.tolist()
    wish = {
        "model": str(MODELS / "four_bar.yaml"),
        "parameters": {"rocker": [60, 90]},
        "follow": {"name": "rocker.angle", "values": swing},
        "until": 0.2,
        "steps": 20,
        "starts": 8,
        **more,
    }
    file = folder / "wish.json"
    file.write_text(json.dumps(wish))
    return str(file)


def test_a_wish_gives_the_mechanism_that_it_was_made_of(tmp_path, capsys):
    out = tmp_path / "found.yaml"
    assert main(["design", wished(tmp_path), "--seconds", "600", "-o", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert abs(told["parameters"]["rocker"] - 72.0) < 1e-5
    assert told["errors"]["rocker.angle"][1] < 1e-7
    assert abs(kp.load(out).parameters["rocker"] - 72.0) < 1e-5


def test_what_is_not_kept_is_a_no(tmp_path, capsys):
    require = [{"between": {"name": "rocker.angle", "low": "179 deg"}}]
    file = wished(tmp_path, require=require)
    assert main(["design", file, "--seconds", "600"]) == 1
    assert "not kept" in capsys.readouterr().out


def test_a_margin_that_no_length_keeps_is_a_no(tmp_path, capsys):
    """Crank and rocker lie 70 mm apart where the run begins, whatever their lengths."""
    for margin, code in (("0.1 mm", 0), ("90 mm", 1)):
        require = [{"apart": {"between": ["crank", "rocker"], "margin": margin}}]
        assert main(["design", wished(tmp_path, require=require), "--seconds", "600"]) == code
        assert ("not kept: Apart crank rocker" in capsys.readouterr().out) == bool(code)


def test_mistakes_in_a_wish_are_one_line(tmp_path, capsys):
    for more, word in (
        ({"traze": {}}, "traze"),
        ({"parameters": {"rocker": 3}}, "bounds"),
        ({"parameters": {"rokcer": [1, 2]}}, "rocker"),
        ({"follow": {"nam": "rocker.angle"}}, "nam"),
        ({"require": [{"grashof": {}}]}, "between"),
        ({"require": [{"apart": {"between": ["crunk"]}}]}, "crank"),
        ({"require": [{"apart": {"margin": -1}}]}, "not below 0"),
    ):
        assert main(["design", wished(tmp_path, **more)]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert word in said

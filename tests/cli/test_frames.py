"""`kempe frames`: one line for a mistake, JSON for a machine, exit codes for a script."""

import json
from pathlib import Path

import pytest

from kempe.cli.main import main

CRANE = """frames:
- id: ground
- {id: boom, parent: ground, position: [0, 0, 2], moving: {angular_velocity: [0, 0, 0.5]}}
- {id: camera, parent: boom, position: [10, 0, 0]}
loops:
- {frame: camera, seen_from: ground, position: [10, 0, 2.25]}
"""


@pytest.fixture
def crane(tmp_path: Path) -> str:
    path = tmp_path / "crane.yaml"
    path.write_text(CRANE)
    return str(path)


def test_the_tree_and_the_closure_errors_are_shown(crane, capsys) -> None:
    assert main(["frames", crane]) == 0
    shown = capsys.readouterr().out
    assert "ground\n  boom  (uniform)\n    camera  (rigid)\n" in shown
    assert "loop ground - boom - camera: 0.25 m, 0 rad, 5 m/s, 0.5 rad/s" in shown


def test_a_query_gives_the_state_as_json(crane, capsys) -> None:
    assert main(["frames", crane, "--query", "camera", "ground", "--t", "0", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["state"]["velocity"] == [0.0, 5.0, 0.0]
    assert facts["state"]["acceleration"] == [-2.5, 0.0, 0.0]
    assert facts["loops"][0]["position"] == pytest.approx(0.25)


def test_a_loop_that_misses_by_more_than_allowed_is_an_answer_of_no(crane) -> None:
    assert main(["frames", crane, "--within", "1"]) == 1
    assert main(["frames", crane, "--within", "10"]) == 0


def test_reconciled_frames_close_and_can_be_written(crane, capsys, tmp_path) -> None:
    written = str(tmp_path / "closed.yaml")
    assert main(["frames", crane, "--reconcile", "-o", written]) == 0
    assert "moved camera by" in capsys.readouterr().out
    assert main(["frames", written, "--within", "1e-12"]) == 0


@pytest.mark.parametrize(
    ("text", "arguments", "said"),
    [
        (CRANE, ["--query", "camra", "ground"], "Did you mean 'camera'"),
        (
            '{"frames": [{"id": "a", "parent": "c"}, {"id": "b", "parent": "a"},'
            ' {"id": "c", "parent": "b"}]}',
            [],
            "a -> b -> c -> a",
        ),
        (
            '{"frames": [{"id": "a", "parent": null}, {"id": "b", "parent": null}]}',
            ["--query", "a", "b"],
            "no edge joins the tree of 'b'",
        ),
        ("frames: 3", [], "must be a list"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_two(text, arguments, said, tmp_path, capsys) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    assert main(["frames", str(path), *arguments]) == 2
    mistake = capsys.readouterr().err
    assert said in mistake
    assert mistake.count("\n") == 1

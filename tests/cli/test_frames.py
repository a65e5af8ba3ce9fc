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


@pytest.mark.row("D4")
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
    ("arguments", "said"),
    [
        (["--draw", "graph.svg"], "0.25 m, 0 rad</text>"),
        (["--draw", "axes.svg", "--picture", "axes"], ">camera</text>"),
        (["--draw", "axes.html"], '"name":"camera"'),
        (["--draw", "play.html", "--until", "2"], '"times":[0,'),
        (["--until", "1", "-o", "log.csv"], "camera,boom,1.0,"),
    ],
)
def test_frames_are_drawn_and_written_by_the_ending(
    arguments, said, crane, capsys, tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["frames", crane, *arguments]) == 0
    name = next(a for a in arguments if "." in a)
    assert f"wrote {name}" in capsys.readouterr().out
    assert said in (tmp_path / name).read_text()


def test_a_mechanism_shows_its_frames_and_the_graph_of_its_bodies(capsys, tmp_path) -> None:
    query = ["--query", "coupler.P", "crank", "--t", "0.25"]
    assert main(["frames", "four_bar", *query, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["state"]["frame"] == "coupler.P"
    picture = tmp_path / "bodies.svg"
    assert main(["frames", "four_bar", "--draw", str(picture), "--picture", "bodies"]) == 0
    assert "A (revolute, driven)</text>" in picture.read_text()
    model = Path(__file__).resolve().parents[2] / "examples" / "models" / "rssr.yaml"
    assert main(["frames", str(model)]) == 0
    assert "  crank  (sampled)" in capsys.readouterr().out


def test_the_joints_of_a_robot_are_set_by_name(capsys, tmp_path) -> None:
    robot = tmp_path / "arm.urdf"
    robot.write_text(
        '<robot name="arm"><link name="base"/><link name="tool"/>'
        '<joint name="lift" type="prismatic"><parent link="base"/><child link="tool"/>'
        '<axis xyz="0 0 1"/></joint></robot>'
    )
    query = ["frames", str(robot), "--query", "tool", "base", "--json"]
    assert main([*query, "--joint", "lift=0.5"]) == 0
    assert json.loads(capsys.readouterr().out)["state"]["position"] == [0, 0, 0.5]
    for wrong in ("lift", "lift=up", "lft=1"):
        assert main([*query, "--joint", wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1


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
        (CRANE, ["--draw", "x.png"], ".svg or .html"),
        (CRANE, ["--draw", "x.html", "--picture", "graph"], "draw the graph as .svg"),
        (CRANE, ["--draw", "x.svg", "--picture", "bodies"], "only a mechanism"),
        (CRANE, ["-o", "x.csv"], "sample it first"),
        (CRANE, ["--joint", "a=1"], "only a robot"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_two(text, arguments, said, tmp_path, mistaken) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    assert said in mistaken("frames", str(path), *arguments)

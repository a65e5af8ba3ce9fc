"""What a hostile file may not do: steer the terminal, write by itself, read what is not its own."""

import os
from pathlib import Path

import pytest

from kempe.cli.main import main
from kempe.cli.motion import mechanism_of
from kempe.errors import FileError, KempeError, printable

NASTY = "evil\x1b]0;owned\x07\x1b[2J\u202e\x9b31m"
STEERING = ("\x1b", "\x07", "\u202e", "\x9b", "\r", "\x08")
FOUR_BAR = """
version: 1
name: {name}
plane: true
bodies:
  crank: {{length: 1}}
  coupler: {{length: 3, points: {{P: [1, 1]}}}}
  rocker: {{length: 3}}
joints:
  A: {{type: revolute, I: ground, J: crank.start}}
  B: {{type: revolute, I: crank.end, J: coupler.start}}
  C: {{type: revolute, I: coupler.end, J: rocker.end}}
  D: {{type: revolute, I: {{body: ground, at: [4, 0]}}, J: rocker.start}}
drives: {{crank.angle: {{speed: 60 rpm}}}}
run: {{steps: 4, outputs: [{outputs}]}}
"""
SCRIPT = f"""
import kempe
b = kempe.Builder({NASTY!r}, plane=True)
crank, coupler, rocker = (b.bar(n, x) for n, x in (("crank", 1), ("coupler", 3), ("rocker", 3)))
b.revolute(b.ground.at(0, 0), crank.start)
b.revolute(crank.end, coupler.start)
b.revolute(coupler.end, rocker.end)
b.revolute(rocker.start, b.ground.at(4, 0))
b.drive(crank.angle, speed="60 rpm")
mechanism = b.build()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(name: str = "four-bar", outputs: str = "") -> str:
    Path("model.yaml").write_text(FOUR_BAR.format(name=name, outputs=outputs), encoding="utf-8")
    return "model.yaml"


def assert_tame(capsys) -> str:
    said = capsys.readouterr()
    for character in STEERING:
        assert character not in said.out + said.err
    return said.out + said.err


COMMANDS = [
    ["run", "FILE", "--steps", "3"],
    ["check", "FILE"],
    ["check", "FILE", "--syntax"],
    ["motions", "FILE", "--seconds", "0.1"],
    ["assemblies", "FILE", "--seconds", "0.1"],
    ["transmission", "FILE", "--steps", "3"],
    ["simulate", "FILE", "--steps", "3", "--until", "1 ms"],
    ["statics", "FILE"],
    ["modes", "FILE"],
    ["frames", "FILE"],
    ["run", "FILE", "--trace", NASTY, "-o", "x.html"],
    ["run", NASTY],
    ["run", f"{NASTY}.yaml"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:3]).encode().hex())
def test_no_escape_sequence_of_a_name_reaches_the_terminal(words, capsys):
    Path("model.py").write_text(SCRIPT, encoding="utf-8")
    main(["model.py" if word == "FILE" else word for word in words])
    assert assert_tame(capsys)


def test_no_escape_sequence_reaches_the_terminal_by_a_traceback(capsys):
    Path("model.py").write_text(f"raise ValueError({NASTY!r})\n", encoding="utf-8")
    assert main(["run", "model.py", "--debug"]) == 2
    assert "Traceback" in assert_tame(capsys)


def test_no_escape_sequence_of_a_file_reaches_the_terminal(capsys):
    for name in ('"a\\x1b[2Jb"', '"a\\u202Eb"', '"a\\rb"'):
        main(["run", written(name=name)])
        assert_tame(capsys)
    Path("frames.json").write_text(
        '{"frames": [{"id": "a\\u001b[2J"}, {"id": "b", "parent": "c\\u001b[2J"}]}'
    )
    main(["frames", "frames.json"])
    assert_tame(capsys)
    Path("log.csv").write_text("t,x,y,z,qw,qx,qy,qz,frame,parent\n0,0,0,0,1,0,0,0,a\x1b[2J,b\n")
    main(["frames", "log.csv"])
    assert_tame(capsys)
    with pytest.raises(KempeError) as caught:
        mechanism_of(written().replace("model", f"no{NASTY}"))
    assert str(caught.value) == printable(str(caught.value))


def test_a_name_with_a_formula_of_tex_is_plotted_as_it_stands(folder):
    Path("model.py").write_text(SCRIPT.replace(repr(NASTY), repr(r"cost $\frac{ of $5")))
    for ending in (".png", ".svg", ".pdf"):
        assert main(["plot", "model.py", "crank.angle", "--steps", "3", "-o", f"a{ending}"]) == 0
    assert main(["plot", "model.py", "crank.angle", "--title", r"$\frac{", "-o", "b.svg"]) == 0


def test_a_model_file_writes_nothing_by_itself(folder, capsys):
    (folder / "package.json").write_text("precious")
    name = written(outputs="package.json, motion.csv")
    assert main(["run", name]) == 0
    assert main(["simulate", name, "--until", "1 ms", "--steps", "2"]) in (0, 1, 2)
    assert (folder / "package.json").read_text() == "precious"
    assert sorted(p.name for p in folder.iterdir()) == ["model.yaml", "package.json"]
    assert "package.json, motion.csv" in capsys.readouterr().out


def test_what_a_model_file_asks_for_is_not_written_through_a_link(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "precious.csv").write_text("precious")
    (folder / "out").symlink_to(elsewhere)
    (folder / "motion.csv").symlink_to(elsewhere / "precious.csv")
    for output in ("out/precious.csv", "motion.csv"):
        assert main(["run", written(outputs=output), "--write"]) == 2
    assert (elsewhere / "precious.csv").read_text() == "precious"
    assert main(["run", written(outputs="fine.csv"), "--write"]) == 0
    assert (folder / "fine.csv").is_file()


def test_a_merged_file_is_below_the_folder_and_no_text_of_another_is_quoted(folder):
    secret = folder / "secret.yaml"
    secret.write_text("password: hunter2\n")
    inside = folder / "inside"
    inside.mkdir()
    (inside / "link.yaml").symlink_to(secret)
    os.mkfifo(inside / "pipe.yaml")
    (inside / "fine.yaml").write_text("version: 1\nplane: true\nbodies: {BODY: {length: 1}}\n")
    (inside / "folder").symlink_to(folder)
    names = {"pipe.yaml": "a device or a pipe"}
    names |= dict.fromkeys(
        ("link.yaml", "../secret.yaml", str(secret), "folder/secret.yaml"), "leads out of"
    )
    for name, why in names.items():
        text = f"version: 1\nmerge: [{{file: fine.yaml}}, {{file: {name}}}]\n"
        (inside / "model.yaml").write_text(text)
        with pytest.raises(FileError, match=why) as caught:
            _ = mechanism_of(str(inside / "model.yaml")).model
        assert "hunter2" not in str(caught.value)
        assert "password" not in str(caught.value)


def test_a_log_of_frames_is_a_file_below_the_folder(folder, capsys):
    inside = folder / "inside"
    inside.mkdir()
    (folder / "log.csv").write_text("t,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n1,0,0,0,1,0,0,0\n")
    (inside / "link.csv").symlink_to(folder / "log.csv")
    os.mkfifo(inside / "pipe.csv")
    for name in ("../log.csv", "link.csv", "pipe.csv", "/dev/zero", str(folder / "log.csv")):
        text = f"frames:\n- {{id: a}}\n- {{id: b, parent: a, log: {name}}}\n"
        (inside / "frames.yaml").write_text(text)
        assert main(["frames", "inside/frames.yaml"]) == 2
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["check", "four_bar", "-o", "out.svg"],
        ["frames", "four_bar", "-o", "out.json"],
        ["frames", "four_bar", "-o", "out.yaml"],
        ["frames", "four_bar", "--until", "1", "-o", "out.csv"],
        ["frames", "four_bar", "--draw", "out.svg"],
        ["frames", "four_bar", "--draw", "out.html"],
        ["run", "four_bar", "--steps", "3", "-o", "out.csv"],
        ["motions", "four_bar", "-o", "out.npz"],
        ["schema", "-o", "out.json"],
    ],
    ids=" ".join,
)
def test_a_write_that_fails_leaves_the_old_file_whole_and_private(words, folder, monkeypatch):
    target = folder / words[-1]
    target.write_bytes(b"the old file")
    target.chmod(0o600)

    def full_disk(_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full_disk)
        assert main(words) == 2
    assert target.read_bytes() == b"the old file"
    assert [p.name for p in folder.iterdir()] == [target.name]
    assert main(words) == 0
    assert target.read_bytes() != b"the old file"
    assert target.stat().st_mode & 0o777 == 0o600

"""Every mechanism that comes with kempe goes through every command and every ending of a file."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from kempe.cli.main import FAULT, main
from kempe.cli.motion import mechanism_of, motion_of
from kempe.draw.formats.video import CODECS
from kempe.errors import DriveError, ModelError
from kempe.export.plots import ENDINGS as PLOTS
from kempe.export.writing import ENDINGS, write
from kempe.front import Trajectory
from kempe.gallery import MECHANISMS
from kempe.pictures.animation import MOVING

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "models").glob("*.yaml"))
EVERY = [*MECHANISMS, *map(str, EXAMPLES)]
FILMED = ("four_bar", "stewart")  # in the plane and in space: all others are painted alike
STEPS = 3  # enough for a motion; what is tried is the doors, not the solver
BEGINNINGS = {  # the first bytes of a file of that ending
    ".csv": b"t,",
    ".json": b"{",
    ".npz": b"PK",
    ".parquet": b"PAR1",
    ".svg": b"<svg",
    ".html": b"<!doctype html>",
    ".gif": b"GIF89a",
    ".mp4": b"\0\0\0",  # the size of the first box, then its kind
    ".webm": b"\x1aE\xdf\xa3",
    ".glb": b"glTF",
    ".png": b"\x89PNG",
    ".pdf": b"%PDF",
}


@cache
def trajectory(what: str) -> Trajectory | None:
    """Its motion; None where nothing moves it."""
    try:
        return motion_of(what, None, STEPS, None)[0]
    except DriveError:
        return None


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def short(what: str) -> str:
    return Path(what).stem if what.endswith(".yaml") else what


@pytest.mark.parametrize("what", EVERY, ids=short)
def test_a_motion_is_written_to_every_ending(what, folder):
    motion = trajectory(what)
    if motion is None:
        return
    for ending in ENDINGS:
        if ending in (*CODECS, ".png", ".pdf") and what not in FILMED:
            continue
        if ending in MOVING and len(motion) < 2:  # it says so instead
            with pytest.raises(ModelError, match="needs two"):
                write(motion, folder / f"motion{ending}")
            continue
        content = write(motion, folder / f"motion{ending}").read_bytes()
        assert content.lower().startswith(BEGINNINGS.get(ending, b"").lower()), ending
        assert len(content) > 100, ending
        assert ending != ".gif" or content.endswith(b"\0;"), "a GIF is whole: its end is marked"
    again = Trajectory.load(folder / "motion.npz")
    assert (len(again), again.names) == (len(motion), motion.names)
    for ending in (".csv", ".svg", ".npz"):  # one that was saved is as good
        write(again, folder / f"again{ending}")


def commands(what: str) -> Iterator[list[str]]:
    """What a user may type."""
    mechanism = mechanism_of(what)
    steps = ["--steps", str(STEPS)]
    body = mechanism.model.moving[0].name
    yield ["run", what, *steps, "--json"]
    yield ["simulate", what, *steps, "--until", "1 ms", "--json"]
    yield ["statics", what, "-o", "rest.svg", "--json"]
    yield ["modes", what, "-o", "modes.csv", "--json"]
    yield ["check", what, "-o", "freedom.svg", "--json"]
    yield ["assemble", what, "-o", "assembled.svg", "--json"]
    yield ["transmission", what, *steps, "-o", "transmission.csv", "--json"]
    yield ["centrodes", what, body, *steps, "-o", "centrodes.svg", "--json"]
    yield ["convert", what, "model.yaml", "--json"]
    yield ["convert", what, "model.json", "--flat", "--json"]
    yield ["frames", what, "--json", "-o", "frames.yaml", "--draw", "frames.svg"]
    yield ["assemblies", what, "--seconds", "0.02", "--json"]
    yield ["motions", what, "--seconds", "0.02", "--json", "-o", "map.npz"]
    yield ["drag", what, body, "--to", "0, 0" if mechanism.model.plane else "0, 0, 0", "--json"]


@pytest.mark.parametrize("what", EVERY, ids=short)
def test_every_command_answers_or_says_in_one_line_why_not(what, folder, capsys):
    for words in commands(what):
        capsys.readouterr()
        code = main(words)
        said = capsys.readouterr()
        assert code in (0, 1, 2), (words, said.err)
        assert "Traceback" not in said.err, words
        assert said.err.count("\n") == (1 if code == 2 else 0), (words, said.err)
        if code != 2:
            json.loads(said.out)


@pytest.mark.parametrize("ending", PLOTS)
def test_a_plot_is_what_its_ending_says(ending, folder):
    assert main(["plot", "four_bar", "rocker.angle", "--steps", "9", "-o", f"a{ending}"]) == 0
    content = (folder / f"a{ending}").read_bytes()
    assert content.startswith((b"<?xml",) if ending == ".svg" else BEGINNINGS[ending])


#: commands that write what their ending does not say
FALSE_ENDINGS = [
    ["demo", "--no-open", "-o", "x.png"],
    ["demo", "--no-open", "-o", "x.svg"],
    ["run", "four_bar", "-o", "x.avi"],
    ["motions", "four_bar", "--picture", "x.csv"],
    ["motions", "four_bar", "-o", "x.json"],
    ["assemblies", "four_bar", "--picture", "x.html"],
    ["check", "four_bar", "-o", "x.html"],
    ["assemble", "four_bar", "-o", "x.gif"],
    ["drag", "four_bar", "coupler.P", "--to", "1, 2", "-o", "x.csv"],
    ["centrodes", "four_bar", "coupler", "-o", "x.gif"],
    ["polygon", "four_bar", "-o", "x.gif"],
    ["transmission", "four_bar", "-o", "x.html"],
    ["plot", "four_bar", "rocker.angle", "-o", "x.gif"],
    ["frames", "four_bar", "-o", "x.txt"],
    ["frames", "four_bar", "--draw", "x.gif"],
    ["convert", "four_bar", "x.toml"],
]


@pytest.mark.parametrize("words", FALSE_ENDINGS, ids=" ".join)
def test_an_ending_that_a_command_does_not_write_is_a_mistake_and_writes_nothing(
    words, folder, capsys
):
    assert main(words) == 2
    assert "x." in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_a_fault_of_kempe_is_one_line_and_70_and_debug_shows_where(capsys, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a\nfault")

    monkeypatch.setattr("kempe.front.mechanism.Mechanism.kinematics", fail)
    for words in (["run", "four_bar"], ["plot", "four_bar", "rocker.angle"]):
        assert main(words) == FAULT == 70
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "ZeroDivisionError: a fault" in said
        assert "--debug" in said
    for words in (["--debug", "run", "four_bar"], ["run", "four_bar", "--debug"]):
        assert main(words) == FAULT
        assert "Traceback" in capsys.readouterr().err

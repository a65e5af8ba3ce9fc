"""What a terminal shows: progress that goes away, lists that end, angles that are meant so."""

import io
import subprocess
import sys

import pytest

from kempe.cli import terminal
from kempe.cli.options import sources
from kempe.cli.terminal import MOST_LISTED, ProgressLine, in_time, listed


class Terminal(io.StringIO):
    """A stream that somebody looks at."""

    def isatty(self) -> bool:
        return True


def screen_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal in the place of what pytest captures, for the rest of a test."""
    found = Terminal()
    monkeypatch.setattr("sys.stderr", found)
    monkeypatch.setattr("sys.stdout", found)
    return found


def clock(*times: float):
    """A clock that shows these times, one after the other."""
    following = iter(times)
    return lambda: next(following)


def test_progress_says_how_much_is_left_and_is_gone_in_the_end(monkeypatch):
    screen = screen_of(monkeypatch)
    with ProgressLine(clock=clock(0.0, 0.5, 10.0)) as line:
        line.show(0.1, "t = 1 s")  # half a second: nothing yet
        assert screen.getvalue() == ""
        line.show(0.25, "t = 2.5 s")
        assert "t = 2.5 s, 25 %, 30 s left" in screen.getvalue()  # 10 s for a quarter
    assert screen.getvalue().endswith(f"\r{terminal.CLEAR_LINE}\r")


def test_nothing_is_said_where_nobody_looks(monkeypatch):
    screen = screen_of(monkeypatch)
    with ProgressLine(is_wanted=False, clock=clock(0.0, 9.0)) as line:
        line.show(0.5)
    quiet = io.StringIO()
    monkeypatch.setattr("sys.stderr", quiet)
    with ProgressLine(clock=clock(0.0, 9.0)) as line:
        line.show(0.5)
    assert screen.getvalue() == quiet.getvalue() == ""


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.2, "0 s"), (59.4, "59 s"), (61.0, "1 min 1 s"), (7500.0, "2 h 5 min")]
)
def test_times_are_said_as_people_do(seconds, said):
    assert in_time(seconds) == said


def test_a_long_list_is_cut_on_a_terminal_and_nowhere_else(monkeypatch):
    screen_of(monkeypatch)
    lines = [str(k) for k in range(MOST_LISTED + 1658)]
    shown = listed(lines, "-o names.txt")
    assert shown[:-1] == lines[:MOST_LISTED]
    assert shown[-1] == "and 1,658 more, -o names.txt to keep all"
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert listed(lines, "-o names.txt") == lines


def test_the_list_of_names_is_kept_whole_in_a_file(kempe, tmp_path):
    assert kempe("names", "four_bar", "-o", "names.txt").code == 0
    assert (tmp_path / "names.txt").read_text() == kempe("names", "four_bar").out


#: a line -> what is said of the bare number in it
BARE = {
    ("run", "four_bar", "--over", "crank.angle, 0, 360"): "57.3 turns of 'crank.angle'",
    ("assemblies", "four_bar", "--held", "crank.angle=60"): "9.55 turns",
    ("assemble", "four_bar", "--hold", "crank.angle=-60"): "9.55 turns",
    ("motions", "four_bar", "--limit", "crank.angle=0..90"): "14.3 turns",
    ("plot", "four_bar", "rocker.angle", "--over", "crank.angle, 0, 360"): "write '360 deg'",
}


@pytest.mark.parametrize("words", BARE, ids=" ".join)
def test_a_bare_number_that_means_many_turns_is_refused(mistaken, words):
    assert BARE[words] in mistaken(*words)


def test_radians_and_lengths_are_taken_as_they_stand(kempe):
    assert kempe("run", "four_bar", "--over", "crank.angle, 0, 6.28", "--steps", "9").code == 0
    assert kempe("run", "four_bar", "--over", "crank.angle, 0, 20 rad", "--steps", "90").code == 0
    lift = ("run", "excavator_arm", "--over", "nothing.angle, 0, 360")
    assert "nothing.angle" in kempe(*lift).err


@pytest.mark.parametrize("what", ["nothing.dxf", "models/nothing", "nothing.urdf", "x.yml"])
def test_a_file_that_is_not_there_is_said_to_be_a_file(mistaken, what):
    said = mistaken("check", what)
    assert "there is no such file" in said
    assert "mechanism" not in said


def test_doctor_says_what_every_extra_adds(kempe):
    import json

    said = kempe("doctor").out
    extras = json.loads(kempe("doctor", "--json").out)["extras"]
    assert {"plot", "data", "video", "interference"} <= extras.keys()
    for name, entry in extras.items():
        assert entry["adds"], name
        assert f"{name}: {entry['adds']}" in said
        assert entry["packages"], name


def test_a_shell_completes_entries_of_the_gallery_and_files_that_can_be_opened(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for name in ("arm.sdf", "arm.txt", "four.yaml"):
        (tmp_path / name).touch()
    (tmp_path / "models").mkdir()
    assert sources("arm") == ["arm.sdf"]
    assert sources("mod") == ["models/"]
    found = sources("four")
    assert found[0] == "four.yaml"
    assert {"four_bar", "four_bar_chain"} <= set(found)


@pytest.mark.parametrize(
    ("line", "wanted"), [("kempe an", "animate"), ("kempe run --fre", "--free")]
)
def test_a_shell_completes_commands_and_options(line, wanted, monkeypatch):
    monkeypatch.setenv("_KEMPE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
    typed = "import sys; sys.argv = ['kempe']; from kempe.cli import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", typed], capture_output=True, check=False, text=True
    )
    assert ended.stdout.split() == [wanted]

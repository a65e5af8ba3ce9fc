"""`kempe timeline`."""

import json

from kempe.cli import main


def test_branches_and_events_are_listed_and_drawn(tmp_path, capsys):
    picture = tmp_path / "time.svg"
    drawn = ["--picture", str(picture), "--plot", "PQ.angle"]
    assert main(["timeline", "planar_platform", "0s", "1s", *drawn]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "planar platform, 0 to 1 s: 14 branches, 1 birth, 1 death - complete."
    assert lines[-1].strip().startswith("birth of 13 and 14 at 0.488862")
    assert picture.read_text().count('class="trace') == 14


def test_as_json_an_event_has_its_time_and_how_sure_it_is(capsys):
    assert main(["timeline", "planar_platform", "0", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    death, birth = told["events"]
    assert (death["kind"], birth["kind"], told["is_proved"]) == ("death", "birth", True)
    assert abs(death["t"] + birth["t"] - 0.5) < 1e-9  # the leg's sine is the same there
    assert death["radius"] < 1e-9


def test_a_picture_without_a_measure_is_a_mistake(tmp_path, capsys):
    picture = str(tmp_path / "x.svg")
    assert main(["timeline", "four_bar", "0", "1", "--picture", picture]) == 2
    assert "name it with --plot MEASURE" in capsys.readouterr().err

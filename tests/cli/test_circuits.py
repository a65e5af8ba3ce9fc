"""`kempe circuits` and `kempe path`."""

import json

from kempe.cli import main

ENDS = ["crank.angle=60 deg", "crank.angle=200 deg"]


def test_circuits_say_how_far_the_crank_turns_on_each(capsys):
    assert main(["circuits", "jansen"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Jansen's leg: 6 circuits - complete."
    assert sum("turns all the way round" in line for line in lines) == 4


def test_circuits_as_json_give_ranges_of_any_measure(capsys):
    assert main(["circuits", "four_bar", "rocker.angle", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["proved"] == ["rocker.angle"]
    ranges = [(b["low"], b["high"]) for c in told["circuits"] for b in c["branches"]]
    assert len(ranges) == 4
    assert all(low < high for low, high in ranges)


def test_a_path_is_written_where_there_is_one(tmp_path, capsys):
    target = tmp_path / "way.csv"
    assert main(["path", "four_bar", *ENDS, "--to", "2", "-o", str(target)]) == 0
    assert "four-bar: yes." in capsys.readouterr().out
    assert len(target.read_text().splitlines()) > 50


def test_no_path_is_a_no_and_writes_nothing(tmp_path, capsys):
    target = tmp_path / "way.csv"
    assert main(["path", "four_bar", *ENDS, "-o", str(target)]) == 1
    assert "it must be taken apart" in capsys.readouterr().out
    assert not target.exists()


def test_an_assembly_that_is_not_there_is_a_mistake(capsys):
    assert main(["path", "four_bar", *ENDS, "--to", "3"]) == 2
    assert "there is no assembly 3" in capsys.readouterr().err

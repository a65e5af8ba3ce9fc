"""Files of a trajectory: whole, readable, and the numbers of the samples."""

import csv
import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest

import kempe
from kempe.errors import FileError, UnknownName
from kempe.export.writing import ENDINGS, WRITERS, write


@pytest.fixture
def turn(bench):
    return bench.run()


def test_csv_gives_back_every_number_exactly(turn, tmp_path):
    with write(turn, tmp_path / "turn.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(turn)
    for name, column in turn.columns().items():
        assert [float(row[name]) for row in rows] == column.tolist()


def test_json_gives_back_every_number_exactly(turn, tmp_path):
    document = json.loads(write(turn, tmp_path / "turn.json").read_text())
    assert document["outcome"]["name"] == "Done"
    assert document["columns"] == {name: c.tolist() for name, c in turn.columns().items()}


def test_npz_gives_back_every_number_exactly(turn, tmp_path):
    with np.load(write(turn, tmp_path / "turn.npz")) as data:
        for name, column in turn.columns().items():
            np.testing.assert_array_equal(data[name], column)


def test_pictures_name_what_they_show(turn, tmp_path):
    assert "<svg" in write(turn, tmp_path / "turn.svg").read_text()
    page = write(turn, tmp_path / "turn.html", trace=("coupler.P",)).read_text()
    assert "coupler.P" in page


def test_columns_hold_points_and_measures_with_their_derivatives(turn):
    names = turn.columns()
    for name in (
        "t",
        "coupler.P.x",
        "coupler.P.vy",
        "coupler.P.ax",
        "rocker.angle.rate",
        "A.angle",
    ):
        assert len(names[name]) == len(turn)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_is_replaced_as_a_whole(turn, tmp_path, ending):
    target = tmp_path / f"turn{ending}"
    target.write_text("before")
    write(turn, target)
    assert target.read_bytes() != b"before"
    assert [p.name for p in tmp_path.iterdir()] == [target.name]


@pytest.mark.parametrize("ending", WRITERS)
def test_what_fails_on_the_way_leaves_the_old_file(turn, tmp_path, ending, monkeypatch):
    target = tmp_path / f"turn{ending}"
    target.write_text("before")

    def broken(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(FileError, match="cannot be written: No space left"):
        write(turn, target)
    assert target.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == [target.name]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("turn.xls", "written to .csv, .json, .npz, .parquet, .xlsx, .txt, .svg, .png, .pdf"),
        ("turn", "written to .csv"),
        ("nowhere/turn.csv", "no folder"),
        ("nowhere/turn.html", "no folder"),
        ("nowhere/turn.svg", "no folder"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused(turn, tmp_path, name, words):
    with pytest.raises(FileError, match=words):
        write(turn, tmp_path / name)


@pytest.mark.parametrize("ending", [".csv", ".html"])
def test_a_folder_in_the_place_of_the_file_is_refused(turn, tmp_path, ending):
    target = tmp_path / f"turn{ending}"
    target.mkdir()
    with pytest.raises(FileError, match="cannot be written"):
        write(turn, target)
    assert list(Path(target).iterdir()) == []


@pytest.mark.parametrize("ending", [".csv", ".json", ".svg", ".html"])
def test_a_joint_with_freedoms_that_the_plane_lacks_is_written_too(tmp_path, ending):
    """A held coordinate leaves z free, which a planar mechanism has not."""
    m = kempe.Builder("slide", plane=True)
    pin = m.body("pin", at=(0.5, 0.25))
    m.hold(pin, y=0.25, angle=0.0)
    m.drive(pin.x, start=0.5, speed=1.0)
    turn = m.build().kinematics(until=1.0, steps=4)
    assert write(turn, tmp_path / f"turn{ending}").stat().st_size > 0


def test_a_trace_of_nothing_is_refused(turn, tmp_path):
    with pytest.raises(UnknownName, match=r"Did you mean 'coupler\.P'"):
        write(turn, tmp_path / "turn.html", trace=("couplr.P",))


def test_animate_writes_one_page_that_needs_nothing_else(turn, tmp_path):
    page = turn.animate(tmp_path / "turn.html", trace="coupler.P").read_text()
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "https://" not in page

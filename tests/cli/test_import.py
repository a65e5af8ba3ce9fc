"""Files of other programs at the command line: read, reported, converted, refused in one line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.campaigns._foreign_files import FILES

HINGE = """\t\t\tRevoluteJoint
\t\t\t\tName
\t\t\t\t\tpin
\t\t\t\tMarkerI
\t\t\t\t\t/A/o
\t\t\t\tMarkerJ
\t\t\t\t\t/A/a/m
"""
MOTOR = """\t\tMotions
\t\t\tRotationalMotion
\t\t\t\tName
\t\t\t\t\tmotor
\t\t\t\tMotionJoint
\t\t\t\t\t/A/pin
\t\t\t\tRotationZ
\t\t\t\t\t2.0d*pi*time
"""


@pytest.fixture
def crank(tmp_path: Path) -> str:
    """One part on a hinge, turned once a second."""
    text = FILES[0][1]
    head, _, rest = text.partition("\t\tPart\n\t\t\tName\n\t\t\t\tb\n")
    tail = rest[rest.index("\tConstantGravity") :]
    whole = f"{head}\tConstraintSets\n\t\tJoints\n{HINGE}{MOTOR}\tForceTorques\n{tail}"
    (tmp_path / "crank.asmt").write_text(whole)
    return "crank.asmt"


def test_check_says_how_it_moves_and_lists_what_was_left_out(kempe: Callable, crank: str):
    answer = kempe("check", crank)
    assert answer.code == 0
    assert "DOF 1, with the drive 0" in answer.out
    assert "Extrusion of part 'a': shapes of a CAD program are not read" in answer.out
    found = json.loads(kempe("check", crank, "--syntax", "--json").out)
    assert found["valid"]
    assert [item["what"] for item in found["import"]["left_out"]] == ["Extrusion of part 'a'"]


def test_run_does_what_the_file_asks_for_and_says_that_something_was_left_out(kempe, crank):
    answer = kempe("run", crank, "--json")
    assert answer.code == 0
    assert json.loads(answer.out)["samples"] == 11
    assert answer.err.startswith("kempe: crank.asmt: 1 item left out")
    assert answer.err.count("\n") == 1


def test_converted_it_runs_alike(kempe, crank, tmp_path):
    assert kempe("convert", crank, "crank.yaml").code == 0
    ours = kempe("run", "crank.yaml", "-o", "ours.csv"), kempe("run", crank, "-o", "theirs.csv")
    assert [answer.code for answer in ours] == [0, 0]
    tables = [(tmp_path / f"{name}.csv").read_text() for name in ("ours", "theirs")]
    assert tables[0] == tables[1]


def test_simulate_moves_it_by_its_forces(kempe, crank):
    assert kempe("simulate", crank, "--until", "0.2").code == 0


@pytest.mark.parametrize(("ending", "text"), FILES, ids=[ending for ending, _ in FILES])
def test_a_file_that_was_cut_off_is_refused_in_one_line(kempe, tmp_path, ending, text):
    path = tmp_path / f"cut{ending}"
    path.write_text(text[: len(text) // 3])
    answer = kempe("run", path.name)
    assert answer.code == 2
    assert answer.err.startswith(f"kempe: cut{ending}:")
    assert answer.err.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_mechanism_is_written_for_mujoco_with_what_was_left_out(kempe, crank, tmp_path):
    answer = kempe("convert", crank, "crank.xml")
    assert answer.code == 0
    assert "drive on 'pin.angle': MuJoCo moves nothing by a law of time" in answer.out
    assert kempe("check", "crank.xml").code == 0
    assert json.loads(kempe("convert", crank, "again.xml", "--json").out)["export"]["left_out"]

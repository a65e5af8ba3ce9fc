"""`kempe check` and `kempe assemble`: words for people, JSON for programs, honest exit codes."""

import json
from dataclasses import replace

import pytest

import kempe as kp

FINE, NO, MISTAKE = 0, 1, 2


@pytest.fixture
def tilted(tmp_path):
    """A file of Bricard's linkage with one axis off by 1e-5 rad."""
    bricard = kp.gallery.bricard()
    J = bricard.model.joint("hinge3").J
    builder = bricard.edit()
    turn = kp.Rotation.about((1.0, 0.0, 0.0), 1e-5)
    builder.reattach("hinge3", J=replace(J, rotation=J.rotation @ turn))
    return str(builder.build().save(tmp_path / "tilted.json"))


def test_check_says_count_loops_and_range(kempe):
    answer = kempe("check", "four_bar")
    assert answer.code == FINE
    for word in ("DOF 1", "9", "ground - crank - coupler - rocker", "crank.angle turns fully"):
        assert word in answer.out


def test_check_draws_what_can_move(kempe, tmp_path):
    assert kempe("check", "bennett", "-o", "free.svg").code == FINE
    drawn = (tmp_path / "free.svg").read_text()
    assert drawn.startswith("<svg")
    assert "stroke dashed" in drawn  # the axes


def test_check_draws_into_pictures_only(kempe):
    assert kempe("check", "bennett", "-o", "free.gif").code == MISTAKE


@pytest.mark.parametrize("only", ["--syntax", "--count"])
@pytest.mark.parametrize("idle", [("-o", "moves.svg"), ("--align", "1e-5")])
def test_check_refuses_what_it_would_not_do(kempe, tmp_path, only, idle):
    option, value = idle
    said = kempe("check", "four_bar", only, option, value)
    assert said.code == MISTAKE
    assert f"{'--output' if option == '-o' else option} has no meaning for it" in said.err
    assert not (tmp_path / "moves.svg").exists()


def test_check_as_data_is_json_that_other_programs_read(kempe):
    facts = json.loads(kempe("check", "bricard", "--json").out, parse_constant=pytest.fail)
    assert facts["mobility"] == 1
    assert facts["mobility_by_count"] == 0
    assert facts["ready"]
    assert facts["looser"][0]["rows"] == 1


def test_a_tilted_axis_is_refused_and_straightened_on_request(kempe, tilted):
    refused = kempe("check", tilted)
    assert refused.code == NO
    assert "'hinge3'" in refused.out
    told = json.loads(kempe("check", tilted, "--json").out)
    assert told["facts"]["joint"] == "hinge3"
    mended = kempe("check", tilted, "--align", "2e-5")
    assert mended.code == FINE
    assert "Straightened as asked: 'hinge3' on 'link3'" in mended.out


def test_assemble_gives_a_table_or_json(kempe):
    answer = kempe("assemble", "four_bar", "--hold", "crank.angle=60 deg")
    assert answer.code == FINE
    assert "coupler" in answer.out
    asked = ("--hold", "crank.angle=60 deg", "--near", "rocker.angle=-100 deg", "--json")
    facts = json.loads(kempe("assemble", "four_bar", *asked).out)
    assert facts["bodies"]["coupler"]["position"][:2] == pytest.approx([0.5, 0.75**0.5])
    assert facts["residual"] <= 1e-12


def test_assemble_takes_places_weights_and_locks(kempe, tmp_path):
    asked = ["--near", "coupler=0.5, 0.9, 20 deg", "--weight", "coupler=10", "--lock", "rocker.x"]
    assert kempe("assemble", "four_bar", *asked, "-o", "put.svg").code == FINE
    assert (tmp_path / "put.svg").read_text().startswith("<svg")


def test_assemble_says_no_with_the_reason(kempe):
    asked = ("--near", "rocker=3, 0, 1", "--lock", "rocker", "--lock", "crank")
    answer = kempe("assemble", "four_bar", *asked)
    assert answer.code == NO
    assert "with 'rocker', 'crank' locked" in answer.out
    assert json.loads(kempe("assemble", "four_bar", *asked, "--json").out)["assembles"] is False


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        (("--hold", "crank.angle"), "has no value"),
        (("--weight", "coupler=heavy"), "is a number"),
        (("--hold", "crank.angel=1"), "Did you mean 'crank.angle'"),
        (("--near", "coupler=1, 2"), "x, y, angle"),
        (("-o", "put.gif"), ".svg"),
    ],
)
def test_a_mistake_is_one_line(mistaken, asked, word):
    assert word in mistaken("assemble", "four_bar", *asked)

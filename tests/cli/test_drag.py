"""`kempe drag` pulls a point and says how near it came."""

import json
import math

import pytest

FINE, NO, MISTAKE = 0, 1, 2
ARRIVED = 1e-9  # m, at the lengths of some m


def test_a_point_comes_to_a_target_that_it_can_reach(kempe):
    answer = kempe("drag", "four_bar", "crank.end", "--to", "0.8, 0.6", "--json")
    assert answer.code == FINE
    told = json.loads(answer.out)
    assert told["outcome"] == "Done"
    assert told["position"] == pytest.approx([0.8, 0.6], abs=ARRIVED)
    _, _, _, z = told["bodies"]["crank"]["quaternion"]
    assert 2.0 * math.asin(z) == pytest.approx(math.atan2(0.6, 0.8), abs=1e-9)


def test_units_are_taken_and_the_way_is_drawn(kempe, tmp_path):
    asked = ("drag", "four_bar", "crank.end", "--to", "800 mm, 60 cm", "-o")
    assert kempe(*asked, "way.svg").code == FINE
    assert (tmp_path / "way.svg").read_text().startswith("<svg")
    assert kempe(*asked, "way.html").code == FINE
    assert "<html" in (tmp_path / "way.html").read_text()


def test_a_target_out_of_reach_is_said_to_be(kempe):
    answer = kempe("drag", "four_bar", "crank.end", "--to", "0, 5")
    assert answer.code == NO
    assert "crank.end is 4 m from its target: it comes no nearer on this side" in answer.out


def test_limits_are_kept(kempe):
    asked = ("drag", "four_bar", "crank.end", "--to", "-1, 0", "--limit", "crank.angle=0..90 deg")
    answer = kempe(*asked)
    assert answer.code == NO
    assert "crank.angle is at its limit" in answer.out


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        (("crank.end", "--to", "0, 1, 2"), "has 2 coordinates, not 3"),
        (("crank.end", "--to", "0,"), "is empty"),
        (("crank.end", "--to", "0, up"), "'up' is not a number"),
        (("crank.emd", "--to", "0, 1"), "Did you mean 'crank.end'"),
        (("crank.end", "--to", "0, 1", "--limit", "crank.angle=5"), "no measure and range"),
        (("crank.end", "--to", "0, 1", "-o", "way.txt"), ".svg"),
    ],
)
def test_a_mistake_is_named(kempe, asked, word):
    answer = kempe("drag", "four_bar", *asked)
    assert answer.code == MISTAKE
    assert word in answer.err


def test_what_was_written_is_said_as_by_every_command(kempe):
    asked = ("drag", "four_bar", "crank.end", "--to", "0.8, 0.6", "-o", "way.svg")
    assert kempe(*asked).out.endswith("wrote way.svg\n")
    json.loads(kempe(*asked, "--json").out)  # and nothing else


def test_a_long_list_of_names_ends_with_how_many_more_there_are(kempe):
    answer = kempe("check", "nosuch")
    assert answer.code == MISTAKE
    assert "...." not in answer.err
    assert " more." in answer.err

"""`kempe new` writes what one can edit, `kempe animate` what one can watch."""

import pytest

import kempe as kp
from kempe.gallery import COURSES, MECHANISMS


@pytest.mark.parametrize("name", ["four_bar", "double_pendulum", "stewart", "geneva_drive"])
def test_a_new_file_holds_the_entry_to_the_last_digit_and_asks_for_how_it_is_shown(
    kempe, tmp_path, name
):
    assert kempe("new", name).code == 0
    loaded, made = kp.load(tmp_path / f"{name}.yaml"), MECHANISMS[name]()
    for part in ("bodies", "joints", "drives", "couplers", "forces", "events"):
        ours, theirs = getattr(loaded.model, part), getattr(made.model, part)
        assert [one.name for one in ours] == [one.name for one in theirs], part
    assert {b.name: b.points for b in loaded.model.bodies} == {
        b.name: b.points for b in made.model.bodies
    }
    run = loaded.document.run
    if name in COURSES:
        assert (run.analysis, run.until) == ("dynamics", COURSES[name].until)
    else:
        assert (run.analysis, run.until) == ("kinematics", 1.0)


def test_dimensions_are_those_given_and_bars_have_lengths(kempe, tmp_path):
    sizes = {"crank": 30, "coupler": 90, "rocker": 70, "ground": 100, "units": "mm"}
    words = [word for name, x in sizes.items() for word in ("-d", f"{name}={x}")]
    assert kempe("new", "four_bar", *words, "-o", "mine.yaml").code == 0
    text = (tmp_path / "mine.yaml").read_text()
    assert "length: 0.03" in text
    turn = kp.load(tmp_path / "mine.yaml").kinematics(until=1.0)
    assert turn["rocker.angle"].ptp("deg") == pytest.approx(51.77, abs=0.01)


def test_a_file_that_is_there_is_not_overwritten(mistaken, kempe, tmp_path):
    assert kempe("new", "four_bar").code == 0
    (tmp_path / "four_bar.yaml").write_text("mine")
    assert "four_bar.yaml: this file is there already" in mistaken("new", "four_bar")
    assert (tmp_path / "four_bar.yaml").read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("fourbar",), "Did you mean 'four_bar'"),
        (("four_bar", "-d", "crnk=1"), "Did you mean 'crank'"),
        (("four_bar", "-d", "crank"), "has no value"),
        (("four_bar", "-d", "crank=-1"), "positive"),
        (("four_bar", "-d", "crank=long"), "must be a finite number"),
        (("four_bar", "-o", "a.urd"), "ends in"),
    ],
)
def test_a_mistake_writes_nothing(mistaken, tmp_path, words, said):
    assert said in mistaken("new", *words)
    assert list(tmp_path.iterdir()) == []


def test_animate_writes_a_page_named_after_the_mechanism_with_every_trace(kempe, tmp_path):
    answer = kempe("animate", "four_bar", "--trace", "coupler.P", "--trace", "crank.end")
    assert (answer.code, answer.out) == (0, "wrote four_bar.html\n")
    page = (tmp_path / "four_bar.html").read_text()
    assert page.lower().startswith("<!doctype html>")
    assert "coupler.P" in page
    assert "crank.end" in page


def test_animate_refuses_before_it_computes(mistaken, tmp_path):
    assert "Did you mean 'coupler.P'" in mistaken("animate", "four_bar", "--trace", "coupler.Q")
    assert "x.png" in mistaken("animate", "four_bar", "-o", "x.png")
    assert list(tmp_path.iterdir()) == []

"""What cannot be followed is refused: idle options, values given twice, targets too far."""

import pytest

import kempe as package

SIGNS_OF_A_FAULT = ("Traceback", "RuntimeWarning", "a fault of kempe")


@pytest.fixture
def saved(kempe):
    assert kempe("run", "four_bar", "--steps", "4", "-o", "keep.npz").code == 0
    return "keep.npz"


def refused(answer, *words):
    assert answer.code == 2
    assert not any(sign in answer.err for sign in SIGNS_OF_A_FAULT)
    for word in words:
        assert word in answer.err


@pytest.mark.parametrize(
    "option",
    [
        ("--until", "2"),
        ("--steps", "5"),
        ("--over", "crank.angle, 0, 1"),
        ("--through", "momentum"),
        ("--free", "nearest"),
    ],
)
def test_a_saved_motion_is_not_computed_again(kempe, saved, option):
    refused(kempe("run", saved, *option), "computed already", option[0])
    refused(kempe("plot", saved, "rocker.angle", *option), "computed already", option[0])


def test_a_sweep_goes_over_a_measure_or_until_a_time(kempe):
    refused(kempe("run", "four_bar", "--over", "crank.angle, 0, 1", "--until", "2"), "one of them")


def test_a_simulation_takes_no_ways_through(kempe):
    answer = kempe("run", "simple_pendulum", "--through", "momentum", "--steps", "2")
    refused(answer, "simulated", "--through")


@pytest.mark.parametrize(
    "words",
    [
        ("assemble", "four_bar", "--hold", "crank.angle=1", "--hold", "crank.angle=2"),
        ("assemble", "four_bar", "--near", "rocker.angle=1", "--near", " rocker.angle = 2"),
        ("assemble", "four_bar", "--weight", "coupler=1", "--weight", "coupler=2"),
        ("assemblies", "four_bar", "--held", "crank.angle=1", "--held", "crank.angle=2"),
        ("motions", "four_bar", "--limit", "crank.angle=0..1", "--limit", "crank.angle=0..2"),
    ],
)
def test_one_name_has_one_value(kempe, words):
    refused(kempe(*words), "given twice")


@pytest.mark.parametrize("command", ["check", "simulate", "motions"])
def test_what_is_on_the_disk_is_not_taken_for_a_misspelt_name(kempe, saved, command, tmp_path):
    refused(kempe(command, saved), "saved result")
    folder = tmp_path / "folder"
    folder.mkdir()
    refused(kempe(command, str(folder)), "is a folder")
    text = tmp_path / "notes.txt"
    text.write_text("no model", encoding="utf-8")
    refused(kempe(command, str(text)), "no model file", ".yaml")


def test_a_target_beyond_numbers_is_refused_and_one_far_away_is_out_of_reach(kempe):
    refused(kempe("drag", "four_bar", "coupler.P", "--to", "1e300, 2"), "at most")
    answer = kempe("drag", "four_bar", "coupler.P", "--to", "1e90, 2")
    assert answer.code == 1
    assert not any(sign in answer.err for sign in SIGNS_OF_A_FAULT)


@pytest.mark.parametrize("time", ["1e300", "1e20"])
def test_a_turn_that_numbers_do_not_resolve_is_refused(kempe, time):
    refused(kempe("assemble", "four_bar", "--at", time), "nobody knows", "crank.angle")


def test_a_sweep_beyond_what_numbers_resolve_says_so(kempe):
    answer = kempe("run", "four_bar", "--until", "1e308")
    assert answer.code == 1
    assert "nobody knows" in answer.out
    assert "jump" not in answer.out


@pytest.mark.parametrize("align", [-1.0, 0.0])
def test_axes_are_turned_by_up_to_something(kempe, align):
    for mechanism in ("four_bar", "bricard"):
        refused(kempe("check", mechanism, "--align", str(align)), "positive angle")
    with pytest.raises(package.errors.BadNumber):
        package.gallery.bricard().aligned(align)


@pytest.mark.parametrize("number", ["0", "9"])
def test_components_are_counted_from_one_in_what_is_refused_too(kempe, number):
    answer = kempe("motions", "four_bar", "--component", number, "--picture", "x.svg")
    refused(answer, "component")
    assert "-1" not in answer.err
    assert "counted from 0" not in answer.err


@pytest.mark.parametrize(
    "words",
    [
        ("assemblies", "four_bar", "--held", "crank.angle=1", "--threads", "1000000"),
        ("motions", "four_bar", "--placements", "0", "--picture", "x.svg"),
        ("frames", "four_bar", "--within", "-1"),
        ("transmission", "four_bar", "--ratio", "rocker.angle"),
    ],
)
def test_numbers_and_words_that_mean_nothing_are_refused(kempe, words):
    refused(kempe(*words))


def test_a_map_of_another_mechanism_fails_in_words(kempe):
    assert kempe("motions", "four_bar", "-o", "map.npz").code == 0
    answer = kempe("verify", "map.npz", "--model", "slider_crank")
    assert answer.code == 1
    assert "said to be complete. It fails: " in answer.out

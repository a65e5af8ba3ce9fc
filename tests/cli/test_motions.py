"""`kempe motions`, `kempe assemblies` and `kempe verify`."""

import json
import re

import pytest

from kempe.cli import main
from kempe.errors import BadNumber
from kempe.gallery import four_bar
from tests.motion._two_freedoms import five_bar


def test_motions_says_loops_and_promise(capsys):
    assert main(["motions", "four_bar"]) == 0
    assert capsys.readouterr().out.startswith("four-bar: 2 loops - complete.")


def test_motions_as_json_carries_components_and_samples(capsys):
    assert main(["motions", "four_bar", "--json", "--step", "0.2"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["outcome"] == "complete"
    assert [c["closed"] for c in told["components"]] == [True, True]
    assert all(len(c["samples"]["q"]) > 20 for c in told["components"])
    assert max(told["components"][0]["samples"]["radius"]) < 1e-11


def test_assemblies_as_json_carries_states(capsys):
    arguments = ["assemblies", "four_bar", "--held", "crank.angle=60 deg", "--json"]
    assert main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["outcome"], len(told["states"])) == ("complete", 2)
    assert set(told["states"][0]["bodies"]) == {"crank", "coupler", "rocker"}


def test_assemblies_are_those_at_the_start_where_nothing_is_held(capsys):
    assert main(["assemblies", "four_bar", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["states"]) == 2


def test_what_cannot_be_put_together_is_a_no(tmp_path, capsys):
    model = tmp_path / "apart.py"
    model.write_text(
        "import kempe\n"
        "mechanism = kempe.gallery.four_bar(crank=1.0, rocker=1.0, coupler=1.0, ground=5.0)\n"
    )
    assert main(["motions", str(model), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["outcome"], told["components"]) == ("complete", [])


def test_a_saved_map_is_verified(tmp_path, capsys):
    path = str(tmp_path / "map.npz")
    assert main(["motions", "slider_crank", "-o", path]) == 0
    assert main(["verify", path, "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["holds"]
    assert told["charts"] > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["motions", "four_bar", "--held", "crank.angle"], "has no value"),
        (["motions", "four_bar", "--limit", "crank.angle=3"], "no measure and range"),
        (["motions", "four_bar", "--held", "crank.angel=1"], "Did you mean"),
        (["verify", "no_such_map.npz"], "no such file"),
    ],
)
def test_mistakes_are_one_line(arguments, said, mistaken):
    assert said in mistaken(*arguments)


def test_motions_draws_paths_plots_placements_and_players(capsys, tmp_path):
    wanted = {
        "path.svg": ["--path", "coupler.P"],
        "plot.svg": ["--plot", "rocker.angle", "crank.angle"],
        "placements.svg": ["--component", "2", "--placements", "5"],
        "play.html": ["--component", "1"],
    }
    for name, options in wanted.items():
        file = tmp_path / name
        assert main(["motions", "four_bar", "--picture", str(file), *options]) == 0
        assert file.stat().st_size > 1000
    capsys.readouterr()


def test_check_counts_before_solving(capsys):
    assert main(["check", "barton_chain", "--count"]) == 0
    assert "6 unknowns, 4 equations, freedom 2: underconstrained" in capsys.readouterr().out
    assert main(["check", "barton_chain", "--count", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["freedom"] == 2
    assert told["unknowns"][0]["low"] is None


def test_assemblies_can_be_drawn(tmp_path, capsys):
    path = tmp_path / "all.svg"
    arguments = ["assemblies", "four_bar", "--held", "crank.angle=60 deg", "--picture", str(path)]
    assert main(arguments) == 0
    assert "2 assemblies" in path.read_text()


def test_a_limit_of_boxes_ends_with_what_is_missing(capsys):
    assert main(["motions", "dyad_chain", "--boxes", "1", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["outcome"] == "certified_partial"
    assert told["unsearched"]["boxes"] > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--step", "0.1"), "--step has no meaning"),
        (("--step", "-1"), "--step has no meaning"),
        (("--step", "-1", "--json"), "must be positive, it is -1"),
        (("--step", "nan", "--json"), "must be positive, it is nan"),
        (("--path", "coupler.P"), "Add --picture"),
        (("--plot", "crank.angle", "rocker.angle"), "Add --picture"),
        (("--component", "2"), "Add --picture"),
        (("--placements", "9"), "Add --picture"),
        (("--picture", "x.svg", "--path", "coupler.P", "--component", "2"), "--component has no"),
        (("--picture", "x.html", "--placements", "9"), "--placements has no meaning"),
    ],
)
def test_options_without_effect_are_refused(kempe, words, said):
    answer = kempe("motions", "four_bar", *words)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err


def test_a_step_too_small_for_the_machine_says_which_is_not(kempe):
    answer = kempe("motions", "four_bar", "--step", "1e-12", "--json")
    assert answer.code == 2
    found = re.search(r"makes ([-+.e\d]+) positions .* a step of ([-+.e\d]+) or more", answer.err)
    assert found is not None
    component = four_bar().motions().components[0]
    assert float(found[1]) == pytest.approx(component.length / 1e-12, rel=1e-2)
    component._refuse_more_than_fits(float(found[2]))
    with pytest.raises(BadNumber):
        component.sample(0.8 * float(found[2]))


def test_assemblies_in_space_are_told_by_places_and_turns(capsys, tmp_path):
    picture = tmp_path / "all.svg"
    assert main(["assemblies", "octahedral_platform", "--picture", str(picture)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "octahedral platform: 8 assemblies - complete."
    assert sum(" m, " in line and " deg" in line for line in lines) == 8
    assert picture.read_text().startswith("<svg")
    assert main(["assemblies", "spherical_four_bar", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["outcome"], len(told["states"])) == ("complete", 2)
    assert "cosine and sine" in told["form"]


def test_motions_in_space_are_listed_kept_and_proved_again(capsys, tmp_path):
    kept, picture = tmp_path / "map.npz", tmp_path / "paths.svg"
    drawn = ["--picture", str(picture), "--path", "rocker.end"]
    assert main(["motions", "rssr", "-o", str(kept), *drawn]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "RSSR four-bar: 2 loops - complete."
    assert "rods as distances" in lines[1]
    assert "across of rocker.end" in picture.read_text()
    assert main(["verify", str(kept), "--model", "rssr"]) == 0
    out = capsys.readouterr().out
    assert "14 charts and 14 links hold, and nothing is missing" in out
    assert main(["motions", "rssr", "--json", "--step", "0.5"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert "rods as distances" in told["form"]
    assert {len(q) for q in told["components"][0]["samples"]["q"]} == {14}


def five_bar_file(folder):
    five_bar((1.0, 1.1, 1.2, 1.3, 3.0)).save(folder / "five.yaml")
    return str(folder / "five.yaml")


def test_motions_of_two_freedoms_are_told_as_surfaces(tmp_path, capsys):
    arguments = ["motions", five_bar_file(tmp_path), "--resolution", "1e-2"]
    assert main([*arguments, "-o", str(tmp_path / "five.obj")]) == 0
    told = capsys.readouterr().out
    assert told.startswith("five-bar: 1 sphere - complete.")
    assert "1: sphere, Euler characteristic 2, " in told
    assert (tmp_path / "five.obj").read_text().startswith("v ")
    assert main([*arguments, "--json"]) == 0
    (surface,) = json.loads(capsys.readouterr().out)["surfaces"]
    assert (surface["euler"], surface["genus"], surface["closed"]) == (2, 0, True)


def test_what_only_curves_have_is_refused_for_surfaces(tmp_path, capsys):
    arguments = ["motions", five_bar_file(tmp_path), "--resolution", "1e-2", "--step", "0.1"]
    assert main([*arguments, "--json"]) == 2
    assert "two freedoms make surfaces" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["assemble", "assemblies"])
def test_what_is_held_may_be_written_either_way(command, capsys):
    said = []
    for word in ("--hold", "--held"):
        assert main([command, "four_bar", word, "crank.angle=60 deg", "--json"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]

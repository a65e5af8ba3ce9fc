"""Lists of assemblies: kept in files, proved again, and found out where they were changed."""

import json
from dataclasses import replace

import numpy as np
import pytest

import kempe
from kempe.archive import archive_bytes, read_archive
from kempe.cli import main
from kempe.errors import BadNumber, FileError
from kempe.geometry.curves import Ellipse
from kempe.joints import PointFromCurve
from kempe.results.maps.assemblies import Assemblies

SIXTY = {"crank.angle": "60 deg"}


def lists():
    """Planar lists: two of a four-bar, twelve of a platform, several blocks of a leg."""
    return {
        "four_bar": kempe.gallery.four_bar().assemblies(SIXTY),
        "planar_platform": kempe.gallery.planar_platform().assemblies(at=0),
        "jansen": kempe.gallery.jansen().assemblies(SIXTY),
    }


def oval_cam():
    """Four ways in which a roller stands 0.2 m from an oval: rows with sines, not polynomials."""
    m = kempe.Builder("oval cam", plane=True)
    cam, follower = m.body("cam"), m.body("follower", points={"P": (0, 0)}, at=(0, 1.5))
    m.revolute(m.ground.at(0, 0), cam.at(0, 0), name="shaft")
    m.prismatic(m.ground.at(0, 0), follower.P, along=(0, 1), name="guide")
    oval = Ellipse((0, 0), (1, 0), (0, 0.6))
    m.add(PointFromCurve(cam.at(0, 0), follower.P, curve=oval, length=0.2), "touch")
    return m.build().assemblies({"shaft.angle": 0.7})


@pytest.fixture(scope="module")
def honest():
    return lists()


@pytest.mark.parametrize(
    ("name", "count"), [("four_bar", 2), ("planar_platform", 12), ("jansen", 8)]
)
def test_a_list_is_proved_again_from_its_file(honest, name, count, tmp_path):
    found = Assemblies.load(honest[name].save(tmp_path / "list.npz"))
    np.testing.assert_array_equal([s.q for s in found], [s.q for s in honest[name]])
    assert str(found.verify()) == f"All {count} assemblies hold, and nothing is missing."


def test_a_list_in_space_is_proved_again_from_its_file(tmp_path):
    found = kempe.gallery.octahedral_platform().assemblies(at=0)
    proved = Assemblies.load(found.save(tmp_path / "list.npz")).verify()
    assert str(proved) == "All 8 assemblies hold, and nothing is missing."
    assert proved.holds


def test_that_a_mechanism_cannot_go_together_is_proved_again(tmp_path):
    bar = kempe.gallery.four_bar(crank=1.0, coupler=1.0, rocker=1.0, ground=5.0)
    found = Assemblies.load(bar.assemblies(SIXTY).save(tmp_path / "none.npz"))
    assert len(found) == 0
    assert found.verify().holds


FORGERIES = {
    "one is missing": lambda f: replace(f, states=f.states[1:]),
    "one is listed twice": lambda f: replace(f, states=(*f.states, f.states[0])),
    "one stands aside": lambda f: replace(f, states=(aside(f.states[0], 1e-6), *f.states[1:])),
    "one says it stands elsewhere": lambda f: replace(
        f, states=(replace(f.states[0], q=f.states[0].q + 1e-3), *f.states[1:])
    ),
    "none are left": lambda f: replace(f, states=()),
    "a cover is left out": lambda f: replace(f, covers=f.covers[1:]),
    "another crank angle": lambda f: replace(
        f, origin=replace(f.origin, held={"crank.angle": 1.0})
    ),
    "another model": lambda f: replace(
        f, origin=replace(f.origin, model=kempe.gallery.four_bar(crank=31.0).layout.model)
    ),
    "unsearched parts": lambda f: replace(f, unsearched=replace(f.unsearched, boxes=3)),
}


def aside(state, by):
    return replace(state, x=state.x + by)


def test_a_list_of_places_on_curves_is_proved_again_and_one_that_is_missing_is_missed():
    found = oval_cam()
    assert str(found.verify()) == "All 4 assemblies hold, and nothing is missing."
    for states in (found.states[1:], ()):
        (said,) = replace(found, states=states).verify().failures
        assert "there may be solutions that are not listed" in said
    narrow = replace(found.states[0], x_radius=1e-3 * found.states[0].x_radius)
    (said,) = replace(found, states=(narrow, *found.states[1:])).verify().failures
    assert "not within its radius" in said


@pytest.mark.parametrize("what", FORGERIES)
def test_a_list_that_was_changed_is_found_out(honest, what):
    assert FORGERIES[what](honest["four_bar"]).verify().failures


def test_a_file_that_is_damaged_or_no_list_is_refused(honest, tmp_path):
    path = honest["four_bar"].save(tmp_path / "list.npz")
    header, arrays = read_archive(path, "fiub")
    for key, value in (("x", arrays["x"][:, 1:]), ("q", arrays["q"] * np.nan)):
        bad = tmp_path / f"{key}.npz"
        bad.write_bytes(archive_bytes(header, {**arrays, key: value}))
        with pytest.raises(FileError, match="damaged"):
            Assemblies.load(bad)
    motions = kempe.gallery.four_bar().motions().save(tmp_path / "map.npz")
    with pytest.raises(FileError, match="list of assemblies"):
        Assemblies.load(motions)
    with pytest.raises(FileError, match="npz"):
        honest["four_bar"].save(tmp_path / "list.json")


def test_a_list_of_nothing_without_unknowns_is_kept_too(tmp_path):
    held = SIXTY | {"rocker.angle": 0.0}
    found = kempe.gallery.four_bar().assemblies(held)
    assert not len(found)
    assert found.unknowns == ()
    again = Assemblies.load(found.save(tmp_path / "none.npz"))
    assert (len(again), again.message) == (0, found.message)


def test_what_is_no_map_is_not_proved():
    with pytest.raises(BadNumber, match="a map of motions or a list of assemblies"):
        kempe.verify("list.npz")


def test_turning_points_have_no_file(tmp_path):
    with pytest.raises(FileError, match="turning points"):
        kempe.gallery.four_bar().turning_points("rocker.angle").save(tmp_path / "t.npz")


def test_the_command_line_saves_and_proves_a_list(tmp_path, capsys):
    path = str(tmp_path / "list.npz")
    assert main(["assemblies", "four_bar", "--held", "crank.angle=60 deg", "-o", path]) == 0
    capsys.readouterr()
    assert main(["verify", path, "--model", "four_bar", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["holds"], told["positions"], told["charts"]) == (True, 2, 0)

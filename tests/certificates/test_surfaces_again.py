"""Maps of surfaces: kept in files, proved again, and found out where they were changed."""

import json
from dataclasses import replace

import numpy as np
import pytest

import kempe
from kempe.archive import archive_bytes, read_archive
from kempe.cli import main
from kempe.errors import FileError
from kempe.results.maps.surface_map import SurfaceMap
from tests.motion._two_freedoms import (
    COARSE,
    arm_of_two,
    five_bar,
    point_on_torus,
    rod_in_space,
    two_hinges_in_space,
)

SPHERE = (1.0, 1.1, 1.2, 1.3, 3.0)  # sides of a pentagon


@pytest.fixture(scope="module")
def arm():
    return arm_of_two().motions(effort=COARSE)


@pytest.mark.parametrize(
    ("make", "count"),
    [(rod_in_space, 1639), (point_on_torus, 3586), (lambda: five_bar(SPHERE), 12281)],
    ids=["sphere", "torus", "five-bar"],
)
def test_surfaces_are_proved_again_from_their_file(make, count, tmp_path):
    found = make().motions(effort=COARSE)
    read = SurfaceMap.load(found.save(tmp_path / "surfaces.npz"))
    assert str(read) == str(found)
    proved = read.verify()
    assert str(proved) == f"All {count} charts of 1 surface hold, and nothing is missing."
    assert proved.boxes > 100


def test_a_file_comes_back_as_it_was(arm, tmp_path):
    first = arm.save(tmp_path / "first.npz")
    again = SurfaceMap.load(first)
    np.testing.assert_array_equal(again.components[0].mesh().q, arm.components[0].mesh().q)
    assert again.save(tmp_path / "again.npz").read_bytes() == first.read_bytes()


def test_surfaces_in_space_are_proved_again():
    assert two_hinges_in_space().motions(effort=COARSE).verify().holds


def test_that_bars_do_not_reach_is_proved_again():
    assert five_bar((1.0, 1.0, 1.0, 1.0, 5.0)).motions(effort=COARSE).verify().holds


def test_of_surfaces_between_limits_it_is_said_that_they_are_not_proved(tmp_path):
    cut = arm_of_two().motions(limits={"O.angle": (-1.0, 1.0)}, effort=COARSE)
    read = SurfaceMap.load(cut.save(tmp_path / "ring.npz"))
    assert str(read) == "arm: 1 ring - complete."
    proved = read.verify()
    assert not proved.holds
    assert not proved.failures
    assert "limits cut off" in str(proved)


def pieces(found, **changed):
    (surface,) = found.components
    return replace(found, components=(replace(surface, charts={**surface.charts, **changed}),))


def moved(found):
    x = found.components[0].charts["x"].copy()
    x[7, 0] += 1e-9
    return pieces(found, x=x)


def flipped(found):
    t = found.components[0].charts["triangles"].copy()
    t[5] = t[5, ::-1]
    return pieces(found, triangles=t)


def without_some(found):
    """Charts near a place, and their triangles, taken out."""
    charts = found.components[0].charts
    keep = np.linalg.norm(charts["x"] - charts["x"][0], axis=1) > 0.6
    number = np.cumsum(keep) - 1
    t = charts["triangles"]
    left = {k: v[keep] for k, v in charts.items() if k not in ("triangles", "once")}
    left["triangles"] = number[t[keep[t].all(axis=1)]]
    return pieces(found, **left)


FORGERIES = {
    "a surface is missing": lambda f: replace(f, components=()),
    "it is listed twice": lambda f: replace(
        f, components=(f.components[0], replace(f.components[0], number=1))
    ),
    "another shape": lambda f: replace(f, components=(replace(f.components[0], euler=2),)),
    "a corner stands aside": moved,
    "larger charts": lambda f: pieces(f, h=4.0 * f.components[0].charts["h"]),
    "a triangle is missing": lambda f: pieces(f, triangles=f.components[0].charts["triangles"][1:]),
    "a triangle is turned over": flipped,
    "a part is missing": without_some,
    "the cover is left out": lambda f: replace(f, covers=(None,)),
    "another model": lambda f: replace(
        f, origin=replace(f.origin, model=arm_of_two(1.1, 0.8).layout.model)
    ),
    "another size of the mechanism": lambda f: replace(
        f, blocks=(replace(f.blocks[0], high=0.5 * f.blocks[0].high),)
    ),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_map_that_was_changed_is_found_out(arm, what):
    assert FORGERIES[what](arm).verify().failures


def test_a_proof_that_is_given_no_time_confirms_nothing(arm):
    proved = arm.verify(seconds=0.0)
    assert not proved.holds
    assert "looked at in the time given" in str(proved)


def test_a_file_that_is_damaged_is_refused(arm, tmp_path):
    header, arrays = read_archive(arm.save(tmp_path / "arm.npz"), "fiub")
    high = arrays["piece0/triangles"] + 10**6
    for key, value in (("piece0/x", arrays["piece0/x"][:, 1:]), ("piece0/triangles", high)):
        bad = tmp_path / "bad.npz"
        bad.write_bytes(archive_bytes(header, {**arrays, key: value}))
        with pytest.raises(FileError, match="damaged"):
            SurfaceMap.load(bad)
    motions = kempe.gallery.four_bar().motions().save(tmp_path / "map.npz")
    with pytest.raises(FileError, match="map of surfaces"):
        SurfaceMap.load(motions)
    with pytest.raises(FileError, match="npz"):
        arm.save(tmp_path / "arm.json")


def test_the_command_line_saves_and_proves_surfaces(tmp_path, capsys):
    model, path = str(tmp_path / "arm.yaml"), str(tmp_path / "arm.npz")
    arm_of_two().save(model)
    assert main(["motions", model, "--resolution", "1e-2", "-o", path]) == 0
    capsys.readouterr()
    assert main(["verify", path, "--model", model, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["holds"], told["surfaces"]) == (True, 1)

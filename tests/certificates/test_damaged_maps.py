"""Map files in which parts are missing, of another kind or of another size are refused at the door.

And what a sample of a map says follows from the charts alone: what the search noted beside them is
not believed.
"""

import dataclasses
import io
import json
import math
import zipfile

import numpy as np
import pytest

import kempe
from kempe.archive import HEADER
from kempe.errors import CertificateError, FileError

STEP = 0.05
SAME = 1e-12  # points of one curve, found from other starts
HEADERS = {
    "no word about closing": lambda h: h["components"][0]["numbers"].pop("closed"),
    "no radius of the start": lambda h: h["components"][0]["numbers"].pop("start_radius"),
    "no half-lengths": lambda h: h["components"][0]["charts"].pop("h"),
    "cuts that are no array": lambda h: h["covers"][0].update(at={}),
    "nodes that are no array": lambda h: h["covers"][0].update(unknown={}),
    "bounds of a cover in a list": lambda h: h["covers"][0].update(low=[]),
    "an array without its name": lambda h: h["blocks"][0]["low"].pop("array"),
    "bounds of a block in a list": lambda h: h["blocks"][0].update(high=[]),
    "no formulas": lambda h: h["blocks"][0].update(tape={}),
    "an unknown in words": lambda h: h["blocks"][0]["places"].__setitem__(0, "7"),
    "an unknown that is none": lambda h: h["blocks"][0]["places"].__setitem__(0, 70),
    "an unknown twice": lambda h: h["blocks"][0]["places"].__setitem__(
        0, h["blocks"][0]["places"][1]
    ),
    "a negative count of rows": lambda h: h["blocks"][0].update(n_sides=-1),
    "an end without coordinates": lambda h: h["components"][0]["ends"][1].update(q={}),
    "an end without unknowns": lambda h: h["components"][0]["ends"][1].update(x=[]),
    "an end with a kind that is no text": lambda h: h["components"][0]["ends"][0].update(kind=3),
    "one end": lambda h: h["components"][0]["ends"].pop(),
    "a component of no block": lambda h: h["components"][0].update(block=5),
    "a number that is none": lambda h: h["components"][0].update(number="first"),
    "a bound that is none": lambda h: h.update(within=float("nan")),
    "a share in words": lambda h: h.update(unsearched=[0, "none"]),
    "names that are numbers": lambda h: h.update(unknowns=[1] * len(h["unknowns"])),
    "a cover too few": lambda h: h["covers"].pop(),
    "a step of three": lambda h: h["steps"].append(["a", "b", "c"]),
    "an outcome that there is not": lambda h: h.update(outcome="certain"),
}
ARRAYS = ("low", "high", "period", "limited")
NOTED = ("contraction", "lean", "from", "to")


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """The members of a map of arcs, by their names."""
    path = tmp_path_factory.mktemp("maps") / "map.npz"
    kempe.gallery.slider_crank().motions(limits={"slider.x": (2.5, 3.5)}).save(path)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def opened(parts, path):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return kempe.MotionMap.load(path)


def array_of(parts, name):
    return np.load(io.BytesIO(parts[f"{name}.npy"]))


def with_array(parts, name, array):
    written = io.BytesIO()
    np.save(written, array)
    return parts | {f"{name}.npy": written.getvalue()}


def test_the_honest_file_is_opened(parts, tmp_path):
    assert opened(parts, tmp_path / "map.npz").verify().holds


@pytest.mark.parametrize("damage", HEADERS.values(), ids=HEADERS)
def test_a_header_that_describes_no_map_is_refused(parts, tmp_path, damage):
    (name,) = [name for name in parts if name.startswith(HEADER)]
    header = json.loads(parts[name])
    damage(header)
    with pytest.raises(FileError, match="damaged"):
        opened(parts | {name: json.dumps(header)}, tmp_path / "map.npz")


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_cut_short_is_refused(parts, tmp_path, name):
    shorter = array_of(parts, f"block0/{name}")[:-1]
    with pytest.raises(FileError, match="damaged"):
        opened(with_array(parts, f"block0/{name}", shorter), tmp_path / "map.npz")


@pytest.mark.parametrize("period", [math.inf, math.nan, -1.0])
def test_a_circle_of_no_length_is_refused(parts, tmp_path, period):
    periods = array_of(parts, "block0/period")
    periods[0] = period
    with pytest.raises(FileError, match="damaged"):
        opened(with_array(parts, "block0/period", periods), tmp_path / "map.npz")


@pytest.mark.parametrize("which", ["block0/tape", "readings"])
def test_no_byte_of_a_formula_leads_to_anything_but_a_refusal_or_a_failure(parts, tmp_path, which):
    truth = opened(parts, tmp_path / "map.npz").components[0].sample(STEP)
    content = array_of(parts, which)
    rng = np.random.default_rng(7)
    for k in rng.choice(len(content), 60, replace=False):
        changed = content.copy()
        changed[k] ^= np.uint8(1 << rng.integers(8))
        try:
            motions = opened(with_array(parts, which, changed), tmp_path / "map.npz")
        except FileError:
            continue
        if motions.verify().holds:  # then it was a byte that means nothing
            assert np.abs(motions.components[0].sample(STEP).q - truth.q).max() < SAME


def test_what_the_search_noted_beside_its_charts_is_not_kept(parts):
    assert not any(name.endswith(f"/{noted}.npy") for noted in NOTED for name in parts)


@pytest.mark.parametrize("name", [*NOTED, "C"])
@pytest.mark.parametrize("value", [0.0, 0.3, -2.0])
def test_samples_of_a_file_do_not_believe_what_is_noted_beside_its_charts(
    parts, tmp_path, name, value
):
    """As a file of an earlier version does, or one that somebody changed."""
    truth = kempe.gallery.slider_crank().motions(limits={"slider.x": (2.5, 3.5)}).components[0]
    ((header, content),) = [(n, c) for n, c in parts.items() if n.startswith(HEADER)]
    told = json.loads(content)
    told["components"][0]["charts"][name] = f"component0/{name}"
    count = len(truth.charts["h"])
    noted = np.full((count, 4) if name == "C" else (count,), value)
    changed = with_array(parts, f"component0/{name}", noted) | {header: json.dumps(told)}
    found = opened(changed, tmp_path / "changed.npz").components[0]
    samples, wanted = found.sample(STEP), truth.sample(STEP)
    assert len(samples) == len(wanted)
    assert np.abs(samples.x - wanted.x).max() < SAME
    assert (samples.radius < SAME).all()
    assert found.length == pytest.approx(truth.length)
    assert np.abs(np.diff(samples.x, axis=0)).max() <= STEP


def test_charts_that_are_none_are_not_sampled(parts, tmp_path):
    moved = with_array(parts, "component0/p", array_of(parts, "component0/p") + 0.4)
    with pytest.raises(CertificateError, match=r"component 0 cannot be sampled.*verify\(\)"):
        opened(moved, tmp_path / "map.npz").components[0].sample(STEP)


def test_a_chart_that_is_said_not_to_contract_is_not_sampled():
    first = kempe.gallery.four_bar().motions().components[0]
    charts = dict(first.charts) | {"contraction": np.full(len(first.charts["h"]), 2.0)}
    with pytest.raises(CertificateError, match="does not contract"):
        dataclasses.replace(first, charts=charts).sample(STEP)

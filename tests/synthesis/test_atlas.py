"""The atlas: a curve that one of its four-bars draws is found, laid over, and led on."""

import json

import numpy as np
import pytest

from kempe.cli.main import main
from kempe.errors import BadNumber, FileError
from kempe.synthesis import Atlas
from kempe.synthesis.atlas import _positions


@pytest.fixture(scope="module")
def atlas():
    return Atlas.build(600, seed=3, threads=1)


def drawn(atlas, k, n=90):
    bars = {name: float(column[k]) for name, column in atlas.columns.items()}
    return _positions(bars, np.arange(n) * 2.0 * np.pi / n).P


def away(mechanism, z):
    """How far a curve is from the path of the coupler point at most, by brute force."""
    x, y = mechanism.kinematics(until=1.0, steps=2000)["coupler.P"].position.T
    return max(abs(x + 1j * y - p).min() for p in z)


@pytest.mark.parametrize("k", [5, 77])
@pytest.mark.parametrize("mirror", [False, True])
def test_a_curve_of_the_atlas_is_found_wherever_it_is_drawn(atlas, k, mirror):
    z = drawn(atlas, k)
    z = (z.conj() if mirror else z) * 25.0 * np.exp(0.7j) + (40.0 - 300.0j)
    best = atlas.find([(p.real, p.imag) for p in z], 3, units="mm")[0]
    assert best.number == k
    extent = 1e-3 * np.ptp(z.real)
    assert away(best.mechanism, 1e-3 * z) < 0.03 * extent


def test_a_found_four_bar_led_on_draws_the_curve(atlas):
    z = drawn(atlas, 11, n=24) * 0.05
    best = atlas.find([(p.real, p.imag) for p in z], 1)[0]
    before = away(best.mechanism, z)
    better = best.refined(seconds=600)
    assert better.errors["coupler.P"][1] < 1e-6
    assert away(better.mechanism, z) < max(before, 1e-4)


def test_most_of_what_is_drawn_turns_and_a_file_gives_it_back(atlas, tmp_path):
    assert len(atlas) > 500
    path = atlas.save(tmp_path / "a.parquet")
    again = Atlas.load(path)
    assert np.abs(again.descriptors - atlas.descriptors).max() < 1e-6
    with pytest.raises(FileError, match="no atlas"):
        Atlas.load(tmp_path / "none.parquet")


def test_what_is_no_curve_is_refused(atlas):
    for curve in ([(0, 0), (1, 1)], [(0, 0)] * 5, [1, 2, 3], [(0, np.nan)] * 4):
        with pytest.raises(BadNumber):
            atlas.find(curve)


def test_the_command_builds_finds_and_saves(tmp_path, capsys):
    file, sketch = tmp_path / "a.parquet", tmp_path / "s.csv"
    assert main(["atlas", "build", "--count", "64", "--atlas", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["curves"] > 40
    s = np.linspace(0.0, 2.0 * np.pi, 60)
    lines = [f"{30 * np.cos(x):.6f},{10 * np.sin(x):.6f}" for x in s]
    sketch.write_text("\n".join(["x,y", *lines]))
    best = tmp_path / "found.yaml"
    asked = ["atlas", "find", str(sketch), "--atlas", str(file), "--count", "2", "-o", str(best)]
    assert main([*asked, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["found"]) == 2
    assert best.is_file()
    assert main(["atlas", "find", "--atlas", str(file)]) == 2

"""The atlas: a curve that one of its linkages draws is found, laid over, and led on."""

import json

import numpy as np
import pytest

import kempe as kp
from kempe.cli.main import main
from kempe.errors import BadNumber, FileError, UnknownName
from kempe.interruption import Interrupted
from kempe.studio.documents.linkages import linkage_document
from kempe.synthesis import Atlas, atlas_drawing
from kempe.synthesis.linkages import LINKAGES

KINDS = tuple(LINKAGES)


@pytest.fixture(scope="module")
def atlas():
    return Atlas.build(900, seed=3, threads=1)


def drawn(atlas, kind, k, n=90):
    """The number in the atlas, and the curve by hand, of linkage k of its kind."""
    first = sum(part.rows for part in atlas.parts[: KINDS.index(kind)])
    numbers = atlas.parts[KINDS.index(kind)].read()[0][k]
    linkage = LINKAGES[kind]
    named = {n: np.array([float(x)]) for n, x in zip(linkage.names, numbers, strict=True)}
    return first + k, linkage.joints(named, np.arange(n) * 2.0 * np.pi / n)["P"]


def places(z):
    return [(p.real, p.imag) for p in z]


def away(found, z, mechanism=None):
    """How far a curve is from the path of the point at most, by brute force."""
    run = (mechanism or found.mechanism).kinematics(until=1.0, steps=2000)
    x, y = run[found.point].position.T
    return max(abs(x + 1j * y - p).min() for p in z)


@pytest.mark.parametrize("kind", KINDS)
def test_batches_move_linkages_as_circles_that_meet_say(kind):
    linkage, rng = LINKAGES[kind], np.random.default_rng(1)
    numbers = linkage.drawn(rng, 200)
    found = linkage.home().batch(linkage.parameters(numbers), 1.0, 36, outputs=[linkage.point])
    angles = np.linspace(0.0, 2.0 * np.pi, 37)
    wanted = linkage.joints({n: x[:, None] for n, x in numbers.items()}, angles)["P"]
    done = found.is_done
    assert done.mean() > 0.8
    z = found[linkage.point].values @ np.array([1.0, 1.0j])
    assert np.abs(z - wanted)[done].max() < 1e-9


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mirror", [False, True])
def test_a_curve_of_the_atlas_is_found_wherever_it_is_drawn(atlas, kind, mirror):
    number, z = drawn(atlas, kind, 17)
    z = (z.conj() if mirror else z) * 25.0 * np.exp(0.7j) + (40.0 - 300.0j)
    best = atlas.find(places(z), 3, units="mm")[0]
    assert (best.number, best.kind) == (number, kind)
    extent = 1e-3 * max(np.ptp(z.real), np.ptp(z.imag))
    assert away(best, 1e-3 * z) < 0.03 * extent


def test_the_nearest_are_those_of_all_distances_one_by_one(atlas):
    s = np.linspace(0.0, 2.0 * np.pi, 50)[:-1]
    bean = 3.0 * np.cos(s) + 1j * (np.sin(s) + 0.4 * np.cos(2 * s))
    from kempe.design.curves.fourier import described

    best = []
    rows = np.vstack([part.read()[1] for part in atlas.parts]).astype(float)
    for z in (bean, bean.conj()):
        one = described(z[None])
        for form in (one, one.other_form()):
            best.append(np.linalg.norm(rows - form.vectors, axis=1))
    distances = np.min(best, axis=0)
    found = atlas.find(places(bean), 6)
    assert [f.number for f in found] == np.argsort(distances)[:6].tolist()
    assert np.allclose([f.distance for f in found], np.sort(distances)[:6], atol=1e-9)


@pytest.mark.parametrize("kind", KINDS[:2])
def test_a_found_linkage_led_on_draws_the_curve(atlas, kind):
    _, z = drawn(atlas, kind, 11, n=24)
    z = z * 0.05
    best = atlas.find(places(z), 1)[0]
    before = away(best, z)
    better = best.refined(seconds=600)
    assert better.errors[best.point][1] < 1e-6
    assert away(best, z, better.mechanism) < max(before, 1e-4)


def test_a_file_gives_it_back_and_so_does_one_of_four_bars_alone(atlas, tmp_path):
    assert list(atlas.counts) == list(KINDS)
    assert len(atlas) > 800
    again = Atlas.load(atlas.save(tmp_path / "a.parquet"))
    assert again.counts == atlas.counts
    for one, other in zip(atlas.parts, again.parts, strict=True):
        for x, y in zip(one.read(), other.read(), strict=True):
            assert np.array_equal(x, y)
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    numbers, rows = atlas.parts[0].read()
    old = {name: numbers[:, k].astype(float) for k, name in enumerate(LINKAGES["four-bar"].names)}
    old |= {f"d{k}": rows[:, k] for k in range(rows.shape[1])}
    parquet.write_table(pyarrow.table(old), tmp_path / "old.parquet")
    assert Atlas.load(tmp_path / "old.parquet").counts == {"four-bar": len(rows)}
    with pytest.raises(FileError, match="no atlas"):
        Atlas.load(tmp_path / "none.parquet")


def test_a_build_that_was_stopped_goes_on_and_ends_with_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(atlas_drawing, "CHUNK", 64)
    how = {"kinds": ["four-bar", "slider-crank"], "seed": 7, "threads": 1}
    whole = Atlas.build(384, folder=tmp_path / "whole", **how)

    def stop(share):
        if share > 0.4:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        Atlas.build(384, folder=tmp_path / "cut", progress=stop, **how)
    assert 0 < len(caught.value.result) < len(whole)
    kept = {f.name: f.stat().st_mtime_ns for f in (tmp_path / "cut").glob("*.parquet")}
    again = Atlas.build(384, folder=tmp_path / "cut", **how)
    assert again.counts == whole.counts == Atlas.load(tmp_path / "cut").counts
    for file in (tmp_path / "whole").iterdir():
        other = tmp_path / "cut" / file.name
        assert other.read_bytes() == file.read_bytes()
        assert kept.get(file.name, other.stat().st_mtime_ns) == other.stat().st_mtime_ns
    with pytest.raises(FileError, match="seed 7, not 8"):
        Atlas.build(384, folder=tmp_path / "cut", **{**how, "seed": 8})
    _, z = drawn(whole, "slider-crank", 5)  # files are read anew where they may not be held
    for held in (Atlas.load(tmp_path / "cut"), Atlas.load(tmp_path / "cut", memory=0)):
        assert held.find(places(z), 1)[0].kind == "slider-crank"
        assert held.find(places(z), 1)[0].distance < 0.01
    with pytest.raises(FileError, match="no folder of an atlas"):
        Atlas.load(tmp_path)
    with pytest.raises(FileError, match="there is no atlas there: build one first"):
        Atlas.load(tmp_path / "nowhere.parquet")
    damaged = tmp_path / "cut" / "four-bar-000000.parquet"
    damaged.write_bytes(damaged.read_bytes()[:100])
    with pytest.raises(FileError, match=r"damaged .*: delete it, and build again what it held\."):
        Atlas.load(tmp_path / "cut")
    damaged.unlink()
    Atlas.build(384, folder=tmp_path / "cut", **how)
    assert damaged.read_bytes() == (tmp_path / "whole" / damaged.name).read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_of_the_studio_draws_what_was_found(atlas, kind, tmp_path):
    _, z = drawn(atlas, kind, 40)
    best = atlas.find(places(30.0 * z), 1, units="mm")[0]
    numbers = {n: float(x) for n, x in best.mechanism.parameters.items() if n != "units"}
    data = linkage_document(kind, numbers, unit="mm", name="found")
    (tmp_path / "found.json").write_text(json.dumps(data))
    made = kp.load(tmp_path / "found.json")
    assert away(best, 0.03 * z, made) < 0.03 * 0.03 * np.ptp(z.real)


def test_what_is_found_shows_itself_in_a_line(atlas):
    (found,) = atlas.find(places(drawn(atlas, "slider-crank", 7)[1]), 1)
    assert repr(found).startswith(f"slider-crank {found.number}, ")
    assert repr(found).endswith(f"rod {found.lengths['rod']:.4g} m")


def test_what_is_no_curve_is_refused(atlas):
    for curve in ([(0, 0), (1, 1)], [(0, 0)] * 5, [1, 2, 3], [(0, np.nan)] * 4):
        with pytest.raises(BadNumber):
            atlas.find(curve)
    with pytest.raises(UnknownName, match="six-bar"):
        Atlas.build(10, kinds=["six-bars"])
    with pytest.raises(BadNumber, match="which linkages"):
        Atlas.build(10, kinds=[])


def test_the_command_builds_finds_and_saves(tmp_path, capsys):
    file, sketch = tmp_path / "a.parquet", tmp_path / "s.csv"
    build = ["atlas", "build", "--count", "64", "--kind", "four-bar", "--atlas", str(file)]
    assert main([*build, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["four-bar"] > 40
    s = np.linspace(0.0, 2.0 * np.pi, 60)
    lines = [f"{30 * np.cos(x):.6f},{10 * np.sin(x):.6f}" for x in s]
    sketch.write_text("\n".join(["x,y", *lines]))
    best = tmp_path / "found.yaml"
    asked = ["atlas", "find", str(sketch), "--atlas", str(file), "--count", "2", "-o", str(best)]
    assert main([*asked, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["found"]) == 2
    assert best.is_file()
    assert main(["atlas", "find", "--atlas", str(file)]) == 2
    assert main(["atlas", "build", "--kind", "five-bar", "--atlas", str(file)]) == 2

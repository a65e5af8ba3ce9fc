"""Batches in a folder: the same numbers as in memory, within a bound, and none half-written."""

import json
import os
import signal
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import kempe as kp
from kempe.errors import BadNumber, FileError, SweepError
from kempe.front.requests import stored_batch
from kempe.gallery import double_pendulum

ASK = {"until": 1.0, "steps": 30, "outputs": ["coupler.P", "rocker.angle"], "threads": 1}
ROUNDING = 1e-13  # rad, and m: numbers that follow as sums are fitted to other variants


@kp.parametric
def four_bar(crank=30.0, coupler=90.0):
    m = kp.Builder("four-bar", plane=True, units="mm")
    first, last = m.bar("crank", crank), m.bar("rocker", 70.0)
    middle = m.bar("coupler", coupler, points={"P": (45.0, 40.0)})
    m.revolute(m.ground.at(0, 0), first.start)
    m.revolute(first.end, middle.start)
    m.revolute(middle.end, last.end)
    m.revolute(last.start, m.ground.at(100, 0))
    m.drive(first.angle, rpm=60)
    return m.build()


def lengths(count):
    """Some of which meet dead points, and some that cannot be built."""
    crank = np.linspace(20.0, 75.0, count)
    crank[3::97] = -1.0
    return {"crank": crank}


def test_in_a_folder_stands_what_would_stand_in_memory(tmp_path):
    whole = four_bar().batch(lengths(300), derivatives=1, **ASK)
    stored = four_bar().batch(
        lengths(300), derivatives=1, memory="200 kB", folder=tmp_path / "b", **ASK
    )
    assert len(list((tmp_path / "b" / "done").iterdir())) > 5
    assert {"Done", "DeadPoint", "Refused"} <= set(whole.outcomes.tolist())
    assert stored.outcomes.tolist() == whole.outcomes.tolist()
    assert stored.samples.tolist() == whole.samples.tolist()
    assert stored.why(3) == whole.why(3)
    for name in ASK["outputs"]:
        for order in ("values", "rate"):
            mine, other = getattr(stored[name], order), getattr(whole[name], order)
            assert isinstance(mine, np.memmap)
            np.testing.assert_allclose(mine, other, rtol=1e-11, atol=ROUNDING)
    assert stored.variant(5).parameters == whole.variant(5).parameters


def test_no_more_memory_is_taken_than_allowed(tmp_path):
    count, limit = 4000, 2_000_000
    few = {"crank": np.linspace(25.0, 35.0, 16)}
    four_bar().batch(few, folder=tmp_path / "few", **ASK)  # compiled, all modules there
    mechanism, given = four_bar(), {"crank": np.linspace(25.0, 35.0, count)}
    tracemalloc.start()
    try:
        stored = mechanism.batch(given, memory=limit, folder=tmp_path / "b", **ASK)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    whole = stored["coupler.P"].values.nbytes + stored["rocker.angle"].values.nbytes
    assert whole > 1.3 * limit
    assert most < limit + 1_000_000  # what Python itself and the model take
    assert stored.is_done.all()


def test_what_is_finished_is_not_computed_again_and_what_is_not_is(tmp_path, monkeypatch):
    whole = four_bar().batch(lengths(300), **ASK)
    how = {"memory": "100 kB", "folder": tmp_path / "b", **ASK}
    four_bar().batch(lengths(300), **how)
    marks = sorted((tmp_path / "b" / "done").iterdir())
    marks[2].unlink()
    values = np.load(tmp_path / "b" / "values.npy", mmap_mode="r+")
    values[:] = np.where(np.isnan(values), np.nan, values)
    chunk = json.loads((tmp_path / "b" / "batch.json").read_text())["chunk"]
    values[2 * chunk : 3 * chunk] = -7.0  # as if its writing had been cut off
    values.flush()
    filled = []
    fill = stored_batch._fill
    monkeypatch.setattr(stored_batch, "_fill", lambda f, k, *a: (filled.append(k), fill(f, k, *a)))
    again = four_bar().batch(lengths(300), **how)
    assert filled == [2]
    np.testing.assert_allclose(
        again["coupler.P"].values, whole["coupler.P"].values, rtol=1e-11, atol=ROUNDING
    )


KILLED = """
import os, signal, sys
from pathlib import Path
from kempe.front.requests import stored_batch
from tests.batch.test_stored import ASK, four_bar, lengths
fill, left = stored_batch._fill, int(sys.argv[2])
def killed(folder, k, part, values, which):
    if k == left:
        values[which.start : which.start + 4] = 5.0
        os.kill(os.getpid(), signal.SIGKILL)
    fill(folder, k, part, values, which)
stored_batch._fill = killed
four_bar().batch(lengths(300), memory="100 kB", folder=sys.argv[1], **ASK)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
def test_killed_while_it_writes_it_goes_on_and_ends_with_the_same_numbers(tmp_path):
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "b"), "4"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        check=False,
        capture_output=True,
    )
    assert ran.returncode == -signal.SIGKILL, ran.stderr.decode()
    assert len(list((tmp_path / "b" / "done").iterdir())) == 4
    stored = four_bar().batch(lengths(300), memory="100 kB", folder=tmp_path / "b", **ASK)
    whole = four_bar().batch(lengths(300), **ASK)
    assert stored.outcomes.tolist() == whole.outcomes.tolist()
    np.testing.assert_allclose(
        stored["coupler.P"].values, whole["coupler.P"].values, rtol=1e-11, atol=ROUNDING
    )


def test_another_batch_a_bound_that_is_too_small_and_damage_are_refused(tmp_path):
    how = {"folder": tmp_path / "b", **ASK}
    four_bar().batch(lengths(40), **how)
    with pytest.raises(SweepError, match="another batch"):
        four_bar().batch(lengths(41), **how)
    with pytest.raises(BadNumber, match="a variant alone takes"):
        four_bar().batch(lengths(40), memory=1000, **{**how, "folder": tmp_path / "c"})
    assert not (tmp_path / "c").exists()
    with pytest.raises(BadNumber, match="give a `folder`"):
        four_bar().batch(lengths(40), memory=1000, **ASK)
    (tmp_path / "b" / "values.npy").write_bytes(b"nothing")
    with pytest.raises(FileError, match=r"values are damaged.*: delete the folder"):
        four_bar().batch(lengths(40), **how)
    (tmp_path / "b" / "batch.json").write_text("{")
    with pytest.raises(FileError, match="damaged"):
        four_bar().batch(lengths(40), **how)
    with pytest.raises(FileError):
        four_bar().batch(lengths(40), **{**how, "folder": "/dev/null/x"})


def test_simulations_and_summaries_stand_in_folders_too(tmp_path):
    how = {"until": 0.5, "steps": 10, "outputs": ["lower.P"], "analysis": "simulation"}
    how |= {"start": {"top.angle": 0.5, "middle.angle": np.linspace(0.0, 0.3, 12)}, "threads": 1}
    for keep in ("samples", "summary"):
        whole = double_pendulum().batch({}, keep=keep, **how)
        folder = tmp_path / keep
        stored = double_pendulum().batch({}, keep=keep, memory="2 kB", folder=folder, **how)
        assert len(list((folder / "done").iterdir())) > 1
        assert stored.is_done.all()
        np.testing.assert_allclose(stored["lower.P"].max(), whole["lower.P"].max(), rtol=1e-12)
    assert stored.start(7).q.tolist() == whole.start(7).q.tolist()


def cut(path):
    os.truncate(path, path.stat().st_size // 2)


def without_facts(path):
    path.write_text("{}")


DAMAGES = [
    ("values.npy", Path.unlink, "values of finished chunks are gone: delete the folder"),
    ("values.npy", cut, "values are damaged.*: delete the folder"),
    ("done/000000.json", cut, "damaged.*: delete it, and the same call computes its chunk"),
    ("done/000000.json", without_facts, "does not say how its variants ended"),
]


@pytest.mark.parametrize(("name", "damage", "words"), DAMAGES)
def test_values_that_were_lost_are_not_taken_for_zeros(tmp_path, name, damage, words):
    how = {"folder": tmp_path / "b", **ASK}
    four_bar().batch(lengths(40), memory="500 kB", **how)
    damage(tmp_path / "b" / name)
    with pytest.raises(FileError, match=words):
        four_bar().batch(lengths(40), memory="500 kB", **how)


def test_where_chunks_are_not_sized_by_their_manifest_it_is_damaged(tmp_path):
    how = {"folder": tmp_path / "b", **ASK}
    four_bar().batch(lengths(16), **how)
    path = tmp_path / "b" / "batch.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"chunk": 0}))
    with pytest.raises(FileError, match="how large chunks are"):
        four_bar().batch(lengths(16), **how)


@pytest.mark.parametrize("memory", [float("nan"), 0, -1.0, "-2 GB", "nan GB", True, [1]])
def test_a_bound_of_memory_is_a_number_above_zero(tmp_path, memory):
    with pytest.raises(BadNumber, match="number of bytes above 0"):
        four_bar().batch(lengths(8), memory=memory, folder=tmp_path / "b", **ASK)


def test_a_folder_is_a_path_and_an_analysis_one_of_three():
    with pytest.raises(BadNumber, match="`folder` is a path"):
        four_bar().batch(lengths(8), folder=3, **ASK)
    with pytest.raises(kp.KempeError, match="'assemblies'"):
        four_bar().batch(lengths(8), analysis="assembly", **ASK)

"""Saved trajectories: every bit comes back, and nothing else is taken for one."""

import json
import zipfile
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import kempe
from kempe.archive import HEADER
from kempe.errors import FileError, ModelError, UnknownName
from kempe.export.saved_trajectory import UNSAVED
from kempe.gallery import COURSES, MECHANISMS
from kempe.outcome import Ending, Outcome
from kempe.results import Motion

ARRAYS = ("t", "values", "rate", "acceleration", "position", "velocity")
SAMPLED_FLIPS = 97  # places in a file where a byte is changed, evenly spread
SAMPLED_CUTS = 23
MOVING = [n for n, make in MECHANISMS.items() if n in COURSES or make().model.drives]


def assert_same(a: kempe.Trajectory, b: kempe.Trajectory) -> None:
    """The same names, the same bits, the same words."""
    assert a.names == b.names
    for name in a.names:
        x, y = a[name], b[name]
        assert type(x) is type(y)
        for array in (word for word in ARRAYS if hasattr(x, word)):
            assert getattr(x, array).tobytes() == getattr(y, array).tobytes(), (name, array)
        for word in ("unit", "shown", "unique"):
            assert getattr(x, word, None) == getattr(y, word, None), (name, word)
    for field in (f for f in fields(Motion) if f.name not in UNSAVED):  # how it was made
        x, y = getattr(a.motion, field.name), getattr(b.motion, field.name)
        if isinstance(x, np.ndarray):
            assert (x.shape, x.tobytes()) == (y.shape, y.tobytes()), field.name
        else:
            assert x == y, field.name
    assert a.subject == b.subject
    assert a.provenance == b.provenance
    assert a.outlines == b.outlines
    assert a.count_table == b.count_table


def rewritten(path: Path, change: Callable[[dict[str, object]], object]) -> Path:
    """The same file with another header."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    header = json.loads(parts[HEADER])
    changed = change(header)
    parts[HEADER] = json.dumps(header if changed is None else changed).encode()
    other = path.with_stem("other")
    with zipfile.ZipFile(other, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return other


@pytest.mark.parametrize("name", MOVING)
def test_a_motion_of_any_mechanism_comes_back_to_the_last_bit(name: str, tmp_path: Path) -> None:
    mechanism = MECHANISMS[name]()
    if name in COURSES:
        trajectory = mechanism.simulate(until=0.1 * COURSES[name].until, steps=5)
    else:
        trajectory = mechanism.kinematics(until=1.0, steps=5)
    again = kempe.Trajectory.load(trajectory.save(tmp_path / "motion.npz"))
    assert_same(trajectory, again)
    assert repr(again) == repr(trajectory)


def test_forces_come_back_with_what_is_unique_of_them(
    heavy: kempe.Trajectory, tmp_path: Path
) -> None:
    assert_same(heavy, kempe.Trajectory.load(heavy.save(tmp_path / "motion.npz")))


def test_a_sweep_that_ended_early_keeps_its_outcome(
    stuck: kempe.Trajectory, tmp_path: Path
) -> None:
    again = kempe.Trajectory.load(stuck.save(tmp_path / "motion.npz"))
    assert again.outcome.ending is Ending.DEAD_POINT
    assert again.outcome == stuck.outcome
    assert_same(stuck, again)


@pytest.mark.parametrize("ending", list(Ending))
def test_every_ending_and_odd_facts_come_back(
    turn: kempe.Trajectory, tmp_path: Path, ending: Ending
) -> None:
    motion = turn.motion
    facts: dict[str, float | int | str] = {"a": 0.1, "b": 3, "c": "x\ny", "d": float("inf")}
    outcome = Outcome(ending, "said “so”.", "do this.", facts)
    ended = kempe.Trajectory(
        turn.layout, Motion(motion.t, motion.q, motion.v, motion.a, outcome, {"steps": 7}, ("A",))
    )
    again = kempe.Trajectory.load(ended.save(tmp_path / "motion.npz"))
    assert again.outcome == outcome
    assert [type(fact) for fact in again.outcome.facts.values()] == [float, int, str, float]
    assert_same(ended, again)


def test_a_saved_motion_is_read_without_solving_anything(
    heavy: kempe.Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = heavy.save(tmp_path / "motion.npz")
    report = heavy.report()
    heavy.animate(tmp_path / "before.html", trace="coupler.P")

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("the solver was asked")

    for place in (
        "part_readings.observe_point",
        "part_readings.observe_gauge",
        "source.reactions_of",
        "source.check",
        "source.acting_loads",
    ):
        monkeypatch.setattr(f"kempe.readings.{place}", refused)
    again = kempe.Trajectory.load(path)
    for name in again.names:
        assert len(again[name]) == len(again)
    assert again.report() == report
    assert again.columns().keys() == heavy.columns().keys()
    again.animate(tmp_path / "after.html", trace="coupler.P")
    assert (tmp_path / "after.html").read_bytes() == (tmp_path / "before.html").read_bytes()
    assert again.save(tmp_path / "again.npz").read_bytes() == path.read_bytes()


def test_numpy_alone_reads_the_columns(turn: kempe.Trajectory, tmp_path: Path) -> None:
    with np.load(turn.save(tmp_path / "motion.npz"), allow_pickle=False) as file:
        for name, column in turn.columns().items():
            np.testing.assert_array_equal(file[name], column)
        np.testing.assert_array_equal(file["motion/q"], turn.motion.q)


def test_equal_motions_give_equal_files(tmp_path: Path) -> None:
    mechanism = kempe.gallery.four_bar()
    for name in ("a.npz", "b.npz"):
        mechanism.kinematics(until=1.0, steps=5).save(tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_a_reopened_motion_says_that_the_mechanism_is_not_in_the_file(
    turn: kempe.Trajectory, tmp_path: Path
) -> None:
    again = kempe.Trajectory.load(turn.save(tmp_path / "motion.npz"))
    with pytest.raises(ModelError, match=r"motion\.npz keeps the motion of 'four-bar' but not"):
        _ = again.layout
    with pytest.raises(ModelError, match="build the mechanism again"):
        again.transmission.angle()
    with pytest.raises(UnknownName, match=r"rocker\.angle"):
        again["rocker.angel"]


def test_the_count_of_a_large_mechanism_is_left_out_and_said_to_be(
    turn: kempe.Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "kempe.export.saved_trajectory.MOST_COUNTED", 8
    )  # three planar bodies have 9
    again = kempe.Trajectory.load(turn.save(tmp_path / "motion.npz"))
    assert "was not kept" in again.report()


def test_a_byte_changed_anywhere_is_noticed_or_changes_nothing(
    turn: kempe.Trajectory, tmp_path: Path
) -> None:
    good = turn.save(tmp_path / "good.npz").read_bytes()
    bad = tmp_path / "bad.npz"
    noticed = []
    for place in np.linspace(0, len(good) - 1, SAMPLED_FLIPS).astype(int):
        content = bytearray(good)
        content[place] ^= 0x15
        bad.write_bytes(content)
        try:
            again = kempe.Trajectory.load(bad)
        except FileError as refused:
            noticed.append(refused.path)
        else:
            assert_same(turn, again)  # a date in the archive, say
    assert len(noticed) > SAMPLED_FLIPS // 2
    assert set(noticed) == {str(bad)}


def test_a_file_cut_short_is_refused(turn: kempe.Trajectory, tmp_path: Path) -> None:
    good = turn.save(tmp_path / "good.npz").read_bytes()
    bad = tmp_path / "bad.npz"
    for size in np.linspace(0, len(good) - 1, SAMPLED_CUTS).astype(int):
        bad.write_bytes(good[:size])
        with pytest.raises(FileError, match="no trajectory that kempe saved"):
            kempe.Trajectory.load(bad)


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    arrays, text = tmp_path / "arrays.npz", tmp_path / "text.npz"
    np.savez(arrays, x=np.zeros(3))
    text.write_text("t,x\n0,1\n")
    for path in (arrays, text):
        with pytest.raises(FileError, match=r"\.npz: this is no trajectory that kempe saved"):
            kempe.Trajectory.load(path)
    with pytest.raises(FileError, match="there is no such file"):
        kempe.Trajectory.load(tmp_path / "nothing.npz")
    with pytest.raises(FileError, match="cannot be read"):
        kempe.Trajectory.load(tmp_path)


def test_a_pickle_in_a_file_is_never_opened(turn: kempe.Trajectory, tmp_path: Path) -> None:
    with zipfile.ZipFile(turn.save(tmp_path / "good.npz")) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    trap = tmp_path / "object.npy"
    np.save(trap, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    parts["t.npy"] = trap.read_bytes()
    bad = tmp_path / "bad.npz"
    with zipfile.ZipFile(bad, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    with pytest.raises(FileError, match="an array of object"):
        kempe.Trajectory.load(bad)


def test_a_newer_format_is_refused_with_advice(turn: kempe.Trajectory, tmp_path: Path) -> None:
    def newer(header: dict[str, object]) -> None:
        header["version"] = 2

    path = rewritten(turn.save(tmp_path / "motion.npz"), newer)
    with pytest.raises(FileError, match=r"newer kempe.*update kempe") as raised:
        kempe.Trajectory.load(path)
    assert raised.value.facts["version"] == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header.pop("channels"),
        lambda header: header["subject"].pop("bodies"),
        lambda header: header["motion"]["outcome"].update(ending="Perhaps"),
        lambda header: header["channels"][0]["columns"].append("nothing"),
        lambda header: header["channels"][0].update(columns=["motion/q"]),
        lambda header: header.update(version="one"),
        lambda header: header.update(format="something else"),
        lambda header: [],
    ],
)
def test_a_header_that_makes_no_sense_is_refused(
    turn: kempe.Trajectory, tmp_path: Path, change: Callable[[dict[str, object]], object]
) -> None:
    path = rewritten(
        turn.save(tmp_path / "motion.npz"),
        lambda header: [] if change(header) == [] else None,
    )
    with pytest.raises(FileError, match="no trajectory that kempe saved"):
        kempe.Trajectory.load(path)


def test_a_failed_save_leaves_the_old_file_alone(
    turn: kempe.Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = turn.save(tmp_path / "motion.npz")
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(FileError, match="No space left"):
        turn.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_another_ending_is_refused(turn: kempe.Trajectory, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"is written to \.npz"):
        turn.save(tmp_path / "motion.zip")

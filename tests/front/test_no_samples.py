"""A trajectory without one sample answers every question, or says why it cannot."""

import contextlib
import dataclasses

import numpy as np
import pytest

import kempe
from kempe.errors import KempeError
from kempe.front.trajectory import Trajectory
from kempe.outcome import Ending, Outcome

REFUSED = Outcome(Ending.LOCKED, "at t = 0 s nothing fits.", "Check the lengths.", {"t": 0.0})


def emptied(run):
    """The same run, refused at its first sample."""
    arrays = {
        field.name: value[:0]
        for field in dataclasses.fields(run.motion)
        if isinstance(value := getattr(run.motion, field.name), np.ndarray) and value.ndim
    }
    return Trajectory(run.layout, dataclasses.replace(run.motion, outcome=REFUSED, **arrays))


RUNS = {
    "four-bar": lambda: kempe.gallery.four_bar().kinematics(until=1.0, steps=3),
    "gears": lambda: kempe.gallery.planetary_train().kinematics(until=1.0, steps=3),
    "space": lambda: kempe.gallery.bennett().kinematics(until=1.0, steps=3),
    "simulation": lambda: kempe.gallery.double_pendulum().simulate(until=0.1, steps=3),
}


@pytest.fixture(params=RUNS, ids=RUNS.keys())
def nothing(request):
    return emptied(RUNS[request.param]())


def test_it_is_saved_and_opened_again(nothing, tmp_path):
    there = Trajectory.load(nothing.save(tmp_path / "nothing.npz"))
    assert len(there) == 0
    assert there.outcome == nothing.outcome
    assert there.names == nothing.names


def test_summaries_say_that_there_is_nothing(nothing):
    for name in nothing.names:
        channel = nothing[name]
        assert len(channel) == 0
        repr(channel)
        for word in ("min", "max", "ptp", "mean"):
            if hasattr(channel, word):
                with pytest.raises(KempeError, match="no samples"):
                    getattr(channel, word)()
        for word in ("speed", "magnitude"):
            if hasattr(channel, word):
                with pytest.raises(KempeError, match="no samples"):
                    getattr(channel, word).max()


def test_every_door_answers_or_says_why_not(nothing, tmp_path):
    first = nothing.names[0]
    doors = {
        "repr": lambda: repr(nothing),
        "summary": nothing.summary,
        "report": nothing.report,
        "report at a time": lambda: nothing.report(at=[0.0]),
        "csv": lambda: nothing.to_csv(tmp_path / "a.csv"),
        "parquet": lambda: nothing.to_parquet(tmp_path / "a.parquet"),
        "frame": nothing.to_dataframe,
        "xarray": nothing.to_xarray,
        "plot": lambda: nothing.plot(first),
        "plot file": lambda: nothing.plot(first).savefig(tmp_path / "a.png"),
        "animate": lambda: nothing.animate(tmp_path / "a.html"),
        "frames": nothing.frames,
        "energy": lambda: str(nothing.energy),
        "violation": lambda: nothing.violation,
        "condition": lambda: nothing.transmission.condition(),
        "dead point": lambda: nothing.transmission.dead_point_distance(),
        "angle": lambda: nothing.transmission.angle(),
        "columns": nothing.columns,
        "relative": lambda: nothing.relative(nothing.layout.model.moving[0].name),
        "path length": lambda: getattr(nothing[first], "path_length", None),
        "curvature": lambda: getattr(nothing[first], "curvature", None),
    }
    for door in doors.values():
        with contextlib.suppress(KempeError):
            door()

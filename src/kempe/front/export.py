"""Writing a trajectory to a file, by its ending; whole files only, never half of one."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from kempe.errors import ModelError
from kempe.files.disk import replace_file
from kempe.front.channel import PointChannel, ScalarChannel
from kempe.front.trajectory import Trajectory


def write(trajectory: Trajectory, path: str | Path, *, trace: tuple[str, ...] = ()) -> Path:
    """Write .csv, .json, .npz, .svg or .html; returns the path."""
    target = Path(path)
    if target.suffix == ".html":
        from kempe.front.animation import write_animation

        return write_animation(trajectory, target, trace=trace)
    if target.suffix == ".svg":
        from kempe.front.animation import picture

        return replace_file(target, picture(trajectory, trace=trace).encode())
    maker = WRITERS.get(target.suffix)
    if maker is None:
        known = ", ".join([*WRITERS, ".svg", ".html"])
        raise ModelError(f"{target.name!r} has no ending that can be written: use {known}.")
    return replace_file(target, maker(trajectory))


def columns(trajectory: Trajectory) -> dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Every channel as named columns: t, coupler.P.x, coupler.P.vx, rocker.angle, ..."""
    result = {"t": trajectory.t}
    for name in trajectory.names:
        channel = trajectory[name]
        if isinstance(channel, PointChannel):
            for k, axis in enumerate("xyz"[: channel.position.shape[1]]):
                result[f"{name}.{axis}"] = channel.position[:, k]
                result[f"{name}.v{axis}"] = channel.velocity[:, k]
                result[f"{name}.a{axis}"] = channel.acceleration[:, k]
        elif isinstance(channel, ScalarChannel) and not name.endswith((".x", ".y", ".z")):
            result[name] = channel.values
            result[f"{name}.rate"] = channel.rate
            result[f"{name}.acceleration"] = channel.acceleration
    return result


def _csv(trajectory: Trajectory) -> bytes:
    table = columns(trajectory)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*(map(repr, column.tolist()) for column in table.values()), strict=True))
    return text.getvalue().encode()


def _json(trajectory: Trajectory) -> bytes:
    outcome = trajectory.outcome
    document = {
        "outcome": {"name": outcome.name, "message": outcome.message, "facts": outcome.facts},
        "columns": {name: column.tolist() for name, column in columns(trajectory).items()},
    }
    return json.dumps(document).encode()


def _npz(trajectory: Trajectory) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **columns(trajectory))  # type: ignore[arg-type]
    return buffer.getvalue()


WRITERS: dict[str, Callable[[Trajectory], bytes]] = {".csv": _csv, ".json": _json, ".npz": _npz}

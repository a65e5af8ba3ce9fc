"""Trajectories in files: one .npz with every channel, the raw motion, and the rest as JSON.

A file is a ZIP of NumPy arrays, one for every column ("rocker.angle", "coupler.P.vx", ...) and one
for every array of the motion ("motion/q", ...), and `kempe.json`, which says what the columns are,
how the run ended and where it comes from. Nothing in it is code; whoever has only NumPy reads the
columns with `numpy.load(path)["rocker.angle"]`.
"""

import io
import json
import zipfile
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from kempe.errors import FileError
from kempe.files.disk import replace_file
from kempe.front.channel import Channel, ForceChannel, PointChannel, ValueChannel
from kempe.front.column import channel_columns
from kempe.front.endings import refuse_unwritable
from kempe.front.outlines import outlines_document, outlines_restored
from kempe.front.recalled import ChannelNote, Kept, Kind, Recalled
from kempe.results import Motion, Provenance, Subject

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]
Arrays = dict[str, FloatArray]

FORMAT = "kempe trajectory"
VERSION = 1  # of the format: raised when an older kempe could misread a file
HEADER = "kempe.json"
# Velocities up to which the count of freedoms goes into a file; the rank of more takes seconds.
MOST_COUNTED = 300


def write(trajectory: "Trajectory", path: Path) -> Path:
    """Write a trajectory to an .npz file, whole or not at all."""
    refuse_unwritable(path, (".npz",), "a trajectory")
    return replace_file(path, npz_bytes(trajectory))


def npz_bytes(trajectory: "Trajectory") -> bytes:
    """The file; the same trajectory gives the same bytes."""
    motion = trajectory.motion
    arrays: Arrays = {"t": motion.t}
    notes = [_noted(trajectory[name], arrays) for name in trajectory.names]
    rest = {}
    for field in fields(Motion):
        value = getattr(motion, field.name)
        if isinstance(value, np.ndarray):
            arrays[f"motion/{field.name}"] = value
        else:
            rest[field.name] = _plain(get_type_hints(Motion)[field.name], value)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "subject": _plain(Subject, trajectory.subject),
        "provenance": _plain(Provenance, trajectory.provenance),
        "outlines": outlines_document(trajectory.outlines),
        "motion": rest,
        "channels": [_plain(ChannelNote, note) for note in notes],
        "count": trajectory.count_table if motion.v.shape[1] <= MOST_COUNTED else "",
    }
    return _zipped(json.dumps(header).encode(), arrays)


def read(path: Path) -> Recalled:
    """Read a file that `write` wrote; a FileError where it is anything else, or damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            return Recalled(_kept(archive, path))
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError("there is no such file.", path=str(path)) from None
    except OSError as trouble:
        message = f"the file cannot be read: {trouble.strerror or trouble}."
        raise FileError(message, path=str(path)) from None
    except Exception as trouble:  # whatever a damaged archive, array or header leads to
        message = (
            f"this is no trajectory that kempe saved, or it is damaged ({_one_line(trouble)})."
        )
        raise FileError(message, path=str(path)) from None


def _noted(channel: Channel, arrays: Arrays) -> ChannelNote:
    """Put the columns of a channel among the arrays, and say where they are."""
    names = []
    for column in channel_columns(channel):
        key = column.name
        if key in arrays and not np.array_equal(arrays[key], column.values, equal_nan=True):
            key = f"{channel.name}/{column.name}"  # another channel's column has that name
        arrays[key] = column.values
        names.append(key)
    if isinstance(channel, PointChannel):
        return ChannelNote(channel.name, "point", "m", channel.shown, tuple(names))
    if isinstance(channel, ForceChannel):
        kind: Kind = "effort" if channel.values.ndim == 1 else "force"
        unit, unique = channel.unit, channel.unique
        return ChannelNote(channel.name, kind, unit, unit, tuple(names), unique)
    if isinstance(channel, ValueChannel):
        kind = "value" if channel.values.ndim == 1 else "values"
        unit, labels = channel.unit, channel.labels
        return ChannelNote(channel.name, kind, unit, unit, tuple(names), labels=labels)
    return ChannelNote(channel.name, "scalar", channel.unit, channel.shown, tuple(names))


def _zipped(header: bytes, arrays: Arrays) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_member(HEADER), header)
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(_member(f"{name}.npy"), content.getvalue())
    return buffer.getvalue()


def _member(name: str) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name)  # without a date, so that equal results give equal files
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


def _kept(archive: zipfile.ZipFile, path: Path) -> Kept:
    if HEADER not in archive.namelist():
        raise FileError("this is no trajectory that kempe saved.", path=str(path))
    header = json.loads(archive.read(HEADER))
    _refuse_others(header, path)
    arrays = {
        name.removesuffix(".npy"): _array(archive.read(name))
        for name in archive.namelist()
        if name.endswith(".npy")
    }
    hints = get_type_hints(Motion)
    given = {name: _restored(hints[name], value) for name, value in header["motion"].items()}
    given |= {f.name: arrays[k] for f in fields(Motion) if (k := f"motion/{f.name}") in arrays}
    motion = Motion(**given)
    notes = [_restored(ChannelNote, note) for note in header["channels"]]
    for name in (column for note in notes for column in note.columns):
        if arrays[name].shape != motion.t.shape:
            raise ValueError(f"column {name!r} has the shape {arrays[name].shape}")
    return Kept(
        path=str(path),
        motion=motion,
        subject=_restored(Subject, header["subject"]),
        provenance=_restored(Provenance, header["provenance"]),
        outlines=outlines_restored(header["outlines"]),
        notes={note.name: note for note in notes},
        table=arrays,
        count=str(header["count"]),
    )


def _refuse_others(header: Any, path: Path) -> None:
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise FileError("this is no trajectory that kempe saved.", path=str(path))
    version = header.get("version")
    if isinstance(version, int) and version > VERSION:
        raise FileError(
            f"this trajectory was saved in format {version} by a newer kempe; this one reads up to"
            f" {VERSION}: update kempe.",
            path=str(path),
            version=version,
        )
    if version != VERSION:
        raise ValueError(f"format {version!r}")


def _array(content: bytes) -> FloatArray:
    array = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    if array.dtype != np.float64:
        raise ValueError(f"an array of {array.dtype}")
    array.setflags(write=False)
    return array


@cache
def _adapter(kind: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def _plain(kind: Any, value: object) -> Any:
    return _adapter(kind).dump_python(value, mode="json")


def _restored(kind: Any, data: object) -> Any:
    return _adapter(kind).validate_python(data)


def _one_line(trouble: Exception) -> str:
    return (str(trouble).splitlines() or [""])[0] or type(trouble).__name__

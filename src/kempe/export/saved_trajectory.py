"""Trajectories in files: one .npz with every channel, the raw motion, and the rest as JSON.

A file is a ZIP of NumPy arrays, one for every column ("rocker.angle", "coupler.P.vx", ...) and one
for every array of the motion ("motion/q", ...), and `kempe.json`, which says what the columns are,
how the run ended and where it comes from. Nothing in it is code; whoever has only NumPy reads the
columns with `numpy.load(path)["rocker.angle"]`.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from kempe.archive import archive_bytes, read_saved
from kempe.disk import replace_file
from kempe.endings import refuse_unwritable
from kempe.errors import FileError
from kempe.geometry import GROUND
from kempe.pictures.outlines import outlines_document, outlines_restored
from kempe.readings.channel import Channel, kind_of, unit_of
from kempe.readings.reading import channel_columns
from kempe.readings.source import ChannelNote, StoredMotion, StoredSource
from kempe.results import ActingLoad, Motion, Provenance, Subject

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]
Arrays = dict[str, FloatArray]

FORMAT = "kempe trajectory"
VERSION = 1  # of the format: raised when an older kempe could misread a file
# Velocities up to which the count of freedoms goes into a file; the rank of more takes seconds.
MOST_COUNTED = 300
# What counted turns, which are kept as read, and what only a run that can be repeated asks for.
UNSAVED = ("again", "steps", "law_changes")


def write(trajectory: "Trajectory", path: Path) -> Path:
    """Write a trajectory to an .npz file, whole or not at all."""
    refuse_unwritable(path, (".npz",), "a trajectory")
    return replace_file(path, npz_bytes(trajectory))


def npz_bytes(trajectory: "Trajectory") -> bytes:
    """The file; the same trajectory gives the same bytes."""
    motion = trajectory.motion
    arrays: Arrays = {"t": motion.t}
    notes = [_noted(trajectory[name], arrays) for name in trajectory.names]
    acting = trajectory.acting
    rest = {}
    for field in fields(Motion):
        value = getattr(motion, field.name)
        if field.name in UNSAVED:
            continue
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
        "acting": [_kept_load(load, f"acting/{k}", arrays) for k, load in enumerate(acting)],
        "count": trajectory.count_table if motion.v.shape[1] <= MOST_COUNTED else "",
    }
    return archive_bytes(header, arrays)


def read(path: Path, refuse: Callable[[StoredMotion], None]) -> StoredSource:
    """Read a file that `write` wrote; a FileError where it is anything else, or damaged.

    `refuse` raises whatever using what is in it would lead to.
    """

    def made(header: Any, arrays: Arrays) -> StoredSource:
        kept = _kept(header, arrays, path)
        _refuse_uneven(kept)
        refuse(kept)
        return StoredSource(kept)

    return read_saved(path, "trajectory", made)


def _noted(channel: Channel, arrays: Arrays) -> ChannelNote:
    """Put the columns of a channel among the arrays, and say where they are."""
    names = []
    for column in channel_columns(channel):
        key = column.name
        if key in arrays and not np.array_equal(arrays[key], column.values, equal_nan=True):
            key = f"{channel.name}/{column.name}"  # another channel's column has that name
        arrays[key] = column.values
        names.append(key)
    unit = unit_of(channel)
    return ChannelNote(
        channel.name,
        kind_of(channel),
        unit,
        getattr(channel, "shown", unit),
        tuple(names),
        getattr(channel, "unique", ()),
        getattr(channel, "labels", ()),
    )


def _kept_load(load: ActingLoad, key: str, arrays: Arrays) -> dict[str, Any]:
    """Put a load among the arrays, and say what it is and where it acts."""
    arrays[f"{key}/force"], arrays[f"{key}/torque"] = load.force, load.torque
    return {"name": load.name, "body": load.body, "point": load.point, "other": load.other}


def _restored_load(told: Any, key: str, arrays: Arrays, n: int, names: set[str]) -> ActingLoad:
    x, y, z = (float(c) for c in told["point"])
    force, torque = arrays[f"{key}/force"], arrays[f"{key}/torque"]
    if force.shape != (n, 3) or torque.shape != (n, 3):
        raise ValueError(f"{key} has loads of the shapes {force.shape} and {torque.shape}")
    body, other = str(told["body"]), str(told["other"])
    finite = all(np.isfinite(some).all() for some in ((x, y, z), force, torque))
    if not finite or not {body, other} <= names:
        raise ValueError(f"{key} acts on {body!r} and {other!r} at {(x, y, z)}")
    return ActingLoad(str(told["name"]), body, (x, y, z), other, force, torque)


def _kept(header: Any, arrays: Arrays, path: Path) -> StoredMotion:
    _refuse_others(header, path)
    for name, array in arrays.items():
        if array.dtype != np.float64:
            raise ValueError(f"{name} is an array of {array.dtype}")
        array.setflags(write=False)
    hints = get_type_hints(Motion)
    told = dict(header["motion"])
    if "hinges" in told:  # as joints' angles were kept at first
        told["angles"] = {f"{name}.angle": value for name, value in told.pop("hinges").items()}
    given = {name: _restored(hints[name], value) for name, value in told.items()}
    given |= {f.name: arrays[k] for f in fields(Motion) if (k := f"motion/{f.name}") in arrays}
    motion = Motion(**given)
    notes = [_restored(ChannelNote, note) for note in header["channels"]]
    for name in (column for note in notes for column in note.columns):
        if arrays[name].shape != motion.t.shape:
            raise ValueError(f"column {name!r} has the shape {arrays[name].shape}")
    subject = _restored(Subject, header["subject"])
    names = {GROUND, *(body.name for body in subject.bodies)}
    return StoredMotion(
        path=str(path),
        motion=motion,
        subject=subject,
        provenance=_restored(Provenance, header["provenance"]),
        outlines=outlines_restored(header["outlines"]),
        notes={note.name: note for note in notes},
        table=arrays,
        count=str(header["count"]),
        acting=tuple(
            _restored_load(told, f"acting/{k}", arrays, len(motion), names)
            for k, told in enumerate(header.get("acting", ()))  # unknown to files before it
        ),
    )


def _refuse_uneven(kept: StoredMotion) -> None:
    """A ValueError where arrays do not go together: one row a sample, as many columns as bodies."""
    motion, plane = kept.motion, kept.subject.plane
    n, bodies = len(motion.t), len(kept.subject.bodies)
    per_q, per_v = (3, 3) if plane else (7, 6)
    if motion.t.ndim != 1:
        raise ValueError(f"times of the shape {motion.t.shape}")
    if (np.diff(motion.t) < 0.0).any():
        raise ValueError("times that go backwards")
    for word, per in (("q", per_q), ("v", per_v), ("a", per_v)):
        array = getattr(motion, word)
        if array.ndim != 2 or len(array) != n or array.shape[1] < per * bodies:
            raise ValueError(f"{word} has the shape {array.shape} for {n} samples")
    for word in ("t", "q", "v", "a"):
        if not np.isfinite(getattr(motion, word)).all():
            raise ValueError(f"{word} has a number that is not finite")
    for word in ("kinetic", "potential", "dissipated", "driven", "violation"):
        if getattr(motion, word).shape not in ((n,), (0,)):
            raise ValueError(f"{word} has the shape {getattr(motion, word).shape}")
    for word in ("multipliers", "states"):
        array = getattr(motion, word)
        if array.ndim != 2 or len(array) not in (0, n):
            raise ValueError(f"{word} have the shape {array.shape}")


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


@cache
def _adapter(kind: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def _plain(kind: Any, value: object) -> Any:
    plain = dict(value) if isinstance(value, Mapping) else value
    return _adapter(kind).dump_python(plain, mode="json")


def _restored(kind: Any, data: object) -> Any:
    return _adapter(kind).validate_python(data)

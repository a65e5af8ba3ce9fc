"""Transform logs: tables of states over time, one row per sample, as CSV.

Columns are t (s), x, y, z (m) and a unit quaternion qw, qx, qy, qz; then, if known, vx, vy, vz and
wx, wy, wz, and ax, ay, az and bx, by, bz (velocities, angular velocities, accelerations, angular
accelerations, all along the parent's axes). With columns `frame` and `parent` one log holds many
edges.
"""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from kempe.disk import content_of, replace_file
from kempe.errors import BadNumber, FileError, FrameError
from kempe.frames.motions.sampled_motion import ACCELERATIONS, POSES, VELOCITIES, Sampled
from kempe.frames.states.arrays import FloatArray
from kempe.frames.states.state import KinematicState
from kempe.geometry.rotations import Matrix, Quaternion, converted

POSE = ("t", "x", "y", "z", "qw", "qx", "qy", "qz")
VELOCITY = ("vx", "vy", "vz", "wx", "wy", "wz")
ACCELERATION = ("ax", "ay", "az", "bx", "by", "bz")
# A quaternion's length may be off by what six written digits lose.
UNIT_LENGTH = 1e-5
LARGEST_LOG = 50_000_000  # bytes


def read_log(path: Path, *, extrapolate: float = 0.0) -> dict[tuple[str, str], Sampled]:
    """The sampled motions of a log by (frame, parent); ("", "") where it does not name them."""
    try:
        text = content_of(path, LARGEST_LOG).decode("utf-8-sig")
        reader = csv.DictReader(io.StringIO(text, newline=""))
        header = [name.strip() for name in reader.fieldnames or ()]
        reader.fieldnames = header
        rows = list(reader)
    except FileError as mistake:
        raise FrameError(f"{path} cannot be read: {mistake.message}", path=str(path)) from None
    except (UnicodeDecodeError, csv.Error) as mistake:
        raise FrameError(f"{path} cannot be read: {mistake}.", path=str(path)) from None
    missing = [name for name in POSE if name not in header]
    if missing or not rows:
        what = f"the columns {', '.join(missing)}" if missing else "any sample"
        raise FrameError(f"{path} is no transform log: it lacks {what}.", path=str(path))
    order = POSES
    for names, known in ((VELOCITY, VELOCITIES), (ACCELERATION, ACCELERATIONS)):
        if order == known - 1 and all(name in header for name in names):
            order = known
    edges: dict[tuple[str, str], list[list[float]]] = {}
    columns = (*POSE, *VELOCITY[: 6 * (order >= 1)], *ACCELERATION[: 6 * (order >= 2)])
    for k, row in enumerate(rows):
        edge = (row.get("frame") or "", row.get("parent") or "")
        edges.setdefault(edge, []).append(
            [_number(path, k + 2, name, row[name]) for name in columns]
        )
    return {
        edge: _sampled(path, edge, np.array(table), order, extrapolate)
        for edge, table in edges.items()
    }


def _sampled(
    path: Path, edge: tuple[str, str], table: FloatArray, order: int, extrapolate: float
) -> Sampled:
    q = table[:, 4:8]
    with np.errstate(over="ignore"):
        length = np.linalg.norm(q, axis=1)
    if (np.abs(length - 1.0) > UNIT_LENGTH).any():
        k = int(np.argmax(np.abs(length - 1.0)))
        raise BadNumber(
            f"{path}: the quaternion at t = {table[k, 0]:g} s has length {length[k]:.6g}, not 1."
        )
    rates = np.zeros((len(table), 12))
    rates[:, : table.shape[1] - 8] = table[:, 8:]
    try:
        states = KinematicState(
            edge[0],
            edge[1],
            table[:, 1:4],
            converted(q, Quaternion(), Matrix()),
            velocity=rates[:, :3],
            angular_velocity=rates[:, 3:6],
            acceleration=rates[:, 6:9],
            angular_acceleration=rates[:, 9:],
        )
        return Sampled(table[:, 0], states, order=order, extrapolate=extrapolate)
    except BadNumber as mistake:
        raise BadNumber(f"{path}: {mistake.message}", **mistake.facts) from None


def write_log(path: Path, edges: Iterable[tuple[str, str, Sampled]]) -> Path:
    """Write sampled motions as one log, with all the rates they know."""
    given = list(edges)
    order = min((motion.order for _, _, motion in given), default=POSES)
    columns = (*POSE, *VELOCITY[: 6 * (order >= 1)], *ACCELERATION[: 6 * (order >= 2)])
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["frame", "parent", *columns])
    for frame, parent, motion in given:
        s = motion.states
        parts = [motion.t[:, None], s.position, Matrix().quaternions(s.rotation)]
        parts += [s.velocity, s.angular_velocity][: 2 * (order >= 1)]
        parts += [s.acceleration, s.angular_acceleration][: 2 * (order >= 2)]
        for row in np.concatenate(parts, axis=1).tolist():
            writer.writerow([frame, parent, *map(repr, row)])
    return replace_file(path, text.getvalue().encode())


def _number(path: Path, line: int, name: str, text: str | None) -> float:
    try:
        value = float(text or "")
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise BadNumber(f"{path}:{line}: {name} is {text!r}, not a finite number.", line=line)
    return value

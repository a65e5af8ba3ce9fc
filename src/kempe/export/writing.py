"""Writing a trajectory to a file, by its ending; whole files only, never half of one."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from kempe.disk import replace_file
from kempe.endings import PICTURES, refuse_unwritable
from kempe.export import tables
from kempe.export.saved_trajectory import npz_bytes
from kempe.export.svg_pages import write_picture
from kempe.pictures.animation import MOVING, picture, write_animation

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

Texts = tuple[str, ...]
Maker = Callable[["Trajectory", Texts, Texts], bytes | Iterable[bytes]]


# ending -> the file's content: the named columns, or all, in the given units
WRITERS: dict[str, Maker] = {
    ".csv": tables.csv_pieces,
    ".json": tables.json_bytes,
    ".npz": lambda trajectory, *_: npz_bytes(trajectory),
    ".parquet": tables.parquet_bytes,
    ".xlsx": tables.xlsx_bytes,
    ".txt": lambda trajectory, _, units: trajectory.report(units=units).encode(),
}
MODEL = ".asmt"  # the mechanism with the motion
ENDINGS = (*WRITERS, *PICTURES, ".dxf", *MOVING, MODEL)


def write(
    trajectory: "Trajectory",
    path: str | Path,
    *,
    trace: tuple[str, ...] = (),
    units: Iterable[str] = (),
    columns: Iterable[str] = (),
) -> Path:
    """Write a table, the report, a picture, a moving one or the mechanism with its motion."""
    target = Path(path)
    refuse_unwritable(target, ENDINGS, "a motion")
    ending = target.suffix.lower()
    if ending in MOVING:
        return write_animation(trajectory, target, trace=trace)
    if ending == ".dxf":
        return replace_file(target, _drawing(trajectory, trace))
    if ending == MODEL:
        from kempe.export.asmt_series import asmt_bytes

        return replace_file(target, asmt_bytes(trajectory))
    if ending in PICTURES:
        return write_picture(target, picture(trajectory, trace=trace))
    return replace_file(target, WRITERS[ending](trajectory, tuple(columns), tuple(units)))


def _drawing(trajectory: "Trajectory", trace: Texts) -> bytes:
    """Its first sample as a drawing, with the paths of points."""
    from kempe.foreign.dxf.writing import dxf_text

    start = trajectory.state(0)
    paths = {name: trajectory[name].position for name in trace}
    text, _ = dxf_text(trajectory.layout.model, start.poses, {}, paths=paths)
    return text.encode()

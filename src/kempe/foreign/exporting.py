"""Models as files of other programs, by their endings."""

from collections.abc import Callable, Mapping
from pathlib import Path

from kempe.disk import replace_file
from kempe.errors import FileError
from kempe.files.syntax.text import WRITERS
from kempe.foreign.imported import Report
from kempe.geometry import Pose
from kempe.model import Model

Writer = Callable[[Model, Mapping[str, Pose], Mapping[str, float], str], tuple[str, Report]]
WRITTEN = (".xml", ".mjcf", ".urdf", ".asmt", ".dxf")


def is_written(path: str | Path) -> bool:
    """Whether the ending of a path is that of another program's file that kempe writes."""
    return Path(path).suffix.lower() in WRITTEN


def refuse_unknown_ending(path: str | Path) -> None:
    """A FileError where a path has the ending of no file that a mechanism is written to."""
    known = (*WRITERS, *WRITTEN)
    if Path(path).suffix.lower() not in known:
        raise FileError(f"a mechanism is written to {', '.join(known)}.", path=str(path))


def write_foreign(
    model: Model, placed: Mapping[str, Pose], readings: Mapping[str, float], path: str | Path
) -> Report:
    """Write a model, bodies at `placed` and measures at `readings`; what the file does not hold."""
    target = Path(path)
    if not is_written(target):
        raise FileError(f"another program's file ends in {', '.join(WRITTEN)}.", path=str(path))
    text, report = _writer(target.suffix.lower())(model, placed, readings, str(path))
    replace_file(target, text.encode())
    return report


def _writer(ending: str) -> Writer:
    """What writes the file of an ending; nothing else is imported."""
    if ending == ".urdf":
        from kempe.foreign.urdf.writing import urdf_text

        return urdf_text
    if ending == ".asmt":
        from kempe.foreign.asmt.writing import asmt_text

        return asmt_text
    if ending == ".dxf":
        from kempe.foreign.dxf.writing import dxf_text

        return dxf_text
    from kempe.foreign.mjcf.writing import mjcf_text

    return mjcf_text

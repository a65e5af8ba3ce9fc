"""Foreign files by their endings."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from kempe.disk import content_of
from kempe.errors import FileError, KempeError

if TYPE_CHECKING:
    from kempe.foreign.imported import Imported

Reader = Callable[[bytes, str], "Imported"]


def _asmt(content: bytes, path: str) -> "Imported":
    from kempe.foreign.asmt.reading import read_asmt

    return read_asmt(content, path)


def _urdf(content: bytes, path: str) -> "Imported":
    from kempe.foreign.urdf.reading import read_urdf_model

    return read_urdf_model(content, path)


def _sdf(content: bytes, path: str) -> "Imported":
    from kempe.foreign.sdf.reading import read_sdf

    return read_sdf(content, path)


def _xml(content: bytes, path: str) -> "Imported":
    """A robot of MuJoCo, ROS or Gazebo, by its first element."""
    from kempe.xml_tree import XmlTree

    others = {"robot": _urdf, "sdf": _sdf}
    root = XmlTree(content, path).root.tag
    if root in others:
        return others[root](content, path)
    from kempe.foreign.mjcf.reading import read_mjcf

    return read_mjcf(content, path)


def _dxf(content: bytes, path: str) -> "Imported":
    from kempe.foreign.dxf.reading import read_dxf

    return read_dxf(content, path)


def _pmks(content: bytes, path: str) -> "Imported":
    from kempe.foreign.pmks.reading import read_pmks

    return read_pmks(content, path)


def _pylinkage(content: bytes, path: str) -> "Imported":
    from kempe.foreign.pylinkage.reading import read_pylinkage

    return read_pylinkage(content, path)


def _is_of_pylinkage(path: Path) -> bool:
    """Whether a JSON file holds joints and links, as pylinkage saves them, and no model of ours."""
    from kempe.files.syntax.source import LARGEST_FILE

    try:
        content = content_of(path, LARGEST_FILE)
    except KempeError:  # told by whoever reads it
        return False
    words = (b'"links"', b'"joints"')
    return all(word in content for word in words) and b'"version"' not in content


JSON = ".json"  # of kempe's own models, and of pylinkage
READERS: dict[str, Reader] = {
    ".asmt": _asmt,
    ".urdf": _urdf,
    ".sdf": _sdf,
    ".xml": _xml,
    ".mjcf": _xml,
    ".dxf": _dxf,
    ".pmks": _pmks,
}
ENDINGS = tuple(READERS)


def is_foreign(path: str | Path) -> bool:
    """Whether a path leads to another program's mechanism, by its ending or by what it holds."""
    ending = Path(path).suffix.lower()
    return ending in READERS or (ending == JSON and _is_of_pylinkage(Path(path)))


def read_foreign(path: str | Path) -> "Imported":
    """The mechanism in a file of another program, with a report of what was left out of it."""
    from kempe.files.syntax.source import LARGEST_FILE

    target = Path(path)
    ending = target.suffix.lower()
    reader = _pylinkage if ending == JSON else READERS.get(ending)
    if reader is None:
        message = f"a mechanism of another program ends in {', '.join(ENDINGS)}."
        raise FileError(message, path=str(path))
    return reader(content_of(target, LARGEST_FILE), str(path))

"""The endings of all files that the studio writes and opens, and what each needs."""

import importlib.util
from typing import Literal

from kempe.studio.messages.answers import Export

OPENED = (".yaml", ".yml", ".json", ".asmt", ".urdf", ".sdf", ".xml", ".mjcf", ".dxf", ".pmks")
Of = Literal["document", "motion"]
PLOTS = ("matplotlib", "plot")
# ending -> of what, in words, and the package and extra that it needs
KINDS: dict[str, tuple[Of, str, str, str]] = {
    ".yaml": ("document", "the model as people write it", "", ""),
    ".json": ("document", "the model as programs do", "", ""),
    ".py": ("document", "the script that builds it", "", ""),
    ".xml": ("document", "MJCF, for MuJoCo", "", ""),
    ".urdf": ("document", "URDF, for ROS", "", ""),
    ".asmt": ("document", "ASMT, for FreeCAD's solver", "", ""),
    ".dxf": ("document", "a drawing for CAD, of the plane", "ezdxf", "cad"),
    ".document.html": ("document", "all of it on one page that plays, model file included", "", ""),
    ".report.html": ("document", "a report of bodies, joints, freedoms and motion", *PLOTS),
    ".report.pdf": ("document", "the same report, for print", *PLOTS),
    ".html": ("motion", "a page that plays, with plots", "", ""),
    ".csv": ("motion", "a table of everything", "", ""),
    ".xlsx": ("motion", "a workbook", "", ""),
    ".parquet": ("motion", "a Parquet table", "pyarrow", "data"),
    ".npz": ("motion", "NumPy arrays, exact", "", ""),
    ".txt": ("motion", "the report", "", ""),
    ".svg": ("motion", "a picture", "", ""),
    ".png": ("motion", "a picture in pixels", *PLOTS),
    ".pdf": ("motion", "a picture for print", *PLOTS),
    ".gif": ("motion", "a moving picture", "PIL", "video"),
    ".mp4": ("motion", "a film", "imageio_ffmpeg", "video"),
    ".webm": ("motion", "a film for pages", "imageio_ffmpeg", "video"),
    ".glb": ("motion", "glTF: solids that move", "", ""),
}


def exports() -> list[Export]:
    """All endings, with the line that installs what one needs."""
    return [
        Export(ending=ending, of=of, words=words, missing=_missing(package, extra))
        for ending, (of, words, package, extra) in KINDS.items()
    ]


def _missing(package: str, extra: str) -> str:
    if not package or importlib.util.find_spec(package) is not None:
        return ""
    return f"pip install 'kempe[{extra}]'"

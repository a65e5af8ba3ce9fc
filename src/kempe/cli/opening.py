"""What a command's FILE argument names: a model file, a Python file, or a gallery's mechanism."""

import runpy
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from kempe.errors import KempeError, ModelError, UnknownName, nearest_name

if TYPE_CHECKING:
    from kempe.front import Mechanism

MODEL_FILES = (".yaml", ".yml", ".json")


def opened(what: str) -> "Mechanism":
    """The mechanism in a file or of the gallery."""
    path = Path(what)
    if path.suffix.lower() in MODEL_FILES:
        from kempe.front import load

        return load(path)
    if path.suffix == ".py":
        return _from_python(path)
    from kempe.gallery import MECHANISMS

    if what in MECHANISMS:
        return MECHANISMS[what]()
    raise UnknownName(f"there is no mechanism {what!r}.{nearest_name(what, MECHANISMS)}")


def _from_python(path: Path) -> "Mechanism":
    from kempe.front import Mechanism

    if not path.is_file():
        raise ModelError(f"there is no file {path}.")
    try:
        found = runpy.run_path(str(path), run_name="kempe_model").get("mechanism")
    except KempeError:
        raise
    except Exception as mistake:
        frames = traceback.extract_tb(mistake.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(path)]
        where = f"{path}:{lines[-1]}" if lines else str(path)
        said = f"{type(mistake).__name__}: {mistake}".split("\n", 1)[0]
        raise ModelError(f"{where}: the Python file ended with {said}.") from mistake
    if not isinstance(found, Mechanism):
        raise ModelError(
            f"{path} defines no `mechanism`: end it with `mechanism = builder.build()`."
        )
    return found

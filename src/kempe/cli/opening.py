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
    found = _run(path).get("mechanism")
    if not isinstance(found, Mechanism):
        raise ModelError(
            f"{path} defines no `mechanism`: end it with `mechanism = builder.build()`."
        )
    return found


def _run(path: Path) -> dict[str, object]:
    """The names a Python file leaves behind; a mistake in it is reported with its line."""
    try:
        return runpy.run_path(str(path), run_name="kempe_model")
    except (KempeError, KeyboardInterrupt):
        raise
    except SyntaxError as mistake:
        raise ModelError(f"{path}:{mistake.lineno}: {mistake.msg}.") from None
    except BaseException as mistake:
        lines = [
            f.lineno
            for f in traceback.extract_tb(mistake.__traceback__)
            if Path(f.filename) == path
        ]
        where = f"{path}:{lines[-1]}" if lines else str(path)
        raise ModelError(f"{where}: {type(mistake).__name__}: {mistake}") from None

"""What commands that need a motion share: a mechanism by name or file, swept as the options say."""

import runpy
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from kempe.errors import KempeError, ModelError, UnknownName, nearest_name

if TYPE_CHECKING:
    from kempe.front import Mechanism, Trajectory

SAVED = ".npz"  # the ending of a trajectory that was saved


def mechanism_of(what: str) -> "Mechanism":
    """The mechanism of a Python file that defines `mechanism`, or of the gallery."""
    from kempe.front import Mechanism
    from kempe.gallery import MECHANISMS

    if what in MECHANISMS:
        return MECHANISMS[what]()
    path = Path(what)
    if path.suffix == ".py" and path.is_file():
        found = _run(path).get("mechanism")
        if not isinstance(found, Mechanism):
            raise ModelError(
                f"{path} defines no `mechanism`: end it with `mechanism = builder.build()`."
            )
        return found
    if path.suffix == ".py":
        raise ModelError(f"there is no file {path}.")
    raise UnknownName(f"there is no mechanism {what!r}.{nearest_name(what, MECHANISMS)}")


def motion_of(what: str, until: str, steps: int, over: str | None) -> "Trajectory":
    """The motion of a mechanism up to a time or over a measure, or one that was saved."""
    if Path(what).suffix == SAVED:
        from kempe.front import Trajectory

        return Trajectory.load(what)
    mechanism = mechanism_of(what)
    if over is None:
        return mechanism.kinematics(until=until, steps=steps)
    return mechanism.kinematics(over=_over(over), steps=steps)


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


def _over(text: str) -> tuple[str, str, str]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3:
        raise ModelError(
            f"--over {text!r} is not a measure and two values, such as 'crank.angle, 0, 360 deg'."
        )
    return parts[0], parts[1], parts[2]

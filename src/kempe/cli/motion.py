"""What commands that need a motion share: a mechanism by name or file, swept as the options say."""

from pathlib import Path
from typing import TYPE_CHECKING

from kempe.cli.opening import opened
from kempe.errors import ModelError

if TYPE_CHECKING:
    from kempe.files.document import Run
    from kempe.front import Mechanism, Trajectory

SAVED = ".npz"  # the ending of a trajectory that was saved
STEPS = 360


def is_saved(what: str) -> bool:
    """Whether the argument names a trajectory that was saved."""
    return Path(what).suffix == SAVED


def asked_of(mechanism: "Mechanism") -> "Run | None":
    """The run that the mechanism's file asks for, if it came from one that does."""
    return mechanism.document.run if mechanism.document else None


def motion_of(what: str, until: str | None, steps: int | None, over: str | None) -> "Trajectory":
    """The motion that the options, or else the file, ask for; or one that was saved."""
    if is_saved(what):
        from kempe.front import Trajectory

        return Trajectory.load(what)
    return swept(opened(what), until, steps, over)


def swept(
    mechanism: "Mechanism", until: str | None, steps: int | None, over: str | None
) -> "Trajectory":
    """The sweep that the options ask for, else the one that the file asks for."""
    asked = asked_of(mechanism)
    count = steps or (asked.steps if asked else None) or STEPS
    if over is not None:
        return mechanism.kinematics(over=_over(over), steps=count)
    if until is None and asked is not None and asked.over is not None:
        return mechanism.kinematics(over=asked.over, steps=count)
    end = until or (asked.until if asked else None) or "1"
    return mechanism.kinematics(until=end, steps=count)


def _over(text: str) -> tuple[str, str, str]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3:
        raise ModelError(
            f"--over {text!r} is not a measure and two values, such as 'crank.angle, 0, 360 deg'."
        )
    return parts[0], parts[1], parts[2]

"""What cannot be asked of a mechanism whose joints hold velocities and no places."""

from kempe.errors import ModelError
from kempe.model import Model

MOST_NAMED = 3

SWEEP = (
    "a sweep finds places from places, and where it rolls to depends on the way: let `simulate` run"
    " the drives, which gives the same motion whatever the masses are"
)
REST = (
    "what does not slip holds it like friction wherever it is put, so that there are whole families"
    " of places of rest: let `simulate` run it with a damper until it stands still"
)
SEARCH = (
    "where it rolls to depends on the way it came: take it out, write circles on circles and on"
    " lines as gears and racks (kempe.couplers), whose motions are listed, let curves slide by"
    " CurveOnCurve, or `simulate`"
)
HAND = "a hand would pull it sideways: move it with forces or drives, and `simulate`"


def refuse_rolling(model: Model, what: str, why: str) -> None:
    """A ModelError where joints of a model hold velocities, for which `what` has no answer."""
    names = [joint.name for joint in model.joints if joint.velocity_units]
    if not names:
        return
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    shown = ", ".join(repr(name) for name in names[:MOST_NAMED]) + more
    raise ModelError(
        f"{model.name!r} has no {what}: {shown} {'holds' if len(names) == 1 else 'hold'} velocities"
        f" and no place, and {why}.",
        joints=tuple(names),
    )

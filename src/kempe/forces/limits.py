"""What a controller or an amplifier can give at most."""

from kempe.algebra.functions import maximum, minimum
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.geometry.vector import Scalar
from kempe.units import effort_unit


def limited(effort: Scalar, low: Scalar | None, high: Scalar | None) -> Scalar:
    """The `effort`, but no less than `low` and no more than `high`, where those are given."""
    if low is not None:
        effort = maximum(effort, low)
    return effort if high is None else minimum(effort, high)


def keep_limits(force: AbstractForce) -> None:
    """Makes floats of what a `force` gives at least, `low`, and at most, `high`, where it says so.

    A BadNumber where one is not finite, or where nothing is left between them.
    """
    given = {word: getattr(force, word) for word in ("low", "high")}
    unit = effort_unit(force.gauges[0].unit)
    force._keep_finite({word: unit for word, limit in given.items() if limit is not None})
    low, high = (getattr(force, word) for word in given)
    if low is not None and high is not None and not low < high:
        raise BadNumber(
            f"{force._called} gives at least {low:g} and at most {high:g}: exchange the limits, or"
            " leave one out."
        )

"""What a controller or an amplifier can give at most."""

from typing import Any

from kempe.algebra.functions import maximum, minimum
from kempe.errors import BadNumber
from kempe.geometry.vector import Scalar


def limited(effort: Scalar, low: Scalar | None, high: Scalar | None) -> Scalar:
    """The `effort`, but no less than `low` and no more than `high`, where those are given."""
    if low is not None:
        effort = maximum(effort, low)
    return effort if high is None else minimum(effort, high)


def refuse_crossed(who: str, low: Any, high: Any) -> None:
    """A BadNumber where nothing is left between the limits `low` and `high` of `who`."""
    if low is not None and high is not None and not low < high:
        raise BadNumber(
            f"{who} gives at least {low:g} and at most {high:g}: exchange the limits, or leave one"
            " out."
        )

"""Angles on the command line: a bare 360 is radians, and hardly ever meant so."""

import math
from typing import TYPE_CHECKING

from kempe.errors import BadNumber

if TYPE_CHECKING:
    from kempe.front import Mechanism

MOST_RADIANS = 2.0 * math.tau  # two turns: larger bare numbers are degrees that lack their unit


def refuse_bare_degrees(mechanism: "Mechanism", measure: str, option: str, *texts: str) -> None:
    """A BadNumber where a bare number would turn an angle by more than two turns.

    360 rad is 57 turns: who writes it for "crank.angle" means 360 deg. "360 rad" is taken as it
    stands, and so are lengths.
    """
    from kempe.compile.trace.part_names import gauges_by_name

    gauge = gauges_by_name(mechanism.model).get(measure)
    if gauge is None or gauge.unit != "rad":
        return
    for text in texts:
        radians = _bare(text)
        if abs(radians) > MOST_RADIANS:
            raise BadNumber(
                f"{option}: {text} without a unit is {text} rad, {abs(radians) / math.tau:.3g}"
                f" turns of {measure!r}: write '{text} deg', or '{text} rad' if that is meant.",
                value=radians,
            )


def _bare(text: str) -> float:
    """The number of a text without a unit; 0 for any other text."""
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if math.isfinite(number) else 0.0

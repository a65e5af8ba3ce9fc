"""Two capsules."""

from dataclasses import dataclass
from typing import final

from kempe.algebra.functions import where
from kempe.forces.contact import AbstractContact, Touch, within
from kempe.geometry import Axis, Pose, Vector
from kempe.units import Metres

CROSSED = 1e-9  # m between the axes: nearer than that they have no normal
PARALLEL = 1e-12  # beside 1, the square of the sine of the angle between both bars


@final
@dataclass(frozen=True)
class CapsuleOnCapsule(AbstractContact):
    """Two bars with round ends, their middles at the origins of I and J, that meet in one place.

    gap = |p_J - p_I| - r_I - r_J,  the points p_I and p_J of both axes that are nearest

    `along` is the axis of both markers that the bars lie along, the lengths are those between the
    centres of their ends. Bars that lie along each other meet in a line, of which only one point
    acts; where it jumps from one end to the other the force does, too. Axes that cross have no
    normal, and there is no force: bars so deep in each other have gone through. Laws of the
    contact: `AbstractContact`.

    Source: [Ericson] section 5.1.9, the points of two segments, every choice by a clamp.
    """

    along: Axis
    radius_I: Metres
    length_I: Metres
    radius_J: Metres
    length_J: Metres

    def __post_init__(self) -> None:
        super().__post_init__()
        words = ("radius_I", "length_I", "radius_J", "length_J")
        self._keep_positive(dict.fromkeys(words, "m"))

    def touches(self, X_WI: Pose, X_WJ: Pose) -> list[Touch]:
        a, b = X_WI.axis(self.along), X_WJ.axis(self.along)
        r = X_WI.position - X_WJ.position
        half_a, half_b = 0.5 * self.length_I, 0.5 * self.length_J
        ab, ar, br = a @ b, a @ r, b @ r
        sine = 1.0 - ab * ab
        s = within((ab * br - ar) / (sine + PARALLEL), half_a)
        t = within(ab * s + br, half_b)
        s = within(ab * t - ar, half_a)
        on_a, on_b = X_WI.position + a * s, X_WJ.position + b * t
        line = on_b - on_a
        apart = line.square > CROSSED * CROSSED
        length = where(apart, line.norm, 0.0 * line.norm)
        n = Vector(*(where(apart, x, 0.0 * x) for x in line / line.norm))
        gap = length - self.radius_I - self.radius_J
        return [Touch(gap, n, on_a + n * (self.radius_I + 0.5 * gap))]

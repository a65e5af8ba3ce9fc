"""Which way a spring acts."""

from enum import Enum
from typing import final

from kempe.algebra.functions import maximum, minimum, where
from kempe.geometry.vector import Scalar


@final
class Acting(Enum):
    """A coil spring pulls and pushes, a rope only pulls, a buffer only pushes."""

    BOTH = "both"
    TENSION = "tension"
    COMPRESSION = "compression"

    def part(self, stretch: Scalar) -> Scalar:
        """The part of a `stretch` that the spring answers."""
        if self is Acting.TENSION:
            return maximum(stretch, 0.0)
        return minimum(stretch, 0.0) if self is Acting.COMPRESSION else stretch

    def held(self, pull: Scalar, stretch: Scalar) -> Scalar:
        """What it exerts of `pull` at `stretch`: none where it hangs loose, never the other way."""
        if self is Acting.BOTH:
            return pull
        if self is Acting.TENSION:
            return where(stretch > 0.0, maximum(pull, 0.0), 0.0 * pull)
        return where(stretch < 0.0, minimum(pull, 0.0), 0.0 * pull)

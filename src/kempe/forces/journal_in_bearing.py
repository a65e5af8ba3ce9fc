"""A hinge with clearance."""

from dataclasses import dataclass
from typing import final

from kempe.algebra.functions import sqrt
from kempe.errors import BadNumber
from kempe.forces.contact import AbstractContact, Touch
from kempe.geometry import Pose
from kempe.units import Metres

CENTRED = 1e-30  # m^2, beside the square of an eccentricity: a direction where there is none


@final
@dataclass(frozen=True)
class JournalInBearing(AbstractContact):
    """A hinge with radial clearance: a pin in a bore that is a little wider, loose or worn.

    gap = clearance - |e|,  e = p_IJ across the axis z of I

    I is the middle of the bearing and J that of the journal, of `radius` r; the bore has the radius
    r + clearance. As long as the eccentricity |e| is less than the clearance, nothing holds the
    pin; beyond it they press and rub by the laws of a contact (`AbstractContact`), r away from the
    middle of the pin. It takes the place of a revolute joint in the plane. In space it holds across
    the axis only: two of them, side by side, make a shaft in loose bearings.

    A `stiffness` by Hertz is hertz_stiffness(r, E*, other=-(r + clearance)) with an `exponent` of
    1.5. The damping of Lankarani and Nikravesh is a `dissipation` of 3 (1 - e^2) / (4 v), e the
    restitution and v the speed of approach; `restitution` with `impact_speed` gives Hunt and
    Crossley's, which holds for any e.

    Source: [Flores2006] for the clearance, [LankaraniNikravesh] for that damping.
    """

    clearance: Metres  # of the radius
    radius: Metres  # of the journal

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_positive({"radius": "m"})
        self._keep_finite({"clearance": "m"})
        if not self.clearance >= 0.0:
            raise BadNumber(
                f"clearance of {self._called} is {self.clearance:g} m: a journal is not wider than"
                " its bearing."
            )

    def touches(self, X_WI: Pose, X_WJ: Pose) -> list[Touch]:
        line, z = X_WJ.position - X_WI.position, X_WI.rotation.z
        e = line - z * (line @ z)
        length = sqrt(e.square + CENTRED)
        out, gap = e / length, self.clearance - length
        return [Touch(gap, -out, X_WJ.position + out * (self.radius + 0.5 * gap))]

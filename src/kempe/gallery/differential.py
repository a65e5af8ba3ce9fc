"""The differential of a car."""

import math

from kempe.couplers import GearPair
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry
from kempe.gallery.sketch_in_space import X_AXIS, Y_AXIS, placed
from kempe.geometry import Pose
from kempe.measures import Gauge, Turn


@entry
def differential(
    *,
    side: float = 0.06,
    pinion: float = 0.04,
    axle: float = 0.2,
    gain: float = 0.25,
) -> Mechanism:
    """Two half axles share the turn of a case: what one gains in a bend, the other loses.

    Axles and case turn about x; a bevel pinion, on a pin of the case along y, meshes with both side
    gears. `side` and `pinion` are the radii of the gears, `axle` is how far a half axle reaches.
    The case makes one turn per second, the left axle 1 + `gain`: the right one makes 1 - gain, and
    the pinion turns on its pin by gain side / pinion.

    Source: Onesiphore Pecqueur, 1827; Willis' equation.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.differential().kinematics(until=1.0)
        >>> print(f"{turn['right_bearing.angle'].ptp() / (2 * 3.141592653589793):.6f}")
        0.750000
    """
    m = Builder("bevel differential")
    here = Pose.identity()
    case = placed(m, "case", here, {"start": (0, 0, 0), "pin": (0, 1.4 * side, 0)})
    left = placed(m, "left", here, {"end": (-axle, 0, 0), "start": (-pinion, 0, 0)})
    right = placed(m, "right", here, {"end": (axle, 0, 0), "start": (pinion, 0, 0)})
    bevel = placed(m, "pinion", here, {"start": (0, side, 0)})
    turns = {}
    for part, x in ((case, 0.0), (left, -axle), (right, axle)):
        bearing = m.ground.at(x, 0, 0).facing(X_AXIS), part.at(x, 0, 0).facing(X_AXIS)
        turns[part.name] = m.revolute(*bearing, name=f"{part.name}_bearing").angle
    pin = case.at(0, side, 0).facing(Y_AXIS), bevel.start.facing(Y_AXIS)
    spin = m.revolute(*pin, name="pin").angle
    # each side gear is read against the case, about the axis that points away from the pinion
    for part, away in ((left, (-1.0, 0.0, 0.0)), (right, X_AXIS)):
        I, J = (p.at(away[0] * pinion, 0, 0).facing(away) for p in (case, part))
        seen = Gauge(f"{part.name}.gain", Turn(), I, J)
        m.couple(GearPair((seen, spin), f"{part.name}_mesh", teeth=(side, pinion), constant=0.0))
    m.drive(turns["case"], rpm=60)
    m.drive(turns["left"], speed=math.tau * (1.0 + gain))
    return m.build()

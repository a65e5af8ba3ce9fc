"""The slider-crank in space."""

import numpy as np

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, root
from kempe.gallery.sketch_in_space import X_AXIS, Y_AXIS, frame, placed, triple
from kempe.geometry import Pose, Rotation, Vector
from kempe.joints import Spherical, Universal


@entry
def spatial_slider_crank(
    *,
    crank: float = 0.08,
    rod: float = 0.3,
    shaft: tuple[float, float] = (0.1, 0.12),
    start: float = 0.0,
) -> Mechanism:
    """A crank that turns about x, beside the x axis, drives a slider along it.

    The shaft lies at y, z = `shaft`; a ball joins crank and rod, a cross joins rod and slider. The
    crank points along z at angle 0, and the slider stands at
    x^2 = rod^2 - (shaft[0] - crank sin a)^2 - (shaft[1] + crank cos a)^2.

    Source: [Haug] the spatial slider-crank, with its dimensions.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.spatial_slider_crank().kinematics(until=1.0)
        >>> print(f"{turn['slider.x'].values[0]:.3f}")
        0.200
    """
    m = Builder("spatial slider-crank")
    turn = Rotation.about(X_AXIS, start)
    centre = Vector(0.0, float(shaft[0]), float(shaft[1]))
    pin = centre + turn.apply(Vector(0.0, 0.0, crank))
    along = root(rod * rod - pin.y * pin.y - pin.z * pin.z)
    to_slider = np.array([along - pin.x, -pin.y, -pin.z])
    a = placed(m, "crank", Pose(centre, turn), {"start": (0, 0, 0), "end": (0, 0, crank)})
    b = placed(
        m, "rod", Pose(pin, frame(to_slider, Y_AXIS)), {"start": (0, 0, 0), "end": (rod, 0, 0)}
    )
    c = m.body("slider", points={"P": (0, 0, 0)}, at=(along, 0, 0), rotation=Rotation.identity())
    axle = m.revolute(
        m.ground.at(*triple(centre)).facing(X_AXIS), a.start.facing(X_AXIS), name="axle"
    )
    m.add(Spherical(a.end, b.start), "ball")
    m.add(Universal(c.at(0, 0).facing(Y_AXIS), b.end), "cross")
    m.prismatic(m.ground.at(0, 0), c.at(0, 0), name="guide")
    m.drive(axle.angle, start=start, rpm=60)
    return m.build()

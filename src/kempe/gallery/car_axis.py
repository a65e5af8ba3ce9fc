"""The car axis."""

from kempe.drives import TextFormula
from kempe.forces import LineSpring
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_of_masses import let_go, particle
from kempe.geometry.number import positive
from kempe.joints import PointOnLine, Rod

BUMP = "asin(height / width * sin(pace * t))"


@let_go(3.0, "left.P", "right.P")
def car_axis(
    *, width: float = 1.0, height: float = 0.1, pace: float = 10.0, spring: float = 0.5,
    mass: float = 5e-4,
) -> Mechanism:  # fmt: skip
    """An axle on two springs on a bumpy road: the left wheel rolls level, the right one bounces.

    The line between the wheels is a bar that a drive tilts, so that its far end goes up and down
    by `height` at `pace` (rad/s). The left end of the axle slides on a line square to it; the axle
    is a rod without mass between two ends of `mass` (kg). Springs of 1 N/m, `spring` long at rest;
    gravity is 1 m/s^2 as in the source.

    Source: [IVPTestSet] car axis problem.

    Examples:
        >>> import kempe
        >>> ride = kempe.gallery.car_axis().simulate(until=3.0)
        >>> ride["right.P"].position[-1].round(4).tolist()
        [1.0417, 0.3739]
    """
    positive(width, "car_axis: width")
    m = Builder("car axis", plane=True, gravity=(0, -1.0))
    road = m.bar("road", width, at=(0, 0), angle=0.0)
    m.revolute(m.ground.at(0, 0), road.start, name="left_wheel")
    law = TextFormula(BUMP, ("height", "width", "pace"), (height, width, pace))
    m.drive(road.angle, law)
    push = -spring * height * pace / width  # keeps the left end square to the road
    ends = []
    for name, x in (("left", 0.0), ("right", width)):
        h = 0.03 * width
        corners = {"a": (-h, -h), "b": (h, -h), "c": (h, h), "d": (-h, h)}
        ends.append(
            m.body(
                name,
                points={"P": (0.0, 0.0), **corners},
                outline=tuple(corners),
                at=(x, spring),
                angle=0.0,
                inertia=particle(mass),
                velocity=(push, 0.0),
            )
        )
    left, right = ends
    m.add(PointOnLine(road.start.facing((0, 1, 0)), left.P), "slide")
    m.add(Rod(left.P, right.P, length=width), "axle")
    m.force(LineSpring(m.ground.at(0, 0), left.P, stiffness=1.0, free=spring), "left_spring")
    m.force(LineSpring(road.end, right.P, stiffness=1.0, free=spring), "right_spring")
    return m.build()

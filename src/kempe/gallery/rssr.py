"""The RSSR four-bar."""

import math

import numpy as np

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import arc_cosine, entry, share
from kempe.gallery.sketch_in_space import frame, marker, placed, triple, turned
from kempe.geometry import GROUND, Pose, Vector
from kempe.joints import Cylindrical, Rod, Spherical

Triple = tuple[float, float, float]


@entry
def rssr(
    *, crank: float = 1.0, rod: float = 5.0, rocker: float = 3.0, at: Triple = (4.0, 0.5, 1.0),
    axis: Triple = (0.0, 1.0, 0.3), start: float = 0.0, upper: bool = True,
) -> Mechanism:  # fmt: skip
    """Crank and rocker about skew axes, joined by a rod with a ball at either end.

    The crank turns about z, the rocker about `axis` through `at`; both point along x at angle 0
    (the rocker as near as its axis lets it). `upper` tells its two assemblies apart. The distance
    of the rod's ends, P cos b + Q sin b = S, gives the rocker's angle b. The rod is a joint, so
    that the spin it could have about itself is no freedom.

    Source: [HartenbergDenavit]; Own dimensions, of a skew crank-rocker.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.rssr().kinematics(until=1.0)
        >>> print(turn["rocker_bearing.angle"].ptp("deg"))
        45.46 deg
        >>> print(kempe.gallery.rssr().motions())
        RSSR four-bar: 2 loops - complete.
    """
    m = Builder("RSSR four-bar")
    z = np.asarray(axis, dtype=np.float64)
    z = z / (float(np.linalg.norm(z)) or math.nan)
    y = np.cross(z, (1.0, 0.0, 0.0))
    y = y / (float(np.linalg.norm(y)) or math.nan)
    x = np.cross(y, z)
    base = Pose(Vector(*(float(c) for c in at)), frame(x, y))
    # |at + rocker (x cos b + y sin b) - end|^2 = rod^2
    end = crank * np.array([math.cos(start), math.sin(start), 0.0])
    d = np.asarray(at, dtype=np.float64) - end
    P, Q = 2.0 * rocker * float(d @ x), 2.0 * rocker * float(d @ y)
    S = rod * rod - rocker * rocker - float(d @ d)
    spread = arc_cosine(share(S, math.hypot(P, Q)))
    b = math.atan2(Q, P) + (spread if upper else -spread)
    ends = {"start": (0.0, 0.0, 0.0)}
    first = placed(m, "crank", turned(start), {**ends, "end": (crank, 0.0, 0.0)})
    second = placed(m, "rocker", base @ turned(b), {**ends, "end": (rocker, 0.0, 0.0)})
    m.revolute(m.ground.at(0, 0), first.start, name="crank_bearing")
    m.revolute(marker(GROUND, base), second.start, name="rocker_bearing")
    m.add(Rod(first.end, second.end, length=rod), "rod")
    m.drive(first.angle, start=start, rpm=60)
    return m.build()


@entry
def rscr(
    *, crank: float = 1.0, link: float = 4.0, rocker: float = 2.5, at: Triple = (4.0, 0.5, 1.0),
    axis: Triple = (0.0, 1.0, 0.3), start: float = 0.0, upper: bool = True,
) -> Mechanism:  # fmt: skip
    """Crank and rocker about skew axes: a link turns and slides on the one, a ball joins the other.

    The crank turns about z, the rocker about `axis` through `at`; both point along x at angle 0
    (the rocker as near as its axis lets it). The link turns about and slides along a pin at the
    rocker's end that is parallel to `axis`, and its ball, on the crank's end, is `link` (m) from
    that pin. Seen along `axis` the distance of ball and pin, P cos b + Q sin b = S, gives the
    rocker's angle b; `upper` tells its two assemblies apart.

    Source: [HartenbergDenavit]; Own dimensions, of a skew crank-rocker.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.rscr().motions())
        RSCR four-bar: 2 loops - complete.
    """
    m = Builder("RSCR four-bar")
    z = np.asarray(axis, dtype=np.float64)
    z = z / (float(np.linalg.norm(z)) or math.nan)
    y = np.cross(z, (1.0, 0.0, 0.0))
    y = y / (float(np.linalg.norm(y)) or math.nan)
    x = np.cross(y, z)
    base = Pose(Vector(*(float(c) for c in at)), frame(x, y))
    end = crank * np.array([math.cos(start), math.sin(start), 0.0])
    d = np.asarray(at, dtype=np.float64) - end
    # (rocker cos b + d . x)^2 + (rocker sin b + d . y)^2 = link^2
    along, across = float(d @ x), float(d @ y)
    P, Q = 2.0 * rocker * along, 2.0 * rocker * across
    S = link * link - rocker * rocker - along * along - across * across
    spread = arc_cosine(share(S, math.hypot(P, Q)))
    angle = math.atan2(Q, P) + (spread if upper else -spread)
    pin = rocker * (x * math.cos(angle) + y * math.sin(angle))
    way = -d - pin  # from the pin's middle to the ball
    foot = np.asarray(at, dtype=np.float64) + pin + z * float(way @ z)
    first = placed(m, "crank", turned(start), {"start": (0, 0, 0), "end": (crank, 0, 0)})
    second = placed(m, "rocker", base @ turned(angle), {"start": (0, 0, 0), "end": (rocker, 0, 0)})
    ball = way - z * float(way @ z)
    third = placed(
        m,
        "link",
        Pose(Vector(*triple(foot)), frame(ball, np.cross(z, ball))),
        {"start": (0, 0, 0), "end": (link, 0, 0)},
    )
    shaft = m.revolute(m.ground.at(0, 0, 0), first.start, name="crank_bearing")
    m.revolute(marker(GROUND, base), second.start, name="rocker_bearing")
    m.add(Spherical(first.end, third.end), "ball")
    m.add(Cylindrical(second.end, third.start), "pin")
    m.drive(shaft.angle, start=start, rpm=60)
    return m.build()

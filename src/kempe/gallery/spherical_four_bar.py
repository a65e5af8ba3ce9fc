"""Four hinges whose axes meet in one point."""

import math

import numpy as np

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import arc_cosine, entry, share
from kempe.gallery.sketch_in_space import X_AXIS, in_place, marker, placed, triple, turned
from kempe.geometry import GROUND, Marker, Pose, Rotation
from kempe.joints import Revolute


@entry
def spherical_four_bar(
    *, crank: float = math.radians(30.0), coupler: float = math.radians(70.0),
    rocker: float = math.radians(60.0), base: float = math.radians(80.0), radius: float = 0.2,
    start: float = math.radians(40.0), upper: bool = True,
) -> Mechanism:  # fmt: skip
    """A four-bar on a sphere: four hinges whose axes meet in its centre, bars that are arcs.

    `crank`, `coupler`, `rocker` and `base` are the arcs (rad) between neighbouring axes, drawn on a
    sphere of that `radius` (m). The crank turns about z and starts at `start` (rad); `upper` tells
    its two assemblies apart. It is a crank-rocker where the shortest and the longest arc are
    together shorter than the others. Three rows of its joints repeat what the others say.

    Source: [Chiang]; Own dimensions.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.spherical_four_bar().assemblies(at=0))
        spherical four-bar: 2 assemblies - complete.
        >>> print(kempe.gallery.spherical_four_bar().motions())
        spherical four-bar: 2 loops - complete.
    """
    m = Builder("spherical four-bar")
    arms = {"crank": crank, "coupler": coupler, "rocker": rocker}
    end = turned(start) @ _arc(crank)
    foot = _arc(-base)
    # the rocker's axis on the coupler must be its arc away from the base's
    across = end.rotation.inverse().apply(foot.rotation.z)
    size = math.sin(coupler) * math.hypot(across.x, across.y)
    spread = arc_cosine(share(math.cos(rocker) - math.cos(coupler) * across.z, size))
    turn = math.atan2(across.x, -across.y) + (spread if upper else -spread)
    knee = end @ turned(turn) @ _arc(coupler)
    seen = knee.rotation.inverse().apply(foot.rotation.z)
    here, before = Pose.identity(), Marker(GROUND)
    hinges = []
    angles = (start, turn, math.atan2(seen.x, -seen.y))
    for (name, arc), angle in zip(arms.items(), angles, strict=True):
        here = here @ turned(angle)
        z = Rotation.about(X_AXIS, arc).z
        tip = radius * np.array([z.x, z.y, z.z])
        ends = {"start": (0.0, 0.0, radius), "end": triple(tip), "O": (0.0, 0.0, 0.0)}
        body = placed(m, name, here, ends)
        hinges.append(m.revolute(before, body.O, name=f"{name}_hinge"))
        before, here = marker(name, _arc(arc)), here @ _arc(arc)
    m.add(Revolute(before, marker(GROUND, foot)), "base_hinge")
    m.drive(hinges[0].angle, start=start, rpm=60)
    return m.build()


def _arc(angle: float) -> Pose:
    """The axis turned by an arc about x, its point staying."""
    return in_place(Rotation.about(X_AXIS, angle))

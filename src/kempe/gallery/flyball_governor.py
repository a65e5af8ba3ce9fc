"""The flyball governor."""

import math

import numpy as np

from kempe.forces import LineSpring, SpringDamper
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_in_space import Y_AXIS
from kempe.gallery.sketch_of_masses import G, let_go, particle
from kempe.geometry import Inertia, Rotation
from kempe.geometry.number import positive
from kempe.joints import Prismatic, Revolute, Rod


@let_go(6.0, "left.P", "right.P")
def flyball_governor(
    *, arm: float = 0.3, ball: float = 1.0, sleeve: float = 2.0, lean: float = math.radians(30.0),
    faster: float = 1.2, oil: float = 8.0,
) -> Mechanism:  # fmt: skip
    """Two balls on arms that fly out as the spindle turns, and lift a sleeve.

    Arms of length `arm` hang from the spindle's top; rods of the same length lead from the balls to
    the sleeve. At w^2 = (1 + sleeve / ball) g / (arm cos(lean)) it keeps the angle `lean`. There it
    starts, `faster` by that factor, and an oil brake (N s/m) lets the sleeve come to rest.

    Own: James Watt's governor with Charles Porter's loaded sleeve; w by a balance of moments.

    Examples:
        >>> import kempe
        >>> spin = kempe.gallery.flyball_governor().simulate(until=6.0)
        >>> height = spin["guide.displacement"].values
        >>> bool(height[-1] > height[0])
        True
    """
    positive(arm, "flyball_governor: arm")
    m = Builder("flyball governor", gravity=(0, 0, -G))
    out, down = arm * math.sin(lean), arm * math.cos(lean)
    load_share = sleeve / positive(ball, "flyball_governor: ball")
    speed = faster * math.sqrt(max((1.0 + load_share) * G / max(down, 1e-12), 0.0))
    slim = Inertia(1.0, np.array([0.0, 0.0, -arm]), 0.02 * arm * arm * np.eye(3))
    spindle = m.body(
        "spindle",
        points={"top": (0, 0, 0), "foot": (0, 0, -2.4 * arm)},
        outline=("top", "foot"),
        at=(0, 0, 0),
        inertia=slim,
    )
    hinge = m.add(Revolute(m.ground.at(0, 0, -2.4 * arm), spindle.foot), "bearing")
    w = 0.12 * arm
    collar = {"a": (-w, 0, 0), "b": (w, 0, 0), "c": (w, 0, -w), "d": (-w, 0, -w)}
    load = m.body(
        "sleeve",
        points=collar,
        outline=tuple(collar),
        at=(0, 0, -2.0 * down),
        inertia=Inertia(sleeve, np.zeros(3), 0.1 * sleeve * w * w * np.eye(3)),
    )
    guide = m.add(Prismatic(spindle.at(0, 0, -2.4 * arm), load.at(0, 0, 0)), "guide")
    for name, side in (("left", -1.0), ("right", 1.0)):
        # The arm's z axis points from the ball to the spindle's top.
        axis = (-side * out, 0.0, down)
        body = m.body(
            name,
            points={"top": (0, 0, 0), "P": (0, 0, -arm)},
            outline=("top", "P"),
            at=(0, 0, 0),
            rotation=Rotation.about(Y_AXIS, math.atan2(axis[0], axis[2])),
            inertia=particle(ball, 0.0, 0.0, -arm),
        )
        m.add(Revolute(spindle.top.facing(Y_AXIS), body.top.facing(Y_AXIS)), f"{name}_hinge")
        m.add(Rod(body.P, load.at(0, 0, 0), length=arm), f"{name}_rod")
    m.rate(hinge.angle, speed)
    m.force(SpringDamper(guide.displacement, damping=oil), "oil")
    return m.build()


@let_go(10.0, "left.P", "right.P")
def stiff_flyball_governor(
    *, stiffness: float = 8e5, damping: float = 4e4, spin: float = 2.0 * math.pi
) -> Mechanism:
    """A governor whose rods hold its slider by springs (N/m) and dampers (N s/m) that are stiff.

    A shaft of 1 m turns freely, `spin` (rad/s) at first. Two rods of 1 m hang from its top, 30
    degrees below the horizontal, with 5 kg at their tips; springs of 0.5 m with dampers lead from
    the middle of each to a slider on the shaft. The dampers alone would bring the slider to rest
    within a tenth of a millisecond, so that an explicit method needs a hundred thousand steps.

    Source: [IFToMM] problem A05.

    Examples:
        >>> import kempe
        >>> spin = kempe.gallery.stiff_flyball_governor().simulate(until=0.5)
        >>> round(float(spin["guide.displacement"].values[-1]), 5)
        0.74325
    """
    m = Builder("stiff flyball governor", gravity=(0, 0, -G))
    length, offset, half = 1.0, 0.05, 0.5
    thin, wide = 0.3 * 2e-4 / 12.0, 0.3 * (1.0 + 1e-4) / 12.0  # 0.3 kg, 1 m x 1 cm x 1 cm
    shaft = m.body(
        "shaft",
        points={"foot": (0, 0, 0), "top": (0, 0, length)},
        outline=("foot", "top"),
        at=(0, 0, 0),
        inertia=Inertia(0.3, np.array([0.0, 0.0, half]), np.diag([wide, wide, thin])),
    )
    bearing = m.add(Revolute(m.ground.at(0, 0, 0), shaft.foot), "bearing")
    cube = {"a": (-offset, 0, -offset), "b": (offset, 0, -offset)}
    cube |= {"c": (offset, 0, offset), "d": (-offset, 0, offset)}
    slider = m.body(
        "slider",
        points=cube,
        outline=tuple(cube),
        at=(0, 0, half),
        inertia=Inertia(3.0, np.zeros(3), 3.0 * 0.02 / 12.0 * np.eye(3)),
    )
    m.add(Prismatic(shaft.foot, slider.at(0, 0, 0)), "guide")
    rod = Inertia(0.3, np.array([half, 0.0, 0.0]), np.diag([thin, wide, wide]))
    for name, side in (("left", -1.0), ("right", 1.0)):
        turned = Rotation.about(Y_AXIS, math.radians(30.0 if side > 0 else 150.0))
        body = m.body(
            name,
            points={"hinge": (0, 0, 0), "middle": (half, 0, 0), "P": (length, 0, 0)},
            outline=("hinge", "P"),
            at=(side * offset, 0, length),
            rotation=turned,
            inertia=rod + particle(5.0, length),
        )
        top = shaft.at(side * offset, 0, length)
        m.add(Revolute(top.facing(Y_AXIS), body.hinge.facing(Y_AXIS)), f"{name}_hinge")
        ends = slider.at(side * offset, 0, 0), body.middle
        spring = LineSpring(*ends, stiffness=stiffness, damping=damping, free=half)
        m.force(spring, f"{name}_spring")
    m.rate(bearing.angle, spin)
    return m.build()

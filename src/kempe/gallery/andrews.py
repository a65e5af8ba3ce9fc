"""Andrews' squeezer."""

import math
from typing import NamedTuple

import numpy as np

from kempe.drives import Ramp
from kempe.forces import Actuator, LineSpring
from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch_of_masses import let_go
from kempe.geometry import Inertia

Pair = tuple[float, float]


class _Part(NamedTuple):
    mass: float  # kg
    moment: float  # kg m^2, about its centre of mass
    parent: str  # "" where it is hinged to the ground
    hinge: Pair  # m, in the parent
    centre: Pair  # m, from that hinge
    angle: float  # rad at the start, against the parent


A, B, C, O = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072), (0.0, 0.0)
PARTS = {
    "K1": _Part(0.04325, 2.194e-6, "", O, (92e-5, 0.0), -0.0617138900142764496),
    "K2": _Part(0.00365, 4.410e-7, "K1", (7e-3, 0.0), (-115e-4, 0.0), 0.0),
    "K3": _Part(0.02373, 5.255e-6, "", B, (1043e-5, -1874e-5), 0.455279819163070380),
    "K5": _Part(0.07050, 1.169e-5, "", A, (2308e-5, 916e-5), 0.487364979543842550),
    "K4": _Part(0.00706, 5.667e-7, "K5", (4e-2, 0.0), (0.0, -579e-5), 0.222668390165885884),
    "K7": _Part(0.05498, 1.912e-5, "", A, (-449e-5, -1228e-5), 1.23054744454982119),
    "K6": _Part(0.00706, 5.667e-7, "K7", (0.0, -4e-2), (579e-5, 0.0), -0.222668390165885884),
}
MEETING = {"K2": (-28e-3, 0.0), "K3": (0.0, -35e-3), "K4": (0.0, -2e-2), "K6": (2e-2, 0.0)}
HOOK = (2e-2, -18e-3)  # of the spring, in K3


@let_go(0.03, "K2.P")
def andrews_squeezer(*, torque: float = 0.033, stiffness: float = 4530.0) -> Mechanism:
    """Seven bodies in three loops, driven by a constant torque: an address plate squeezer.

    From rest the crank K1 makes two and a half turns in 30 ms, and P, where four bodies meet, is
    pushed to and fro. `torque` in N m, `stiffness` of the spring in N/m.

    Source: [IVPTestSet] Andrews' squeezing mechanism.

    Examples:
        >>> import kempe
        >>> squeeze = kempe.gallery.andrews_squeezer().simulate(until=0.03)
        >>> print(f"{squeeze['K1.angle'].values[-1]:.4f} rad")
        15.8108 rad
    """
    m = Builder("Andrews' squeezer", plane=True)
    parts: dict[str, BodyPart] = {}
    angles, places = {"": 0.0}, {"": 0j}
    for name, part in PARTS.items():
        turned = complex(math.cos(angles[part.parent]), math.sin(angles[part.parent]))
        places[name] = places[part.parent] + turned * complex(*part.hinge)
        angles[name] = angles[part.parent] + part.angle
        inertia = Inertia(
            part.mass, np.array([*part.centre, 0.0]), np.diag([0.0, part.moment, part.moment])
        )
        points = {"P": MEETING[name]} if name == "K2" else {}
        points |= {"hook": HOOK} if name == "K3" else {}
        at = (places[name].real, places[name].imag)
        parts[name] = m.body(
            name, points=points, at=at, angle=angles[name], inertia=inertia, outline=tuple(points)
        )
    for name, part in PARTS.items():
        base = parts[part.parent].at(*part.hinge) if part.parent else m.ground.at(*part.hinge)
        m.revolute(base, parts[name].at(0, 0), name=f"hinge {name}")
    for name in ("K3", "K4", "K6"):
        m.revolute(parts["K2"].P, parts[name].at(*MEETING[name]), name=f"meeting {name}")
    m.force(LineSpring(m.ground.at(*C), parts["K3"].hook, stiffness, free=7785e-5), "spring")
    m.force(Actuator(parts["K1"].angle, Ramp(torque)), "motor")
    return m.build()

"""The mechanisms that dynamics is measured on; the same data as the peers were given.

Sources: [IFToMM] A01, A02 and A04, [IVPTestSet] Andrews' squeezer, [KohPark] double pendulum.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe import Builder, Inertia, Marker, Mechanism, Z
from kempe.drives import Ramp
from kempe.forces import Actuator, SpringDamper
from kempe.joints import Revolute
from kempe.measures import Distance, Gauge, Turn

G = 9.81


@final
@dataclass(frozen=True, slots=True)
class Case:
    """A mechanism, how long it moves, and what peers took for which errors.

    `peers` are CPU seconds of the fastest of exudyn, mujoco, pinocchio with an integrator of the
    user's, and drake, for an error; on a machine whose floor took `FLOOR_THERE`. `length` turns
    coordinates into the unit of the error.
    """

    name: str
    make: Callable[[], Mechanism]
    until: float
    peers: dict[float, float]
    wanted: float  # times faster than the fastest peer


def _turn(body: str) -> Gauge:
    return Gauge(f"{body}.angle", Turn(Z), Marker("ground"), Marker(body))


def _rod(mass: float = 1.0, moment: float = 1 / 12) -> Inertia:
    return Inertia(mass, (0.5, 0, 0), np.diag([1e-3 * moment, moment, moment]))


def pendulum() -> Mechanism:
    """D1: a point mass of 1 kg on an arm of 1 m, from the horizontal."""
    m = Builder("D1", plane=True, gravity=(0, -G))
    bob = m.body("bob", at=(1, 0), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), np.zeros((3, 3))))
    m.revolute(m.ground.at(0, 0), bob.at(-1, 0))
    return m.build()


def four_bars(n: int) -> Mechanism:
    """D2: n parallelograms in a row, upright, pushed."""
    m = Builder(f"D2 N={n}", plane=True, gravity=(0, -G))
    before = None
    for k in range(n + 1):
        crank = m.bar(f"crank{k}", 1.0, at=(k, 0), angle=math.pi / 2, inertia=_rod())
        m.revolute(m.ground.at(k, 0), crank.start, name=f"A{k}")
        if before is not None:
            bar = m.bar(f"bar{k}", 1.0, at=(k - 1, 1), angle=0.0, inertia=_rod())
            m.revolute(before.end, bar.start, name=f"B{k}")
            m.revolute(bar.end, crank.end, name=f"C{k}")
        before = crank
    m.rate(_turn("crank0"), -1.0)
    return m.build()


# name -> (mass, moment, parent, joint in the parent, centre, start)
_SQUEEZER = {
    "1": (0.04325, 2.194e-6, None, (0, 0), (92e-5, 0), -0.0617138900142764496),
    "2": (0.00365, 4.410e-7, "1", (7e-3, 0), (-115e-4, 0), 0.0),
    "3": (0.02373, 5.255e-6, None, (-0.03635, 0.03273), (1043e-5, -1874e-5), 0.45527981916307038),
    "5": (0.07050, 1.169e-5, None, (-0.06934, -0.00227), (2308e-5, 916e-5), 0.48736497954384255),
    "4": (0.00706, 5.667e-7, "5", (4e-2, 0), (0, -579e-5), 0.222668390165885884),
    "7": (0.05498, 1.912e-5, None, (-0.06934, -0.00227), (-449e-5, -1228e-5), 1.2305474445498212),
    "6": (0.00706, 5.667e-7, "7", (0, -4e-2), (579e-5, 0), -0.222668390165885884),
}
_MEETING = {"2": (-28e-3, 0), "3": (0, -35e-3), "4": (0, -2e-2), "6": (2e-2, 0)}


def squeezer() -> Mechanism:
    """D3: Andrews' squeezing mechanism of seven bodies."""
    m = Builder("D3", plane=True)
    parts, angles, places = {}, {}, {}
    for name, (mass, moment, parent, joint, centre, start) in _SQUEEZER.items():
        angle, place = start, np.array(joint, float)
        if parent is not None:
            angle += angles[parent]
            c, s = math.cos(angles[parent]), math.sin(angles[parent])
            place = places[parent] + np.array([[c, -s], [s, c]]) @ place
        angles[name], places[name] = angle, place
        inertia = Inertia(mass, (*centre, 0), np.diag([0, moment, moment]))
        parts[name] = m.body(f"K{name}", at=place, angle=angle, inertia=inertia)
    for name, (_, _, parent, joint, _, _) in _SQUEEZER.items():
        base = m.ground.at(*joint) if parent is None else parts[parent].at(*joint)
        m.revolute(base, parts[name].at(0, 0), name=f"joint{name}")
    for name in ("3", "4", "6"):
        m.revolute(parts["2"].at(*_MEETING["2"]), parts[name].at(*_MEETING[name]), name=f"E{name}")
    coil = Gauge("coil", Distance(), m.ground.at(0.014, 0.072), parts["3"].at(2e-2, -18e-3))
    m.force(SpringDamper(coil, stiffness=4530.0, free=7785e-5))
    m.force(Actuator(_turn("K1"), Ramp(33e-3)))
    return m.build()


def bricard() -> Mechanism:
    """D4: Bricard's mechanism of five rods, one row too many."""
    P = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], float)
    m = Builder("D4", gravity=(0, -G, 0))
    rods = []
    for k in range(5):
        way = P[k + 1] - P[k]
        tensor = np.diag([(0.01 + (0.01 if abs(c) == 1 else 1.0)) / 12 for c in way])
        inertia = Inertia(1.0, way / 2, tensor)
        rods.append(m.body(f"rod{k}", points={"end": tuple(way)}, at=P[k], inertia=inertia))
    for k, axis in enumerate(np.eye(3)[[1, 2, 0, 1, 2, 0]]):
        a = m.ground.at(*P[0]) if k == 0 else rods[k - 1].end
        b = rods[k].at(0, 0, 0) if k < 5 else m.ground.at(*P[5])
        m.add(Revolute(a.facing(axis), b.facing(axis)), f"hinge{k}")
    return m.build()


def chain(n: int) -> Mechanism:
    """D6: n links hinged about y and z in turn, falling from the horizontal."""
    m = Builder(f"D6 N={n}", gravity=(0, -G / math.sqrt(2), -G / math.sqrt(2)))
    last = m.ground.at(0, 0, 0)
    inertia = Inertia(1.0, (0.5, 0, 0), np.diag([0.00125, 1 / 12, 1 / 12]))
    for k in range(n):
        link = m.body(f"link{k}", points={"tip": (1, 0, 0)}, at=(k, 0, 0), inertia=inertia)
        axis = (0, 1, 0) if k % 2 == 0 else (0, 0, 1)
        m.add(Revolute(last.facing(axis), link.at(0, 0, 0).facing(axis)), f"hinge{k}")
        last = link.tip
    return m.build()


def double_pendulum() -> Mechanism:
    """D7: two rods and a torsion spring, both at 10 rad/s."""
    m = Builder("D7", plane=True, gravity=(0, -G))
    inertia = _rod(moment=(3 * 0.01**2 + 1) / 12)
    down = -math.pi / 2
    upper = m.bar("upper", 1.0, at=(0, 0), angle=down, inertia=inertia, spin=10.0)
    lower = m.bar("lower", 1.0, at=(0, -1), angle=down, inertia=inertia, spin=10.0)
    m.revolute(m.ground.at(0, 0), upper.start)
    m.revolute(upper.end, lower.start)
    m.force(SpringDamper(upper.angle, stiffness=10.0, free=down))
    return m.build()


CASES = (
    Case("D1", pendulum, 10.0, {1e-3: 3.6e-3, 1e-5: 3.6e-3}, 10.0),
    Case("D2 N=1", lambda: four_bars(1), 10.0, {1e-3: 8.6e-3, 1e-4: 21e-3}, 10.0),
    Case("D2 N=10", lambda: four_bars(10), 10.0, {1e-3: 38e-3, 1e-4: 95e-3}, 10.0),
    Case("D2 N=40", lambda: four_bars(40), 10.0, {1e-3: 429e-3, 1e-5: 1.33}, 10.0),
    Case("D3", squeezer, 0.03, {1e-3: 5.4e-3, 1e-5: 11e-3}, 10.0),
    Case("D4", bricard, 10.0, {2e-3: 15e-3, 1e-5: 15e-3}, 10.0),
    Case("D6 N=10", lambda: chain(10), 1.0, {1e-4: 1.1e-3, 1e-6: 1.1e-3}, 3.0),
    Case("D6 N=100", lambda: chain(100), 1.0, {1e-4: 14e-3, 1e-6: 14e-3}, 3.0),
    Case("D6 N=1000", lambda: chain(1000), 1.0, {1e-4: 1.0, 3e-6: 1.0}, 3.0),
    Case("D7", double_pendulum, 1.8, {1e-3: 1.0e-3, 1e-5: 5.2e-3}, 5.0),
)

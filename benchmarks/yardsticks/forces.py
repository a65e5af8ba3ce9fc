"""The mechanisms that dynamics is measured on, in kempe, and what is looked at in them."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from kempe import Builder, Inertia, Marker, Mechanism, Y, Z
from kempe.drives import Ramp
from kempe.events import Stop
from kempe.forces import Actuator, SphereOnPlane, SphereOnSphere, SpringDamper
from kempe.gallery import stiff_flyball_governor
from kempe.joints import Revolute
from kempe.measures import Distance, Gauge, Turn
from yardsticks.trials import (
    ARM,
    BALL,
    BALL_HEIGHTS,
    BALL_MASS,
    BALL_STIFFNESS,
    BRICARD,
    BRICARD_AXES,
    CAM,
    CAM_SPIN,
    CAM_STIFFNESS,
    COIL,
    COIL_ENDS,
    ECCENTRICITY,
    FLYWHEEL,
    FOLLOWER,
    FOLLOWER_START,
    KNEE,
    LINK,
    MEETING,
    PULL,
    RESTITUTION,
    RETURN_SPRING,
    ROD,
    ROLLER,
    SEEN_LINK,
    SPIN,
    SQUEEZER,
    TORQUE,
    TORSION,
    TRIALS,
    Array,
    G,
    Trial,
    bricard_tensor,
    chain_axis,
)


@final
@dataclass(frozen=True, slots=True)
class Case:
    """A mechanism, what is looked at in it, and what peers took for which errors.

    `seen` reads coordinates of the centres of mass (times, bodies, numbers of a body); without it
    the times of events are looked at. `peers` are CPU seconds on a machine whose floor took
    `FLOOR_THERE`: error -> peer -> seconds, the fastest setting that was found.
    """

    name: str
    make: Callable[[], Mechanism]
    seen: Callable[[Array], Array] | None
    peers: dict[float, dict[str, float]]
    wanted: dict[float, float]  # error -> times faster than the fastest peer
    methods: tuple[str, ...] = ("dop853", "tsit5")
    exact_by: str = "dop853"

    @property
    def trial(self) -> Trial:
        """How long it moves, and when it is looked at."""
        return TRIALS[self.name]


def _turn(body: str) -> Gauge:
    return Gauge(f"{body}.angle", Turn(Z), Marker("ground"), Marker(body))


def _rod(mass: float = 1.0, moment: float = ROD) -> Inertia:
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


def squeezer() -> Mechanism:
    """D3: Andrews' squeezing mechanism of seven bodies."""
    m = Builder("D3", plane=True)
    parts, angles, places = {}, {}, {}
    for name, (mass, moment, parent, joint, centre, start) in SQUEEZER.items():
        angle, place = start, np.array(joint, float)
        if parent is not None:
            angle += angles[parent]
            c, s = math.cos(angles[parent]), math.sin(angles[parent])
            place = places[parent] + np.array([[c, -s], [s, c]]) @ place
        angles[name], places[name] = angle, place
        inertia = Inertia(mass, (*centre, 0), np.diag([0, moment, moment]))
        parts[name] = m.body(f"K{name}", at=place, angle=angle, inertia=inertia)
    for name, (_, _, parent, joint, _, _) in SQUEEZER.items():
        base = m.ground.at(*joint) if parent is None else parts[parent].at(*joint)
        m.revolute(base, parts[name].at(0, 0), name=f"joint{name}")
    for name in ("3", "4", "6"):
        m.revolute(parts["2"].at(*MEETING["2"]), parts[name].at(*MEETING[name]), name=f"E{name}")
    ends = m.ground.at(*COIL_ENDS[0]), parts["3"].at(*COIL_ENDS[1])
    m.force(SpringDamper(Gauge("coil", Distance(), *ends), stiffness=COIL[0], free=COIL[1]))
    m.force(Actuator(_turn("K1"), Ramp(TORQUE)))
    return m.build()


def bricard() -> Mechanism:
    """D4: Bricard's mechanism of five rods, one row too many."""
    P = BRICARD
    m = Builder("D4", gravity=(0, -G, 0))
    rods = []
    for k in range(5):
        way = P[k + 1] - P[k]
        inertia = Inertia(1.0, way / 2, bricard_tensor(k))
        rods.append(m.body(f"rod{k}", points={"end": tuple(way)}, at=P[k], inertia=inertia))
    for k, axis in enumerate(np.eye(3)[list(BRICARD_AXES)]):
        a = m.ground.at(*P[0]) if k == 0 else rods[k - 1].end
        b = rods[k].at(0, 0, 0) if k < 5 else m.ground.at(*P[5])
        m.add(Revolute(a.facing(axis), b.facing(axis)), f"hinge{k}")
    return m.build()


def chain(n: int) -> Mechanism:
    """D6: n links hinged about y and z in turn, falling from the horizontal."""
    m = Builder(f"D6 N={n}", gravity=tuple(PULL))
    last = m.ground.at(0, 0, 0)
    inertia = Inertia(1.0, (0.5, 0, 0), np.diag(LINK))
    for k in range(n):
        link = m.body(f"link{k}", points={"tip": (1, 0, 0)}, at=(k, 0, 0), inertia=inertia)
        axis = chain_axis(k)
        m.add(Revolute(last.facing(axis), link.at(0, 0, 0).facing(axis)), f"hinge{k}")
        last = link.tip
    return m.build()


def double_pendulum() -> Mechanism:
    """D7: two rods and a torsion spring, both at 10 rad/s."""
    m = Builder("D7", plane=True, gravity=(0, -G))
    inertia = _rod(moment=ARM)
    down = -math.pi / 2
    upper = m.bar("upper", 1.0, at=(0, 0), angle=down, inertia=inertia, spin=SPIN)
    lower = m.bar("lower", 1.0, at=(0, -1), angle=down, inertia=inertia, spin=SPIN)
    m.revolute(m.ground.at(0, 0), upper.start)
    m.revolute(upper.end, lower.start)
    m.force(SpringDamper(upper.angle, stiffness=TORSION, free=down))
    return m.build()


def balls() -> Mechanism:
    """C1: three balls above each other fall on a floor, each contact a spring that only pushes."""
    m = Builder("C1", plane=True, gravity=(0, -G))
    inertia = Inertia(BALL_MASS, (0, 0, 0), 0.4 * BALL_MASS * BALL**2 * np.eye(3))
    below = None
    for k, height in enumerate(BALL_HEIGHTS):
        ball = m.body(f"ball{k}", at=(0, height), angle=0.0, inertia=inertia)
        here = ball.at(0, 0)
        if below is None:
            floor = SphereOnPlane(m.ground.at(0, 0), here, Y, BALL, stiffness=BALL_STIFFNESS)
            m.force(floor, "floor")
        else:
            m.force(SphereOnSphere(below, here, BALL, BALL, stiffness=BALL_STIFFNESS), f"pair{k}")
        below = here
    return m.build()


def knee() -> Mechanism:
    """E1: two rods fall from the horizontal, and the hinge between them meets rigid stops."""
    m = Builder("E1", plane=True, gravity=(0, -G))
    upper = m.bar("upper", 1.0, at=(0, 0), angle=0.0, inertia=_rod(moment=ARM))
    lower = m.bar("lower", 1.0, at=(1, 0), angle=0.0, inertia=_rod(moment=ARM))
    m.revolute(m.ground.at(0, 0), upper.start)
    turning = m.revolute(upper.end, lower.start)
    m.event(Stop(turning.angle, low=-KNEE, high=KNEE, restitution=RESTITUTION), "stop")
    return m.build()


def cam() -> Mechanism:
    """C2: an eccentric disc on a flywheel throws its follower, which lifts off and lands again."""
    m = Builder("C2", plane=True, gravity=(-G, 0))
    wheel = Inertia(1.0, (0, 0, 0), FLYWHEEL * np.eye(3))
    disc = m.body("disc", at=(0, 0), angle=0.0, inertia=wheel, spin=CAM_SPIN)
    moving = Inertia(FOLLOWER, (0, 0, 0), 1e-3 * np.eye(3))
    follower = m.body("follower", at=(FOLLOWER_START, 0), angle=0.0, inertia=moving)
    m.revolute(m.ground.at(0, 0), disc.at(0, 0))
    m.prismatic(m.ground.at(0, 0), follower.at(0, 0))
    stiffness, free = RETURN_SPRING
    m.force(SpringDamper(follower.x, stiffness=stiffness, free=free), "spring")
    ends = disc.at(ECCENTRICITY, 0), follower.at(0, 0)
    m.force(SphereOnSphere(*ends, CAM, ROLLER, stiffness=CAM_STIFFNESS), "touch")
    return m.build()


def _follower(bodies: Array) -> Array:
    return bodies[1:, 1, :1]


def _heights(bodies: Array) -> Array:
    return bodies[1:, :, 1]


def _point(bodies: Array, body: int, p: Array) -> Array:
    """Where a point of a body in space is, given from its centre."""
    q = bodies[:, body]
    w, u = q[:, 3:4], q[:, 4:7]
    across = np.cross(u, p)
    return q[:, :3] + p + 2.0 * (w * across + np.cross(u, across))


def _bob(bodies: Array) -> Array:
    return bodies[1:, 0, :2]


def _crank_tip(bodies: Array) -> Array:
    x, y, angle = bodies[1:, 0].T
    return np.stack([x + 0.5 * np.cos(angle), y + 0.5 * np.sin(angle)], axis=1)


def _squeezer_angles(bodies: Array) -> Array:
    names = list(SQUEEZER)
    angles = bodies[1:, :, 2].copy()
    for k, part in enumerate(SQUEEZER.values()):
        if part[2] is not None:
            angles[:, k] -= bodies[1:, names.index(part[2]), 2]
    return angles


def _third_joint(bodies: Array) -> Array:
    return _point(bodies[1:], 2, (BRICARD[3] - BRICARD[2]) / 2)


def _slider(bodies: Array) -> Array:
    return bodies[1:, 1, 2:3]


def _fifth_hinge(bodies: Array) -> Array:
    return _point(bodies[1:], SEEN_LINK, np.array([-0.5, 0.0, 0.0]))


def _both_angles(bodies: Array) -> Array:
    return bodies[1:, :, 2] + math.pi / 2


def _case(
    name: str,
    make: Callable[[], Mechanism],
    seen: Callable[[Array], Array] | None,
    took: dict[float, dict[str, float]],  # ms
    wanted: tuple[float, ...],
) -> Case:
    peers = {bound: {who: 1e-3 * ms for who, ms in row.items()} for bound, row in took.items()}
    return Case(name, make, seen, peers, dict(zip(took, wanted, strict=True)))


def brake(scale: float) -> Mechanism:
    """A cart of 2 kg on a rail, k = c = 40 `scale` (N/m, N s/m): let go, it creeps home."""
    m = Builder("brake", plane=True)
    inertia = Inertia(2.0, (0, 0, 0), np.eye(3))
    cart = m.body("cart", at=(0.3, 0), angle=0.0, inertia=inertia)
    m.prismatic(m.ground.at(0, 0), cart.at(0, 0))
    m.force(SpringDamper(cart.x, stiffness=40.0 * scale, damping=40.0 * scale))
    return m.build()


def _took(exudyn: float, mujoco: float, pinocchio: float, drake: float) -> dict[str, float]:
    """Milliseconds; 0 where the peer did not get there."""
    named = {"exudyn": exudyn, "mujoco": mujoco, "pinocchio": pinocchio, "drake": drake}
    return {who: ms for who, ms in named.items() if ms}


CASES = (
    _case(
        "D1",
        pendulum,
        _bob,
        {1e-3: _took(12.7, 5.1, 7.3, 3.6), 1e-5: _took(0, 5.1, 7.3, 3.6)},
        (15.0, 15.0),
    ),
    _case(
        "D2 N=1",
        lambda: four_bars(1),
        _crank_tip,
        {1e-3: _took(69, 30, 8.6, 592), 1e-4: _took(272, 298, 21, 0)},
        (15.0, 15.0),
    ),
    _case(
        "D2 N=10",
        lambda: four_bars(10),
        _crank_tip,
        {1e-3: _took(826, 112, 38, 1510), 1e-4: _took(3320, 1120, 95, 0)},
        (15.0, 15.0),
    ),
    _case(
        "D2 N=40",
        lambda: four_bars(40),
        _crank_tip,
        {1e-3: _took(3240, 429, 1330, 4670), 1e-5: _took(0, 0, 1330, 0)},
        (15.0, 15.0),
    ),
    _case(
        "D3",
        squeezer,
        _squeezer_angles,
        {1e-3: _took(62, 5.4, 6.2, 257), 1e-5: _took(238, 27, 11, 0)},
        (15.0, 15.0),
    ),
    _case(
        "D4",
        bricard,
        _third_joint,
        {2e-3: _took(117, 15, 40, 0), 1e-5: _took(1660, 15, 157, 0)},
        (15.0, 15.0),
    ),
    replace(  # D5: the stiff flyball governor
        _case(
            "D5",
            stiff_flyball_governor,
            _slider,
            {1e-3: _took(542, 415, 69, 0), 1e-5: _took(2170, 415, 69, 0)},
            (10.0, 10.0),
        ),
        methods=("rodas5p", "gear"),
        exact_by="rodas5p",
    ),
    _case(
        "D6 N=10",
        lambda: chain(10),
        _fifth_hinge,
        {1e-4: _took(3.8, 1.1, 2.9, 4.6), 1e-6: _took(3.8, 1.1, 2.9, 19)},
        (3.0, 5.0),
    ),
    _case(
        "D6 N=100",
        lambda: chain(100),
        _fifth_hinge,
        {1e-4: _took(193, 22, 14, 59), 1e-6: _took(193, 22, 14, 251)},
        (3.0, 5.0),
    ),
    _case(
        "D6 N=1000",
        lambda: chain(1000),
        _fifth_hinge,
        {1e-4: _took(2700, 6100, 0, 1000), 3e-6: _took(8120, 12700, 0, 1000)},
        (3.0, 3.0),
    ),
    _case(
        "D7",
        double_pendulum,
        _both_angles,
        {1e-3: _took(9.6, 1.0, 3.1, 6.3), 1e-5: _took(169, 5.2, 15, 41)},
        (15.0, 15.0),
    ),
    _case("E1", knee, None, {1e-6: {}, 1e-9: {}}, (1.0, 1.0)),
    _case("C1", balls, _heights, {1e-3: {}, 1e-5: {}}, (1.0, 1.0)),
    _case("C2", cam, _follower, {1e-3: {}, 1e-5: {}}, (1.0, 1.0)),
)

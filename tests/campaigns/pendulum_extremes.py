"""Promise: `simulate` moves thin, heavy and light bodies as mechanics says, with their reactions.

Pendulums in the plane and in space, double pendulums, weights over a pulley, masses on springs in
a row, a mass that slides on a swinging arm: with masses and inertias that differ by up to 1e10,
rods without axial inertia, points without any, springs, dampers and first rates. Positions, rates,
reactions of the joints and the balance of energies are compared, and the run is `Done`.

Oracle: the equations of motion in minimal coordinates, written down by hand, and integrated by
SciPy's DOP853 to 1e-11; reactions follow from its accelerations by Newton's law. A second run from
a start that is off by 1e-9 says how much a small error grows: that is not held against anybody.
A torque that should be nothing may be what rounding leaves of the weights of all bodies at a metre.
A spring that pulls on a joint which gapes by a little pulls sideways too: what its effort makes of
the reported gap is allowed in a reaction, and the gap stays below 1e-12 of a metre.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

import kempe as kp
from kempe.couplers import Combination, RackAndPinion
from kempe.forces import LineSpring, SpringDamper
from kempe.joints import Prismatic, Spherical, Universal

CASES = 10
# The arm weighs 1e-9 of the bead, and the spring 1e10 times the reaction; a point in a slot has a
# torque of 4e-6 N m, which is rounding of an arm of 4e9 kg.
REMEMBERED = (2000133, 91000024)
SAMPLES = 20
CLOSE = 2e-6  # beside the largest value
GROWN = 300.0  # times what an error of 1e-9 grows to
LEFT = 16 * float(np.finfo(float).eps)  # of the weights, in torques
GAP = 1e-12  # m, of joints at any sample
SHORTEST = 0.4  # m, an arm: what a gap turns by is no more than gap / arm
TOLERANCE = 1e-10
LONGEST = 30000  # evaluations of the reference; what needs more is stiff
G = 9.81


class Problem(NamedTuple):
    """One mechanism and what is known of its motion."""

    said: str
    mechanism: kp.Mechanism
    until: float
    start: np.ndarray  # coordinates, then rates
    accelerations: Callable[[float, np.ndarray], np.ndarray]
    reads: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]]  # of state and accelerations


def ratio(rng: np.random.Generator) -> float:
    """A ratio of masses, often an extreme one."""
    return float(10.0 ** rng.uniform(-10.0, 10.0)) if rng.random() < 0.7 else 1.0


def rod(rng: np.random.Generator, mass: float, length: float) -> tuple[float, float, np.ndarray]:
    """Centre of mass on the rod, moment about it, tensor: a bar, a point, or anything flat."""
    kind = int(rng.integers(3))
    if kind == 0:
        c, moment = length / 2.0, mass * length**2 / 12.0
        return c, moment, np.diag([0.0, moment, moment])
    if kind == 1:
        return length, 0.0, np.zeros((3, 3))
    c, moment = (
        length * float(rng.uniform(0.2, 1.0)),
        mass * length**2 * float(rng.uniform(0.01, 0.3)),
    )
    return c, moment, np.diag([moment, moment, moment])


def solved(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The solution of a system of two, its rows measured first."""
    size = np.sqrt(np.diag(matrix))
    return np.linalg.solve(matrix / np.outer(size, size), right / size) / size


# -- in the plane -------------------------------------------------------------------------------


def double_pendulum(rng: np.random.Generator) -> Problem:
    """Two rods, the second on the end of the first, with torsion springs and dampers."""
    one = float(10.0 ** rng.uniform(-5, 5))
    two = one * ratio(rng)
    L, l2 = (float(x) for x in rng.uniform(0.4, 1.5, 2))
    c1, I1, T1 = rod(rng, one, L)
    c2, I2, T2 = rod(rng, two, l2)
    a, b = (float(x) for x in rng.uniform(-math.pi, math.pi, 2))
    wa, wb = (float(x) for x in rng.normal(scale=1.0, size=2))
    J = [I1 + one * c1**2 + two * L**2, two * L * c2, I2 + two * c2**2]
    k, d = (float(J[2] * x) if rng.random() < 0.5 else 0.0 for x in rng.uniform(0.0, 3.0, 2))

    def accelerations(t: float, y: np.ndarray) -> np.ndarray:
        s, c = math.sin(y[0] - y[1]), math.cos(y[0] - y[1])
        pull = -k * (y[1] - y[0]) - d * (y[3] - y[2])
        matrix = np.array([[J[0], J[1] * c], [J[1] * c, J[2]]])
        right = np.array(
            [
                -J[1] * s * y[3] ** 2 - (one * c1 + two * L) * G * math.cos(y[0]) - pull,
                J[1] * s * y[2] ** 2 - two * c2 * G * math.cos(y[1]) + pull,
            ]
        )
        return solved(matrix, right)

    m = kp.Builder("double pendulum", plane=True, gravity=(0, -G))
    first = m.bar("first", L, at=(0, 0), angle=a, inertia=kp.Inertia(one, (c1, 0, 0), T1))
    elbow = (L * math.cos(a), L * math.sin(a))
    second = m.bar("second", l2, at=elbow, angle=b, inertia=kp.Inertia(two, (c2, 0, 0), T2))
    m.revolute(m.ground.at(0, 0), first.start, name="top")
    hinge = m.revolute(first.end, second.start, name="elbow")
    if k or d:
        m.force(SpringDamper(hinge.angle, stiffness=k, damping=d, free=0.0), "spring")
    m.rate(first.angle, wa)
    m.rate(second.angle, wb)

    def whirl(r: float, y: np.ndarray, acc: np.ndarray, n: int) -> np.ndarray:
        u = np.column_stack([np.cos(y[:, n]), np.sin(y[:, n])])
        across = np.column_stack([-u[:, 1], u[:, 0]])
        return r * (acc[:, n, None] * across - y[:, n + 2, None] ** 2 * u)

    def lower(y: np.ndarray, acc: np.ndarray) -> np.ndarray:
        return two * (whirl(L, y, acc, 0) + whirl(c2, y, acc, 1) + [0.0, G])

    def upper(y: np.ndarray, acc: np.ndarray) -> np.ndarray:
        return one * (whirl(c1, y, acc, 0) + np.array([0.0, G])) + lower(y, acc)

    def energy(y: np.ndarray, acc: np.ndarray) -> np.ndarray:
        c = np.cos(y[:, 0] - y[:, 1])
        return (J[0] * y[:, 2] ** 2 + J[2] * y[:, 3] ** 2) / 2 + J[1] * c * y[:, 2] * y[:, 3]

    reads = {
        "first.angle": lambda y, acc: y[:, 0],
        "second.angle": lambda y, acc: y[:, 1],
        "elbow.force": lower,
        "top.force": upper,
        "energy.kinetic": energy,
    }
    said = f"double pendulum {one!r} kg, {two!r} kg, {L!r}, {l2!r}, centres {c1!r}, {c2!r}, "
    said += f"moments {I1!r}, {I2!r}, from {a!r}, {b!r}, {wa!r}, {wb!r}, k {k!r}, d {d!r}"
    return Problem(said, m.build(), 1.0, np.array([a, b, wa, wb]), accelerations, reads)


def sliding_arm(rng: np.random.Generator) -> Problem:
    """A mass on a spring that slides along a swinging arm."""
    mass = float(10.0 ** rng.uniform(-5, 5))
    arm = mass * ratio(rng)
    L, l0 = float(rng.uniform(0.4, 1.5)), float(rng.uniform(0.8, 1.5))
    c1, I1, T1 = rod(rng, arm, L)
    I2 = float(mass * rng.choice([0.0, 0.01, 1.0]))
    k, d = mass * float(rng.uniform(30.0, 100.0)), mass * float(rng.choice([0.0, 0.5]))
    a, w, v = float(rng.uniform(-math.pi, math.pi)), float(rng.normal()), float(rng.normal())

    def accelerations(t: float, y: np.ndarray) -> np.ndarray:
        turn, r, w, v = y
        J = I1 + arm * c1**2 + I2 + mass * r * r
        spin = (-2 * mass * r * v * w - (arm * c1 + mass * r) * G * math.cos(turn)) / J
        out = r * w * w - G * math.sin(turn) - (k * (r - l0) + d * v) / mass
        return np.array([spin, out])

    m = kp.Builder("arm", plane=True, gravity=(0, -G))
    swing = m.bar("arm", L, at=(0, 0), angle=a, inertia=kp.Inertia(arm, (c1, 0, 0), T1))
    place = (l0 * math.cos(a), l0 * math.sin(a))
    inertia = kp.Inertia(mass, (0, 0, 0), I2 * np.eye(3))
    bead = m.body("bead", at=place, angle=a, inertia=inertia)
    m.revolute(m.ground.at(0, 0), swing.start, name="pivot")
    slot = m.prismatic(swing.start, bead.at(0, 0), name="slot")
    m.force(SpringDamper(slot.displacement, stiffness=k, damping=d, free=l0), "spring")
    m.rate(swing.angle, w)
    m.rate(slot.displacement, v)

    def push(y: np.ndarray, acc: np.ndarray) -> np.ndarray:
        u = np.column_stack([np.cos(y[:, 0]), np.sin(y[:, 0])])
        across = np.column_stack([-u[:, 1], u[:, 0]])
        out = acc[:, 1] - y[:, 1] * y[:, 2] ** 2
        side = y[:, 1] * acc[:, 0] + 2 * y[:, 3] * y[:, 2]
        whole = mass * (out[:, None] * u + side[:, None] * across + [0.0, G])
        return np.sum(whole * across, axis=1)[:, None] * across

    reads = {
        "arm.angle": lambda y, acc: y[:, 0],
        "slot.displacement": lambda y, acc: y[:, 1],
        "slot.force": push,
        "slot.torque": lambda y, acc: I2 * acc[:, 0],
        "spring.effort": lambda y, acc: -k * (y[:, 1] - l0) - d * y[:, 3],
    }
    said = f"arm {arm!r} kg, {L!r}, centre {c1!r}, moment {I1!r}; bead {mass!r} kg, "
    said += f"moment {I2!r}, k {k!r}, d {d!r}, free {l0!r}, from {a!r}, {w!r}, {v!r}"
    return Problem(said, m.build(), 1.0, np.array([a, l0, w, v]), accelerations, reads)


def pulley(rng: np.random.Generator) -> Problem:
    """Two weights over a pulley, said by racks or by one sum; a spring under one of them."""
    one = float(10.0 ** rng.uniform(-5, 5))
    two, r = one * ratio(rng), float(rng.uniform(0.05, 0.5))
    wheel = float((one + two) * r**2 * rng.choice([0.0, 1e-8, 0.5, 100.0]))
    racks = wheel > 0.0
    whole = one + two + wheel / r**2
    k, d = (float(whole * x) if rng.random() < 0.5 else 0.0 for x in rng.uniform(0.0, 8.0, 2))
    v = float(rng.normal())

    def accelerations(t: float, y: np.ndarray) -> np.ndarray:
        return np.array([((two - one) * G - k * y[0] - d * y[1]) / whole])

    m = kp.Builder("pulley", plane=True, gravity=(0, -G))
    left = m.body(
        "left", at=(0, 0), angle=0.0, inertia=kp.Inertia(one, (0, 0, 0), np.zeros((3, 3)))
    )
    right = m.body("right", at=(2 * r, 0), angle=0.0, inertia=kp.Inertia(two, (0, 0, 0), np.eye(3)))
    up = m.prismatic(m.ground.at(0, 0), left.at(0, 0), along=(0, 1), name="up")
    down = m.prismatic(m.ground.at(2 * r, 0), right.at(0, 0), along=(0, 1), name="down")
    if racks:
        disc = kp.Inertia(one + two, (0, 0, 0), wheel * np.eye(3))
        drum = m.body("drum", at=(r, 1), angle=0.0, inertia=disc)
        m.revolute(m.ground.at(r, 1), drum.at(0, 0), name="axle")
        m.couple(RackAndPinion((up.displacement, drum.angle), radius=-r), "rope")
        m.couple(RackAndPinion((down.displacement, drum.angle), radius=r), "other")
    else:
        m.couple(Combination((up.displacement, down.displacement), coefficients=(1.0, 1.0)), "rope")
    if k or d:
        m.force(SpringDamper(up.displacement, stiffness=k, damping=d), "spring")
    m.rate(up.displacement, v)

    def tension(y: np.ndarray, acc: np.ndarray) -> np.ndarray:
        return np.abs(one * (acc[:, 0] + G) + k * y[:, 0] + d * y[:, 1])

    reads: dict[str, Any] = {
        "left.y": lambda y, acc: y[:, 0],
        "right.y": lambda y, acc: -y[:, 0],
        "abs rope.effort": tension,
    }
    if racks:
        reads["drum.angle"] = lambda y, acc: -y[:, 0] / r
        reads["abs other.effort"] = lambda y, acc: np.abs(two * (G - acc[:, 0]))
        reads["axle.force"] = lambda y, acc: np.tile([0.0, (one + two) * G], (len(y), 1))
    said = f"pulley {one!r} kg, {two!r} kg, r {r!r}, moment {wheel!r}, k {k!r}, d {d!r}, v {v!r}"
    return Problem(said, m.build(), 0.7, np.array([0.0, v]), accelerations, reads)


def row(rng: np.random.Generator) -> Problem:
    """Two masses on a rail, a spring to the wall and one between them."""
    one = float(10.0 ** rng.uniform(-5, 5))
    two = one * ratio(rng)
    k1, k2 = (
        one * float(rng.uniform(10, 100)),
        one * two / (one + two) * float(rng.uniform(10, 100)),
    )
    d1, d2 = k1 * float(rng.choice([0.0, 0.01])), k2 * float(rng.choice([0.0, 0.01]))
    lean = float(rng.uniform(-1.0, 1.0))
    u = np.array([math.cos(lean), math.sin(lean)])
    pull = -G * u[1]
    x, v = np.array([1.0, 2.0]) + rng.uniform(-0.2, 0.2, 2), rng.normal(size=2)
    space = bool(rng.random() < 0.5)

    def accelerations(t: float, y: np.ndarray) -> np.ndarray:
        wall = k1 * (y[0] - 1.0) + d1 * y[2]
        between = k2 * (y[1] - y[0] - 1.0) + d2 * (y[3] - y[2])
        return np.array([(between - wall) / one + pull, -between / two + pull])

    m = kp.Builder("row", plane=not space, gravity=(0, -G, 0) if space else (0, -G))
    way = (*u, 0.0) if space else tuple(u)
    guides = []
    for name, mass, where in (("near", one, x[0]), ("far", two, x[1])):
        place = where * u
        how: dict[str, Any] = {"at": (*place, 0.0)} if space else {"at": tuple(place), "angle": 0.0}
        body = m.body(name, inertia=kp.Inertia(mass, (0, 0, 0), mass * 0.1 * np.eye(3)), **how)
        at = m.ground.at(0, 0, 0) if space else m.ground.at(0, 0)
        here = body.at(0, 0, 0) if space else body.at(0, 0)
        guides.append(m.add(Prismatic(at.facing(way), here.facing(way)), f"{name}_guide"))
        m.rate(guides[-1].displacement, float(v[0] if name == "near" else v[1]))
    origin = m.ground.at(0, 0, 0) if space else m.ground.at(0, 0)
    near, far = (m.part(n).at(0, 0, 0) if space else m.part(n).at(0, 0) for n in ("near", "far"))
    m.force(LineSpring(origin, near, stiffness=k1, damping=d1, free=1.0), "wall")
    m.force(LineSpring(near, far, stiffness=k2, damping=d2, free=1.0), "between")

    def side(mass: float) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
        force = mass * G * u[0] * np.array([-u[1], u[0], 0.0][: 3 if space else 2])
        return lambda y, acc: np.tile(force, (len(y), 1))

    reads = {
        "near_guide.displacement": lambda y, acc: y[:, 0],
        "far_guide.displacement": lambda y, acc: y[:, 1],
        "far_guide.force": side(two),
        "near_guide.force": side(one),
        "between.length": lambda y, acc: y[:, 1] - y[:, 0],
    }
    said = f"row {one!r} kg, {two!r} kg, k {k1!r}, {k2!r}, d {d1!r}, {d2!r}, "
    said += f"lean {lean!r}, from {x.tolist()}, {v.tolist()}, {'space' if space else 'plane'}"
    return Problem(said, m.build(), 1.0, np.concatenate([x, v]), accelerations, reads)


# -- in space -----------------------------------------------------------------------------------


def cross(rng: np.random.Generator) -> Problem:
    """A rod on a cross: two angles, and as little axial inertia as you like."""
    mass = float(10.0 ** rng.uniform(-8, 8))
    c = float(rng.uniform(0.3, 1.0))
    kind = int(rng.integers(4))
    about = mass * c**2 / 3.0 if kind < 3 else 0.0
    axial = about * (0.0, 1e-10, 0.5)[kind] if kind < 3 else 0.0
    a, b = (float(x) for x in rng.uniform(-0.6, 0.6, 2))
    wa, wb = (float(x) for x in rng.normal(size=2))
    J, Jz = about + mass * c**2, axial

    def accelerations(t: float, y: np.ndarray) -> np.ndarray:
        sa, ca, sb, cb = math.sin(y[0]), math.cos(y[0]), math.sin(y[1]), math.cos(y[1])
        A = J * cb**2 + Jz * sb**2
        rate = 2 * (Jz - J) * sb * cb * y[3]
        return np.array(
            [
                (-mass * G * c * sa * cb - rate * y[2]) / A,
                ((Jz - J) * sb * cb * y[2] ** 2 - mass * G * c * ca * sb) / J,
            ]
        )

    m = kp.Builder("cross", gravity=(0, 0, -G))
    turn = kp.Rotation.about((1, 0, 0), a) @ kp.Rotation.about((0, 1, 0), b)
    R = np.asarray(turn.matrix(), dtype=float)
    w = R @ np.array([wa * math.cos(b), wb, wa * math.sin(b)])
    inertia = kp.Inertia(mass, (0, 0, -c), np.diag([about, about, axial]))
    m.body(
        "rod",
        at=(0, 0, 0),
        rotation=turn,
        points={"tip": (0, 0, -c)},
        inertia=inertia,
        spin=tuple(float(x) for x in w),
    )
    first, second = (
        kp.Rotation.about((0, 1, 0), math.pi / 2),
        kp.Rotation.about((1, 0, 0), -math.pi / 2),
    )
    m.add(
        Universal(kp.Marker("ground", (0, 0, 0), first), kp.Marker("rod", (0, 0, 0), second)),
        "cross",
    )

    def tip(y: np.ndarray, acc: np.ndarray) -> np.ndarray:
        a, b = y[:, 0], y[:, 1]
        return -c * np.column_stack([np.sin(b), -np.sin(a) * np.cos(b), np.cos(a) * np.cos(b)])

    def force(y: np.ndarray, acc: np.ndarray) -> np.ndarray:
        a, b, u, v = y.T
        p, q = acc.T
        sa, ca, sb, cb = np.sin(a), np.cos(a), np.sin(b), np.cos(b)
        x = -c * (q * cb - v * v * sb)
        yy = c * ((p * ca - u * u * sa) * cb - 2 * u * v * ca * sb + sa * (-q * sb - v * v * cb))
        z = -c * ((-p * sa - u * u * ca) * cb + 2 * u * v * sa * sb + ca * (-q * sb - v * v * cb))
        return mass * np.column_stack([x, yy, z + G])

    reads = {"rod.tip": tip, "cross.force": force}
    said = (
        f"cross {mass!r} kg, {c!r}, moments {about!r}, {axial!r}, from {a!r}, {b!r}, {wa!r}, {wb!r}"
    )
    return Problem(said, m.build(), 1.0, np.array([a, b, wa, wb]), accelerations, reads)


def ball(rng: np.random.Generator) -> Problem:
    """A symmetric body on a ball: Euler's equations and a quaternion."""
    mass = float(10.0 ** rng.uniform(-8, 8))
    c = float(rng.uniform(0.3, 1.0))
    about = mass * c**2 * float(rng.uniform(0.05, 1.0))
    axial = about * float(rng.choice([1e-8, 1e-3, 0.5, 1.9]))
    J = np.array([about + mass * c**2, about + mass * c**2, axial])
    q = rng.normal(size=4)
    q /= np.linalg.norm(q)
    w = rng.normal(size=3) * [1.0, 1.0, 4.0]

    def matrix(q: np.ndarray) -> np.ndarray:
        s, x, y, z = q / np.linalg.norm(q)
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (x * z + s * y)],
                [2 * (x * y + s * z), 1 - 2 * (x * x + z * z), 2 * (y * z - s * x)],
                [2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)],
            ]
        )

    def spins(y: np.ndarray) -> np.ndarray:
        pull = matrix(y[:4]).T @ np.array([0.0, 0.0, -mass * G])
        torque = np.cross([0.0, 0.0, c], pull) - np.cross(y[4:], J * y[4:])
        return torque / J * [1.0, 1.0, 0.0]  # a symmetric top keeps its spin

    m = kp.Builder("ball", gravity=(0, 0, -G))
    angle = 2.0 * math.acos(max(-1.0, min(1.0, q[0])))
    turn = kp.Rotation.about(tuple(q[1:] / np.linalg.norm(q[1:])), angle)
    inertia = kp.Inertia(mass, (0, 0, c), np.diag([about, about, axial]))
    spin = tuple(float(x) for x in matrix(q) @ w)
    body = m.body(
        "top", at=(0, 0, 0), rotation=turn, points={"tip": (0, 0, c)}, inertia=inertia, spin=spin
    )
    m.add(Spherical(m.ground.at(0, 0, 0), body.at(0, 0, 0)), "ball")

    def accelerations(t: float, y: np.ndarray) -> np.ndarray:  # of all seven numbers, in fact
        s, v, u = y[0], y[1:4], y[4:]
        dq = 0.5 * np.concatenate([[-v @ u], s * u + np.cross(v, u)])
        return np.concatenate([dq, spins(y)])

    def tip(y: np.ndarray, acc: np.ndarray) -> np.ndarray:
        return np.array([c * matrix(z[:4])[:, 2] for z in y])

    def force(y: np.ndarray, acc: np.ndarray) -> np.ndarray:
        found, arm = [], np.array([0.0, 0.0, c])
        for z in y:
            u, du = z[4:], spins(z)
            a = matrix(z[:4]) @ (np.cross(du, arm) + np.cross(u, np.cross(u, arm)))
            found.append(mass * (a + np.array([0.0, 0.0, G])))
        return np.array(found)

    said = f"ball {mass!r} kg, {c!r}, moments {about!r}, {axial!r}, from {q.tolist()}, {w.tolist()}"
    return Problem(
        said,
        m.build(),
        1.0,
        np.concatenate([q, w]),
        accelerations,
        {"top.tip": tip, "ball.force": force},
    )


PROBLEMS = (double_pendulum, double_pendulum, sliding_arm, pulley, row, cross, ball)


def attempt(rng: np.random.Generator) -> list[str]:
    """One problem, simulated twice."""
    problem = PROBLEMS[int(rng.integers(len(PROBLEMS)))](rng)
    t = np.linspace(0.0, problem.until, SAMPLES + 1)
    exact = integrated(problem, t, problem.start)
    moved = integrated(problem, t, problem.start * (1.0 + 1e-9) + 1e-9)
    if exact is None or moved is None:
        return []
    lengths = [
        np.min(read(*exact)) for name, read in problem.reads.items() if name == "between.length"
    ]
    if any(length < 0.05 for length in lengths) or (lengths and exact[0][:, 0].min() < 0.05):
        return []  # masses that pass each other, or the wall
    motion = problem.mechanism.simulate(until=problem.until, steps=SAMPLES, tolerance=TOLERANCE)
    if not motion.outcome.is_done:
        return [f"{motion.outcome}: {problem.said}"]
    wrong = [f"notes {motion.notes}"] if motion.notes else []
    for name, read in problem.reads.items():
        known, other = read(*exact), read(*moved)
        got = motion[name.removeprefix("abs ")]
        values = np.asarray(got.position if hasattr(got, "position") else got.values)
        values = np.abs(values) if name.startswith("abs ") else values
        if values.ndim == 2 and known.ndim == 1:
            values = values[:, -1]
        if values.shape != known.shape:
            wrong.append(f"{name} has the shape {values.shape}, not {known.shape}")
            continue
        size = float(np.abs(known).max()) + 1e-300
        grown = float(np.abs(other - known).max()) / size
        off = float(np.abs(values - known).max()) / size
        allowed = 0.0
        if name.endswith(".force"):
            allowed = sideways(problem, exact, motion)
        elif name.endswith(".torque"):
            allowed = LEFT * G * sum(body.inertia.mass for body in problem.mechanism.model.bodies)
        if not off < CLOSE + GROWN * grown + allowed / size:
            wrong.append(
                f"{name} is off by {off:.2g} of its largest value (small errors grow: {grown:.1g})"
            )
    if not float(motion.violation.max()) < GAP:
        wrong.append(f"joints gape by {float(motion.violation.max()):.2g} m")
    total = motion.energy.total
    peak = max(float(np.abs(motion.energy.kinetic).max()), 1e-300)
    drift = float(np.abs(total - total[0]).max()) / peak
    if not drift < 1e-6:
        wrong.append(f"the energy drifts by {drift:.2g} of the largest kinetic one")
    return [f"{w}: {problem.said}" for w in wrong]


def sideways(
    problem: Problem, exact: tuple[np.ndarray, np.ndarray], motion: kp.Trajectory
) -> float:
    """What the spring of a joint pulls across it, where the joint gapes as reported (N)."""
    effort = problem.reads.get("spring.effort")
    if effort is None:
        return 0.0
    return float(np.abs(effort(*exact)).max()) * float(motion.violation.max()) / SHORTEST


def integrated(
    problem: Problem, t: np.ndarray, start: np.ndarray
) -> tuple[np.ndarray, np.ndarray] | None:
    """States and accelerations at the samples; None where the reference does not come through."""
    n = len(start)
    whole = len(problem.accelerations(0.0, start)) == n

    calls = iter(range(LONGEST))

    def rates(time: float, y: np.ndarray) -> np.ndarray:
        next(calls)
        a = problem.accelerations(time, y)
        return a if whole else np.concatenate([y[n // 2 :], a])

    try:
        found = solve_ivp(
            rates, (0.0, t[-1]), start, method="DOP853", rtol=1e-11, atol=1e-13, t_eval=t
        )
    except StopIteration:
        return None
    if not found.success:
        return None
    y = found.y.T
    return y, np.array([problem.accelerations(s, z) for s, z in zip(t, y, strict=True)])

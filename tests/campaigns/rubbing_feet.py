"""Promise: `JointFriction` of feet on planes is a vector against the slip, and sticks as a whole.

One or two pucks whose feet stand anywhere beside their centres of mass, on a plane that leans, on a
table that is shaken or turned, on each other, with a spring between them; under weight and loads
that swing, of any mass, with a ring that resists spin or without, viscous or not, with static
friction that fades or none. Places, slips, friction, what it dissipates, and what `statics` says
it holds.

Oracle: plane equations by hand, friction smoothed at a slip of 1e-7 m/s and integrated by SciPy's
LSODA; of what is held, the ellipse of force and torque.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import kempe as kp
from kempe.drives import TextFormula
from kempe.forces import AppliedLoad, JointFriction, LineSpring
from kempe.joints import Planar, Prismatic
from tests.campaigns._round_trip import perhaps_reread

Array = NDArray[np.float64]

CASES = 3
REMEMBERED = (10, 16, 53, 63, 50000001, 50000043)
UNTIL, SAMPLES = 1.5, 15
SMOOTH = 1e-7  # m/s
NEAR = 2e-5  # m and rad beside what moved; the smoothed law creeps by SMOOTH
METHODS = ("auto", "dop853", "tsit5", "rodas5p")


@dataclass(frozen=True)
class Puck:
    """A body of 1 kg times `mass` on a foot; vectors are seen in the plane."""

    mass: float
    turning: float  # m^2: its inertia about the normal beside its mass
    foot: Array  # from the centre of mass
    q: Array  # x, y, angle
    v: Array
    load: Array  # N/kg: x, y, along the normal, and N m/kg about it
    swing: Array  # the same, that of them that swings
    w: float
    mu: float
    static: float | None
    fading: float | None
    viscous: float  # beside the mass
    rho: float | None

    def pushed(self, t: float) -> Array:
        """x, y, z, torque beside the mass, without weight."""
        return self.load + self.swing * np.sin(self.w * t)

    def friction(self, slip: Array, normal: float) -> Array:
        """What rubs at the foot, the torque over rho."""
        size = float(np.sqrt(slip @ slip + SMOOTH**2))
        mu = self.mu
        if self.static is not None and self.fading is not None:
            mu += (self.static - mu) * float(np.exp(-((size / self.fading) ** 2)))
        return -mu * abs(normal) * slip / size - self.viscous * self.mass * slip


@dataclass(frozen=True)
class Scene:
    """Pucks, their table and the spring between them."""

    pucks: tuple[Puck, ...]
    gravity: Array  # in the plane's axes
    table: str  # fixed, shaken, turned
    swing: float
    w: float
    stacked: bool
    spring: float

    def base(self, t: float) -> tuple[Array, Array]:
        """Pose and velocity (x, y, angle) of the table."""
        a, w = self.swing, self.w
        if self.table == "fixed":
            return np.zeros(3), np.zeros(3)
        place, rate = a * np.sin(w * t), a * w * np.cos(w * t)
        if self.table == "shaken":
            return np.array([place, 0, 0]), np.array([rate, 0, 0])
        return np.array([0, 0, place]), np.array([0, 0, rate])

    def normal(self, i: int, t: float) -> float:
        """What the foot of puck i carries, along the normal."""
        above = self.pucks[i:] if self.stacked else self.pucks[i : i + 1]
        return -sum(p.mass * float(self.gravity[2] + p.pushed(t)[2]) for p in above)

    def slips(self, t: float, q: Array, v: Array) -> list[tuple[Array, Array]]:
        """Of every foot its arm from the centre of mass and its slip."""
        slips = []
        for i, p in enumerate(self.pucks):
            place, speed = q[3 * i : 3 * i + 3], v[3 * i : 3 * i + 3]
            c, s = np.cos(place[2]), np.sin(place[2])
            arm = np.array([c * p.foot[0] - s * p.foot[1], s * p.foot[0] + c * p.foot[1]])
            low, moves = (q[:3], v[:3]) if self.stacked and i else self.base(t)
            lever = place[:2] + arm - low[:2]
            there = moves[:2] + moves[2] * np.array([-lever[1], lever[0]])
            sliding = speed[:2] + speed[2] * np.array([-arm[1], arm[0]]) - there
            slips.append((arm, np.array([*sliding, (p.rho or 0.0) * (speed[2] - moves[2])])))
        return slips

    def rubbed(self, t: float, q: Array, v: Array) -> list[Array]:
        """Friction of every foot."""
        found = self.slips(t, q, v)
        return [
            p.friction(slip, self.normal(i, t))
            for i, (p, (_, slip)) in enumerate(zip(self.pucks, found, strict=True))
        ]

    def rates(self, t: float, y: Array) -> Array:
        """Velocities, accelerations and what is dissipated."""
        n = 3 * len(self.pucks)
        q, v = y[:n], y[n : 2 * n]
        found = self.slips(t, q, v)
        load = np.zeros(n)
        lost = 0.0
        for i, p in enumerate(self.pucks):
            arm, slip = found[i]
            e = p.friction(slip, self.normal(i, t))
            lost -= float(e @ slip)
            pushed = p.pushed(t)
            torque = (p.rho or 0.0) * e[2]
            mine = slice(3 * i, 3 * i + 3)
            load[mine] += np.array(
                [
                    p.mass * (self.gravity[0] + pushed[0]) + e[0],
                    p.mass * (self.gravity[1] + pushed[1]) + e[1],
                    p.mass * pushed[3] + torque + arm[0] * e[1] - arm[1] * e[0],
                ]
            )
            if self.stacked and i:
                lever = q[3 * i : 3 * i + 2] + arm - q[:2]
                load[:3] -= np.array([e[0], e[1], torque + lever[0] * e[1] - lever[1] * e[0]])
        if self.spring:
            load[:2] += self.spring * self.pucks[0].mass * (q[3:5] - q[:2])
            load[3:5] -= self.spring * self.pucks[0].mass * (q[3:5] - q[:2])
        masses = np.concatenate([p.mass * np.array([1, 1, p.turning]) for p in self.pucks])
        return np.concatenate([v, load / masses, [lost]])

    def slopes(self, t: float, y: Array) -> Array:
        """d rates / dy by differences that the smoothed law can bear; SciPy's own ones overflow."""
        n = len(y) // 2
        columns = []
        for i in range(len(y)):
            step = np.zeros(len(y))
            step[i] = 1e-6 if i < n else SMOOTH / 100
            columns.append((self.rates(t, y + step) - self.rates(t, y - step)) / (2 * step[i]))
        return np.stack(columns, axis=1)

    def moved(self) -> tuple[Array, Array]:
        """Times and states."""
        mass = self.pucks[0].mass
        start = np.concatenate([*(p.q for p in self.pucks), *(p.v for p in self.pucks), [0.0]])
        ones = np.ones(len(start))
        ones[-1] = mass
        run = solve_ivp(
            self.rates,
            (0.0, UNTIL),
            start,
            method="LSODA",
            jac=self.slopes,
            rtol=1e-8,
            atol=1e-10 * ones,
            t_eval=np.linspace(0, UNTIL, SAMPLES + 1),
            max_step=0.1,
        )
        assert run.success, run.message
        return run.t, run.y


def puck(rng: np.random.Generator, mass: float, table: str) -> Puck:
    """Any puck; one in three begins at rest."""
    static = bool(rng.random() < 0.3)
    mu = float(rng.uniform(0.05, 0.7))
    loads = [float(rng.uniform(-3, 3)) for _ in range(2)] + [float(rng.uniform(-2, 2)), 0.3]
    swings = [float(rng.uniform(-8, 8)) for _ in range(2)] + [float(rng.uniform(-2, 2)), 0.3]
    rests = rng.random() < 0.35 and table == "fixed"
    return Puck(
        mass=mass,
        turning=float(10.0 ** rng.uniform(-3, -1)),
        foot=rng.uniform(-0.2, 0.2, 2) * int(rng.integers(0, 2)),
        q=np.array([*rng.uniform(-0.5, 0.5, 2), rng.uniform(-3, 3)]),
        v=np.zeros(3) if rests else np.array([*rng.uniform(-2, 2, 2), rng.uniform(-10, 10)]),
        load=np.array(loads) * (rng.random(4) < 0.3),
        swing=np.array(swings) * (rng.random(4) < 0.3),
        w=float(rng.uniform(1, 10)),
        mu=mu,
        static=mu + float(rng.uniform(0, 0.3)) if static else None,
        fading=float(rng.uniform(0.05, 0.5)) if static else None,
        viscous=float(rng.uniform(0, 1)) * int(rng.integers(0, 2)),
        rho=float(rng.uniform(0.01, 0.1)) if rng.random() < 0.7 else None,
    )


def attempt(rng: np.random.Generator) -> list[str]:
    """One scene."""
    scale = float(10.0 ** (rng.uniform(-6, 6) * int(rng.integers(0, 2))))
    table = str(rng.choice(["fixed", "fixed", "shaken", "turned"]))
    count = int(rng.integers(1, 3))
    stacked = count == 2 and rng.random() < 0.5
    slope = float(rng.uniform(0, 0.6)) * int(rng.integers(0, 2))
    way = float(rng.uniform(-3, 3))
    down = np.array([np.sin(slope) * np.cos(way), np.sin(slope) * np.sin(way), -np.cos(slope)])
    scene = Scene(
        pucks=tuple(puck(rng, scale * float(rng.uniform(0.5, 2)), table) for _ in range(count)),
        gravity=(0.0 if rng.random() < 0.07 else 9.81) * down,
        table=table,
        swing=float(rng.uniform(0.02, 0.5)),
        w=float(rng.uniform(1, 8)),
        stacked=stacked,
        spring=float(rng.uniform(1, 50)) if count == 2 and rng.random() < 0.6 else 0.0,
    )
    lean = kp.Rotation.about(rng.normal(size=3), float(rng.uniform(0, 3)))
    mechanism = perhaps_reread(rng, built(scene, lean))
    method = str(rng.choice(METHODS))
    tolerance = 1e-9 if rng.random() < 0.7 else float(10.0 ** rng.uniform(-9, -3.5))
    said = f"{scene} {method=} {tolerance=}"
    faults = held(scene, mechanism) if table == "fixed" else []
    run = mechanism.simulate(until=UNTIL, steps=SAMPLES, method=method, tolerance=tolerance)
    if run.outcome.name != "Done" or run.notes:
        return [f"{run.outcome} {run.notes}; {said}"]
    faults += judged(scene, run, lean, 1e3 * max(tolerance, 1e-9) / 1e-6)
    return [f"{fault}; {said}" for fault in faults]


def judged(scene: Scene, run: kp.Trajectory, lean: kp.Rotation, rough: float) -> list[str]:
    """Where the run differs from the equations by hand."""
    times, states = scene.moved()
    n = 3 * len(scene.pucks)
    faults = []
    R = np.array(lean.matrix())
    for i in range(len(scene.pucks)):
        place = np.stack([run[f"p{i}.C.{a}"].values for a in "xyz"], axis=1) @ R
        speed = np.stack([run[f"p{i}.C.v{a}"].values for a in "xyz"], axis=1) @ R
        due, rate = states[3 * i : 3 * i + 3].T, states[n + 3 * i : n + 3 * i + 3].T
        most = NEAR * rough * (1 + np.max(np.abs(due)) + np.max(np.abs(rate)))
        off = float(np.max(np.abs(place[:, :2] - due[:, :2])))
        faults += [f"the place of p{i} is off by {off:.1e}"] if off > most else []
        off = float(np.max(np.abs(speed[:, :2] - rate[:, :2])))
        faults += [f"the speed of p{i} is off by {off:.1e}"] if off > 20 * most else []
        turn = np.stack([run[f"p{i}.A.{a}"].values for a in "xyz"], axis=1) @ R - place
        ray = np.stack([np.cos(due[:, 2]), np.sin(due[:, 2])], axis=1)
        off = float(np.max(np.abs(turn[:, :2] - ray)))
        faults += [f"the angle of p{i} is off by {off:.1e}"] if off > 5 * most else []
    kinetic = float(np.max(np.abs(states[-1]))) + float(np.max(np.abs(run.energy.kinetic)))
    kinetic += 1e-3 * scene.pucks[0].mass
    if scene.table == "fixed":
        outside = run.energy.total - run.energy.total[0]
        if np.max(np.abs(outside)) > 1e-4 * rough * kinetic:
            faults.append(f"energy.total moves by {np.max(np.abs(outside)) / kinetic:.1e}")
    rubs = [scene.rubbed(t, states[:n, k], states[n:-1, k]) for k, t in enumerate(times)]
    for i, p in enumerate(scene.pucks):
        force = run[f"f{i}.force"].values @ R
        torque = run[f"f{i}.torque"].values @ R
        for k in range(1, len(times)):
            slip = scene.slips(times[k], states[:n, k], states[n:-1, k])[i][1]
            nearly = 1e-4 < np.linalg.norm(slip) < 0.02 * (1 + np.max(np.abs(rate)))
            if nearly:
                continue
            size = abs(scene.normal(i, times[k])) * p.mu + p.mass * p.viscous
            off = float(np.linalg.norm(force[k, :2] - rubs[k][i][:2])) / (1e-9 * p.mass + size)
            twist = abs(torque[k, 2] - (p.rho or 0.0) * rubs[k][i][2]) / (1e-9 * p.mass + size)
            most = 2e-2 * rough
            if np.linalg.norm(slip) < 1e-4:  # of the smoothed slip, SciPy's errors are no less
                most += 2e-8 / SMOOTH * (1 + np.max(np.abs(rate)))
            if off > most or twist > most * (p.rho or 1.0):
                faults.append(f"friction of p{i} at {times[k]} is off by {off:.1e}, {twist:.1e}")
                break
    return faults


def held(scene: Scene, mechanism: kp.Mechanism) -> list[str]:
    """Where `statics` holds more or less than the ellipse of one puck says."""
    if len(scene.pucks) > 1 or scene.normal(0, 0.0) == 0.0:
        return []
    (p,) = scene.pucks
    pushed = p.pushed(0.0)
    asked = p.mass * (scene.gravity[:2] + pushed[:2])
    (arm, _) = scene.slips(0.0, p.q, np.zeros(3))[0]
    torque = p.mass * pushed[3] - (arm[0] * asked[1] - arm[1] * asked[0])
    most = (p.static or p.mu) * abs(scene.normal(0, 0.0))
    if p.rho is None and abs(torque) > 1e-12 * p.mass:
        return []
    used = float(np.hypot(np.linalg.norm(asked), torque / (p.rho or 1.0)) / most)
    rest = mechanism.statics()
    stays = [hold for hold in rest.holds if hold.name == "f0"]
    if used < 1 - 1e-9 and not (stays and abs(stays[0].used - used) < 1e-6):
        return [f"statics holds {rest.holds} and not {used}, {rest.outcome}"]
    return [f"statics holds {stays} of {used}"] if used > 1 + 1e-9 and stays else []


def built(scene: Scene, lean: kp.Rotation) -> kp.Mechanism:
    """The scene in a plane through the origin that leans."""
    R = np.array(lean.matrix())
    m = kp.Builder("scene", gravity=tuple(R @ scene.gravity))
    below = kp.Marker("ground", (0.0, 0.0, 0.0), lean)
    if scene.table != "fixed":
        table = m.body(
            "table", at=(0, 0, 0), rotation=lean, inertia=kp.Inertia(1, (0, 0, 0), np.eye(3))
        )
        across = kp.Rotation.about((0, 1, 0), np.pi / 2)
        law = TextFormula("a * sin(w * t)", ("a", "w"), (scene.swing, scene.w))
        if scene.table == "shaken":
            I = kp.Marker("ground", (0.0, 0.0, 0.0), lean @ across)
            guide = m.add(Prismatic(I, kp.Marker("table", (0.0, 0.0, 0.0), across)), "guide")
            m.drive(guide.displacement, law)
        else:
            m.drive(m.revolute(below, table.at(0, 0, 0), name="guide").angle, law)
        below = table.at(0, 0, 0)
    bodies = []
    for i, p in enumerate(scene.pucks):
        turned = lean @ kp.Rotation.about((0, 0, 1), float(p.q[2]))
        body = m.body(
            f"p{i}",
            at=tuple(R @ [p.q[0], p.q[1], 0.0]),
            rotation=turned,
            inertia=kp.Inertia(p.mass, (0, 0, 0), p.mass * p.turning * np.diag([1, 0.7, 1])),
            velocity=tuple(R @ [p.v[0], p.v[1], 0.0]),
            spin=tuple(R @ [0, 0, p.v[2]]),
            points={"C": (0, 0, 0), "A": (1, 0, 0)},
        )
        bodies.append(body)
        base = bodies[0].C if scene.stacked and i else below
        foot = m.add(Planar(base, body.at(*p.foot, 0)), f"j{i}")
        m.force(
            JointFriction(
                foot.x,
                p.mu,
                static=p.static,
                fading=p.fading,
                viscous=p.viscous * p.mass,
                radius=p.rho,
                surface="plane",
            ),
            f"f{i}",
        )
        loads = [R @ p.load[:3] * p.mass, R[:, 2] * p.load[3] * p.mass]
        swings = [R @ p.swing[:3] * p.mass, R[:, 2] * p.swing[3] * p.mass]
        laws = [
            tuple(
                TextFormula("a + b * sin(w * t)", ("a", "b", "w"), (float(a), float(b), p.w))
                for a, b in zip(load, swing, strict=True)
            )
            for load, swing in zip(loads, swings, strict=True)
        ]
        m.force(AppliedLoad(body.C, laws[0], laws[1]), f"load{i}")
    if scene.spring:
        spring = scene.spring * scene.pucks[0].mass
        m.force(LineSpring(bodies[0].C, bodies[1].C, stiffness=spring), "spring")
    return m.build()

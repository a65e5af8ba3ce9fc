"""Promise: `JointFriction` of ball joints is a torque against the spin, by what the joint carries.

One body in a socket or two in a chain, hung anywhere, the first socket fixed or shaken, under
weight and torques that swing; of any mass, viscous or not, with static friction that fades or none.
Places, spins, the torque of friction, energies, and what `statics` says it holds.

Oracle: equations of Newton and Euler by hand, loads found in turns, friction smoothed at 1e-7 rad/s
and integrated by SciPy's LSODA; of what is held, the moment of the weight.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import kempe as kp
from kempe.drives import TextFormula
from kempe.forces import AppliedLoad, JointFriction
from kempe.joints import Prismatic, Spherical
from tests.campaigns._round_trip import perhaps_reread

Array = NDArray[np.float64]

CASES = 4
REMEMBERED = (42, 54)
UNTIL, SAMPLES = 1.0, 10
SMOOTH = 1e-7  # rad/s
NEAR = 1e-5
METHODS = ("auto", "dop853", "tsit5", "rodas5p")


@dataclass(frozen=True)
class Part:
    """A body; its origin is its centre of mass."""

    mass: float
    inertia: Array  # (3, 3) beside the mass
    socket: Array  # its ball, from the centre of mass
    far: Array  # the socket of the next body
    turn: Array  # (4,) quaternion, scalar last
    w: Array  # rad/s, world
    torque: Array  # N m/kg, world
    swing: Array
    pace: float
    mu: float
    static: float | None
    fading: float | None
    viscous: float
    radius: float

    def share(self, speed: float) -> float:
        """The torque over the load."""
        mu = self.mu
        if self.static is not None and self.fading is not None:
            mu += (self.static - mu) * float(np.exp(-((speed / self.fading) ** 2)))
        return mu * self.radius


@dataclass(frozen=True)
class Chain:
    """Bodies one below the other."""

    parts: tuple[Part, ...]
    gravity: Array
    swing: float  # of the first socket, along x
    w: float

    def solved(self, t: float, y: Array) -> tuple[Array, list[Array], list[float]]:
        """Angular accelerations (n, 3), torques of friction, loads."""
        n = len(self.parts)
        R = [Rotation.from_quat(y[7 * i : 7 * i + 4]).as_matrix() for i in range(n)]
        w = [y[7 * i + 4 : 7 * i + 7] for i in range(n)]
        slips = [w[i] - (w[i - 1] if i else 0.0) for i in range(n)]
        sizes = [float(np.sqrt(s @ s + SMOOTH**2)) for s in slips]
        drags = [-p.viscous * p.mass * s for p, s in zip(self.parts, slips, strict=True)]
        units = [
            -p.share(size) * s / size for p, s, size in zip(self.parts, slips, sizes, strict=True)
        ]
        x = self._motion(t, R, w, drags, units)  # affine in the loads
        loads = np.array([p.mass for p in self.parts])
        for _ in range(300):
            forces = (x[3 * n :, 0] + x[3 * n :, 1:] @ loads).reshape(n, 3)
            new = np.linalg.norm(forces, axis=1)
            change, loads = float(np.max(np.abs(new - loads))), new
            if change <= 1e-14 * np.max(new):
                break
        alpha = (x[: 3 * n, 0] + x[: 3 * n, 1:] @ loads).reshape(n, 3)
        e = [drag + unit * load for drag, unit, load in zip(drags, units, loads, strict=True)]
        return alpha, e, list(loads)

    def _motion(
        self, t: float, R: list[Array], w: list[Array], e: list[Array], units: list[Array]
    ) -> Array:
        """Unknowns (6 n, 1 + n) without loads, and by a load of 1 of every ball."""
        n = len(self.parts)
        A, b, by_load = np.zeros((6 * n, 6 * n)), np.zeros(6 * n), np.zeros((6 * n, n))
        # unknown: alpha_i, then the forces F_i on body i at its ball; a_i by the chain
        lever, bias = (
            np.zeros((3, 6 * n)),
            np.array([-self.swing * self.w**2 * np.sin(self.w * t), 0, 0]),
        )
        for i, p in enumerate(self.parts):
            ball, far = R[i] @ p.socket, R[i] @ p.far
            mine = slice(3 * i, 3 * i + 3)
            force = slice(3 * n + 3 * i, 3 * n + 3 * i + 3)
            after = slice(force.stop, force.stop + 3)
            # a_c = a_ball - alpha x ball - w x (w x ball)
            center, rest = lever.copy(), bias - np.cross(w[i], np.cross(w[i], ball))
            center[:, mine] += _cross(ball)
            A[6 * i : 6 * i + 3] = p.mass * center
            A[6 * i : 6 * i + 3, force] -= np.eye(3)
            b[6 * i : 6 * i + 3] = p.mass * (self.gravity - rest)
            spun = p.mass * R[i] @ p.inertia @ R[i].T
            A[6 * i + 3 : 6 * i + 6, mine] += spun
            A[6 * i + 3 : 6 * i + 6, force] -= _cross(ball)
            torque = p.mass * (p.torque + p.swing * np.sin(p.pace * t)) + e[i]
            b[6 * i + 3 : 6 * i + 6] = torque - np.cross(w[i], spun @ w[i])
            by_load[6 * i + 3 : 6 * i + 6, i] = units[i]
            if i + 1 < n:
                by_load[6 * i + 3 : 6 * i + 6, i + 1] = -units[i + 1]
                A[6 * i : 6 * i + 3, after] += np.eye(3)
                A[6 * i + 3 : 6 * i + 6, after] += _cross(far)
                b[6 * i + 3 : 6 * i + 6] -= e[i + 1]
                lever = center.copy()
                lever[:, mine] -= _cross(far)
                bias = rest + np.cross(w[i], np.cross(w[i], far))
        return np.linalg.solve(A, np.column_stack([b, by_load]))

    def rates(self, t: float, y: Array) -> Array:
        """Of quaternions and angular velocities."""
        alpha, _, _ = self.solved(t, y)
        found = []
        for i in range(len(self.parts)):
            q, w = y[7 * i : 7 * i + 4], y[7 * i + 4 : 7 * i + 7]
            dv = 0.5 * (q[3] * w + np.cross(w, q[:3]))
            found.append(np.concatenate([dv, [-0.5 * float(w @ q[:3])], alpha[i]]))
        return np.concatenate(found)

    def slopes(self, t: float, y: Array) -> Array:
        """d rates / dy by differences that the smoothed law can bear."""
        columns = []
        for i in range(len(y)):
            step = np.zeros(len(y))
            step[i] = 1e-6 if i % 7 < 4 else SMOOTH / 100
            columns.append((self.rates(t, y + step) - self.rates(t, y - step)) / (2 * step[i]))
        return np.stack(columns, axis=1)

    def places(self, t: float, y: Array) -> list[Array]:
        """Centres of mass."""
        at, found = np.array([self.swing * np.sin(self.w * t), 0, 0]), []
        for i, p in enumerate(self.parts):
            R = Rotation.from_quat(y[7 * i : 7 * i + 4]).as_matrix()
            found.append(at - R @ p.socket)
            at = found[-1] + R @ p.far
        return found


def _cross(r: Array) -> Array:
    """The matrix of r x."""
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


def part(rng: np.random.Generator, mass: float) -> Part:
    """Any body."""
    mu = float(rng.uniform(0.05, 0.6))
    has_static = rng.random() < 0.3
    spread = Rotation.random(random_state=int(rng.integers(1 << 30))).as_matrix()
    sizes = np.array([0.02, 0.03, 0.04]) * rng.uniform(0.9, 1.1, 3)
    hung = rng.normal(size=3) * float(rng.choice([0, 0.02, 0.2]))
    return Part(
        mass=mass,
        inertia=spread @ np.diag(sizes) @ spread.T,
        socket=hung,
        far=rng.normal(size=3) * 0.2,
        turn=Rotation.random(random_state=int(rng.integers(1 << 30))).as_quat(),
        w=rng.normal(size=3) * float(rng.choice([0, 0.5, 3])),
        torque=rng.normal(size=3) * (rng.random() < 0.3),
        swing=rng.normal(size=3) * (rng.random() < 0.3),
        pace=float(rng.uniform(1, 8)),
        mu=mu,
        static=mu + float(rng.uniform(0, 0.3)) if has_static else None,
        fading=float(rng.uniform(0.2, 2)) if has_static else None,
        viscous=float(rng.uniform(0, 0.02)) * int(rng.integers(0, 2)),
        radius=float(rng.choice([0.003, 0.02, 0.05, 0.1])),
    )


def attempt(rng: np.random.Generator) -> list[str]:
    """One chain."""
    scale = float(10.0 ** (rng.uniform(-6, 6) * int(rng.integers(0, 2))))
    count = 1 if rng.random() < 0.6 else 2
    shaken = rng.random() < 0.3
    chain = Chain(
        tuple(part(rng, scale * float(rng.uniform(0.5, 2))) for _ in range(count)),
        gravity=rng.normal(size=3) * 5.0,
        swing=float(rng.uniform(0.01, 0.2)) if shaken else 0.0,
        w=float(rng.uniform(1, 8)),
    )
    mechanism = perhaps_reread(rng, built(chain))
    method = str(rng.choice(METHODS))
    said = f"{chain} {method=}"
    faults = held(chain, mechanism) if count == 1 and not shaken else []
    run = mechanism.simulate(until=UNTIL, steps=SAMPLES, method=method, tolerance=1e-9)
    if run.outcome.name != "Done" or run.notes:
        return [*faults, f"{run.outcome} {run.notes}; {said}"]
    return [f"{fault}; {said}" for fault in [*faults, *judged(chain, run)]]


def judged(chain: Chain, run: kp.Trajectory) -> list[str]:
    """Where the run differs from the equations by hand."""
    start = np.concatenate([np.concatenate([p.turn, p.w]) for p in chain.parts])
    times = np.linspace(0, UNTIL, SAMPLES + 1)
    due = solve_ivp(
        chain.rates,
        (0.0, UNTIL),
        start,
        method="LSODA",
        jac=chain.slopes,
        rtol=1e-9,
        atol=1e-11,
        t_eval=times,
    )
    assert due.success, due.message
    faults = []
    fastest = 1.0 + float(np.max(np.abs(due.y)))
    for i, p in enumerate(chain.parts):
        place = np.stack([run[f"p{i}.C.{a}"].values for a in "xyz"], axis=1)
        want = np.array([chain.places(t, y)[i] for t, y in zip(times, due.y.T, strict=True)])
        off = float(np.max(np.abs(place - want)))
        faults += [f"the place of p{i} is off by {off:.1e}"] if off > NEAR * fastest else []
        ray = np.stack([run[f"p{i}.A.{a}"].values for a in "xyz"], axis=1) - place
        R = Rotation.from_quat(due.y[7 * i : 7 * i + 4].T)
        off = float(np.max(np.abs(ray - R.apply([1, 0, 0]))))
        faults += [f"the turn of p{i} is off by {off:.1e}"] if off > NEAR * fastest else []
        torque = run[f"f{i}.torque"].values
        for k in range(1, len(times)):
            _, e, loads = chain.solved(times[k], due.y[:, k])
            w = due.y[7 * i + 4 : 7 * i + 7, k] - (due.y[7 * i - 3 : 7 * i, k] if i else 0.0)
            if 1e-5 < np.linalg.norm(w) < 0.02 * fastest:
                continue
            size = p.mu * p.radius * loads[i] + p.viscous * p.mass + 1e-9 * p.mass
            off = float(np.linalg.norm(torque[k] - e[i])) / size
            if off > 3e-3:
                faults.append(f"friction of p{i} at {times[k]:g} is off by {off:.1e}")
                break
    energy = run.energy.total - run.energy.total[0]
    size = float(np.max(np.abs(run.energy.kinetic))) + float(np.max(np.abs(run.energy.dissipated)))
    if np.max(np.abs(energy)) > 1e-5 * (size + 1e-3 * chain.parts[0].mass):
        faults.append(f"energy.total moves by {np.max(np.abs(energy)):.1e} of {size:.1e}")
    return faults


def held(chain: Chain, mechanism: kp.Mechanism) -> list[str]:
    """Where `statics` holds more or less than the moment of the weight says."""
    (p,) = chain.parts
    R = Rotation.from_quat(p.turn).as_matrix()
    moment = p.torque - np.cross(R @ p.socket, chain.gravity)
    used = float(np.linalg.norm(moment))
    used /= (p.static or p.mu) * p.radius * float(np.linalg.norm(chain.gravity))
    if used > 1 - 1e-9:
        return []
    rest = mechanism.statics()
    stays = [hold for hold in rest.holds if hold.name == "f0"]
    if not stays or abs(stays[0].used - used) > 1e-6:
        return [f"statics holds {rest.holds} and not {used}, {rest.outcome}"]
    return []


def built(chain: Chain) -> kp.Mechanism:
    """The chain, its first socket at the origin."""
    m = kp.Builder("chain", gravity=tuple(chain.gravity))
    last = m.ground.at(0, 0, 0)
    speed = np.zeros(3)
    if chain.swing:
        speed[0] = chain.swing * chain.w
        cart = m.body("cart", at=(0, 0, 0), inertia=kp.Inertia(1, (0, 0, 0), np.eye(3)))
        across = kp.Rotation.about((0, 1, 0), np.pi / 2)
        ends = (kp.Marker(name, (0.0, 0.0, 0.0), across) for name in ("ground", "cart"))
        guide = m.add(Prismatic(*ends), "guide")
        law = TextFormula("a * sin(w * t)", ("a", "w"), (chain.swing, chain.w))
        m.drive(guide.displacement, law)
        last = cart.at(0, 0, 0)
    start = np.concatenate([np.concatenate([p.turn, p.w]) for p in chain.parts])
    for i, (p, place) in enumerate(zip(chain.parts, chain.places(0.0, start), strict=True)):
        R = Rotation.from_quat(p.turn).as_matrix()
        speed = speed - np.cross(p.w, R @ p.socket)
        body = m.body(
            f"p{i}",
            at=tuple(place),
            rotation=kp.Rotation.from_quaternion([float(x) for x in (p.turn[3], *p.turn[:3])]),
            inertia=kp.Inertia(p.mass, (0, 0, 0), p.mass * p.inertia),
            velocity=tuple(speed),
            spin=tuple(p.w),
            points={"C": (0, 0, 0), "A": (1, 0, 0)},
        )
        speed = speed + np.cross(p.w, R @ p.far)
        ball = m.add(Spherical(last, body.at(*p.socket)), f"j{i}")
        last = body.at(*p.far)
        m.force(
            JointFriction(
                ball.angle,
                p.mu,
                radius=p.radius,
                static=p.static,
                fading=p.fading,
                viscous=p.viscous * p.mass,
                surface="ball",
            ),
            f"f{i}",
        )
        torques = zip(p.mass * p.torque, p.mass * p.swing, strict=True)
        laws = tuple(
            TextFormula("a + b * sin(w * t)", ("a", "b", "w"), (float(a), float(b), p.pace))
            for a, b in torques
        )
        m.force(AppliedLoad(body.C, torque=laws), f"load{i}")
    return m.build()

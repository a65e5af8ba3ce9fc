"""Promise: of all assemblies the one nearest to what was given is the start, of every analysis.

One body of a mechanism has a first guess: exact, noisy, or a whole turn off; of its pose or of its
angle alone; in Python or in a file. What moved by more than a rough guess allows is noted, and
nothing else is. An assembly that is given as `start` is kept.

Oracle: every assembly in closed form. Circles that cut circles and lines, in complex numbers, for a
four-bar, a slider-crank and a six-bar; the two roots of A cos x + B sin x = C for the RSSR, the
spherical four-bar and Hooke's joint.
"""

import math
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import kempe as kp
from kempe.joints import Spherical, Universal

CASES = 20
CLOSE = 1e-7  # rad, and of the size: what is left of closing to 1e-12 near a dead point
CLEAR = 0.05  # how far a case stays from dead points, where two assemblies are one
DECIDED = 1e-3  # of the distance: of assemblies as near as each other either will do
ROUGH = 2.0  # degrees, and per cent of the size: what is noted
ROD_SIZE = 0.1  # where all joints sit at the origins of bodies, their centres of mass tell the size
ROD = kp.Inertia(1.0, (ROD_SIZE, 0.0, 0.0), np.diag([1e-3, 0.02, 0.02]))


@dataclass
class Case:
    """A mechanism, and every way it can be put together where its drive starts."""

    what: str
    build: object  # (guesses: {body: keywords}) -> Builder
    size: float  # as kempe takes it: the largest offset of a joint on a moving body
    plane: bool
    poses: list[dict[str, np.ndarray]] = field(default_factory=list)  # (x, y, angle) or 4 x 4


def attempt(rng: np.random.Generator) -> list[str]:
    """A random mechanism, one of its assemblies, one body of it, and how that is told."""
    makers = (four_bar, slider_crank, six_bar, rssr, spherical, hooke)
    case = makers[int(rng.integers(len(makers)))](rng)
    if case is None:
        return []
    wanted = case.poses[int(rng.integers(len(case.poses)))]
    body = str(rng.choice(list(wanted)))
    noise = float(rng.choice([0.0, 0.0, 1e-3, 0.05, 0.3]))
    given = disturbed(case, wanted[body], noise, rng)
    alone = bool(rng.random() < 0.3)
    turns = int(rng.choice([0, 0, 0, 1, -3])) if case.plane else 0
    keywords = spelled(case, given, turns, alone=alone)
    said = f"{case.what}, {body} guessed {keywords}"
    distances = [apart(case, p[body], given, alone=alone) for p in case.poses]
    best = min(distances)
    good = [
        p for p, d in zip(case.poses, distances, strict=True) if d <= best * (1.0 + DECIDED) + CLOSE
    ]
    mechanism = case.build({body: keywords}).build()
    if rng.random() < 0.3:
        with tempfile.TemporaryDirectory() as folder:
            mechanism = kp.Mechanism.load(mechanism.save(Path(folder) / "model.yaml"))
    return [f"{fault}: {said}" for fault in judged(case, mechanism, good, body, given, alone)]


def judged(case, mechanism, good, body, given, alone) -> list[str]:
    """What is wrong with the starts of all analyses."""
    faults = []
    turn = mechanism.kinematics(until=1e-3, steps=1)
    swing = mechanism.simulate(until=1e-3, steps=1)
    put = mechanism.assemble()
    starts = {
        name: (x.motion.q[0], told(x.notes))
        for name, x in (("kinematics", turn), ("simulate", swing), ("assemble", put.trajectory))
    }
    for name, (q, notes) in starts.items():
        found = read(mechanism, q, plane=case.plane)
        misses = [
            max(apart(case, found[b], p[b], alone=False) for b in p if b in found) for p in good
        ]
        if min(misses) > CLOSE:
            faults.append(f"{name} starts {min(misses):.3g} from the nearest assembly")
        way, angle = moved(case, found[body], given)
        far = max(angle / math.radians(ROUGH), 0.0 if alone else way / (ROUGH / 100 * case.size))
        if abs(far - 1.0) > 1e-6 and bool(notes) != bool(far > 1.0):
            faults.append(f"{name} moved it by {way:.3g} m and {angle:.3g} rad, and notes {notes}")
    if len({notes for _, notes in starts.values()}) > 1:
        faults.append(f"the notes differ: {starts}")
    again = mechanism.kinematics(until=1e-3, steps=1, start=put)
    one, two = (read(mechanism, x.motion.q[0], plane=case.plane) for x in (again, put.trajectory))
    if told(again.notes) or max(apart(case, one[b], two[b], alone=False) for b in one) > CLOSE:
        faults.append(f"from its own assembly it starts elsewhere, and notes {again.notes}")
    return faults


def told(notes):
    """What is told of the start; the spin of a rod between balls is told besides."""
    return tuple(note for note in notes if "start away" in note)


# -- poses ---------------------------------------------------------------------------------------


def read(mechanism, q, *, plane):
    """Poses of all bodies from coordinates."""
    poses = {}
    for k, body in enumerate(mechanism.model.moving):
        if plane:
            poses[body.name] = q[3 * k : 3 * k + 3]
        else:
            x, (w, *v) = q[7 * k : 7 * k + 3], q[7 * k + 3 : 7 * k + 7]
            v = np.array(v)
            R = (w * w - v @ v) * np.eye(3) + 2 * np.outer(v, v)
            R += 2 * w * np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
            poses[body.name] = framed(R, x)
    return poses


def framed(R, x):
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = R, x
    return X


def moved(case, a, b):
    """How far two poses are apart: m and rad."""
    if case.plane:
        return float(np.hypot(*(a[:2] - b[:2]))), abs(math.remainder(a[2] - b[2], math.tau))
    cosine = (np.trace(a[:3, :3].T @ b[:3, :3]) - 1.0) / 2.0
    R = a[:3, :3].T @ b[:3, :3]
    sine = np.linalg.norm([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2.0
    return float(np.linalg.norm(a[:3, 3] - b[:3, 3])), float(math.atan2(sine, cosine))


def apart(case, a, b, *, alone):
    way, turn = moved(case, a, b)
    return turn if alone else math.hypot(way / case.size, turn)


def disturbed(case, pose, noise, rng):
    """A pose that is off by about as much, in rad and in sizes."""
    if case.plane:
        return pose + noise * rng.normal(size=3) * [case.size / 3, case.size / 3, 1.0]
    axis = rng.normal(size=3)
    turn = rotation(axis, noise * rng.normal())
    return framed(turn @ pose[:3, :3], pose[:3, 3] + noise * case.size / 3 * rng.normal(size=3))


def rotation(axis, angle):
    a = np.asarray(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * K @ K


def spelled(case, pose, turns, *, alone):
    """A guess as the builder takes it."""
    if case.plane:
        turned = {"angle": float(pose[2] + turns * math.tau)}
        return turned if alone else {"at": (float(pose[0]), float(pose[1])), **turned}
    turned = {"rotation": kp.Rotation.from_matrix(pose[:3, :3])}
    return turned if alone else {"at": tuple(float(c) for c in pose[:3, 3]), **turned}


# -- planar mechanisms -----------------------------------------------------------------------------


def triangle(a, b, A, B):
    """The two points at a from A and b from B, all complex; None near a dead point."""
    gap = B - A
    d = abs(gap)
    if d < CLEAR:
        return None
    cosine = (a * a + d * d - b * b) / (2.0 * a * d)
    if abs(cosine) > 1.0 - CLEAR:
        return None
    lean = math.acos(cosine)
    return [A + a * gap / d * np.exp(1j * s * lean) for s in (1.0, -1.0)]


def bar(A, B):
    """The pose of a bar from A to B."""
    return np.array([A.real, A.imag, np.angle(B - A)])


def four_bar(rng):
    crank, coupler, rocker, ground = rng.uniform(0.3, 2.0, 4)
    start = float(rng.uniform(-math.pi, math.pi))
    A, D = 0j, complex(ground)
    B = A + crank * np.exp(1j * start)
    ends = triangle(coupler, rocker, B, D)
    if ends is None:
        return None

    def build(guesses):
        m = kp.Builder("four-bar", plane=True)
        one, two, three = (
            m.bar(name, length, inertia=ROD, **guesses.get(name, {}))
            for name, length in (("crank", crank), ("coupler", coupler), ("rocker", rocker))
        )
        m.revolute(m.ground.at(0, 0), one.start)
        m.revolute(one.end, two.start)
        m.revolute(two.end, three.end)
        m.revolute(three.start, m.ground.at(ground, 0))
        m.drive(one.angle, start=start, speed=0.1)
        return m

    poses = [{"crank": bar(A, B), "coupler": bar(B, C), "rocker": bar(D, C)} for C in ends]
    what = f"four-bar {crank, coupler, rocker, ground} at {start}"
    return Case(what, build, max(crank, coupler, rocker, 0.01 * ground), True, poses)


def slider_crank(rng):
    crank, rod = rng.uniform(0.3, 2.0, 2)
    start, offset = float(rng.uniform(-math.pi, math.pi)), float(rng.uniform(-0.5, 0.5))
    B = crank * np.exp(1j * start)
    lift = (offset - B.imag) / rod
    if abs(lift) > 1.0 - CLEAR:
        return None
    reach = rod * math.sqrt(1.0 - lift * lift)

    def build(guesses):
        m = kp.Builder("slider-crank", plane=True)
        one, two = (
            m.bar(name, length, inertia=ROD, **guesses.get(name, {}))
            for name, length in (("crank", crank), ("rod", rod))
        )
        slider = m.body("slider", inertia=ROD, **guesses.get("slider", {}))
        m.revolute(m.ground.at(0, 0), one.start)
        m.revolute(one.end, two.start)
        m.revolute(two.end, slider.at(0, 0))
        m.prismatic(m.ground.at(0, offset), slider.at(0, 0))
        m.drive(one.angle, start=start, speed=0.1)
        return m

    poses = []
    for way in (reach, -reach):
        C = complex(B.real + way, offset)
        slide = np.array([C.real, C.imag, 0.0])
        poses.append({"crank": bar(0j, B), "rod": bar(B, C), "slider": slide})
    what = f"slider-crank {crank, rod, offset} at {start}"
    return Case(what, build, max(crank, rod, 0.01 * abs(offset)), True, poses)


def six_bar(rng):
    """Watt's: a four-bar whose rocker, a triangle, drives a second one."""
    crank, coupler, rocker, ground, link, last = rng.uniform(0.4, 2.0, 6)
    start = float(rng.uniform(-math.pi, math.pi))
    corner = complex(*rng.uniform(0.2, 1.0, 2))
    A, D, G = 0j, complex(ground), complex(ground + rng.uniform(0.5, 2.0), rng.uniform(-1, 1))
    B = crank * np.exp(1j * start)
    ends = triangle(coupler, rocker, B, D)
    if ends is None:
        return None
    poses = []
    for C in ends:
        E = D + corner * (C - D) / abs(C - D)
        seconds = triangle(link, last, E, G)
        if seconds is None:
            return None
        poses += [
            {
                "crank": bar(A, B),
                "coupler": bar(B, C),
                "rocker": bar(D, C),
                "link": bar(E, F),
                "last": bar(G, F),
            }
            for F in seconds
        ]

    def build(guesses):
        m = kp.Builder("six-bar", plane=True)
        lengths = {"crank": crank, "coupler": coupler, "rocker": rocker, "link": link, "last": last}
        one, two, three, four, five = (
            m.bar(name, length, inertia=ROD, **guesses.get(name, {}))
            for name, length in lengths.items()
        )
        m.revolute(m.ground.at(0, 0), one.start)
        m.revolute(one.end, two.start)
        m.revolute(two.end, three.end)
        m.revolute(three.start, m.ground.at(ground, 0))
        m.revolute(three.at(corner.real, corner.imag), four.start)
        m.revolute(four.end, five.end)
        m.revolute(five.start, m.ground.at(G.real, G.imag))
        m.drive(one.angle, start=start, speed=0.1)
        return m

    size = max(crank, coupler, rocker, link, last, corner.real, corner.imag)
    what = f"six-bar {crank, coupler, rocker, ground, link, last, corner, G} at {start}"
    return Case(what, build, size, True, poses)


# -- spatial mechanisms ----------------------------------------------------------------------------


def roots(a, b, c):
    """The two x with a cos x + b sin x = c; None near where they meet."""
    size = math.hypot(a, b)
    if size < CLEAR or abs(c) > size * (1.0 - CLEAR):
        return None
    lean, to = math.acos(c / size), math.atan2(b, a)
    return [to + lean, to - lean]


def hinged(m, body, R, x, name):
    """A hinge of a body to the ground, about z of the frame (R, x)."""
    place = kp.Marker("ground", tuple(map(float, x)), kp.Rotation.from_matrix(R))
    return m.revolute(place, body.at(0, 0, 0), name=name)


def turned(R, x, angle):
    """The pose of a body on such a hinge."""
    return framed(R @ rotation((0, 0, 1), angle), x)


def rssr(rng):
    """Two cranks on skew axes with a rod between balls: |p - q| = length. Its spin is free."""
    one, two = rng.uniform(0.3, 1.0, 2)
    length = float(rng.uniform(0.8, 2.5))
    R = [rotation(rng.normal(size=3), rng.uniform(0, 3)) for _ in range(2)]
    x = [np.zeros(3), rng.uniform(-1, 1, 3)]
    start = float(rng.uniform(-math.pi, math.pi))
    p = x[0] + R[0] @ rotation((0, 0, 1), start) @ [one, 0, 0]
    # |x1 + R1 (two cos b, two sin b, 0) - p|^2 = length^2
    d = R[1].T @ (x[1] - p)
    found = roots(2 * two * d[0], 2 * two * d[1], length**2 - d @ d - two**2)
    if found is None:
        return None

    def build(guesses):
        m = kp.Builder("RSSR")
        a, b, rod = (
            m.body(name, inertia=ROD, **guesses.get(name, {})) for name in ("a", "b", "rod")
        )
        first = hinged(m, a, R[0], x[0], "A")
        hinged(m, b, R[1], x[1], "B")
        m.add(Spherical(a.at(one, 0, 0), rod.at(0, 0, 0)), "C")
        m.add(Spherical(b.at(two, 0, 0), rod.at(length, 0, 0)), "D")
        m.drive(first.angle, start=start, speed=0.1)
        return m

    poses = [{"a": turned(R[0], x[0], start), "b": turned(R[1], x[1], b)} for b in found]
    what = f"RSSR {one, two, length}, {x[1].tolist()}, {[r.tolist() for r in R]} at {start}"
    extent = max(one, two, length, 0.01 * float(np.abs(x[1]).max()))
    return Case(what, build, extent, False, poses)


def spherical(rng):
    """A spherical four-bar: four arcs between hinges through one point."""
    arcs = rng.uniform(0.3, 1.4, 4)
    _, beta, gamma, _ = arcs
    start = float(rng.uniform(-math.pi, math.pi))
    Rx = [rotation((1, 0, 0), a) for a in arcs]
    ground = Rx[3]  # the frame of the second hinge in the ground
    tip = rotation((0, 0, 1), start) @ Rx[0] @ [0, 0, 1]
    # The rocker's far axis is ground Rz(b) Rx(gamma) z, at the arc beta from the crank's.
    d = ground.T @ tip
    s, c = math.sin(gamma), math.cos(gamma)
    found = roots(-s * d[1], s * d[0], math.cos(beta) - c * d[2])
    if found is None:
        return None
    poses = []
    for b in found:
        far = ground @ rotation((0, 0, 1), b) @ Rx[2] @ [0, 0, 1]
        x = np.cross(tip, far) / np.linalg.norm(np.cross(tip, far))
        R = np.column_stack([x, np.cross(tip, x), tip])
        poses.append(
            {
                "crank": framed(rotation((0, 0, 1), start), np.zeros(3)),
                "coupler": framed(R, np.zeros(3)),
                "rocker": framed(ground @ rotation((0, 0, 1), b), np.zeros(3)),
            }
        )

    def build(guesses):
        m = kp.Builder("spherical four-bar")
        one, two, three = (
            m.body(name, inertia=ROD, **guesses.get(name, {}))
            for name in ("crank", "coupler", "rocker")
        )
        first = hinged(m, one, np.eye(3), np.zeros(3), "A")
        hinged(m, three, ground, np.zeros(3), "D")

        def axis(body, k):
            return kp.Marker(body.name, (0.0, 0.0, 0.0), kp.Rotation.from_matrix(Rx[k]))

        # x of the coupler is normal to its arc: its far axis is at beta about x.
        far = kp.Marker("coupler", (0.0, 0.0, 0.0), kp.Rotation.about((1, 0, 0), beta))
        m.revolute(axis(one, 0), two.at(0, 0, 0), name="B")
        m.revolute(far, axis(three, 2), name="C")
        m.drive(first.angle, start=start, speed=0.1)
        return m

    return Case(f"spherical four-bar {arcs.tolist()} at {start}", build, ROD_SIZE, False, poses)


def hooke(rng):
    """Two shafts through one point with a cross between them: arms u and w stay square."""
    start = float(rng.uniform(-math.pi, math.pi))
    far = rotation(rng.normal(size=3), rng.uniform(0, 3))
    u, w = (rotation((1, 0, 0), a) for a in rng.uniform(0.8, 2.2, 2))
    arm = rotation((0, 0, 1), start) @ u @ [0, 0, 1]
    # The other arm is far Rz(b) w z; its part across far's axis turns with b.
    d, z = far.T @ arm, w @ [0, 0, 1]
    found = roots(d[0] * z[0] + d[1] * z[1], d[1] * z[0] - d[0] * z[1], -d[2] * z[2])
    if found is None:
        return None

    def build(guesses):
        m = kp.Builder("Hooke's joint")
        one, two = (
            m.body(name, inertia=ROD, **guesses.get(name, {})) for name in ("driving", "driven")
        )
        first = hinged(m, one, np.eye(3), np.zeros(3), "A")
        hinged(m, two, far, np.zeros(3), "B")
        arms = [
            kp.Marker(body.name, (0.0, 0.0, 0.0), kp.Rotation.from_matrix(R))
            for body, R in ((one, u), (two, w))
        ]
        m.add(Universal(*arms), "cross")
        m.drive(first.angle, start=start, speed=0.1)
        return m

    rest = np.zeros(3)
    poses = [
        {"driving": turned(np.eye(3), rest, start), "driven": turned(far, rest, b)} for b in found
    ]
    return Case(f"Hooke's joint {far.tolist()} at {start}", build, ROD_SIZE, False, poses)

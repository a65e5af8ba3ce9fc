"""Promise: a machine behaves alike at every size from 1e-12 m to 1e12 m.

In both plans: sweeps, assembly, check, reactions and simulations, in the plane and in space, hinges
mixed with slides. The outcome and the number of samples are the same, and lengths, speeds and
forces are those of the closed forms at that size.

Oracle: closed forms (four-bar, slider-crank, an arm in space, a pendulum whose period does not
change when g grows with its length) evaluated for lengths of about 1 and scaled by a power of two,
which changes no digit.
"""

import math

import numpy as np

import kempe as kp
from kempe.joints import Spherical, Universal

CASES = 16
MOST = 40  # powers of two: 2^40 is 1.1e12
EXACT = 1e-9  # of the machine's size; the closed forms lose some digits near dead points
FORCES = 1e-6  # of the largest force: accelerations are solved for at positions known to 1e-13
SIMULATED = 1e-6  # of the amplitude, at a tolerance of 1e-10 a step


def attempt(rng: np.random.Generator) -> list[str]:
    """One machine of about 1 m, at a size of its own."""
    scale = 2.0 ** int(rng.integers(-MOST, MOST + 1))
    plan = str(rng.choice(["small", "large"]))
    kinds = (_four_bar, _slider_crank, _chain, _arm, _pendulum, _dead_point)
    return kinds[rng.integers(len(kinds))](rng, scale, plan)


def _bars(b: kp.Builder, lengths: dict[str, float], scale: float) -> list[object]:
    return [b.bar(name, length * scale) for name, length in lengths.items()]


def _four_bar(rng: np.random.Generator, scale: float, plan: str) -> list[str]:
    """A crank-rocker: its rocker's angle by the cosine rule, on the side where it started."""
    crank = float(rng.uniform(0.2, 0.5))
    coupler, rocker, ground = (float(x) for x in rng.uniform(1.0, 1.5, 3))
    if crank + max(coupler, rocker, ground) > 0.98 * (sum((coupler, rocker, ground)) - 1.5):
        return []  # hardly Grashof
    b = kp.Builder("four-bar", plane=True)
    lengths = {"crank": crank, "coupler": coupler, "rocker": rocker}
    one, two, three = _bars(b, lengths, scale)
    b.revolute(b.ground.at(0, 0), one.start, name="O")
    b.revolute(one.end, two.start)
    b.revolute(two.end, three.end)
    b.revolute(three.start, b.ground.at(ground * scale, 0))
    b.drive(one.angle, rpm=60)
    machine = b.build()
    case = f"four-bar {crank, coupler, rocker, ground} x {scale!r}, plan {plan}"
    said = str(machine.check())
    if "DOF 1" not in said or "redundant" not in said:
        return [f"check says {said!r}: {case}"]
    run = machine.kinematics(until=1.0, steps=24, plan=plan)
    if not run.outcome.is_done:
        return [f"{run.outcome}: {case}"]
    angle = math.tau * run.t
    tip = crank * np.column_stack([np.cos(angle), np.sin(angle)]) - [ground, 0.0]
    gap = np.hypot(*tip.T)
    lean = np.arccos((rocker**2 + gap**2 - coupler**2) / (2.0 * rocker * gap))
    towards = np.arctan2(tip[:, 1], tip[:, 0])
    found = run["rocker.angle"].values
    off = min(
        float(np.abs(np.remainder(found - towards - side * lean + 1.0, math.tau) - 1.0).max())
        for side in (1.0, -1.0)
    )
    put = machine.assemble(values={"crank.angle": 1.0})["crank.end"] / scale
    placed = float(np.abs(put - crank * np.array([math.cos(1.0), math.sin(1.0)])).max())
    wrong = [f"the rocker is off by {off} rad: {case}"] if not off <= EXACT else []
    return wrong + ([f"assembled {placed} off: {case}"] if not placed <= EXACT else [])


def _slider_crank(rng: np.random.Generator, scale: float, plan: str) -> list[str]:
    """x = r cos a + sqrt(l^2 - (r sin a - e)^2), and the force that moves a heavy slider."""
    r, e = float(rng.uniform(0.2, 0.5)), float(rng.uniform(-0.2, 0.2))
    rod, mass = float(rng.uniform(1.0, 2.0)), float(10.0 ** rng.uniform(-3.0, 3.0))
    b = kp.Builder("slider-crank", plane=True, gravity=(0, -9.81 * scale))
    one, two = _bars(b, {"crank": r, "rod": rod}, scale)
    weight = kp.Inertia(mass, np.zeros(3), mass * scale**2 * np.eye(3))
    block = b.body("slider", at=(1.5 * scale, e * scale), inertia=weight)
    b.revolute(b.ground.at(0, 0), one.start)
    b.revolute(one.end, two.start)
    b.revolute(two.end, block.at(0, 0), name="wrist")
    b.prismatic(b.ground.at(0, e * scale), block.at(0, 0), along=(1, 0), name="guide")
    b.drive(one.angle, rpm=60)
    run = b.build().kinematics(until=1.0, steps=16, plan=plan)
    case = f"slider-crank {r, rod, e}, {mass} kg, x {scale!r}, plan {plan}"
    if not run.outcome.is_done:
        return [f"{run.outcome}: {case}"]
    a, w = math.tau * run.t, math.tau
    y = r * np.sin(a) - e
    root = np.sqrt(rod**2 - y**2)
    dy, ddy = r * w * np.cos(a), -r * w * w * np.sin(a)
    x = r * np.cos(a) + root
    ddx = -r * w * w * np.cos(a) - (dy**2 + y * ddy) / root - (y * dy) ** 2 / root**3
    wrong = []
    off = float(np.abs(run["slider.x"].values / scale - x).max())
    if not off <= EXACT:
        wrong.append(f"the slider is off by {off}: {case}")
    off = float(np.abs(run["slider.x"].acceleration / scale - ddx).max())
    if not off <= FORCES * np.abs(ddx).max():
        wrong.append(f"its acceleration is off by {off}: {case}")
    pushed = run["wrist.force"].values[:, 0] / (mass * scale)  # along the slide nothing else acts
    off = float(np.abs(np.abs(pushed) - np.abs(ddx)).max())
    if not off <= FORCES * np.abs(ddx).max():
        wrong.append(f"the force in the wrist is off by {off}: {case}")
    return wrong


def _chain(rng: np.random.Generator, scale: float, plan: str) -> list[str]:
    """Up to sixty dyads in a row; every one is a four-bar behind the one before."""
    dyads = int(rng.integers(2, 61))
    b = kp.Builder("chain", plane=True)
    crank, coupler, rocker, ground = 1.0, 3.0, 2.5, 2.8
    driver = b.bar("crank", crank * scale, at=(0, 0), angle=1.0)
    b.revolute(b.ground.at(0, 0), driver.start)
    hold, start = driver.end, complex(math.cos(1.0), math.sin(1.0))
    for k in range(1, dyads + 1):
        D = complex(ground * k)
        C = _elbow(start, D, coupler, rocker)
        rod = b.bar(
            f"rod{k}",
            coupler * scale,
            at=(start.real * scale, start.imag * scale),
            angle=math.atan2((C - start).imag, (C - start).real),
        )
        swing = b.body(
            f"rocker{k}",
            points={"tip": (rocker * scale, 0), "knee": (crank * scale, 0)},
            at=(D.real * scale, 0),
            angle=math.atan2((C - D).imag, (C - D).real),
        )
        b.revolute(hold, rod.start)
        b.revolute(rod.end, swing.tip)
        b.revolute(b.ground.at(D.real * scale, 0), swing.at(0, 0))
        hold, start = swing.knee, D + crank * (C - D) / abs(C - D)
    b.drive(driver.angle, start=1.0, rpm=60)
    steps = 48
    run = b.build().kinematics(until=1.0, steps=steps, plan=plan)
    case = f"{dyads} dyads x {scale!r}, plan {plan}"
    if not run.outcome.is_done or len(run) != steps + 1:
        return [f"{len(run)} samples, {run.outcome}: {case}"]
    worst = 0.0
    for row, t in enumerate(run.t):
        at = complex(math.cos(1.0 + math.tau * t), math.sin(1.0 + math.tau * t))
        for k in range(1, dyads + 1):
            D = complex(ground * k)
            C = _elbow(at, D, coupler, rocker)
            at = D + crank * (C - D) / abs(C - D)
        knee = run[f"rocker{dyads}.knee"].position[row] / scale
        worst = max(worst, abs(complex(*knee) - at))
    return [f"the last rocker is off by {worst}: {case}"] if not worst <= 1e3 * EXACT else []


def _elbow(start: complex, end: complex, a: float, b: float) -> complex:
    """The point a from the start and b from the end, to the left of the way between them."""
    d = end - start
    along = (abs(d) ** 2 + a * a - b * b) / (2.0 * abs(d))
    across = math.sqrt(a * a - along * along)
    return start + d / abs(d) * complex(along, across)


def _arm(rng: np.random.Generator, scale: float, plan: str) -> list[str]:
    """A crank about z pushes a slide out of its plane, by a rod from a ball to a cardan."""
    r, rod = float(rng.uniform(0.1, 0.3)), float(rng.uniform(0.8, 1.5))
    y, z = (float(c) for c in rng.uniform(-0.2, 0.2, 2))
    b = kp.Builder("arm")
    crank = b.body("crank", points={"tip": (r * scale, 0, 0)}, at=(0, 0, 0))
    push = b.body("rod", points={"end": (rod * scale, 0, 0)}, at=(r * scale, 0, 0))
    block = b.body("slider", at=((r + rod) * scale, y * scale, z * scale))
    b.revolute(b.ground.at(0, 0, 0), crank.at(0, 0, 0))
    b.add(Spherical(crank.tip, push.at(0, 0, 0)), "ball")
    b.add(Universal(push.end, block.at(0, 0, 0)), "cardan")
    b.prismatic(
        b.ground.at(0, y * scale, z * scale), block.at(0, 0, 0), along=(1, 0, 0), name="guide"
    )
    b.drive(crank.angle, rpm=60)
    run = b.build().kinematics(until=1.0, steps=16, plan=plan)
    case = f"arm {r, rod, y, z} x {scale!r}, plan {plan}"
    if not run.outcome.is_done:
        return [f"{run.outcome}: {case}"]
    a = math.tau * run.t
    x = r * np.cos(a) + np.sqrt(rod**2 - (r * np.sin(a) - y) ** 2 - z**2)
    off = float(np.abs(run["slider.x"].values / scale - x).max())
    return [f"the slider is off by {off}: {case}"] if not off <= EXACT else []


def _pendulum(rng: np.random.Generator, scale: float, plan: str) -> list[str]:
    """A rod swings as at 1 m where gravity grows with it; the hinge's force is m (a - g)."""
    plane = bool(rng.integers(2))
    length, mass = float(rng.uniform(0.3, 3.0)), float(10.0 ** rng.uniform(-3.0, 3.0))
    thick = float(10.0 ** rng.uniform(-3.0, 0.0))
    about = mass * length**2 / 12.0
    tensor = np.diag([thick * about, about, about]) * scale**2
    rod = kp.Inertia(mass, (length * scale / 2.0, 0.0, 0.0), tensor)
    g = 9.81
    b = kp.Builder("pendulum", plane=plane, gravity=(0, -g * scale, 0))
    body = b.body("rod", at=(0, 0), angle=0.0, inertia=rod)
    b.revolute(b.ground.at(0, 0), body.at(0, 0), name="hinge")
    run = b.build().simulate(until=1.0, steps=10, tolerance=1e-10, plan=plan)
    case = f"pendulum of {length} m, {mass} kg, {thick}, plane={plane}, x {scale!r}, plan {plan}"
    if not run.outcome.is_done:
        return [f"{run.outcome}: {case}"]
    expected = _swing(1.5 * g / length, run.t)
    angle, rate = run["rod.angle"].values, run["rod.angle"].rate
    off = float(np.abs(angle - expected).max())
    wrong = [f"the angle is off by {off} rad: {case}"] if not off <= SIMULATED else []
    alpha = -1.5 * g / length * np.cos(angle)
    ax = 0.5 * length * (-alpha * np.sin(angle) - rate**2 * np.cos(angle))
    ay = 0.5 * length * (alpha * np.cos(angle) - rate**2 * np.sin(angle))
    size = np.hypot(mass * ax, mass * (ay + g))
    force = run["hinge.force"].magnitude.values / scale
    off = float(np.abs(force - size).max())
    return wrong + (
        [f"the force is off by {off}: {case}"] if not off <= FORCES * size.max() else []
    )


def _swing(k: float, times: np.ndarray) -> np.ndarray:
    """a'' = -k cos a from rest at a = 0, by Taylor's steps of order four that are short enough."""
    found, a, w, now = [], 0.0, 0.0, 0.0
    for t in times:
        steps = max(1, math.ceil((t - now) * 4000))
        h = (t - now) / steps
        for _ in range(steps):
            f = [(w, -k * math.cos(a))]
            for c in (0.5, 0.5, 1.0):
                da, dw = f[-1]
                f.append((w + c * h * dw, -k * math.cos(a + c * h * da)))
            a += h / 6.0 * (f[0][0] + 2.0 * (f[1][0] + f[2][0]) + f[3][0])
            w += h / 6.0 * (f[0][1] + 2.0 * (f[1][1] + f[2][1]) + f[3][1])
        now = t
        found.append(a)
    return np.array(found)


def _dead_point(rng: np.random.Generator, scale: float, plan: str) -> list[str]:
    """A slider drives its crank to the stretched position: there it ends, at every size."""
    r, rod = float(rng.uniform(0.2, 0.5)), float(rng.uniform(1.0, 2.0))
    b = kp.Builder("piston", plane=True)
    angle = 0.8
    x = r * math.cos(angle) + math.sqrt(rod**2 - (r * math.sin(angle)) ** 2)
    one = b.bar("crank", r * scale, at=(0, 0), angle=angle)
    lean = -math.asin(r * math.sin(angle) / rod)
    tip = (r * scale * math.cos(angle), r * scale * math.sin(angle))
    two = b.bar("rod", rod * scale, at=tip, angle=lean)
    block = b.body("slider", at=(x * scale, 0))
    b.revolute(b.ground.at(0, 0), one.start)
    b.revolute(one.end, two.start)
    b.revolute(two.end, block.at(0, 0))
    b.prismatic(b.ground.at(0, 0), block.at(0, 0), along=(1, 0), name="guide")
    way = r + rod - x
    b.drive(block.x, start=x * scale, speed=way * scale)
    steps = int(rng.integers(7, 100))
    run = b.build().kinematics(until=2.0, steps=steps, plan=plan)
    case = f"piston {r, rod} x {scale!r} in {steps} steps, plan {plan}"
    if run.outcome.name != "DeadPoint":
        return [f"{len(run)} samples, {run.outcome}: {case}"]
    off = abs(float(run.outcome.facts["value"]) / scale - (r + rod))
    expected = (steps + 1) // 2  # up to t = 1 s, where it would stand still at infinite speed
    wrong = [f"the dead point is off by {off}: {case}"] if not off <= EXACT else []
    counted = [] if len(run) in (expected, expected + 1) else [f"{len(run)} samples: {case}"]
    return wrong + counted

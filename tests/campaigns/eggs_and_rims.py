"""Promise: an egg on a floor and the rim of a plate on a plane press, rock and hop by their laws,
wherever the curve lies in its body and however it faces.

Oracle: the lowest point of an ellipse by its support function, Newton and Euler by hand, SciPy.
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation as Turn

import kempe as kp
from kempe.forces import CurveOnPlane
from kempe.geometry.curves import Circle, Ellipse

CASES = 3
NEAR = 2e-6  # of a size of 1, in half a second


def attempt(rng: np.random.Generator) -> list[str]:
    """An egg in the plane, or a plate in space, dropped on a soft floor."""
    law = {
        "stiffness": 10.0 ** float(rng.uniform(2.5, 4.0)),
        "exponent": float(rng.choice([1.0, 1.5, 2.0])),
    }
    if rng.uniform() < 0.5 and law["exponent"] == 1.0:
        law["damping"] = float(rng.uniform(0.0, 5.0))
    elif rng.uniform() < 0.5:
        law["dissipation"] = float(rng.uniform(0.0, 0.5))
    return _egg(rng, law) if rng.uniform() < 0.6 else _rim(rng, law)


def _force(law, depth, rate):
    """What the plane pushes with, `rate` that of the depth: never a pull."""
    if depth <= 0.0:
        return 0.0
    spring = law["stiffness"] * depth ** law["exponent"]
    if "damping" in law:
        return max(0.0, spring + law["damping"] * rate)
    return max(0.0, spring * (1.0 + law.get("dissipation", 0.0) * rate))


def _egg(rng, law):
    a, b = (float(x) for x in rng.uniform(0.05, 0.4, 2))
    middle, askew = rng.normal(size=2) * 0.05, float(rng.uniform(-3, 3))
    slope, mass, moment = float(rng.uniform(-0.5, 0.5)), float(rng.uniform(0.5, 3)), 0.05
    g = 9.0
    y0 = float(max(a, b) + rng.uniform(0.0, 0.3))
    angle, v, w = float(rng.uniform(-3, 3)), rng.normal(size=2) * 0.5, float(rng.normal() * 3)
    n = np.array([-np.sin(slope), np.cos(slope)])
    start = n * y0 - _turned(middle, angle)
    half = [tuple(float(x) for x in _turned(one, askew)) for one in ((a, 0.0), (0.0, b))]
    m = kp.Builder("egg", plane=True, gravity=(0, -g))
    inertia = kp.Inertia(mass, (0, 0, 0), [[moment, 0, 0], [0, moment, 0], [0, 0, moment]])
    egg = m.body(
        "egg", at=tuple(start.tolist()), angle=angle, inertia=inertia,
        velocity=tuple(v.tolist()), spin=w,
    )  # fmt: skip
    curve = Ellipse((float(middle[0]), float(middle[1]), 0.0), (*half[0], 0.0), (*half[1], 0.0))
    floor = m.ground.at(0, 0).facing(tuple(n.tolist()))
    m.force(CurveOnPlane(floor, egg.at(0, 0), kp.Z, curve, **law), "floor")

    def touching(q):
        """How deep, and the lowest point seen from the body's origin, in world axes."""
        phi = q[2] + askew
        down = _turned(-n, -phi)
        h = np.hypot(a * down[0], b * down[1])
        low = _turned(middle, q[2]) + _turned(np.array([a * a * down[0], b * b * down[1]]) / h, phi)
        return -(q[:2] + low) @ n, low

    def motion(t, s):
        depth, low = touching(s[:3])
        rate = -(s[3:5] + s[5] * np.array([-low[1], low[0]])) @ n
        push = _force(law, depth, rate)
        turn = push * (low[0] * n[1] - low[1] * n[0])
        return [*s[3:], push * n[0] / mass, push * n[1] / mass - g, turn / moment]

    t = np.linspace(0.0, 0.5, 26)
    true = solve_ivp(
        motion, (0, 0.5), [*start, angle, *v, w], t_eval=t, rtol=1e-10, atol=1e-12, max_step=2e-3
    ).y.T
    run = m.build().simulate(until=0.5, steps=25, tolerance=1e-10)
    case = f"egg {a, b, middle.tolist(), askew}, slope {slope}, {law}, {start.tolist()}, {angle}: "
    if run.outcome.name != "Done":
        return [case + str(run.outcome)]
    gap = np.array([-touching(s[:3])[0] for s in true])
    off = {
        "place": np.abs(run["egg"].position - true[:, :2]).max(),
        "turn": np.abs(run["egg.angle"].values - true[:, 2]).max(),
        "gap": np.abs(run["floor.gap"].values - gap).max(),
    }
    spread = 1.0 + np.abs(np.diff(true[:, 3:], axis=0)).max()
    return [f"{case}{k} is off by {x:.3g}" for k, x in off.items() if not x < NEAR * spread**2]


def _turned(v, angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * v[0] - s * v[1], s * v[0] + c * v[1]])


def _rim(rng, law):
    radius, mass = float(rng.uniform(0.1, 0.4)), float(rng.uniform(0.5, 3.0))
    lift = float(rng.normal() * 0.05)  # of the rim above the centre of mass, along the axis
    moments = np.sort(rng.uniform(0.026, 0.05, 3))
    tilt = float(rng.uniform(0.3, 1.4))
    at = Turn.from_euler("xyz", [tilt, 0.0, float(rng.uniform(-3, 3))], degrees=False)
    v, spin = rng.normal(size=3) * 0.5, rng.normal(size=3) * 2.0
    start = np.array([0.0, 0.0, radius + float(rng.uniform(0.0, 0.3))])
    m = kp.Builder("plate", gravity=(0, 0, -9.0))
    quaternion = at.as_quat()
    rotation = kp.Rotation.about(tuple(at.as_rotvec() / at.magnitude()), float(at.magnitude()))
    plate = m.body(
        "plate", at=tuple(start.tolist()), rotation=rotation,
        inertia=kp.Inertia(mass, (0, 0, 0), np.diag(moments)),
        velocity=tuple(v.tolist()), spin=tuple(spin.tolist()),
    )  # fmt: skip
    curve = Circle((0.0, 0.0, 0.0), radius)
    m.force(CurveOnPlane(m.ground.at(0, 0, 0), plate.at(0, 0, lift), kp.Z, curve, **law), "floor")

    def touching(x, R):
        down = -R[2]  # the direction -z as the body sees it
        low = R @ np.array([*(radius * down[:2] / np.hypot(*down[:2])), lift])
        return -(x[2] + low[2]), low

    def motion(t, s):
        R = Turn.from_quat(s[3:7]).as_matrix()
        w = s[10:13]  # in axes of the body
        depth, low = touching(s[:3], R)
        rate = -(s[9] + np.cross(R @ w, low)[2])
        push = np.array([0.0, 0.0, _force(law, depth, rate)])
        turn = R.T @ np.cross(low, push)
        x, y, z, c = s[3:7]
        dq = 0.5 * np.array([
            c * w[0] + y * w[2] - z * w[1], c * w[1] + z * w[0] - x * w[2],
            c * w[2] + x * w[1] - y * w[0], -x * w[0] - y * w[1] - z * w[2],
        ])  # fmt: skip
        dw = (turn - np.cross(w, moments * w)) / moments
        return [*s[7:10], *dq, *(push / mass + (0.0, 0.0, -9.0)), *dw]

    t = np.linspace(0.0, 0.4, 21)
    first = [*start, *quaternion, *v, *(at.as_matrix().T @ spin)]
    true = solve_ivp(motion, (0, 0.4), first, t_eval=t, rtol=1e-10, atol=1e-12, max_step=2e-3).y.T
    axes = Turn.from_quat(true[:, 3:7]).as_matrix()
    if np.hypot(axes[:, 2, 0], axes[:, 2, 1]).min() < 0.05:
        return []  # it nearly lay flat
    run = m.build().simulate(until=0.4, steps=20, tolerance=1e-10)
    case = f"rim {radius, lift}, {law}, {moments.tolist()}, turned {at.as_rotvec().tolist()}: "
    if run.outcome.name != "Done":
        return [case + str(run.outcome)]
    off = np.abs(run["plate"].position - true[:, :3]).max()
    spread = 1.0 + np.abs(np.diff(true[:, 7:], axis=0)).max()
    return [f"{case}it is off by {off:.3g}"] if not off < NEAR * spread**2 else []

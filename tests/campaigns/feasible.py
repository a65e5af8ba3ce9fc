"""Promise: what can be put together is put together, whatever the order of its joints.

Bodies have no first guess, a noisy one, or some of them one; joints of all kinds come in any order.

Oracle: the mechanism is made around a closed position. Bodies are put somewhere at random, and then
joints between them are made that hold just there: so there is an assembly, whatever else there is.
"""

import math

import numpy as np

import kempe as kp
from kempe.errors import AssemblyError
from kempe.joints import (
    BarAngle,
    BarsParallel,
    Cylindrical,
    Fixed,
    ParallelAxes,
    PinInSlot,
    Planar,
    PointFromBar,
    PointInPlane,
    PointOnLine,
    Prismatic,
    Revolute,
    Rod,
    Spherical,
    Universal,
)

CASES = 20
APART = 0.3  # lengths below this leave a distance or a bar without a direction


def attempt(rng: np.random.Generator) -> list[str]:
    """A random mechanism around a closed position, with or without guesses near it."""
    plane = bool(rng.random() < 0.6)
    count = int(rng.integers(1, 5))
    poses = [(np.eye(3), np.zeros(3))] + [put(rng, plane=plane) for _ in range(count)]
    names = ["ground"] + [f"body{k}" for k in range(1, count + 1)]
    noise = float(rng.choice([0.0, 0.01, 0.1, 0.5]))
    share = float(rng.choice([0.0, 0.5, 1.0]))
    joints, room = [], (3 if plane else 6) * count
    ties = [(int(rng.integers(k)), k) for k in range(1, count + 1)]  # a tree, then loops
    while len(joints) < len(ties) or (room > 0 and rng.random() < 0.7):
        a, b = ties[len(joints)] if len(joints) < len(ties) else rng.choice(count + 1, 2, False)
        joint, rows = made(rng, int(a), int(b), poses, names, plane=plane)
        if len(joints) >= len(ties) and rows > room:
            break
        joints.append(joint)
        room -= rows
    m = kp.Builder("feasible", plane=plane)
    for name, (R, x) in zip(names[1:], poses[1:], strict=True):
        keywords = {}
        if rng.random() < share:
            axis = (0, 0, 1) if plane else rng.normal(size=3)
            turned = R @ rotation(axis, noise * rng.normal())
            place = x + noise * rng.normal(size=3) * [1, 1, 0 if plane else 1]
            keywords = {
                "at": tuple(map(float, place[: 2 if plane else 3])),
                "rotation": kp.Rotation.from_matrix(turned),
            }
            if plane:
                del keywords["rotation"]
                keywords["angle"] = math.atan2(turned[1, 0], turned[0, 0])
        m.body(name, **keywords)
    order = rng.permutation(len(joints))
    for k in order:
        m.add(joints[k], f"joint{k}")
    try:
        put_together = m.build().assemble()
    except AssemblyError as error:
        kinds = ", ".join(type(joints[k]).__name__ for k in order)
        how = f"guesses for {share:.0%}, noise {noise}"
        return [f"refused with {how}, {kinds}: {error}"]
    return [] if put_together.residual <= 1e-12 else [f"residual {put_together.residual}"]


def put(rng, *, plane):
    """A pose at random."""
    if plane:
        return rotation((0, 0, 1), rng.uniform(-3, 3)), np.append(rng.uniform(-1, 1, 2), 0.0)
    return rotation(rng.normal(size=3), rng.uniform(0, 3)), rng.uniform(-1, 1, 3)


def rotation(axis, angle):
    a = np.asarray(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * K @ K


def marker(pose, name, place, R=None):
    """A marker of a body at a place and with axes that are given in the world."""
    turn, origin = pose
    at = tuple(float(c) for c in turn.T @ (place - origin))
    return kp.Marker(name, at, kp.Rotation.from_matrix(turn.T @ (np.eye(3) if R is None else R)))


def made(rng, a, b, poses, names, *, plane):
    """A joint between bodies a and b that holds where they are, and its rows."""
    flat = np.array([1.0, 1.0, 0.0 if plane else 1.0])

    def somewhere():
        return rng.uniform(-1.5, 1.5, 3) * flat

    def on(k, place, R=None):
        return marker(poses[k], names[k], place, R)

    p = somewhere()
    R = rotation((0, 0, 1), rng.uniform(-3, 3)) if plane else put(rng, plane=False)[0]
    along = R[:, 0] if plane else R[:, 2]
    up = np.array([0.0, 0.0, 1.0])
    slide = np.column_stack([np.cross(up, along), up, along]) if plane else R
    far = p + along * rng.uniform(-1, 1)
    kinds = ["revolute", "revolute", "revolute", "prismatic", "fixed", "rod"]
    kinds += (
        ["slot", "bar_angle", "parallel", "from_bar"]
        if plane
        else ["cylindrical", "ball", "cross", "foot", "plate", "bead", "axes"]
    )
    kind = str(rng.choice(kinds))
    if kind == "revolute":
        return Revolute(on(a, p, R), on(b, p, R)), 2 if plane else 5
    if kind == "prismatic":
        return Prismatic(on(a, p, slide), on(b, far, slide)), 2 if plane else 5
    if kind == "fixed":
        return Fixed(on(a, p, R), on(b, p, R)), 3 if plane else 6
    if kind == "slot":
        run = np.column_stack([up, np.cross(along, up), along])
        pin = np.column_stack([along, np.cross(up, along), up])
        return PinInSlot(on(a, p, run), on(b, far, pin)), 1
    if kind == "cylindrical":
        return Cylindrical(on(a, p, R), on(b, far, R)), 4
    if kind == "ball":
        return Spherical(on(a, p, R), on(b, p)), 3
    if kind == "cross":
        square = np.column_stack([R[:, 1], R[:, 2], R[:, 0]])
        return Universal(on(a, p, R), on(b, p, square)), 4
    if kind == "foot":
        q = p + R @ np.append(rng.uniform(-1, 1, 2), 0.3)
        turned = R @ rotation((0, 0, 1), rng.uniform(-3, 3))
        return Planar(on(a, p, R), on(b, q, turned), offset=0.3), 3
    if kind == "plate":
        q = p + R @ np.append(rng.uniform(-1, 1, 2), 0.3)
        return PointInPlane(on(a, p, R), on(b, q), offset=0.3), 1
    if kind == "bead":
        return PointOnLine(on(a, p, R), on(b, far)), 2
    if kind == "axes":
        turned = R @ rotation((0, 0, 1), rng.uniform(-3, 3))
        return ParallelAxes(on(a, p, R), on(b, somewhere(), turned)), 2
    ends = [somewhere() for _ in range(4)]
    while min(np.linalg.norm(ends[i] - ends[j]) for i in range(4) for j in range(i)) < APART:
        ends = [somewhere() for _ in range(4)]
    first, second, third, fourth = ends
    if kind == "rod":
        length = float(np.linalg.norm(first - second))
        return Rod(on(a, first), on(b, second), length=length), 1
    u, v = third - first, fourth - second
    if kind == "from_bar":
        height = abs(np.cross(u, second - first)[2]) / np.linalg.norm(u)
        if height < APART:
            return Rod(on(a, first), on(b, second), length=float(np.linalg.norm(first - second))), 1
        return PointFromBar(on(a, first), on(b, second), K=on(a, third), length=float(height)), 1
    if kind == "bar_angle":
        angle = math.acos(float(np.clip(u @ v / np.linalg.norm(u) / np.linalg.norm(v), -1, 1)))
        bars = {"K": on(a, third), "L": on(b, fourth)}
        return BarAngle(on(a, first), on(b, second), **bars, angle=angle), 1
    fourth = second + u * rng.choice([-1.0, 1.0])
    return BarsParallel(on(a, first), on(b, second), K=on(a, third), L=on(b, fourth)), 1

"""Machines in space built from numbers, and their positions by other means than kempe's."""

import math

import numpy as np

import kempe
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector
from kempe.joints import Fixed, Revolute, Rod

STARTS = 1500
NEWTON_STEPS = 60
SOLVED = 1e-11  # residual of rows of the size of 1
SAME = 1e-6  # positions nearer than this are one


def matrix(q):
    """The rotation of a unit quaternion (w, x, y, z)."""
    w, v = q[0], np.array(q[1:])
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2.0 * w * K + 2.0 * K @ K


def random_turn(rng):
    q = rng.normal(size=4)
    return matrix(q / np.linalg.norm(q))


# -- platforms ---------------------------------------------------------------------------------


def octahedral(*, height=1.0, platform=0.6):
    """Feet, heads and lengths of an octahedral platform that stands level at a height."""
    feet = [(math.cos(t), math.sin(t), 0.0) for t in (0, math.tau / 3, 2 * math.tau / 3)]
    turned = [t + math.tau / 6 for t in (0, math.tau / 3, 2 * math.tau / 3)]
    heads = [(platform * math.cos(t), platform * math.sin(t), 0.0) for t in turned]
    a = np.array([feet[k] for k in (0, 1, 1, 2, 2, 0)])
    b = np.array([heads[k] for k in (0, 0, 1, 1, 2, 2)])
    return a, b, np.linalg.norm(b + np.array([0.0, 0.0, height]) - a, axis=1)


def random_platform(rng, *, flat=False):
    """Feet, heads and lengths of a platform with at least one assembly."""
    a, b = rng.uniform(-1, 1, (6, 3)), rng.uniform(-1, 1, (6, 3))
    if flat:
        b[:, 2] = 0.0
    there = rng.uniform(-1, 1, 3) + b @ random_turn(rng).T
    return a, b, np.linalg.norm(there - a, axis=1)


def platform(a, b, lengths):
    """The platform as a mechanism of one body and rods."""
    m = kempe.Builder("platform")
    heads = {f"head{k}": tuple(map(float, p)) for k, p in enumerate(b)}
    plate = m.body("plate", points=heads)
    for k, (foot, length) in enumerate(zip(a, lengths, strict=True)):
        m.add(Rod(m.ground.at(*map(float, foot)), plate.point(f"head{k}"), length=float(length)))
    return m.build()


def platforms_by_newton(a, b, lengths, rng, starts=STARTS):
    """Positions (k, 12), r and the rows of R, that Newton's method finds from random starts."""
    R = np.array([random_turn(rng) for _ in range(starts)])
    away = rng.normal(size=(starts, 3))
    away *= (lengths[0] / np.linalg.norm(away, axis=1))[:, None]
    r = a[0] + away - R @ b[0]
    for _ in range(NEWTON_STEPS):
        p = r[:, None, :] + np.einsum("nij,kj->nki", R, b)
        d = p - a
        f = (d * d).sum(-1) - lengths**2
        J = np.concatenate([2 * d, 2 * np.cross(p - r[:, None, :], d)], axis=2)
        step = np.linalg.solve(J + 1e-13 * np.eye(6), -f[..., None])[..., 0]
        step *= np.minimum(1.0, 0.5 / np.maximum(np.abs(step).max(1), 1e-300))[:, None]
        r = r + step[:, :3]
        R = _turns(step[:, 3:]) @ R
    p = r[:, None, :] + np.einsum("nij,kj->nki", R, b)
    good = np.abs(((p - a) ** 2).sum(-1) - lengths**2).max(1) < SOLVED
    return distinct(np.concatenate([r[good], R[good].reshape(-1, 9)], axis=1))


def _turns(w):
    angle = np.linalg.norm(w, axis=1)
    k = w / np.maximum(angle, 1e-300)[:, None]
    K = np.zeros((len(w), 3, 3))
    K[:, 0, 1], K[:, 0, 2], K[:, 1, 2] = -k[:, 2], k[:, 1], -k[:, 0]
    K = K - K.transpose(0, 2, 1)
    return np.eye(3) + np.sin(angle)[:, None, None] * K + (1 - np.cos(angle))[:, None, None] * K @ K


# -- arms --------------------------------------------------------------------------------------


def link(a, twist, d, angle):
    """From joint to joint by the four numbers of Hartenberg and Denavit, as a matrix."""
    c, s, ct, st = math.cos(angle), math.sin(angle), math.cos(twist), math.sin(twist)
    return np.array(
        [[c, -s * ct, s * st, a * c], [s, c * ct, -c * st, a * s], [0, st, ct, d], [0, 0, 0, 1]]
    )


def random_arm(rng):
    """Six links (a, twist, d) and a pose of the hand that they reach."""
    links = [
        (rng.uniform(0.2, 1), rng.uniform(0.5, 2.6) * rng.choice([-1, 1]), rng.uniform(-0.6, 0.6))
        for _ in range(6)
    ]
    hand = np.eye(4)
    for numbers, angle in zip(links, rng.uniform(-3, 3, 6), strict=True):
        hand = hand @ link(*numbers, angle)
    return links, hand


def arm(links, hand):
    """The arm as a mechanism, its hand held."""
    m = kempe.Builder("arm")
    before = Marker(GROUND)
    for k, (a, twist, d) in enumerate(links):
        body = m.body(f"link{k + 1}", points={"start": (0, 0, 0)})
        m.revolute(before, body.start, name=f"hinge{k + 1}")
        before = Marker(body.name, (float(a), 0.0, float(d)), Rotation.about((1, 0, 0), twist))
    at = Marker(GROUND, tuple(map(float, hand[:3, 3])), Rotation.from_matrix(hand[:3, :3]))
    m.add(Fixed(at, before), "hand")
    return m.build()


def arms_by_newton(links, hand, rng, starts=STARTS):
    """Angles (k, 6) that Newton's method finds from random starts."""
    angles = rng.uniform(-math.pi, math.pi, (starts, 6))
    off = np.full(starts, math.inf)
    for _ in range(NEWTON_STEPS + 20):
        here, axes, places = np.tile(np.eye(4), (starts, 1, 1)), [], []
        for k, (a, twist, d) in enumerate(links):
            axes.append(here[:, :3, 2])
            places.append(here[:, :3, 3])
            c, s = np.cos(angles[:, k]), np.sin(angles[:, k])
            turn = np.tile(np.eye(4), (starts, 1, 1))
            turn[:, 0, 0], turn[:, 0, 1], turn[:, 1, 0], turn[:, 1, 1] = c, -s, s, c
            here = here @ turn @ link(a, twist, d, 0.0)
        E = hand[:3, :3] @ here[:, :3, :3].transpose(0, 2, 1)
        turn_left = 0.5 * np.stack(
            [E[:, 2, 1] - E[:, 1, 2], E[:, 0, 2] - E[:, 2, 0], E[:, 1, 0] - E[:, 0, 1]], axis=1
        )
        end = here[:, :3, 3]
        f = np.concatenate([hand[:3, 3] - end, turn_left], axis=1)
        off = np.abs(f).max(1) + np.abs(3.0 - np.trace(E, axis1=1, axis2=2))
        columns = [
            np.concatenate([np.cross(z, end - p), z], axis=1)
            for z, p in zip(axes, places, strict=True)
        ]
        J = np.stack(columns, axis=2)
        Jt = J.transpose(0, 2, 1)
        step = np.linalg.solve(Jt @ J + 1e-12 * np.eye(6), Jt @ f[..., None])[..., 0]
        step *= np.minimum(1.0, 0.4 / np.maximum(np.abs(step).max(1), 1e-300))[:, None]
        angles = angles + step
    good = angles[off < 1e-9]
    return distinct(np.concatenate([np.cos(good), np.sin(good)], axis=1))


# -- loops -------------------------------------------------------------------------------------


def spherical_four_bar(sides, axis=(0.0, 0.0, 1.0)):
    """Hinges that meet in one point: arcs (rad) of crank, coupler, rocker and base."""
    m = kempe.Builder("spherical four-bar")
    first = Rotation.with_z(axis)
    before = Marker(GROUND, rotation=first)
    for name, arc in zip(("crank", "coupler", "rocker"), sides, strict=False):
        body = m.body(name, points={"O": (0, 0, 0)})
        m.revolute(before, body.O, name=f"{name}_hinge")
        before = Marker(name, rotation=Rotation.about((1, 0, 0), arc))
    base = first @ Rotation.about((1, 0, 0), -sides[3])
    m.add(Revolute(before, Marker(GROUND, rotation=base)), "rocker_base")
    return m.build()


# -- what is listed ----------------------------------------------------------------------------


def distinct(points):
    """Points, each once."""
    kept: list[np.ndarray] = []
    for x in points:
        if not any(np.abs(x - y).max() < SAME for y in kept):
            kept.append(x)
    return np.array(kept)


def all_poses(found, body):
    """(k, 12): r and the rows of R of one body in everything listed."""
    poses = [state.poses[body] for state in found]
    return np.array([[*pose.position, *pose.rotation.matrix().ravel()] for pose in poses])


def residual(mechanism, found):
    """The largest row of any joint in anything listed; inf where one is the wrong way round."""
    return max((_residual_at(mechanism, state.poses) for state in found), default=0.0)


def residual_along(mechanism, component, step=0.2):
    """The largest row of any joint at samples of a component; inf where one is the wrong way."""
    layout, worst = mechanism.layout, 0.0
    for q in component.sample(step).q:
        bodies = layout.coordinates.q_by_body(q)
        poses = {
            body.name: layout.chart.placed(own)
            for body, own in zip(layout.model.moving, bodies, strict=True)
        }
        worst = max(worst, _residual_at(mechanism, poses))
    return worst


def _residual_at(mechanism, poses):
    """The largest row of any joint with bodies at poses; inf where one is the wrong way round."""
    worst, poses = 0.0, {**poses, GROUND: Pose(Vector(0.0, 0.0, 0.0), Rotation.identity())}
    for joint in mechanism.layout.model.joints:
        X = [poses[m.body] @ m.pose for m in (joint.I, joint.J)]
        worst = max([worst, *(abs(float(row)) for row in joint.phi(*X))])
        if not all(side.value(*X) > 0.0 for side in joint.sides):
            return math.inf
    return worst

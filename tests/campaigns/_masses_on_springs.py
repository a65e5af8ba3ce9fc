"""Two masses on a line between springs and dampers: built, and solved by the matrix exponential."""

import numpy as np
from scipy.linalg import expm

import kempe as kp
from kempe.forces import SpringDamper

NAMES = ("m1", "m2", "k1", "k2", "c1", "c2", "f1", "f2", "g", "x1", "x2", "v1", "v2")


@kp.parametric
def masses(m1=1.0, m2=2.0, k1=10.0, k2=20.0, c1=0.1, c2=0.2, f1=1.0, f2=1.0, g=3.0,
           x1=1.0, x2=1.5, v1=0.0, v2=0.0, along=0.0, plane=True):  # fmt: skip
    """Two masses on a line, the first beside the ground, the second x2 beyond the first."""
    line = (float(np.cos(along)), float(np.sin(along)))
    pull = (g * line[0], g * line[1])
    m = kp.Builder("masses", plane=plane, gravity=pull if plane else (*pull, 0.0))

    def mass(name, mass, x):
        body = kp.Inertia(mass, (0, 0, 0), [[mass, 0, 0], [0, mass, 0], [0, 0, mass]])
        place = (x * line[0], x * line[1])
        if plane:
            return m.body(name, inertia=body, at=place, angle=0.0)
        return m.body(name, inertia=body, at=(*place, 0.0), rotation=kp.Rotation.identity())

    zero = (0, 0) if plane else (0, 0, 0)
    way = line if plane else (*line, 0.0)
    first, second = mass("first", m1, x1), mass("second", m2, x1 + x2)
    one = m.prismatic(m.ground.at(*zero), first.at(*zero), along=way, name="one")
    two = m.prismatic(first.at(*zero), second.at(*zero), along=way, name="two")
    m.force(SpringDamper(one.displacement, stiffness=k1, damping=c1, free=f1), "near")
    m.force(SpringDamper(two.displacement, stiffness=k2, damping=c2, free=f2), "far")
    m.rate(one.displacement, v1)
    m.rate(two.displacement, v2)
    return m.build()


def readings(t, p):
    """What is read at times t (n,), p all numbers by name, real or complex."""
    m1, m2, k1, k2, c1, c2, f1, f2, g, x1, x2, v1, v2 = (p[name] for name in NAMES)
    # m1 a = -near + far + m1 g, m2 (a + b) = -far + m2 g for the strokes (a, b) of the two
    A = np.zeros((5, 5), dtype=np.result_type(*(np.asarray(x).dtype for x in p.values())))
    A[0, 2] = A[1, 3] = 1.0
    A[2] = [-k1 / m1, k2 / m1, -c1 / m1, c2 / m1, (k1 * f1 - k2 * f2) / m1 + g]
    A[3] = [0.0, -k2 / m2, 0.0, -c2 / m2, k2 * f2 / m2 + g]
    A[3] -= A[2]
    y = np.stack([expm(A * x) @ np.array([x1, x2, v1, v2, 1.0]) for x in t])
    a, b = y @ A[2], y @ A[3]
    near = -k1 * (y[:, 0] - f1) - c1 * y[:, 2]
    far = -k2 * (y[:, 1] - f2) - c2 * y[:, 3]
    speed = y[:, 2] + y[:, 3]
    return {
        "one.displacement": y[:, 0], "two.displacement": y[:, 1],
        "one.displacement.rate": y[:, 2], "two.displacement.rate": y[:, 3],
        "one.displacement.acceleration": a, "two.displacement.acceleration": b,
        "near.effort": near, "far.effort": far,
        "energy.kinetic": 0.5 * m1 * y[:, 2] ** 2 + 0.5 * m2 * speed * speed,
    }  # fmt: skip


def drawn(rng):
    """Random numbers of all kinds: springs and dampers missing, much or little weight."""
    scale = 10.0 ** rng.integers(-3, 4)
    p = {
        "m1": scale * 10.0 ** rng.uniform(-1, 1), "m2": scale * 10.0 ** rng.uniform(-1, 1),
        "k1": scale * 10.0 ** rng.uniform(0, 2), "k2": scale * 10.0 ** rng.uniform(0, 2),
        "c1": scale * rng.uniform(0, 3) * rng.integers(0, 2),
        "c2": scale * rng.uniform(0, 3) * rng.integers(0, 2),
        "f1": rng.uniform(-1, 2), "f2": rng.uniform(0, 2),
        "g": rng.normal() * 5 * rng.integers(0, 2),
        "x1": rng.normal(), "x2": rng.uniform(0.5, 2.0), "v1": rng.normal() * rng.integers(0, 2),
        "v2": rng.normal() * rng.integers(0, 2),
    }  # fmt: skip
    return {name: float(x) for name, x in p.items()}

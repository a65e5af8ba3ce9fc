"""Promise: `statics`, `preload` and `linearize` find rest, modes and answers of chains.

Masses on one rail and discs on one axle, up to four, of 1e-6 to 1e6 kg, m and N/m, tied to
each other and to the ground by springs and dampers of any size (nothing, small, heavily damped,
negative), pulled by constant forces; in the plane or in space; every number of the answer:
positions at rest, forces of springs, M, C, K in coordinates of ours, eigenvalues, frequencies,
damping ratios, who grows, the answer to an effort, `A`, `B` and `G`. `preload` is asked for the
pulls that hold a given place.

Oracle: matrices written down by hand and NumPy's eigenvalues of them, in units of the machine.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import kempe as kp
from kempe.forces import SpringDamper
from kempe.measures import Displacement, Turn

Array = NDArray[np.float64]

CASES = 12
CLOSE = 1e-7  # of the largest entry; eigenvalues are compared where they are well apart


def attempt(rng: np.random.Generator) -> list[str]:
    """One chain about its rest."""
    n = int(rng.integers(1, 5))
    wide = float(rng.integers(0, 2))
    length, mass, time = (float(x) for x in 10.0 ** (wide * rng.uniform(-3, 3, 3)))
    turns, plane = bool(rng.random() < 0.4), bool(rng.random() < 0.6)
    u = 1.0 if turns else length
    f = mass * length**2 / time**2 / u
    masses = 10.0 ** rng.uniform(-1, 1, n)
    k, c = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
    ties = [(a, b) for a in range(n + 1) for b in range(a) if b == a - 1 or rng.random() < 0.3]
    m = kp.Builder("chain", plane=plane)
    x0 = np.cumsum(rng.uniform(0.1, 0.5, n))
    slides = chain(m, turns, masses * mass, x0 * u, length)
    pulls, free = 5 * rng.normal(size=n) * rng.integers(0, 2), {}
    for a, b in ties:
        stiff = float(10.0 ** rng.uniform(-0.5, 1.5))
        damp = float(rng.choice([0.0, 10.0 ** rng.uniform(-2, 1)]))
        free[a, b] = float(rng.normal())
        for table, number in ((k, stiff), (c, damp)):
            table[a, b] += number
        m.force(
            SpringDamper(
                between(m, slides, a, b, turns, plane),
                stiffness=stiff * f / u,
                damping=damp * f / u * time,
                free=free[a, b] * u,
            ),
            f"tie{a}_{b}",
        )
    for j in range(n):
        m.force(SpringDamper(slides[j][1], preload=float(pulls[j]) * f), f"pull{j}")
    said = f"{n=}, {turns=}, {plane=}, {length=!r}, {mass=!r}, {time=!r}, masses {masses}, {k=}"
    said += f", {c=}, {pulls=}, {free=}, {x0=}"
    M, K, C = np.diag(masses), laplace(k), laplace(c)
    load = pulls.copy()
    for (a, b), rest in free.items():
        load[a - 1] += k[a, b] * rest
        if b:
            load[b - 1] -= k[a, b] * rest
    rest = np.linalg.solve(K, load)
    wrong = judged(
        m.build(), [slide[1].name for slide in slides], (M, K, C), rest, (u, f, time), rng
    )
    return [f"{fault}: {said}" for fault in wrong]


def laplace(ties: Array) -> Array:
    """The matrix of ties (a, b), 0 the ground, in absolute coordinates."""
    whole = np.zeros_like(ties)
    for a, b in np.argwhere(ties):
        whole[a, a] += ties[a, b]
        whole[b, b] += ties[a, b]
        whole[a, b] -= ties[a, b]
        whole[b, a] -= ties[a, b]
    return np.asarray(whole[1:, 1:])


def chain(
    m: kp.Builder, turns: bool, masses: Array, x: Array, length: float
) -> list[tuple[Any, Any]]:
    """Bodies on slides, or on one axle."""
    zero = (0.0, 0.0) if m.plane else (0.0, 0.0, 0.0)
    found = []
    for j, mass in enumerate(masses):
        inertia = kp.Inertia(float(mass), (0, 0, 0), float(mass) * length**2 * np.eye(3))
        if turns:
            way: dict[str, Any] = (
                {"angle": float(x[j])}
                if m.plane
                else {"rotation": kp.Rotation.about((0, 0, 1), float(x[j]))}
            )
            body = m.body(f"b{j}", at=zero, inertia=inertia, **way)
            joint: Any = m.revolute(m.ground.at(*zero), body.at(*zero), name=f"j{j}")
            found.append((body.at(*zero), joint.angle))
        else:
            way = {"angle": 0.0} if m.plane else {"rotation": kp.Rotation.identity()}
            body = m.body(f"b{j}", at=(float(x[j]), *zero[1:]), inertia=inertia, **way)
            joint = m.prismatic(m.ground.at(*zero), body.at(*zero), name=f"j{j}")
            found.append((body.at(*zero), joint.displacement))
    return found


def between(m: kp.Builder, slides: list[Any], a: int, b: int, turns: bool, plane: bool) -> Any:
    """How far body a is ahead of body b, 0 the ground."""
    if b == 0:
        return slides[a - 1][1]
    measure = Turn() if turns else Displacement(kp.X)
    return m.gauge(f"g{a}_{b}", measure, slides[b - 1][0], slides[a - 1][0])


def judged(
    mechanism: kp.Mechanism,
    names: list[str],
    MKC: tuple[Array, Array, Array],
    rest: Array,
    units: tuple[float, float, float],
    rng: np.random.Generator,
) -> list[str]:
    """What is wrong with rest and small motions."""
    M, K, C = MKC
    u, f, time = units
    n = len(names)
    wrong: list[str] = []

    def differ(what: str, got: Any, due: Any, size: float | None = None) -> None:
        got, due = np.asarray(got), np.asarray(due)
        if got.shape != due.shape:
            wrong.append(f"{what} has shape {got.shape} instead of {due.shape}")
            return
        error = float(np.abs(got - due).max()) / (size or max(float(np.abs(due).max()), 1e-300))
        if not error <= CLOSE:
            wrong.append(f"{what} is off by {error:.2g}: {got!r} instead of {due!r}")

    found = mechanism.statics()
    if not found.outcome.is_done or found.stable is not True:
        return [f"statics: {found.outcome} {found.verdict}"]
    differ("rest", [found[name] / u for name in names], rest, 1.0 + float(np.abs(rest).max()))
    swing = mechanism.linearize(coordinates=names, inputs=names, outputs=names)
    differ("M", swing.M * u / f / time**2, M)
    differ("K", swing.K * u / f, K)
    differ("C", swing.C * u / f / time, C, max(float(np.abs(C).max()), float(np.abs(K).max())))
    if swing.is_stable is not True:
        wrong.append(f"is_stable is {swing.is_stable}")
    zero, one = np.zeros((n, n)), np.eye(n)
    A = np.block([[zero, one], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    s = np.linalg.eigvals(A)
    apart = np.abs(s[:, None] - s[None, :]) + 1e9 * np.eye(2 * n)
    if apart.min() > 1e-3 * np.abs(s).max():
        for plain in (swing, mechanism.linearize()):
            got = plain.eigenvalues * time
            far = max(float(np.abs(got - x).min()) for x in s)
            if len(got) != 2 * n or not far <= 1e-6 * np.abs(s).max():
                wrong.append(f"eigenvalues {np.sort_complex(got)} instead of {np.sort_complex(s)}")
        pairs = s[s.imag > 1e-9 * np.abs(s)]
        real = s[np.abs(s.imag) <= 1e-9 * np.abs(s)].real
        modes = sorted([*np.abs(pairs), *np.abs(real)])
        listed = np.asarray(swing.frequencies) * 2 * np.pi * time
        if len(listed) == len(modes):
            differ("frequencies", np.sort(listed), modes)
        elif not len(real):
            wrong.append(f"{len(listed)} frequencies instead of {len(modes)}")
        if list(listed) != sorted(listed):
            wrong.append(f"frequencies {listed} are not the slowest first")
        if not len(real):
            order = np.argsort(np.abs(pairs))
            differ("damping", swing.damping, (-pairs.real / np.abs(pairs))[order], 1.0)
    hertz = np.abs(s).mean() / 2 / np.pi * 10.0 ** rng.uniform(-1, 1, 3)
    a, b = int(rng.integers(n)), int(rng.integers(n))
    due = [np.linalg.inv(K + 2j * np.pi * h * C - (2 * np.pi * h) ** 2 * M)[a, b] for h in hertz]
    answer = swing.response(hertz / time, output=names[a], input=names[b])
    for h, x, y in zip(hertz, answer * f / u, due, strict=True):
        if not abs(x - y) <= 1e-6 * np.linalg.norm(
            np.linalg.inv(K + 2j * np.pi * h * C - (2 * np.pi * h) ** 2 * M)
        ):
            wrong.append(f"response {x} instead of {y} at {h}")
    wrong += held(mechanism, K, rest, (u, f), found, names)
    return wrong


def held(
    mechanism: kp.Mechanism,
    K: Array,
    rest: Array,
    units: tuple[float, float],
    found: Any,
    names: list[str],
) -> list[str]:
    """What is wrong with the pulls that keep the chain as it is assembled."""
    u, f = units
    pulled = mechanism.preload([f"pull{j}" + ".preload" for j in range(len(names))])
    start = mechanism.assemble()
    x = np.array([start[name] for name in names]) / u
    before = (
        np.array(
            [force.preload for force in mechanism.model.forces if force.name.startswith("pull")]
        )
        / f
    )
    due = before + K @ (x - rest)
    got = (
        np.array(
            [
                float(v)
                for v in (
                    pulled.values.values() if hasattr(pulled.values, "values") else pulled.values
                )
            ]
        )
        / f
    )
    if not np.abs(got - due).max() <= CLOSE * (1.0 + np.abs(due).max() + np.abs(K).max()):
        return [f"preload {got} instead of {due}"]
    again = pulled.mechanism.statics()
    y = np.array([again[name] for name in names]) / u
    if not np.abs(y - x).max() <= 1e-6 * (1 + np.abs(x).max()):
        return [f"with its preloads it rests at {y} instead of {x}"]
    return []

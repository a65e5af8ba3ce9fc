"""Promise: every analysis starts at the assembly nearest to the guesses, and says what moved.

Linkages in the plane (slider-cranks driven at either end, inverted slider-cranks, Stephenson
six-bars) and in space (RSSR, spherical four-bar, Cardan's cross), in several units, with a guess of
any bodies: a place and an angle, a place alone (not turned), an angle alone (anywhere), whole turns
off. `assemble()`, `kinematics`, `simulate` and `check` start alike, `notes` name every body that
had to move by more than 2 degrees or 2 % of the size and no other; `start=` takes an assembly, a
sample, poses. Without a drive the start is as near as any position of the linkage.

Oracle: closed forms list all assemblies at the drive's first value; the sum of squares is formed
for each with every size that a machine could be said to have. What depends on that size is not
judged.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import kempe as kp
from kempe.joints import Revolute, Rod, Spherical, Universal

CASES = 5
CLEAR = 1.3  # times nearer than the next: what is closer is not judged
UNITS = {"m": 1.0, "mm": 1e-3, "in": 0.0254}
NEAR = 1e-7  # rad, and of the size
ROUGH = (math.radians(2.0), 0.02)  # rad, and of the size: what is told by notes

Place = tuple[np.ndarray, np.ndarray]  # p_WB (m) and R_WB of one body
Assembly = dict[str, Place]


class Linkage(NamedTuple):
    """One linkage: how it is built and everything it can be."""

    said: str
    plane: bool
    build: Callable[[kp.Builder, dict[str, dict]], None]
    driven: str  # the measure
    value: float  # where it starts, m or rad
    assemblies: list[Assembly]  # at that value
    bodies: list[str]
    reach: tuple[float, float]  # m, between which the size of the machine lies
    turning: Callable[[float], list[Assembly]] | None = None  # at another crank angle


def turned(angle: float) -> np.ndarray:
    """A turn about z."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def tilted(angle: float) -> np.ndarray:
    """A turn about x."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def flat(x: float, y: float, angle: float) -> Place:
    """A body in the plane."""
    return np.array([x, y, 0.0]), turned(angle)


def point(z: complex, angle: float) -> Place:
    """A body in the plane, its place a complex number."""
    return flat(z.real, z.imag, angle)


def meet(a: complex, ra: float, b: complex, rb: float) -> list[complex]:
    """Points at two distances from two points."""
    d = abs(b - a)
    x = (d * d + ra * ra - rb * rb) / (2.0 * d)
    if ra * ra - x * x < 1e-3 * ra * ra:
        return []
    y, u = math.sqrt(ra * ra - x * x), (b - a) / d
    return [a + u * complex(x, y), a + u * complex(x, -y)]


def heading(z: complex) -> float:
    """Its direction, rad."""
    return math.atan2(z.imag, z.real)


def pair(a: float, b: float, c: float) -> list[float]:
    """Angles with a cos x + b sin x = c."""
    r = math.hypot(a, b)
    if abs(c) > 0.97 * r:
        return []
    return [math.atan2(b, a) + s * math.acos(c / r) for s in (1.0, -1.0)]


# -- the linkages -------------------------------------------------------------------------------


def slider_crank(rng: np.random.Generator, unit: float) -> Linkage | None:
    """Crank, rod and slider, driven by the crank or by the slider."""
    r, e = rng.uniform(0.3, 1.5), float(rng.choice([0.0, rng.uniform(-0.5, 0.5)]))
    length = rng.uniform(0.5, 3.0)
    u = rng.uniform(-math.pi, math.pi)
    by_slider = bool(rng.random() < 0.4)

    def at(crank: float) -> list[Assembly]:
        b = r * complex(math.cos(crank), math.sin(crank))
        left = length**2 - (b.imag - e) ** 2
        if left < 0.02 * length**2:
            return []
        ends = [complex(b.real + s * math.sqrt(left), e) for s in (1.0, -1.0)]
        return [
            {"crank": point(0j, crank), "rod": point(b, heading(c - b)), "slider": point(c, 0.0)}
            for c in ends
        ]

    listed = at(u)
    if by_slider and listed:
        x = float(listed[0]["slider"][0][0])
        pins = meet(0j, r, complex(x, e), length)
        both = [a for b in pins for a in at(heading(b)) if abs(a["slider"][0][0] - x) < 1e-9]
        u, listed = x, both if len(both) == 2 else []

    def build(m: kp.Builder, guess: dict[str, dict]) -> None:
        crank = m.bar("crank", r / unit, **guess["crank"])
        rod = m.bar("rod", length / unit, **guess["rod"])
        slider = m.body("slider", **guess["slider"])
        m.revolute(m.ground.at(0, 0), crank.start, name="A")
        m.revolute(crank.end, rod.start, name="B")
        m.revolute(rod.end, slider.at(0, 0), name="C")
        m.prismatic(m.ground.at(0, e / unit), slider.at(0, 0), name="D")

    said = f"slider-crank {r!r}, {length!r}, offset {e!r}"
    driven = "slider.x" if by_slider else "crank.angle"
    reach = (min(r, length), 2.0 * (r + length + abs(e)))
    bodies = ["crank", "rod", "slider"]
    return Linkage(said, True, build, driven, u, listed, bodies, reach, at) if listed else None


def inverted(rng: np.random.Generator, unit: float) -> Linkage | None:
    """A crank whose block slides along a lever that turns about a pivot."""
    r, d = rng.uniform(0.3, 1.5), rng.uniform(0.5, 3.0)
    e = float(rng.choice([0.0, rng.uniform(-0.2, 0.2)]))

    def at(crank: float) -> list[Assembly]:
        b = r * complex(math.cos(crank), math.sin(crank))
        seen = b - d
        left = abs(seen) ** 2 - e * e
        if left < 0.05:
            return []
        found = []
        for s in (1.0, -1.0):
            lever = heading(seen) - heading(complex(s * math.sqrt(left), e))
            found.append(
                {
                    "crank": point(0j, crank),
                    "lever": point(complex(d, 0.0), lever),
                    "block": point(b, lever),
                }
            )
        return found

    u = rng.uniform(-math.pi, math.pi)

    def build(m: kp.Builder, guess: dict[str, dict]) -> None:
        crank = m.bar("crank", r / unit, **guess["crank"])
        lever = m.bar("lever", (r + d) / unit, **guess["lever"])
        block = m.body("block", **guess["block"])
        m.revolute(m.ground.at(0, 0), crank.start, name="A")
        m.revolute(crank.end, block.at(0, 0), name="B")
        m.revolute(m.ground.at(d / unit, 0), lever.start, name="C")
        m.prismatic(lever.at(0, e / unit), block.at(0, 0), name="D")

    said = f"inverted slider-crank {r!r}, pivot at {d!r}, offset {e!r}"
    bodies, reach = ["crank", "lever", "block"], (min(r, d), 2.0 * (2.0 * r + 2.0 * d))
    listed = at(u)
    return (
        Linkage(said, True, build, "crank.angle", u, listed, bodies, reach, at) if listed else None
    )


def six_bar(rng: np.random.Generator, unit: float) -> Linkage | None:
    """A four-bar, and a dyad from a point of its coupler to the ground."""
    a, b, c, d = rng.uniform(0.4, 1.0), *rng.uniform(1.2, 2.2, 2), rng.uniform(1.2, 2.0)
    p, f = complex(*rng.uniform(-1.0, 1.0, 2)), complex(*rng.uniform(-2.0, 2.0, 2))
    g, h = rng.uniform(1.0, 3.0, 2)

    def at(crank: float) -> list[Assembly]:
        found = []
        o = a * complex(math.cos(crank), math.sin(crank))
        for e in meet(o, b, complex(d, 0.0), c):
            coupler = heading(e - o)
            pin = o + p * complex(math.cos(coupler), math.sin(coupler))
            for k in meet(pin, g, f, h):
                found.append(
                    {
                        "crank": point(0j, crank),
                        "coupler": point(o, coupler),
                        "rocker": point(complex(d, 0.0), heading(e - d)),
                        "link": point(pin, heading(k - pin)),
                        "arm": point(f, heading(k - f)),
                    }
                )
        return found

    u = rng.uniform(-math.pi, math.pi)

    def build(m: kp.Builder, guess: dict[str, dict]) -> None:
        crank, coupler = (
            m.bar("crank", a / unit, **guess["crank"]),
            m.bar(
                "coupler",
                b / unit,
                points={"P": (p.real / unit, p.imag / unit)},
                **guess["coupler"],
            ),
        )
        rocker, link = (
            m.bar("rocker", c / unit, **guess["rocker"]),
            m.bar("link", g / unit, **guess["link"]),
        )
        arm = m.bar("arm", h / unit, **guess["arm"])
        m.revolute(m.ground.at(0, 0), crank.start, name="A")
        m.revolute(crank.end, coupler.start, name="B")
        m.revolute(coupler.end, rocker.end, name="C")
        m.revolute(m.ground.at(d / unit, 0), rocker.start, name="D")
        m.revolute(coupler.P, link.start, name="E")
        m.revolute(link.end, arm.end, name="F")
        m.revolute(m.ground.at(f.real / unit, f.imag / unit), arm.start, name="G")

    said = f"six-bar {a!r}, {b!r}, {c!r}, {d!r}; P {p}, pivot {f}, dyad {g!r}, {h!r}"
    bodies = ["crank", "coupler", "rocker", "link", "arm"]
    reach, listed = (a, 2.0 * (a + b + c + d + g + h)), at(u)
    if len(listed) < 2:
        return None
    return Linkage(said, True, build, "crank.angle", u, listed, bodies, reach, at)


def axis_pose(rng: np.random.Generator) -> tuple[np.ndarray, kp.Rotation]:
    """Any direction of a second hinge, as a matrix and as kempe writes it."""
    way = rng.normal(size=3)
    way /= np.linalg.norm(way)
    angle = rng.uniform(0.3, 2.5)
    k = np.array([[0, -way[2], way[1]], [way[2], 0, -way[0]], [-way[1], way[0], 0]])
    matrix = np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * k @ k
    return matrix, kp.Rotation.about(tuple(way), angle)


def rssr(rng: np.random.Generator, unit: float) -> Linkage | None:
    """Two hinges and a rod on two balls, given as a joint or as a body."""
    a, c = rng.uniform(0.3, 1.0), rng.uniform(0.5, 1.5)
    where = rng.uniform(-1.5, 1.5, 3)
    matrix, rotation = axis_pose(rng)
    u, length = rng.uniform(-math.pi, math.pi), rng.uniform(0.8, 3.0)
    tip = a * np.array([math.cos(u), math.sin(u), 0.0])
    seen = tip - where
    across = 2.0 * c * matrix[:, :2].T @ seen
    angles = pair(across[0], across[1], seen @ seen + c * c - length**2)
    as_body = bool(rng.random() < 0.4)
    listed = [
        {"crank": (np.zeros(3), turned(u)), "rocker": (where, matrix @ turned(b))} for b in angles
    ]

    def build(m: kp.Builder, guess: dict[str, dict]) -> None:
        crank = m.body("crank", points={"end": (a / unit, 0, 0)}, **guess["crank"])
        rocker = m.body("rocker", points={"end": (c / unit, 0, 0)}, **guess["rocker"])
        m.add(Revolute(m.ground.at(0, 0, 0), crank.at(0, 0, 0)), "A")
        m.add(Revolute(kp.Marker("ground", tuple(where), rotation), rocker.at(0, 0, 0)), "D")
        if as_body:
            rod = m.bar("rod", length / unit, inertia=guess["rocker"]["inertia"])
            m.add(Spherical(crank.end, rod.start), "B")
            m.add(Spherical(rod.end, rocker.end), "C")
        else:
            m.add(Rod(crank.end, rocker.end, length=length), "rod")

    said = f"RSSR {a!r}, {length!r}{' as a body' if as_body else ''}, {c!r} at {where.tolist()}"
    reach = (min(a, c), 2.0 * (a + c + length + float(np.linalg.norm(where))))
    return (
        Linkage(said, False, build, "A.angle", u, listed, ["crank", "rocker"], reach)
        if listed
        else None
    )


def spherical(rng: np.random.Generator, unit: float) -> Linkage | None:
    """Four hinges whose axes meet in a point."""
    first, second, third = rng.uniform(0.3, 1.4, 3)
    matrix, rotation = axis_pose(rng)
    u = rng.uniform(-math.pi, math.pi)
    a = turned(u) @ tilted(first)[:, 2]
    seen = matrix.T @ a  # R0 Rz(b) Rx(third) z . a = cos(second)
    s, c = math.sin(third), math.cos(third)
    angles = pair(-s * seen[1], s * seen[0], math.cos(second) - c * seen[2])
    listed = []
    for b in angles:
        rocker = matrix @ turned(b)
        other = rocker @ tilted(third)[:, 2]
        y = -(other - math.cos(second) * a) / math.sin(second)
        coupler = np.column_stack([np.cross(y, a), y, a])
        o = np.zeros(3)
        listed.append({"crank": (o, turned(u)), "coupler": (o, coupler), "rocker": (o, rocker)})

    def build(m: kp.Builder, guess: dict[str, dict]) -> None:
        for name in ("crank", "coupler", "rocker"):
            m.body(name, points={"tip": (0, 0, 1.0 / unit)}, **guess[name])

        def at(body: str, angle: float = 0.0) -> kp.Marker:
            return kp.Marker(body, (0.0, 0.0, 0.0), kp.Rotation.about((1, 0, 0), angle))

        m.add(Revolute(at("ground"), at("crank")), "A")
        m.add(Revolute(at("crank", first), at("coupler")), "B")
        m.add(Revolute(at("coupler", second), at("rocker", third)), "C")
        m.add(Revolute(kp.Marker("ground", (0.0, 0.0, 0.0), rotation), at("rocker")), "D")

    said = f"spherical four-bar {first!r}, {second!r}, {third!r}"
    bodies = ["crank", "coupler", "rocker"]
    return Linkage(said, False, build, "A.angle", u, listed, bodies, (0.2, 5.0)) if listed else None


def cardan(rng: np.random.Generator, unit: float) -> Linkage | None:
    """A cross between two shafts that are held in bearings."""
    bend = rng.uniform(0.2, 1.2)
    u = rng.uniform(-math.pi, math.pi)
    seen = tilted(bend).T @ turned(u)[:, 0]  # x of the first is square to x of the second
    b = math.atan2(-seen[0], seen[1])
    o = np.zeros(3)
    listed = [
        {"first": (o, turned(u)), "second": (o, tilted(bend) @ turned(b + k * math.pi))}
        for k in (0, 1)
    ]

    def build(m: kp.Builder, guess: dict[str, dict]) -> None:
        for name in ("first", "second"):
            m.body(name, points={"tip": (0, 0, 1.0 / unit)}, **guess[name])
        arm = kp.Rotation.about((0, 1, 0), math.pi / 2)
        lean = kp.Rotation.about((1, 0, 0), bend)
        zero = (0.0, 0.0, 0.0)
        m.add(Revolute(kp.Marker("ground", zero), kp.Marker("first", zero)), "A")
        m.add(Revolute(kp.Marker("ground", zero, lean), kp.Marker("second", zero)), "D")
        m.add(Universal(kp.Marker("first", zero, arm), kp.Marker("second", zero, arm)), "cross")

    return Linkage(
        f"Cardan {bend!r}", False, build, "A.angle", u, listed, ["first", "second"], (0.2, 5.0)
    )


LINKAGES = (slider_crank, inverted, six_bar, rssr, spherical, cardan)


# -- guesses ------------------------------------------------------------------------------------


class Guess(NamedTuple):
    """What is said of one body: a place (m) or none, a rotation or none."""

    place: np.ndarray | None
    rotation: np.ndarray | None


def spun(rng: np.random.Generator, noise: float) -> tuple[np.ndarray, kp.Rotation]:
    """A small turn about any axis."""
    way = rng.normal(size=3)
    way /= np.linalg.norm(way)
    angle = abs(rng.normal(scale=noise))
    k = np.array([[0, -way[2], way[1]], [way[2], 0, -way[0]], [-way[1], way[0], 0]])
    matrix = np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * k @ k
    return matrix, kp.Rotation.about(tuple(way), angle)


def quaternion_rotation(matrix: np.ndarray) -> kp.Rotation:
    """A matrix as kempe's rotation: one turn about one axis."""
    angle = math.acos(max(-1.0, min(1.0, (np.trace(matrix) - 1.0) / 2.0)))
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2.0)
    axis = vectors[:, int(np.argmax(values))]
    skewed = np.array(
        [matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]]
    )
    if axis @ skewed < 0.0:
        axis = -axis
    return kp.Rotation.about(tuple(axis), angle)


def guessed(
    rng: np.random.Generator, place: Place, size: float, unit: float, plane: bool, angle_only: bool
) -> tuple[Guess, dict[str, Any]]:
    """A rough word about a body that stands at `place`: what it says, and the builder's words."""
    noise = float(rng.choice([0.0, 1e-3, 0.1, 0.5]))
    p = place[0] + rng.normal(size=3) * noise * size * (np.array([1, 1, 0]) if plane else 1.0)
    kind = 2 if angle_only else int(rng.integers(3))
    how: dict[str, Any] = {}
    if kind < 2:
        how["at"] = tuple(float(x) for x in (p / unit)[: 2 if plane else 3])
    rotation = np.eye(3) if kind == 1 else None
    if kind != 1:
        if plane:
            angle = math.atan2(place[1][1, 0], place[1][0, 0]) + rng.normal(scale=noise)
            rotation = turned(angle)
            angle += math.tau * int(rng.integers(-3, 4))
            how["angle"] = angle if rng.random() < 0.5 else f"{math.degrees(angle)!r} deg"
        else:
            rotation = spun(rng, noise)[0] @ place[1]
            how["rotation"] = quaternion_rotation(rotation)
    return Guess(p if kind < 2 else None, rotation), how


def apart(a: np.ndarray, b: np.ndarray) -> float:
    """The angle between two rotations."""
    d = a.T @ b
    s = np.linalg.norm([d[2, 1] - d[1, 2], d[0, 2] - d[2, 0], d[1, 0] - d[0, 1]])
    return float(math.atan2(s, np.trace(d) - 1.0))


def cost(assembly: Assembly, guesses: dict[str, Guess], size: float) -> float:
    """The sum of squares that the start makes least."""
    total = 0.0
    for name, guess in guesses.items():
        p, R = assembly[name]
        if guess.place is not None:
            total += float(np.sum((p - guess.place) ** 2)) / size**2
        if guess.rotation is not None:
            total += apart(guess.rotation, R) ** 2
    return total


def nearest(
    assemblies: list[Assembly], guesses: dict[str, Guess], reach: tuple[float, float]
) -> Assembly | None:
    """The one with the least sum for every size that may be meant; None where it is not clear."""
    best = None
    for size in np.geomspace(*reach, 7):
        costs = [cost(a, guesses, size) for a in assemblies]
        order = np.argsort(costs)
        if len(order) > 1 and costs[order[1]] < CLEAR * costs[order[0]] + 1e-9:
            return None
        if best is not None and best != order[0]:
            return None
        best = order[0]
    return None if best is None else assemblies[int(best)]


# -- what kempe says ----------------------------------------------------------------------------


def off(where: dict[str, Place], wanted: Assembly, size: float) -> str:
    """Which body stands elsewhere, and by how much; nothing where all agree."""
    for name, (p, R) in wanted.items():
        far, turn = float(np.linalg.norm(where[name][0] - p)) / size, apart(R, where[name][1])
        if far > NEAR or turn > NEAR:
            return f"'{name}' is off by {far * size:g} m and {turn:g} rad"
    return ""


def stands(assembly: Any) -> dict[str, Place]:
    """Places of an assembly of `assemble`."""
    return {
        name: (
            np.array(list(vector(pose.position))),
            np.asarray(pose.rotation.matrix(), dtype=float),
        )
        for name, pose in assembly.poses.items()
    }


def vector(v: Any) -> tuple[float, float, float]:
    """The three numbers of a kempe vector."""
    return float(v.x), float(v.y), float(v.z)


def first_sample(turn: kp.Trajectory, linkage: Linkage) -> dict[str, Place]:
    """Places of all bodies in the first sample of a trajectory."""
    found = {}
    for name in linkage.bodies:
        p = turn[name].position[0]
        if linkage.plane:
            found[name] = flat(p[0], p[1], float(turn[f"{name}.angle"].values[0]))
        else:
            w, x, y, z = (float(v) for v in turn[f"{name}.orientation"].values[0])
            R = np.array(
                [
                    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
                ]
            )
            found[name] = (p, R)
    return found


def attempt(rng: np.random.Generator) -> list[str]:
    """One linkage with guesses of some of its bodies."""
    unit_name = str(rng.choice(list(UNITS)))
    unit = UNITS[unit_name]
    linkage = LINKAGES[int(rng.integers(len(LINKAGES)))](rng, unit)
    if linkage is None:
        return []
    loose = linkage.turning is not None and rng.random() < 0.25
    meant = linkage.assemblies[int(rng.integers(len(linkage.assemblies)))]
    count = int(rng.integers(1, len(linkage.bodies) + 1))
    chosen = [str(n) for n in rng.permutation(linkage.bodies)[:count]]
    guesses, words = {}, {name: {} for name in linkage.bodies}
    for name in chosen:
        guesses[name], words[name] = guessed(
            rng, meant[name], linkage.reach[0], unit, linkage.plane, loose
        )
    heavy = kp.Inertia(1.0, (0.0, 0.0, 0.0), 0.1 * linkage.reach[0] ** 2 * np.eye(3))
    m = kp.Builder("guessed", plane=linkage.plane, units=unit_name)
    linkage.build(m, {name: {**how, "inertia": heavy} for name, how in words.items()})
    said = f"{linkage.said}, {linkage.driven} at {linkage.value!r}, in {unit_name}, guesses {words}"
    if loose:
        return [f"{w}: {said} (not driven)" for w in judge_loose(m.build(), linkage, guesses)]
    part, word = linkage.driven.split(".")
    value = linkage.value / unit if word == "x" else linkage.value
    m.drive(
        getattr(m.part(part), word), start=value, speed=0.01 * (1.0 if word == "x" else unit) / unit
    )
    return [f"{w}: {said}" for w in judge_driven(rng, m.build(), linkage, guesses)]


def judge_driven(
    rng: np.random.Generator, mechanism: kp.Mechanism, linkage: Linkage, guesses: dict[str, Guess]
) -> list[str]:
    """What is wrong with the start of all analyses."""
    wanted = nearest(linkage.assemblies, guesses, linkage.reach)
    put = mechanism.assemble()
    turn = mechanism.kinematics(until=1e-3, steps=2)
    motion = mechanism.simulate(until=1e-3, steps=2)
    where = {
        "assemble": stands(put),
        "kinematics": first_sample(turn, linkage),
        "simulate": first_sample(motion, linkage),
    }
    wrong = []
    size = linkage.reach[0]
    if wanted is None:
        first = {n: where["assemble"][n] for n in linkage.bodies}
        wrong += [
            f"{w} does not start as assemble does: {fault}"
            for w in ("kinematics", "simulate")
            if (fault := off(where[w], first, size))
        ]
        if all(off(where["assemble"], a, size) for a in linkage.assemblies):
            wrong.append("assemble gives none of its assemblies")
        wanted = first
    else:
        wrong += [
            f"{w} does not start at the nearest assembly: {fault}"
            for w, there in where.items()
            if (fault := off(there, wanted, size))
        ]
    if wrong:
        return wrong
    report = mechanism.check()
    told = {
        "assemble": put.notes,
        "kinematics": turn.notes,
        "simulate": motion.notes,
        "check": report.notes,
    }
    for w, notes in told.items():
        wrong += [
            f"the notes of {w} {fault}"
            for fault in judge_notes(notes, wanted, guesses, linkage.reach)
        ]
    wrong += judge_start(rng, mechanism, linkage, turn, put)
    return wrong


def judge_notes(
    notes: tuple[str, ...], wanted: Assembly, guesses: dict[str, Guess], reach: tuple[float, float]
) -> list[str]:
    """Whether the notes name the bodies that had to move, and no other."""
    text, wrong = " ".join(n for n in notes if "guess" in n), []
    for name in wanted:
        guess = guesses.get(name, Guess(None, None))
        far = 0.0 if guess.place is None else float(np.linalg.norm(guess.place - wanted[name][0]))
        turn = 0.0 if guess.rotation is None else apart(guess.rotation, wanted[name][1])
        surely = far > 1.01 * ROUGH[1] * reach[1] or turn > 1.001 * ROUGH[0]
        surely_not = far < 0.99 * ROUGH[1] * reach[0] and turn < 0.999 * ROUGH[0]
        named = f"'{name}'" in text
        if surely and not named and " more " not in text:
            wrong.append(f"do not name '{name}', moved by {far:g} m and {turn:g} rad: {notes}")
        if surely_not and named:
            wrong.append(f"name '{name}', moved by {far:g} m and {turn:g} rad: {notes}")
    return wrong


def judge_start(
    rng: np.random.Generator,
    mechanism: kp.Mechanism,
    linkage: Linkage,
    turn: kp.Trajectory,
    put: Any,
) -> list[str]:
    """Whether `start=` takes any state, also one of the other branch."""
    wrong = []
    size = linkage.reach[0]
    other = linkage.assemblies[int(rng.integers(len(linkage.assemblies)))]
    poses = {
        name: kp.Pose(kp.Vector(*(float(x) for x in p)), quaternion_rotation(R))
        for name, (p, R) in other.items()
    }
    for analysis in (mechanism.kinematics, mechanism.simulate):
        again = analysis(until=1e-3, steps=2, start=poses)
        if fault := off(first_sample(again, linkage), other, size):
            wrong.append(f"{analysis.__name__} does not start at the poses given as start: {fault}")
        if "guess" in " ".join(again.notes):
            wrong.append(f"{analysis.__name__} has notes from an exact start: {again.notes}")
    first = first_sample(turn, linkage)
    for what, start in (
        ("assemble()", put),
        ("a sample", turn.state(0)),
        ("a trajectory's own", mechanism.assemble().trajectory.state(0)),
    ):
        again = mechanism.kinematics(until=1e-3, steps=2, start=start)
        if fault := off(first_sample(again, linkage), first, size):
            wrong.append(f"kinematics does not start at {what} as start: {fault}")
    if linkage.plane:
        listed = mechanism.assemblies(at=0.0)
        if len(listed) != len(linkage.assemblies):
            wrong.append(
                f"assemblies lists {len(listed)} of {len(linkage.assemblies)}, {listed.outcome}"
            )
        for way in listed:
            again = first_sample(mechanism.kinematics(until=1e-3, steps=2, start=way), linkage)
            if all(off(again, a, size) for a in linkage.assemblies):
                wrong.append("kinematics from one of assemblies starts at none of them")
            q = {n: flat(*way.q[3 * mechanism.layout.body_index[n] :][:3]) for n in linkage.bodies}
            if fault := off(again, q, size):
                wrong.append(f"kinematics does not start at the assembly given: {fault}")
    return wrong


def judge_loose(mechanism: kp.Mechanism, linkage: Linkage, guesses: dict[str, Guess]) -> list[str]:
    """Whether the start of what no drive holds is as near to angles as it can be."""
    assert linkage.turning is not None
    swept = [a for u in np.linspace(-math.pi, math.pi, 4001) for a in linkage.turning(u)]
    least = min(cost(a, guesses, 1.0) for a in swept)
    put = stands(mechanism.assemble())
    motion = first_sample(mechanism.simulate(until=1e-3, steps=2), linkage)
    wrong = []
    for what, where in (("assemble", put), ("simulate", motion)):
        got = cost({n: where[n] for n in guesses}, guesses, 1.0)
        if math.sqrt(got) > 1.05 * math.sqrt(least) + 4e-3:
            wrong.append(
                f"{what} starts {math.sqrt(got):g} rad from the guesses, "
                f"{math.sqrt(least):g} is possible"
            )
        u = math.atan2(where["crank"][1][1, 0], where["crank"][1][0, 0])
        near = linkage.turning(u)
        if near and all(off(where, a, linkage.reach[0]) for a in near):
            wrong.append(f"{what} gives no assembly")
    if fault := off(motion, {n: put[n] for n in linkage.bodies}, linkage.reach[0]):
        wrong.append(f"simulate does not start as assemble does: {fault}")
    return wrong

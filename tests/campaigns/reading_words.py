"""Promise: everything is read under its name in any unit, in Python and on the command line.

Crank-rockers under names with blanks, in several units: points, coordinates, velocities, angles of
bodies and joints, speeds, formulas in and without back quotes, chosen outputs, summaries in a unit,
tables with `units` in any order, CSV files, a saved trajectory, a saved model, and now and then
`kempe run` in a process of its own.

Oracle: the four-bar in closed form, by complex numbers, with its first and second derivatives.
"""

import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import kempe as kp

CASES = 6
CLOSE = 1e-9  # of the largest value
LENGTHS = {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "in": 0.0254}
ANGLES = {"rad": 1.0, "deg": math.pi / 180.0, "turn": math.tau}
NAMES = (("crank", "coupler", "rocker"), ("main crank", "the rod", "rocker"), ("a", "b", "c"))
STEPS = 12


class FourBar:
    """A crank-rocker, driven evenly, in closed form."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.a, self.d = float(rng.uniform(0.2, 0.4)), float(rng.uniform(0.9, 1.1))
        self.b, self.c = (float(x) for x in rng.uniform(0.8, 1.0, 2))
        self.p = complex(*rng.uniform(-0.5, 0.5, 2))
        self.speed, self.start = float(rng.uniform(1.0, 9.0)), float(rng.uniform(-3.0, 3.0))
        self.t = np.linspace(0.0, 1.0, STEPS + 1)
        alpha = self.start + self.speed * self.t
        o = self.a * np.exp(1j * alpha)
        far = self.d - o
        x = (np.abs(far) ** 2 + self.b**2 - self.c**2) / (2 * np.abs(far))
        e = o + far / np.abs(far) * (x + 1j * np.sqrt(self.b**2 - x**2))
        beta, gamma = np.unwrap(np.angle(e - o)), np.unwrap(np.angle(e - self.d))
        w = np.array(
            [self.rates(b, g, -1j * o * self.speed) for b, g, o in zip(beta, gamma, o, strict=True)]
        )
        right = o * self.speed**2 + (e - o) * w[:, 0] ** 2 - (e - self.d) * w[:, 1] ** 2
        s = np.array([self.rates(b, g, r) for b, g, r in zip(beta, gamma, right, strict=True)])
        zero = np.zeros_like(self.t)
        self.angles = [
            (alpha, zero + self.speed, zero),
            (beta, w[:, 0], s[:, 0]),
            (gamma, w[:, 1], s[:, 1]),
        ]
        self.o = (o, 1j * o * self.speed, -o * self.speed**2)

    def rates(self, beta: float, gamma: float, right: complex) -> np.ndarray:
        """Rates of coupler and rocker with b i e^ib x - c i e^ig y = right."""
        u, v = 1j * self.b * np.exp(1j * beta), -1j * self.c * np.exp(1j * gamma)
        return np.linalg.solve([[u.real, v.real], [u.imag, v.imag]], [right.real, right.imag])

    def on(self, body: int, place: complex) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Position, velocity and acceleration of a place on crank, coupler or rocker."""
        angle, rate, acceleration = self.angles[body]
        arm = place * np.exp(1j * angle)
        base: Any = (
            (0 * self.t, 0 * self.t, 0 * self.t),
            self.o,
            (self.d + 0 * self.t, 0 * self.t, 0 * self.t),
        )[body]
        moving = (arm, 1j * arm * rate, 1j * arm * acceleration - arm * rate**2)
        return tuple(x + y for x, y in zip(base, moving, strict=True))


def attempt(rng: np.random.Generator) -> list[str]:
    """One linkage, read in many ways."""
    bar = FourBar(rng)
    unit = str(rng.choice(list(LENGTHS)))
    size = LENGTHS[unit]
    names = NAMES[int(rng.integers(len(NAMES)))]
    m = kp.Builder("read", plane=True, units=unit)
    crank = m.bar(names[0], bar.a / size)
    coupler = m.bar(names[1], bar.b / size, points={"P": (bar.p.real / size, bar.p.imag / size)})
    first = float(bar.angles[2][0][0])
    rocker = m.bar(names[2], bar.c / size, at=(bar.d / size, 0), angle=first)
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, coupler.start, name="B")
    m.revolute(coupler.end, rocker.end, name="C")
    m.revolute(m.ground.at(bar.d / size, 0), rocker.start, name="D")
    m.drive(crank.angle, start=bar.start, speed=bar.speed)
    chosen = bool(rng.random() < 0.4)
    if chosen:
        m.output(names[2])
        m.output(f"{names[1]}.P.speed")
        m.output(f"`{names[2]}.angle` - `{names[0]}.angle`", name="lag", unit="rad")
    mechanism = m.build()
    turn = mechanism.kinematics(until=1.0, steps=STEPS)
    known = everything(bar, names)
    lag = known[f"{names[2]}.angle"] - known[f"{names[0]}.angle"]
    known["lag"] = lag
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        wrong += judge_names(rng, turn, known, names, chosen)
        wrong += judge_tables(rng, turn, known, names, chosen, Path(folder))
        turn.save(Path(folder) / "turn.npz")
        again = kp.Trajectory.load(Path(folder) / "turn.npz")
        wrong += [f"{w}, saved" for w in judge_names(rng, again, known, names, chosen)]
        if rng.random() < 0.1:
            wrong += judge_command(rng, mechanism, turn, names, Path(folder))
    said = f"{bar.a!r}, {bar.b!r}, {bar.c!r}, {bar.d!r}, P {bar.p}, {bar.start!r} + {bar.speed!r} t"
    return [f"{w}: {said}, {names} in {unit}, {'chosen' if chosen else 'all'}" for w in wrong]


def everything(bar: FourBar, names: tuple[str, str, str]) -> dict[str, np.ndarray]:
    """Every column by its name, in SI."""
    places = [{"": 0j, ".start": 0j, ".end": complex(x)} for x in (bar.a, bar.b, bar.c)]
    places[1][".P"] = bar.p
    known = {"t": bar.t}
    for body, name in enumerate(names):
        for word, place in places[body].items():
            x, v, a = bar.on(body, place)
            for axis, part in (("x", np.real), ("y", np.imag)):
                for letter, z in (("", x), ("v", v), ("a", a)):
                    known[f"{name}{word}.{letter}{axis}"] = part(z)
            known[f"{name}{word}.speed"] = np.abs(v)
    turns = {f"{n}.angle": bar.angles[k] for k, n in enumerate(names)}
    a, b, c = bar.angles
    turns |= {"A.angle": a, "D.angle": c}
    turns["B.angle"] = tuple(y - x for x, y in zip(a, b, strict=True))
    turns["C.angle"] = tuple(y - x for x, y in zip(b, c, strict=True))
    for name, (angle, rate, acceleration) in turns.items():
        known[name], known[f"{name}.rate"], known[f"{name}.acceleration"] = (
            angle,
            rate,
            acceleration,
        )
    return known


def differs(name: str, got: np.ndarray, right: np.ndarray, whole_turns: float = 0.0) -> list[str]:
    """A sentence where two rows differ; an angle may be whole turns off, the same all along."""
    if got.shape != right.shape:
        return [f"{name} has the shape {got.shape}"]
    if whole_turns:
        right = right + whole_turns * round(float(got[0] - right[0]) / whole_turns)
    size = max(float(np.abs(right).max()), 1.0)
    off = float(np.abs(got - right).max())
    return [] if off < CLOSE * size else [f"{name} is off by {off:g} of {size:g}"]


def is_angle(name: str) -> bool:
    """Whether a name stands for an angle."""
    return name.endswith(".angle") or name == "lag"


def judge_names(
    rng: np.random.Generator, turn: kp.Trajectory, known: dict, names: tuple, chosen: bool
) -> list[str]:
    """Reading by name, by formula, and in words."""
    wrong = []
    for name in rng.permutation([n for n in known if chosen or n != "lag"])[:12]:
        full = math.tau if is_angle(name) else 0.0
        for said in (str(name), f"`{name}`"):
            wrong += differs(said, np.asarray(turn[said].values), known[name], full)
    missing = [
        n for n in (*names, f"{names[1]}.P", "A.angle", f"{names[2]}.angle") if n not in turn.names
    ]
    wrong += [f"{missing} are not in names"] if missing else []
    P, w = f"`{names[1]}.P.speed`", f"`{names[2]}.angle`"
    formula = f"2 * {P} ^ 2 + sin({w}) / 3 - if({P} > 1, 1, 0)"
    speed = known[f"{names[1]}.P.speed"]
    right = 2 * speed**2 + np.sin(known[f"{names[2]}.angle"]) / 3 - np.where(speed > 1, 1.0, 0.0)
    wrong += differs(formula, np.asarray(turn[formula].values), right)
    point = turn[f"{names[1]}.P"]
    if point.position.shape != (STEPS + 1, 2):
        wrong.append(f"P has the shape {point.position.shape}")
    unit = str(rng.choice(list(ANGLES)))
    for word in ("rate", "acceleration"):
        name = f"{names[2]}.angle"
        wrong += differs(f"{name} {word}", getattr(turn[name], word), known[f"{name}.{word}"])
    channel, right = turn[f"{names[2]}.angle"], known[f"{names[2]}.angle"] / ANGLES[unit]
    wrong += differs(f"to({unit})", channel.to(unit), right, math.tau / ANGLES[unit])
    span = float(channel.ptp(unit))
    if abs(span - float(np.ptp(right))) > 1e-9 * max(1.0, abs(right).max()):
        wrong.append(f"ptp({unit}) is {span!r}, not {np.ptp(right)!r}")
    length = str(rng.choice(list(LENGTHS)))
    top = float(point.speed.max(f"{length}/s"))
    if abs(top * LENGTHS[length] - speed.max()) > 1e-9 * speed.max():
        wrong.append(f"speed.max({length}/s) is {top!r}, not {speed.max() / LENGTHS[length]!r}")
    try:
        turn[f"{names[2]}.angel"]
        wrong.append("a wrong name is read")
    except kp.KempeError as error:
        if f"{names[2]}.angle" not in str(error):
            wrong.append(f"a wrong name is not helped: {error}")
    return wrong


def judge_tables(
    rng: np.random.Generator,
    turn: kp.Trajectory,
    known: dict,
    names: tuple,
    chosen: bool,
    folder: Path,
) -> list[str]:
    """Columns and CSV files in chosen units."""
    wrong = []
    length, angle = str(rng.choice(list(LENGTHS))), str(rng.choice(list(ANGLES)))
    asked = [u for u in (length, angle) if rng.random() < 0.8]
    units = tuple(str(u) for u in rng.permutation(asked)) if asked else ()
    factors = {
        "length": LENGTHS[length] if length in units else 1.0,
        "angle": ANGLES[angle] if angle in units else 1.0,
    }
    table = turn.columns(units=units)
    if next(iter(table)) != "t":
        wrong.append(f"t is not the first column: {list(table)[:3]}")
    if chosen:
        rocker = [
            f"{names[2]}.{w}"
            for w in ("x", "vx", "ax", "y", "vy", "ay", "angle", "angle.rate", "angle.acceleration")
        ]
        if list(table) != ["t", *rocker, f"{names[1]}.P.speed", "lag"]:
            wrong.append(f"the columns are {list(table)}")
    else:
        left = {n for n in known if not n.endswith("speed") and n != "lag"} ^ set(table)
        wrong += [f"columns that differ: {sorted(left)}"] if left else []
    for name, values in table.items():
        if name not in known:
            wrong.append(f"'{name}' is unknown")
            continue
        kind = "angle" if ".angle" in name or name == "lag" else "length"
        factor = 1.0 if name == "t" else factors[kind]
        full = math.tau / factor if is_angle(name) else 0.0
        wrong += differs(f"column {name} in {units}", values, known[name] / factor, full)
    turn.to_csv(folder / "all.csv", units=units)
    with (folder / "all.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    heads = [h.split(" [")[0] for h in rows[0]]
    if heads != list(table):
        wrong.append(f"the heads of the CSV file are {heads[:5]}...")
    numbers = np.array(rows[1:], dtype=float)
    if (
        numbers.shape != (STEPS + 1, len(table))
        or not (numbers == np.column_stack(list(table.values()))).all()
    ):
        wrong.append("the CSV file does not have every bit of every number")
    marked = ["[" in h for h in rows[0]]
    if units and not all(marked):
        wrong.append(f"heads without a unit: {rows[0][:5]}")
    if not units and any(marked):
        wrong.append(f"heads with a unit, in SI: {rows[0][:5]}")
    return wrong


def judge_command(
    rng: np.random.Generator,
    mechanism: kp.Mechanism,
    turn: kp.Trajectory,
    names: tuple,
    folder: Path,
) -> list[str]:
    """`kempe run` of the saved model, to the last bit."""
    mechanism.save(folder / "model.yaml")
    columns = [f"{names[2]}.angle", f"{names[1]}.P", f"`{names[1]}.P.speed` * 2"]
    command = [
        str(Path(sys.executable).parent / "kempe"),
        "run",
        "model.yaml",
        "--until",
        "1",
        "--steps",
        str(STEPS),
        "-o",
        "cli.csv",
        "--unit",
        "deg",
        "--unit",
        "mm",
    ]
    for column in columns:
        command += ["--column", column]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        return [f"kempe run ended with {done.returncode}: {done.stderr}"]
    loaded = kp.load(folder / "model.yaml").kinematics(until=1.0, steps=STEPS)
    loaded.to_csv(folder / "python.csv", *columns, units=("mm", "deg"))
    rows = [
        (folder / n).read_text(encoding="utf-8").splitlines() for n in ("cli.csv", "python.csv")
    ]
    wrong = []
    cli = [r.split(",") for r in rows[0]]
    python = [r.split(",") for r in rows[1]]
    by_name = {h: [r[k] for r in python[1:]] for k, h in enumerate(python[0])}
    for k, head in enumerate(cli[0]):
        if head not in by_name:
            if len(wrong) < 2:
                wrong.append(f"column '{head}' of the command line is not among {python[0]}")
        elif [r[k] for r in cli[1:]] != by_name[head]:
            wrong.append(f"column '{head}' of the command line differs from Python's")
    return wrong

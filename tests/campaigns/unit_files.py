"""Promise: a bare number of a file is in the file's units, a law's axes too, whatever the place.

Files in YAML and JSON, lengths in m, mm, cm or inches, angles in radians, degrees or turns, masses
in kg or g. Every kind of law drives a hinge and a slide, is a cam's, a spring's, a damper's, a
motor's and a load's, with bare numbers, numbers with units and parameters; linear springs, weights
and inertias stand beside. What is read off the sweep is compared: values, rates, accelerations,
efforts of forces and drives. The file saved and read again gives the same to the last digit.

Oracle: every law is computed in SI here, from the numbers as they stand in the file, by the rule in
the manual; splines by SciPy; efforts of drives by Newton's law.
"""

import json
import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline

import kempe as kp

CASES = 5
LENGTHS = {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "in": 0.0254}
ANGLES = {"rad": 1.0, "deg": math.pi / 180.0, "turn": math.tau}
MASSES = {"kg": 1.0, "g": 1e-3}
FORCES, TORQUES, TIMES = {"N": 1.0}, {"N*m": 1.0}, {"s": 1.0, "ms": 1e-3}
UNTIL, STEPS = 1.0, 16
CLOSE = 1e-8  # of the largest value

Curve = Callable[[np.ndarray, int], np.ndarray]  # SI value, or a derivative, over the SI argument


class Axis(NamedTuple):
    """One axis of a plot: its units by name, and the file's."""

    units: dict[str, float]
    file: float  # the unit of bare numbers, SI


class Writer:
    """Writes numbers of a file: bare, with a unit, or as a parameter."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.parameters: dict[str, Any] = {}

    def number(self, value: float, *axes: tuple[Axis, int], units_only: bool = False) -> Any:
        """A number that is `value` in SI, of a unit that is the product of powers of axes."""
        if self.rng.random() < 0.5 and not units_only:
            bare = value / math.prod(axis.file**power for axis, power in axes)
            return self.named(bare) if self.rng.random() < 0.2 else bare
        picked = [(str(self.rng.choice(list(axis.units))), axis, power) for axis, power in axes]
        factor = math.prod(axis.units[name] ** power for name, axis, power in picked)
        over = [(n, p) for n, _, p in picked if p > 0]
        under = [(n, -p) for n, _, p in picked if p < 0]
        text = "*".join(n if p == 1 else f"{n}^{p}" for n, p in over)
        for n, p in under:
            text += (f"/{n}" if p == 1 else f"/{n}^{p}") if text else f"{n}^-{p}"
        if all(power == 0 for _, power in axes):
            return value / factor
        whole = f"{value / factor!r} {text}"
        return self.named(whole) if self.rng.random() < 0.3 else whole

    def perhaps(self, law: dict[str, Any], word: str, value: float, axis: Axis) -> float:
        """The value, put into a law in seven cases of ten; else 0, which is what is left out."""
        if not self.rng.random() < 0.7:
            return 0.0
        law[word] = self.number(value, (axis, 1))
        return value

    def named(self, value: Any) -> str:
        """A new parameter."""
        name = f"p{len(self.parameters)}"
        self.parameters[name] = (
            {"value": value, "doc": "one of them"} if self.rng.random() < 0.3 else value
        )
        return name


# -- laws ---------------------------------------------------------------------------------------


def polynomial(w: Writer, value: Axis, over: Axis, size: float, span: float) -> tuple[Any, Curve]:
    """A polynomial up to the third power."""
    c = [
        float(x) * size / span**n
        for n, x in enumerate(w.rng.uniform(-1, 1, int(w.rng.integers(1, 5))))
    ]
    law = {
        "type": "polynomial",
        "coefficients": [w.number(x, (value, 1), (over, -n)) for n, x in enumerate(c)],
    }
    return (
        law,
        lambda x, k: (
            np.polynomial.Polynomial(c).deriv(k)(x) if k else np.polynomial.Polynomial(c)(x)
        ),
    )


def ramp(w: Writer, value: Axis, over: Axis, size: float, span: float) -> tuple[Any, Curve]:
    """Start, speed and acceleration, any of them left out."""
    c = [float(x) * size / span**n for n, x in enumerate(w.rng.uniform(-1, 1, 3))]
    law: dict[str, Any] = {"type": "ramp"} if w.rng.random() < 0.5 else {}
    for n, word in enumerate(("start", "speed", "acceleration")):
        is_nothing = not law.keys() - {"type"}  # a load of nothing is refused
        if w.rng.random() < 0.7 or (n == 1 and not law) or (n == 2 and is_nothing):
            law[word] = w.number(c[n], (value, 1), (over, -n))
        else:
            c[n] = 0.0
    c[2] /= 2.0
    return (
        law,
        lambda x, k: (
            np.polynomial.Polynomial(c).deriv(k)(x) if k else np.polynomial.Polynomial(c)(x)
        ),
    )


def harmonic(w: Writer, value: Axis, over: Axis, size: float, span: float) -> tuple[Any, Curve]:
    """A sine about a mean, its phase in the file's angles."""
    a, mean = (float(x) * size for x in w.rng.uniform(-0.5, 0.5, 2))
    f, phase = float(w.rng.uniform(0.2, 1.5)) / span, float(w.rng.uniform(-3, 3))
    law = {
        "type": "harmonic",
        "amplitude": w.number(a, (value, 1)),
        "frequency": w.number(f, (over, -1)),
    }
    phase = w.perhaps(law, "phase", phase, w.angle)
    mean = w.perhaps(law, "mean", mean, value)
    o = math.tau * f
    return (
        law,
        lambda x, k: (mean if k == 0 else 0.0) + a * o**k * np.sin(o * x + phase + k * math.pi / 2),
    )


def table(w: Writer, value: Axis, over: Axis, size: float, span: float) -> tuple[Any, Curve]:
    """A spline, open and longer than the way, or periodic and shorter."""
    n = int(w.rng.integers(4, 8))
    periodic = bool(w.rng.random() < 0.4)
    x = np.linspace(0.0, (0.6 if periodic else 1.2) * span, n)
    x[1:-1] += w.rng.uniform(-0.2, 0.2, n - 2) * x[1]
    y = w.rng.uniform(-0.5, 0.5, n) * size
    if periodic:
        y[-1] = y[0]
    law: dict[str, Any] = {
        "type": "table",
        "points": [
            [w.number(float(a), (over, 1)), w.number(float(b), (value, 1))]
            for a, b in zip(x, y, strict=True)
        ],
    }
    if periodic:
        law["periodic"] = True
        if not isinstance(law["points"][0][1], float) or not isinstance(
            law["points"][-1][1], float
        ):
            law["points"][-1][1] = law["points"][0][1]
    spline = CubicSpline(x, y, bc_type="periodic" if periodic else "not-a-knot")
    return law, lambda s, k: spline(s, k)


def rising(kind: str) -> Callable[[np.ndarray, int], np.ndarray]:
    """The normal curves of the cam laws, with their derivatives, on 0 ... 1."""

    def cycloidal(u: np.ndarray, k: int) -> np.ndarray:
        return [
            u - np.sin(math.tau * u) / math.tau,
            1 - np.cos(math.tau * u),
            math.tau * np.sin(math.tau * u),
        ][k]

    def modified(u: np.ndarray, k: int) -> np.ndarray:
        p = math.pi
        quick = [
            p * u - np.sin(4 * p * u) / 4,
            p - p * np.cos(4 * p * u),
            4 * p * p * np.sin(4 * p * u),
        ][k]
        b = 4 * p * u / 3 + p / 3
        slow = [2 + p * u - 9 / 4 * np.sin(b), p - 3 * p * np.cos(b), 4 * p * p * np.sin(b)][k]
        last = quick + (4.0 if k == 0 else 0.0)
        return np.where(u < 1 / 8, quick, np.where(u > 7 / 8, last, slow)) / (4 + p)

    return cycloidal if kind == "cycloidal" else modified


def rise(w: Writer, value: Axis, over: Axis, size: float, span: float) -> tuple[Any, Curve]:
    """A dwell, a rise and a dwell."""
    kind = str(w.rng.choice(["cycloidal", "modified_sine"]))
    up, start = (float(x) * size for x in w.rng.uniform(-0.5, 0.5, 2))
    long, wait = float(w.rng.uniform(0.3, 1.3)) * span, float(w.rng.uniform(0.05, 0.3)) * span
    law = {"type": kind, "rise": w.number(up, (value, 1)), "duration": w.number(long, (over, 1))}
    wait = w.perhaps(law, "dwell", wait, over)
    start = w.perhaps(law, "start", start, value)
    s = rising(kind)

    def curve(x: np.ndarray, k: int) -> np.ndarray:
        u = np.clip((x - wait) / long, 0.0, 1.0)
        inside = (x > wait) & (x < wait + long)
        found = up * s(u, k) / long**k
        return start + found if k == 0 else np.where(inside, found, 0.0)

    return law, curve


def text(w: Writer, value: Axis, over: Axis, size: float, span: float) -> tuple[Any, Curve]:
    """A formula of bare numbers, read off a plot."""
    a, b, c = (float(x) for x in w.rng.uniform(-0.5, 0.5, 3) * size / value.file)
    o = float(w.rng.uniform(0.3, 3.0)) / span
    way = o * over.file
    names, values = [], []
    said = f"{a!r} + {b!r} * sin({way!r} * t) + {c!r} * tanh({way!r} * t)"
    if w.rng.random() < 0.5:
        names, values = ["b"], [b]
        said = f"{a!r} + b * sin({way!r} * t) + {c!r} * tanh({way!r} * t)"
    a, b, c = (x * value.file for x in (a, b, c))

    def curve(x: np.ndarray, k: int) -> np.ndarray:
        h = np.tanh(o * x)
        bend = [h, (1 - h * h), -2 * h * (1 - h * h)][k]
        return (a if k == 0 else 0.0) + o**k * (b * np.sin(o * x + k * math.pi / 2) + c * bend)

    if names:
        return {"type": "text_formula", "text": said, "names": names, "values": values}, curve
    return said, curve


def text_of_parameters(
    w: Writer, value: Axis, over: Axis, size: float, span: float
) -> tuple[Any, Curve]:
    """A formula of parameters that have units."""
    a, b = (float(x) * size / span**n for n, x in enumerate(w.rng.uniform(-0.5, 0.5, 2)))
    c = float(w.rng.uniform(-0.5, 0.5)) * size / span**2
    names = [f"f{len(w.parameters)}_{k}" for k in range(3)]
    for n, (name, x) in enumerate(zip(names, (a, b, c), strict=True)):
        saved = w.parameters
        w.parameters = {}
        written = w.number(x, (value, 1), (over, -n), units_only=True)
        written = w.parameters.get(written, written)
        w.parameters = saved
        w.parameters[name] = written
    said = f"{names[0]} + {names[1]} * t + {names[2]} * t^2"
    return said, lambda x, k: [a + b * x + c * x * x, b + 2 * c * x, 2 * c + 0 * x][k]


LAWS = (polynomial, ramp, harmonic, table, rise, text, text_of_parameters)


def any_law(w: Writer, value: Axis, over: Axis, size: float, span: float) -> tuple[Any, Curve]:
    """A law of any kind, or two of them in a row."""
    if w.rng.random() < 0.12:
        length = 0.4 * span
        first, one = rise(w, value, over, size, length / 1.7)
        up = float(one(np.array([length]), 0)[0])
        again = {"type": "polynomial", "coefficients": [w.number(up, (value, 1), units_only=True)]}
        law = {
            "type": "piecewise",
            "pieces": [[w.number(length, (over, 1)), first], [w.number(span, (over, 1)), again]],
        }
        return law, lambda x, k: np.where(x < length, one(x, k), up if k == 0 else 0.0)
    return LAWS[int(w.rng.integers(len(LAWS)))](w, value, over, size, span)


# -- the file -----------------------------------------------------------------------------------


def attempt(rng: np.random.Generator) -> list[str]:
    """One file: a wheel and a block, each driven or led by a cam, with forces on both."""
    w = Writer(rng)
    names = [str(rng.choice(list(u))) for u in (LENGTHS, ANGLES, MASSES)]
    length, angle, mass = (
        Axis(LENGTHS, LENGTHS[names[0]]),
        Axis(ANGLES, ANGLES[names[1]]),
        Axis(MASSES, MASSES[names[2]]),
    )
    w.angle = angle
    time, newton, torque = Axis(TIMES, 1.0), Axis(FORCES, 1.0), Axis(TORQUES, 1.0)
    m1, m2, moment = (float(x) for x in rng.uniform(0.5, 3.0, 3))
    down = float(rng.choice([0.0, 9.81]))
    off = float(rng.uniform(0.1, 0.4))
    x_first = bool(
        rng.random() < 0.5
    )  # whether the block leads and the wheel follows, if there is a cam
    with_cam = bool(rng.random() < 0.5)
    file: dict[str, Any] = {
        "version": 1,
        "name": "units",
        "plane": True,
        "units": {"length": names[0], "angle": names[1], "mass": names[2]},
        "gravity": [w.number(-down, (length, 1), (time, -2), units_only=True), 0],
        "bodies": {
            "wheel": {
                "at": [0, 0],
                "inertia": {
                    "mass": w.number(m1, (mass, 1)),
                    "centre": [0, 0],
                    "tensor": [w.number(moment, (mass, 1), (length, 2)) for _ in range(3)],
                },
            },
            "block": {
                "at": [0, w.number(off, (length, 1))],
                "inertia": {
                    "solid": {"type": "sphere", "radius": w.number(0.1, (length, 1))},
                    "mass": w.number(m2, (mass, 1)),
                },
            },
        },
        "joints": {
            "A": {"type": "revolute", "I": "ground", "J": "wheel"},
            "G": {
                "type": "prismatic",
                "I": {"body": "ground", "at": [0, w.number(off, (length, 1))]},
                "J": "block",
                "axis": [1, 0, 0],
            },
        },
        "drives": {},
        "forces": {},
        "couplers": {},
    }
    t = np.linspace(0.0, UNTIL, STEPS + 1)
    readings = {"A.angle": (angle, 1.0), "G.displacement": (length, 0.3)}
    order = ["G.displacement", "A.angle"] if x_first else ["A.angle", "G.displacement"]
    known: dict[str, list[np.ndarray]] = {}
    for k, name in enumerate(order):
        axis, size = readings[name]
        if k == 1 and with_cam:
            lead_axis, lead_size = readings[order[0]]
            law, curve = any_law(w, axis, lead_axis, size, lead_size)
            s, v, a = known[order[0]]
            if s.min() < 0.0 or s.max() > 1.1 * lead_size:
                return []  # beyond the ends of tables and rises
            constant = float(rng.choice([0.0, 0.1 * size]))
            file["couplers"]["cam"] = {
                "type": "cam_law",
                "gauges": order,
                "law": law,
                "constant": w.number(constant, (axis, 1)),
            }
            f, df, ddf = (curve(s, n) for n in range(3))
            known[name] = [f + constant, df * v, ddf * v * v + df * a]
            continue
        if with_cam:  # it goes through the cam's range evenly
            start, speed = 0.05 * size, 0.9 * size
            law, curve = (
                {
                    "start": w.number(start, (axis, 1)),
                    "speed": w.number(speed, (axis, 1), (time, -1)),
                },
                lambda x, n, a=start, b=speed: [a + b * x, b + 0 * x, 0 * x][n],
            )
        else:
            law, curve = any_law(w, axis, time, size, UNTIL)
        file["drives"][name] = {"law": law, "name": f"motor{k}"} if rng.random() < 0.2 else law
        known[name] = [curve(t, n) for n in range(3)]
    efforts: dict[str, np.ndarray] = {}
    acting = {"A.angle": np.zeros_like(t), "G.displacement": np.zeros_like(t)}
    add_forces(w, file, known, efforts, acting, t, (length, angle, time, newton, torque))
    if not with_cam:
        needed = {
            "A.angle": moment * known["A.angle"][2] - acting["A.angle"],
            "G.displacement": m2 * (known["G.displacement"][2] + down) - acting["G.displacement"],
        }
        efforts.update({f"{n}.effort": e for n, e in needed.items()})
    file["parameters"] = w.parameters
    for key in ("parameters", "couplers", "forces"):
        if not file[key]:
            del file[key]
    return judge(file, known, efforts, rng)


def add_forces(
    w: Writer, file: dict, known: dict, efforts: dict, acting: dict, t: np.ndarray, axes: tuple
) -> None:
    """Springs by laws, motors, loads and linear springs, with what they exert."""
    length, angle, time, newton, torque = axes
    for name, axis, force in (("A.angle", angle, torque), ("G.displacement", length, newton)):
        if w.rng.random() < 0.6:
            add_spring(w, file, known, efforts, acting, name, axis, force, time)
        if w.rng.random() < 0.4:
            law, curve = any_law(w, force, time, 5.0, UNTIL)
            label = f"motor_{name[0]}"
            file["forces"][label] = {"type": "actuator", "gauge": name, "law": law}
            efforts[f"{label}.effort"] = curve(t, 0)
            acting[name] = acting[name] + curve(t, 0)
        if w.rng.random() < 0.4:
            k, c, free, pre = (float(x) for x in w.rng.uniform(0.1, 3.0, 4))
            label = f"linear_{name[0]}"
            free *= 0.1
            file["forces"][label] = {
                "type": "spring_damper",
                "gauge": name,
                "stiffness": spring_number(w, k, force, axis),
                "damping": spring_number(w, c, force, axis, time),
                "free": w.number(free, (axis, 1)),
                "preload": w.number(pre, (force, 1)),
            }
            s, v, _ = known[name]
            effort = -k * (s - free) - c * v + pre
            efforts[f"{label}.effort"] = effort
            acting[name] = acting[name] + effort
    if w.rng.random() < 0.4:
        laws = [any_law(w, newton, time, 5.0, UNTIL) for _ in range(3)]
        turns = [any_law(w, torque, time, 5.0, UNTIL) for _ in range(3)]
        file["forces"]["load"] = {
            "type": "applied_load",
            "at": "block",
            "force": [law for law, _ in laws],
        }
        file["forces"]["twist"] = {
            "type": "applied_load",
            "at": "wheel",
            "torque": [law for law, _ in turns],
        }
        acting["G.displacement"] = acting["G.displacement"] + laws[0][1](t, 0)
        acting["A.angle"] = acting["A.angle"] + turns[2][1](t, 0)
    if w.rng.random() < 0.3:
        pull = [float(x) for x in w.rng.uniform(-3, 3, 3)]
        arm = float(w.rng.uniform(0.1, 0.3))
        place = {"body": "wheel", "at": [w.number(arm, (length, 1)), 0]}
        file["forces"]["weight"] = {
            "type": "weight",
            "at": place,
            "pull": [w.number(x, (newton, 1)) for x in pull],
        }
        turn = known["A.angle"][0]
        acting["A.angle"] = acting["A.angle"] + arm * (
            np.cos(turn) * pull[1] - np.sin(turn) * pull[0]
        )


def spring_number(
    w: Writer, value: float, force: Axis, axis: Axis, time: Axis | None = None
) -> Any:
    """A stiffness or a damping: bare it is in N, N m, m, rad and s in every file."""
    if w.rng.random() < 0.5:
        return value
    return w.number(value, (force, 1), (axis, -1), *([(time, 1)] if time else []), units_only=True)


def add_spring(
    w: Writer,
    file: dict,
    known: dict,
    efforts: dict,
    acting: dict,
    name: str,
    axis: Axis,
    force: Axis,
    time: Axis,
) -> None:
    """A spring by a law of its stretch, perhaps with a damper by a law of the rate."""
    s, v, _ = known[name]
    free = float(s.min()) - 0.01
    span = float(s.max() - s.min()) + 0.02
    law, curve = any_law(w, force, axis, 5.0, span)
    label = f"spring_{name[0]}"
    record: dict[str, Any] = {
        "type": "nonlinear_spring",
        "gauge": name,
        "law": law,
        "free": w.number(free, (axis, 1)),
    }
    effort = -curve(s - free, 0)
    if w.rng.random() < 0.4:
        rate = Axis({f"{n}/s": u for n, u in axis.units.items()}, axis.file)
        c = [float(x) for x in w.rng.uniform(0.1, 2.0, 2)]
        record["damper"] = {
            "type": "polynomial",
            "coefficients": [
                0,
                w.number(c[0], (force, 1), (axis, -1), (time, 1)),
                0,
                c[1] * axis.file**3,
            ],
        }
        effort = effort - c[0] * v - c[1] * v**3
        del rate
    if w.rng.random() < 0.4:
        c2 = float(w.rng.uniform(0.1, 2.0))
        record["damping"] = spring_number(w, c2, force, axis, time)
        effort = effort - c2 * v
    file["forces"][label] = record
    efforts[f"{label}.effort"] = effort
    acting[name] = acting[name] + effort


def judge(file: dict, known: dict, efforts: dict, rng: np.random.Generator) -> list[str]:
    """What is read off the sweep of the file and of its copy, against what is known."""
    with tempfile.TemporaryDirectory() as folder:
        kind = str(rng.choice(["yaml", "json"]))
        path = Path(folder) / f"units.{kind}"
        path.write_text(json.dumps(file, indent=1), encoding="utf-8")  # JSON is YAML too
        said = json.dumps(file)
        try:
            mechanism = kp.load(path)
        except kp.KempeError as error:
            return [f"refused: {error}: {said}"]
        turn = mechanism.kinematics(until=UNTIL, steps=STEPS)
        again = Path(folder) / f"again.{rng.choice(['yaml', 'json'])}"
        mechanism.save(again)
        other = kp.load(again).kinematics(until=UNTIL, steps=STEPS)
    if not turn.outcome.is_done:
        return [f"{turn.outcome}: {said}"]
    wrong = []
    for name, (value, rate, acceleration) in known.items():
        channel = turn[name]
        for word, got, right in (
            ("value", channel.values, value),
            ("rate", channel.rate, rate),
            ("acceleration", channel.acceleration, acceleration),
        ):
            wrong += compared(f"{name} {word}", got, right)
        if not (other[name].values == channel.values).all():
            wrong.append(
                f"{name} differs after saving: {other[name].values} instead of {channel.values}"
            )
    for name, right in efforts.items():
        wrong += compared(name, turn[name].values, right)
        if not (other[name].values == turn[name].values).all():
            wrong.append(
                f"{name} differs after saving: {other[name].values} instead of {turn[name].values}"
            )
    return [f"{w}: {said}" for w in wrong]


def compared(name: str, got: np.ndarray, right: np.ndarray) -> list[str]:
    """A sentence where two rows of numbers differ."""
    if got.shape != right.shape:
        return [f"{name} has the shape {got.shape}"]
    size = max(float(np.abs(right).max()), 1e-3)
    off = np.abs(got - right)
    if off.max() < CLOSE * size:
        return []
    k = int(np.argmax(off))
    return [f"{name} is {got[k]!r} instead of {right[k]!r} at sample {k}"]

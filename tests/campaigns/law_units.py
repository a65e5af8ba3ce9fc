"""Promise: a law in a file means the same whatever the file's units and however it is spelled.

Numbers, texts, tables, polynomials, ramps, harmonics, rises, pieces, formulas with names; as a
drive, a cam's law or a force's. Bare numbers are those one reads off a plot whose axes have the
file's units, forces and torques in N and N m; numbers with units are what they say.

Oracle: the closed form of the law in NumPy, in SI, with factors of units written down here.
"""

import math
from dataclasses import dataclass

import numpy as np

from kempe.files.documents.document import document_from

CASES = 24
SAME = 1e-9  # of the largest value: conversions round a few times, a spline a few more
LENGTHS = {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "inch": 0.0254}
ANGLES = {"rad": 1.0, "deg": math.pi / 180.0, "turn": math.tau}
MASSES = ("kg", "g")
START = """
version: 1
plane: true
units: {{length: {length}, angle: {angle}, mass: {mass}}}
parameters: {{{parameters}}}
bodies:
  wheel: {{inertia: {{mass: 1, tensor: [1, 1, 1]}}}}
  lever: {{at: [1, 0], inertia: {{mass: 1, tensor: [1, 1, 1]}}}}
  block: {{at: [2, 0], inertia: {{mass: 1, tensor: [1, 1, 1]}}}}
  slide: {{at: [3, 0], inertia: {{mass: 1, tensor: [1, 1, 1]}}}}
joints:
  A: {{type: revolute, I: ground, J: wheel}}
  B: {{type: revolute, I: {{body: ground, at: [1, 0]}}, J: lever}}
  C: {{type: prismatic, I: {{body: ground, at: [2, 0]}}, J: block, axis: [1, 0, 0]}}
  D: {{type: prismatic, I: {{body: ground, at: [3, 0]}}, J: slide, axis: [1, 0, 0]}}
"""


@dataclass(frozen=True)
class Place:
    """Where a law stands: the kinds of its argument and value, and the entry around it."""

    argument: str  # "time", "length", "angle", "speed" or "spin"
    value: str  # "length", "angle", "force", "torque" or "energy"
    entry: str  # with LAW in the law's place
    found: str  # an expression of the model that gives the law


PLACES = (
    Place("time", "angle", "drives: {A.angle: LAW}", "drives[0].law"),
    Place("time", "length", "drives: {C.displacement: LAW}", "drives[0].law"),
    Place("time", "length", "drives: {C.displacement: {law: LAW, name: d}}", "drives[0].law"),
    *(
        Place(
            argument,
            value,
            f"couplers: {{cam: {{type: cam_law, gauges: [{cam}, {follower}], law: LAW}}}}",
            "couplers[0].law",
        )
        for argument, cam in (("angle", "A.angle"), ("length", "C.displacement"))
        for value, follower in (("angle", "B.angle"), ("length", "D.displacement"))
    ),
    *(
        Place(
            argument,
            value,
            f"forces: {{f: {{type: nonlinear_spring, gauge: {gauge}, {word}: LAW{more}}}}}",
            f"forces[0].{word}",
        )
        for word, more, of, values in (
            ("law", "", ("length", "angle"), ("force", "torque")),
            ("damper", ", law: 0", ("speed", "spin"), ("force", "torque")),
            ("stored", ", law: 0", ("length", "angle"), ("energy", "energy")),
        )
        for argument, value, gauge in zip(of, values, ("C.displacement", "A.angle"), strict=True)
    ),
    Place(
        "time", "force", "forces: {f: {type: actuator, gauge: block.x, law: LAW}}", "forces[0].law"
    ),
    Place(
        "time",
        "torque",
        "forces: {f: {type: applied_load, at: wheel, torque: [0, 0, LAW]}}",
        "forces[0].torque[2]",
    ),
)


@dataclass(frozen=True)
class Units:
    """The units of one document; in text they are `words`, in SI `sizes`."""

    words: dict[str, str]
    sizes: dict[str, float]

    def shown(self, number: float, value: str, power: int, argument: str, *, bare: bool) -> str:
        """A number in SI that measures value / argument^power, as a file may write it."""
        size = self.sizes[value] / self.sizes[argument] ** power
        if bare:
            return repr(number / size)
        parts = [self.words[value]] if value else []
        if power:  # 1 / (m/s) = s / m
            top, _, bottom = self.words[argument].partition("/")
            parts += [f"{top}^-{power}", *([f"{bottom}^{power}"] if bottom else [])]
        return f"'{number / size!r} {'*'.join(parts)}'"


def units_of(length: str, angle: str) -> Units:
    words = {"time": "s", "length": length, "angle": angle}
    words |= {"speed": f"{length}/s", "spin": f"{angle}/s", "": "1"}
    words |= {"force": "N", "torque": "N*m", "energy": "J"}
    sizes = {"time": 1.0, "length": LENGTHS[length], "angle": ANGLES[angle], "": 1.0}
    sizes |= {"speed": LENGTHS[length], "spin": ANGLES[angle]}
    sizes |= dict.fromkeys(("force", "torque", "energy"), 1.0)
    return Units(words, sizes)


def attempt(rng: np.random.Generator) -> list[str]:
    """One place, one unit system, one law in every spelling that can say it."""
    place = PLACES[int(rng.integers(len(PLACES)))]
    length, angle = (str(rng.choice(list(table))) for table in (LENGTHS, ANGLES))
    units, mass = units_of(length, angle), str(rng.choice(MASSES))
    head = {"length": length, "angle": angle, "mass": mass}
    scale = 10.0 ** rng.uniform(-2, 1)
    faults = []
    for name, spelling, parameters, closed in _spellings(rng, place, units, scale):
        entry = place.entry.replace("LAW", spelling)
        text = START.format(**head, parameters=parameters) + entry + "\n"
        try:
            model = document_from(text.encode(), "law.yaml").model
        except Exception as trouble:  # every one of these is in order
            faults.append(f"{name} in {entry!r} ({length}, {angle}) is refused: {trouble}")
            continue
        law = eval(f"model.{place.found}", {"model": model})
        x = scale * np.linspace(0.0, 1.0, 5)
        got = np.array([float(law.value(float(at))) for at in x])
        wanted = closed(x)
        worst = float(np.abs(got - wanted).max())
        if not worst <= SAME * float(np.abs(wanted).max()):
            faults.append(
                f"{name} {spelling} in {entry!r} ({length}, {angle}), parameters {{{parameters}}}:"
                f" {got} for {wanted} at {x}"
            )
    return faults


def _spellings(rng, place, units, scale):  # type: ignore[no-untyped-def]
    """Name, text, parameters and closed form of laws of one argument up to `scale` (SI)."""
    a, v = place.argument, place.value
    size = 10.0 ** rng.uniform(-2, 2)
    c = size * rng.uniform(0.5, 2.0, 4) * rng.choice([-1.0, 1.0], 4) / scale ** np.arange(4)

    def cubic(x):  # type: ignore[no-untyped-def]
        return c[0] + c[1] * x + c[2] * x**2 + c[3] * x**3

    def number(value, power=0, unit=v, per=a):  # type: ignore[no-untyped-def]
        return units.shown(float(value), unit, power, per, bare=bool(rng.random() < 0.6))

    def plain(value, power=0, unit=v):  # type: ignore[no-untyped-def]
        return units.shown(float(value), unit, power, a, bare=True)

    powers = range(4)
    text = " + ".join(f"({plain(c[k], k)}) * t^{k}" for k in powers)
    yield "text", f'"{text}"', "", cubic
    yield "text_formula", f'{{type: text_formula, text: "{text}"}}', "", cubic
    listed = ", ".join(number(c[k], k) for k in powers)
    yield "polynomial", f"{{type: polynomial, coefficients: [{listed}]}}", "", cubic
    bare = ", ".join(f"c{k}: {plain(c[k], k)}" for k in powers)
    named = " + ".join(f"c{k} * t^{k}" for k in powers)
    yield "text with bare parameters", f'"{named}"', bare, cubic
    values = ", ".join(plain(c[k], k) for k in powers)
    own = f"names: [c0, c1, c2, c3], values: [{values}]"
    yield "text_formula with names", f'{{type: text_formula, text: "{named}", {own}}}', "", cubic
    slope = units.shown(float(c[1]), v, 1, a, bare=False)
    start = units.shown(float(c[0]), v, 0, a, bare=False)
    line = f"p: {start}, q: {slope}"

    def straight(x):  # type: ignore[no-untyped-def]
        return c[0] + c[1] * x

    yield "text with parameters in units", '"p + q * t"', line, straight
    own = f"names: [p, q], values: [{start}, {slope}]"
    formula = f'{{type: text_formula, text: "p + q * t", {own}}}'
    yield "text_formula with units", formula, "", straight
    at = scale * np.array([-0.5, -0.2, 0.1, 0.5, 0.9, 1.5])
    points = ", ".join(f"[{number(x, 0, a)}, {number(cubic(x))}]" for x in at)
    yield "table", f"{{type: table, points: [{points}]}}", "", cubic
    ramp = f"start: {number(c[0])}, speed: {number(c[1], 1)}, acceleration: {number(2 * c[2], 2)}"
    yield "ramp", f"{{type: ramp, {ramp}}}", "", lambda x: c[0] + c[1] * x + c[2] * x**2
    frequency, phase = rng.uniform(0.1, 2.0) / scale, rng.uniform(-1.0, 1.0)
    shown = units.shown(float(phase), "angle", 0, a, bare=bool(rng.random() < 0.5))
    harmonic = f"amplitude: {number(c[0])}, mean: {number(c[0])}, phase: {shown}"
    often = number(frequency, 1, "")
    yield (
        "harmonic",
        f"{{type: harmonic, {harmonic}, frequency: {often}}}",
        "",
        lambda x: c[0] * (1.0 + np.sin(math.tau * frequency * x + phase)),
    )

    def rise(x):  # type: ignore[no-untyped-def]
        u = np.clip((x - 0.2 * scale) / (0.6 * scale), 0.0, 1.0)
        return c[0] * (1.0 + u - np.sin(math.tau * u) / math.tau)

    cycloidal = (
        f"{{type: cycloidal, start: {number(c[0])}, rise: {number(c[0])},"
        f" dwell: {number(0.2 * scale, 0, a)}, duration: {number(0.6 * scale, 0, a)}}}"
    )
    yield "cycloidal", cycloidal, "", rise
    pieces = f"[{number(0.3 * scale, 0, a)}, {plain(c[0])}], [{number(scale, 0, a)}, RAMP]"
    pieces = pieces.replace("RAMP", f"{{start: {number(c[0])}, speed: {number(c[1], 1)}}}")
    yield (
        "piecewise",
        f"{{type: piecewise, pieces: [{pieces}]}}",
        "",
        lambda x: c[0] + c[1] * np.maximum(x - 0.3 * scale, 0.0),
    )
    yield "number", number(c[0]), "", lambda x: np.full_like(x, c[0])

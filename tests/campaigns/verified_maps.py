"""Promise: a saved map that was tampered with is found out or refused, and never called right.

Four-bars and slider-cranks, with and without limits of the crank, whose motions are known: two
loops or one by Grashof, arcs between limits. The map is saved, loaded and verified, and is good.
Then the file is tampered with: numbers, words and flags of its record, entries and rows of its
arrays, whole parts deleted, doubled or swapped, bytes cut off. Whatever then happens is a
`KempeError`, or a verification that does not hold, or a map that is still right.

Oracle: plane geometry. A map that is called right must have the outcome, the number of loops and
arcs that Grashof's rule gives, its samples must close the linkage that it was made of within the
radius they claim, and every position of a fine sweep in closed form must lie beside them.
"""

import io
import json
import math
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import kempe as kp

CASES = 2
REMEMBERED = (
    5,
    9,
    19,
    26,
    51,
    71,
    88,
    91,
    129,
    174,
    195,
    221,
    230,
    269,
    392,
    397,
    1125,
    1243,
    50274,
)
TAMPERED = 3  # files of one map
NEAR = 0.03  # of a size: too near to where the number of loops changes
STEP = 0.05

Positions = Callable[[float], list[complex]]  # of the second moving pin, at a crank angle


class Linkage(NamedTuple):
    """What is known of one mechanism."""

    said: str
    mechanism: kp.Mechanism
    limits: dict[str, tuple[float, float]]
    components: int
    closed: bool
    crank: float  # length, m
    pins: Positions  # of the coupler's or rod's end
    angles: np.ndarray  # of the crank, all that it may have
    size: float


def four_bar(rng: np.random.Generator) -> Linkage | None:
    """Four hinges: two loops with a link that turns fully, else one."""
    a, b, c, d = (float(x) for x in rng.uniform(0.3, 2.0, 4))
    s = sorted((a, b, c, d))
    gap = s[1] + s[2] - s[0] - s[3]
    if s[3] > 0.97 * (s[0] + s[1] + s[2]) or abs(gap) < NEAR:
        return None
    turns = a + d - abs(b - c) > 0 and abs(d - a) > abs(b - c) and a + d < b + c
    m = kp.Builder("four-bar", plane=True)
    crank, coupler, rocker = m.bar("crank", a), m.bar("coupler", b), m.bar("rocker", c)
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, coupler.start, name="B")
    m.revolute(coupler.end, rocker.end, name="C")
    m.revolute(m.ground.at(d, 0), rocker.start, name="D")

    def pins(turn: float) -> list[complex]:
        p = a * complex(math.cos(turn), math.sin(turn))
        far = abs(d - p)
        x = (far**2 + b * b - c * c) / (2 * far)
        if b * b - x * x < 1e-4:
            return []
        u, y = (d - p) / far, math.sqrt(b * b - x * x)
        return [p + u * complex(x, y), p + u * complex(x, -y)]

    said = f"four-bar {a!r}, {b!r}, {c!r}, {d!r}"
    return limited(rng, said, m.build(), 2 if gap > 0 else 1, turns, a, pins, a + b + c + d)


def slider_crank(rng: np.random.Generator) -> Linkage | None:
    """The height of the crank's pin tells where the rod reaches the guide."""
    r, l = (float(x) for x in rng.uniform(0.3, 2.0, 2))
    e = float(rng.choice([0.0, rng.uniform(-0.5, 0.5)]))
    ends = [e + l, e - l]
    if any(abs(abs(x) - r) < NEAR for x in ends) or abs(e) > 0.95 * (r + l):
        return None
    inside = sum(abs(x) < r for x in ends)
    m = kp.Builder("slider-crank", plane=True)
    crank, rod, slider = m.bar("crank", r), m.bar("rod", l), m.body("slider")
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, rod.start, name="B")
    m.revolute(rod.end, slider.at(0, 0), name="C")
    m.prismatic(m.ground.at(0, e), slider.at(0, 0), name="guide")

    def pins(turn: float) -> list[complex]:
        p = r * complex(math.cos(turn), math.sin(turn))
        left = l * l - (p.imag - e) ** 2
        if left < 1e-4:
            return []
        return [complex(p.real + s * math.sqrt(left), e) for s in (1.0, -1.0)]

    said = f"slider-crank {r!r}, {l!r}, offset {e!r}"
    return limited(rng, said, m.build(), 1 if inside == 1 else 2, inside == 0, r, pins, r + l)


def limited(
    rng: np.random.Generator,
    said: str,
    mechanism: kp.Mechanism,
    loops: int,
    turns: bool,
    crank: float,
    pins: Positions,
    size: float,
) -> Linkage:
    """The linkage with limits of a crank that turns fully, or without."""
    if turns and rng.random() < 0.5:
        first = float(rng.uniform(-2.5, 0.0))
        last = first + float(rng.uniform(0.5, 2.5))
        limits = {"crank.angle": (first, last)}
        said += f", crank from {first!r} to {last!r}"
        angles = np.linspace(first, last, 90)
        return Linkage(said, mechanism, limits, 2, False, crank, pins, angles, size)
    angles = np.linspace(-math.pi, math.pi, 180)
    return Linkage(said, mechanism, {}, loops, True, crank, pins, angles, size)


# -- what a right map is ------------------------------------------------------------------------


def judge_map(found: kp.MotionMap, known: Linkage) -> list[str]:
    """What is wrong with a map that is called right."""
    wrong = []
    if found.outcome != "complete":
        wrong.append(f"its outcome is {found.outcome}")
    if len(found.components) != known.components:
        wrong.append(f"it has {len(found.components)} components, not {known.components}")
    if any(c.closed is not known.closed for c in found.components):
        wrong.append(f"closed is {[c.closed for c in found.components]}, not {known.closed}")
    if any(len(c.ends) != (0 if known.closed else 2) for c in found.components):
        wrong.append(f"it has {[len(c.ends) for c in found.components]} ends")
    if not known.closed:
        named = sorted(end.limit for c in found.components for end in c.ends)
        right = sorted(["crank.angle at least", "crank.angle at most"] * known.components)
        if named != right:
            wrong.append(f"its ends are at {named}")
    if found.singular:
        wrong.append(f"it has {len(found.singular)} singular places")
    places = [sampled(c, known) for c in found.components]
    for q, off, radius in places:
        turns = np.abs(np.angle(np.roll(q[:, 0], -1) / q[:, 0]))
        if (turns if known.closed else turns[:-1]).max() > 3 * STEP:
            wrong.append(f"its samples are {turns.max():g} rad of the crank apart, not {STEP:g}")
        if not off <= max(10.0 * radius * known.size, 1e-10 * known.size):
            wrong.append(f"a sample is off by {off:g} m, its radius is {radius:g}")
    everything = np.concatenate([q for q, _, _ in places]) if places else np.zeros((0, 2), complex)
    for turn in known.angles:
        for pin in known.pins(float(turn)):
            here = np.array([known.crank * complex(math.cos(turn), math.sin(turn)), pin])
            if (
                not len(everything)
                or np.abs(everything - here).max(axis=1).min() > 3 * STEP * known.size
            ):
                return [*wrong, f"a position at crank angle {turn:.3f} is lost"]
    return wrong


def sampled(component: Any, known: Linkage) -> tuple[np.ndarray, float, float]:
    """Both pins at the samples of a component, how far the worst is off, and the radius claimed."""
    samples = component.sample(step=STEP)
    q, worst = [], 0.0
    for row in samples.q:
        crank, second, third = row[0:3], row[3:6], row[6:9]
        pin = known.crank * complex(math.cos(crank[2]), math.sin(crank[2]))
        ends = known.pins(float(crank[2]))
        name = "rod" if "slider" in known.said else "coupler"
        length = known.mechanism.edit().part(name).end.position[0]
        end = complex(second[0], second[1]) + length * complex(
            math.cos(second[2]), math.sin(second[2])
        )
        gaps = [abs(complex(crank[0], crank[1])), abs(complex(second[0], second[1]) - pin)]
        if ends:
            gaps.append(min(abs(end - x) for x in ends))
        if name == "rod":
            gaps.append(abs(end - complex(third[0], third[1])))
        worst = max(worst, *gaps) if ends else max(worst, *gaps[:2])
        q.append([pin, end])
    return np.array(q), worst, float(samples.radius.max())


# -- tampering ----------------------------------------------------------------------------------


class File:
    """A map's file in parts: the record, and arrays by name."""

    def __init__(self, data: bytes) -> None:
        self.record: dict[str, Any] = {}
        self.arrays: dict[str, np.ndarray] = {}
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                content = archive.read(name)
                if name == "kempe.json":
                    self.record = json.loads(content)
                else:
                    self.arrays[name] = np.load(io.BytesIO(content), allow_pickle=False)

    def written(self) -> bytes:
        """The file again."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("kempe.json", json.dumps(self.record))
            for name, array in self.arrays.items():
                content = io.BytesIO()
                np.save(content, array)
                archive.writestr(name, content.getvalue())
        return out.getvalue()


def leaves(thing: Any, path: tuple = ()) -> list[tuple]:
    """Paths of everything in a record, lists and dictionaries included."""
    found = [path] if path else []
    if isinstance(thing, dict):
        return found + [p for key, value in thing.items() for p in leaves(value, (*path, key))]
    if isinstance(thing, list):
        return found + [p for k, value in enumerate(thing) for p in leaves(value, (*path, k))]
    return found


def changed(rng: np.random.Generator, value: Any) -> Any:
    """Something else in the place of a value."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return [value + 1, value - 1, -value - 1, 10**6, float(value) + 0.5, "7"][
            int(rng.integers(6))
        ]
    if isinstance(value, float):
        return [value * 1.001, -value - 1.0, 1e308, float("nan"), value + 1e-9, None][
            int(rng.integers(6))
        ]
    if isinstance(value, str):
        words = [
            "complete",
            "complete_except",
            "certified_partial",
            "numerical",
            "",
            "A",
            value + "x",
        ]
        return str(rng.choice(words))
    if isinstance(value, list):
        kind = int(rng.integers(4))
        if kind == 0 and value:
            del value[int(rng.integers(len(value)))]
        elif kind == 1 and value:
            value.append(value[int(rng.integers(len(value)))])
        elif kind == 2:
            value.reverse()
        else:
            return {}
        return value
    if isinstance(value, dict):
        if value and rng.random() < 0.7:
            del value[str(rng.choice(list(value)))]
            return value
        return []
    return 0


def in_record(rng: np.random.Generator, file: File) -> str:
    """A value of the record is changed or taken away, or two are swapped."""
    paths = leaves(file.record)
    path = paths[int(rng.integers(len(paths)))]
    here: Any = file.record
    for key in path[:-1]:
        here = here[key]
    if path == ("origin", "model"):
        return in_model(rng, file)
    before = json.dumps(here[path[-1]])
    if rng.random() < 0.15:
        del here[path[-1]]
        return f"{path} deleted"
    here[path[-1]] = changed(rng, here[path[-1]])
    return f"{path} {before[:200]} made {json.dumps(here[path[-1]])[:200]}"


def in_model(rng: np.random.Generator, file: File) -> str:
    """A number of the model is changed; lengths of links among them."""
    model = json.loads(file.record["origin"]["model"])
    of_bodies = [("bodies", *p) for p in leaves(model["bodies"])]
    paths = [p for p in of_bodies if "length" in p or ("points" in p and len(p) > 4)]
    paths = paths or leaves(model)
    path = paths[int(rng.integers(len(paths)))]
    here = model
    for key in path[:-1]:
        here = here[key]
    before = here[path[-1]]
    here[path[-1]] = changed(rng, before)
    file.record["origin"]["model"] = json.dumps(model)
    return f"model {path} {before} made {here[path[-1]]}"


def in_array(rng: np.random.Generator, file: File) -> str:
    """An entry, a row or all of an array is changed, or two arrays change places."""
    names = list(file.arrays)
    name = str(rng.choice(names))
    array = file.arrays[name].copy()
    kind = int(rng.integers(8))
    if kind == 0:
        del file.arrays[name]
        return f"{name} deleted"
    if kind == 1:
        same = [n for n in names if file.arrays[n].shape == array.shape and n != name]
        if not same:
            return ""
        other = str(rng.choice(same))
        file.arrays[name], file.arrays[other] = file.arrays[other], array
        return f"{name} and {other} swapped"
    if kind == 2:
        file.arrays[name] = array[:-1]
        return f"{name} cut short"
    if kind == 3:
        file.arrays[name] = array[::-1]
        return f"{name} turned round"
    if kind == 4:
        file.arrays[name] = (
            array.astype(np.float32) if array.dtype.kind == "f" else array.astype(float)
        )
        return f"{name} of another type"
    if not array.size:
        return ""
    flat = array.reshape(-1)
    k = int(rng.integers(flat.size))
    before = flat[k]
    if array.dtype.kind != "f":
        flat[k] = int(rng.integers(0, 100))
    else:
        flat[k] = [before * 1.01, before + 1e-6, -before, np.nan, np.inf, 0.0][int(rng.integers(6))]
    file.arrays[name] = array
    return f"{name}[{k}] {before!r} made {flat[k]!r}"


def component_wise(rng: np.random.Generator, file: File) -> str:
    """A whole component is left out, doubled, or told to be another kind of thing."""
    listed = file.record["components"]
    kind = int(rng.integers(5))
    k = int(rng.integers(len(listed)))
    if kind == 0:
        del listed[k]
        for number, c in enumerate(listed):
            c["number"] = number
        return f"component {k} left out"
    if kind == 1:
        listed.append({**listed[k], "number": len(listed)})
        return f"component {k} doubled"
    if kind == 2:
        listed[k]["closed"] = not listed[k]["closed"]
        listed[k]["numbers"]["closed"] = listed[k]["closed"]
        return f"component {k} made {'a loop' if listed[k]['closed'] else 'an arc'}"
    if kind == 3:
        file.record["outcome"] = str(
            rng.choice(["complete_except", "numerical", "certified_partial"])
        )
        return f"the outcome made {file.record['outcome']}"
    if not listed[k]["ends"]:
        return ""
    listed[k]["ends"].pop()
    return f"an end of component {k} left out"


def attempt(rng: np.random.Generator) -> list[str]:
    """One map, good, and then tampered with."""
    known = (four_bar if rng.random() < 0.6 else slider_crank)(rng)
    if known is None:
        return []
    found = known.mechanism.motions(limits=known.limits)
    wrong = [f"{w}, as found" for w in judge_map(found, known)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.npz"
        found.save(path)
        data = path.read_bytes()
        if rng.random() < 0.3:
            wrong += [f"{w}, as saved" for w in judge_map(kp.MotionMap.load(path), known)]
            proved = kp.verify(kp.MotionMap.load(path), known.mechanism)
            if not proved.holds:
                wrong.append(f"a good map does not hold: {proved}")
        for _ in range(TAMPERED):
            wrong += judge_tampered(rng, data, path, known)
    return [f"{w}: {known.said}" for w in wrong]


def judge_tampered(rng: np.random.Generator, data: bytes, path: Path, known: Linkage) -> list[str]:
    """What is wrong with the answer to one file that was tampered with."""
    if rng.random() < 0.1:
        k = int(rng.integers(len(data)))
        cut = bool(rng.random() < 0.3)
        path.write_bytes(data[:k] if cut else data[:k] + bytes([data[k] ^ 255]) + data[k + 1 :])
        said = f"{'cut off at' if cut else 'a flipped'} byte {k}"
    else:
        file = File(data)
        how = (in_record, in_record, in_array, in_array, component_wise, in_model)
        said = how[int(rng.integers(len(how)))](rng, file)
        if not said:
            return []
        path.write_bytes(file.written())
    stage = "load"
    try:
        loaded = kp.MotionMap.load(path)
        stage = "verify"
        answers = {"verify()": loaded.verify()}
        if answers["verify()"].holds:
            answers["verify(map, mechanism)"] = kp.verify(loaded, known.mechanism)
        good = [name for name, answer in answers.items() if answer.holds]
        if not good:
            return [f"no reason given: {said}"] if not str(answers["verify()"]) else []
        stage = f"sampling what {good} calls right"
        if loaded.outcome != "complete":
            return []  # a weaker claim that is true
        return [f"{w}, and {good} holds, {said}" for w in judge_map(loaded, known)]
    except kp.KempeError:
        return []
    except Exception as error:
        return [f"{type(error).__name__} in {stage}: {error}, {said}"]

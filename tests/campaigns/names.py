"""Promise: a name means one thing in `trajectory[...]`, `columns`, a saved file and a formula.

Oracle: NumPy's arithmetic on the raw coordinates: places of bodies by their poses, rates and
accelerations by differences of the values, formulas by the same expression on arrays.
"""

import tempfile
from pathlib import Path

import numpy as np

import kempe as kp
from kempe.gallery import COURSES, MECHANISMS
from kempe.readings.channel import PointChannel, ScalarChannel

CASES = 10
STEPS = 200
STILL = 1e-10  # what a difference of two samples of something that stands still comes to
BY_DIFFERENCES = 0.02  # of the largest rate, in the median: steps of 1/200, second order
KINDS = ("{a} / {b}", "{a}/{b}", "2*({a} - {b})^2", "sin( {a} ) + {b} * 0.5", "abs({a}) - -{b}")


def attempt(rng: np.random.Generator) -> list[str]:
    """A random entry of the gallery, moved or simulated, and some of its names."""
    name = sorted(MECHANISMS)[int(rng.integers(len(MECHANISMS)))]
    mechanism = MECHANISMS[name]()
    until = float(rng.uniform(0.1, 0.6))
    try:
        turn = mechanism.kinematics(until=until, steps=STEPS)
    except kp.KempeError:
        course = COURSES[name].until if name in COURSES else 0.5
        turn = mechanism.simulate(until=until * 0.1 * course, steps=STEPS)
    if len(turn) < 3:
        return []
    with tempfile.TemporaryDirectory() as folder:
        again = kp.Trajectory.load(turn.save(Path(folder) / "turn.npz"))
    everything = turn.columns()
    known = sorted(everything)
    chosen = [str(x) for x in rng.choice(known, min(6, len(known)), replace=False)]
    found = [
        f"{name} until {until!r}: {fault}"
        for column in chosen
        for fault in read_everywhere(turn, again, column, everything[column])
    ]
    for channel in rng.choice(sorted(turn.names), min(3, len(turn.names)), replace=False):
        found += [f"{name} until {until!r}: {fault}" for fault in by_numpy(turn, str(channel))]
    a, b = chosen[0], chosen[-1]
    text = KINDS[int(rng.integers(len(KINDS)))]
    with np.errstate(all="ignore"):
        expected = eval_with_numpy(text, everything[a], everything[b])
    for blanks in ("", "  "):
        written = blanks + text.format(a=f"`{a}`", b=f"`{b}`") + blanks
        values = turn[written].values
        (head,) = set(turn.columns(written)) - {"t"} or {"t"}
        if not same(values, expected) or not same(turn.columns(written)[head], expected):
            found.append(f"{name} until {until!r}: {written!r} is not what NumPy makes of it")
    return found


def eval_with_numpy(text: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The formulas above, written out."""
    return {
        KINDS[0]: a / b,
        KINDS[1]: a / b,
        KINDS[2]: 2.0 * (a - b) ** 2,
        KINDS[3]: np.sin(a) + b * 0.5,
        KINDS[4]: np.abs(a) + b,
    }[text]


def read_everywhere(
    turn: kp.Trajectory, again: kp.Trajectory, name: str, values: np.ndarray
) -> list[str]:
    """Doors through which a column's own name gives other numbers."""
    doors = {
        "columns": turn.columns(name)[name],
        "blanks": turn.columns(f" {name} ")[name],
        "formula": turn[f"`{name}` * 1"].values,
        "file": again.columns(name)[name],
        "formula of a file": again[f"0 + `{name}`"].values,
    }
    direct = turn[name]
    if not isinstance(direct, PointChannel):
        doors["[]"] = direct.values
    return [f"{name!r} by {door} is another" for door, x in doors.items() if not same(x, values)]


def same(x: np.ndarray, y: np.ndarray) -> bool:
    """Equal up to the last digits, and infinite or NaN at the same samples."""
    with np.errstate(all="ignore"):
        return x.shape == y.shape and bool(np.allclose(x, y, 1e-12, 1e-300, equal_nan=True))


def by_numpy(turn: kp.Trajectory, name: str) -> list[str]:
    """A point against the pose of its body, and derivatives against differences."""
    channel, wrong = turn[name], []
    layout, q = turn.layout, turn.motion.q
    if isinstance(channel, PointChannel):
        if name in layout.body_index and not turn.subject.plane:
            k = 7 * layout.body_index[name]
            body = next(b for b in layout.model.bodies if b.name == name)
            if body.inertia is None and not np.allclose(channel.position, q[:, k : k + 3]):
                wrong.append(f"{name!r} is not where the coordinates put it")
        orders = (channel.position, channel.velocity, channel.acceleration)
    elif isinstance(channel, ScalarChannel):
        orders = (channel.values, channel.rate, channel.acceleration)
    else:
        return []
    for lower, upper, word in ((orders[0], orders[1], "rate"), (orders[1], orders[2], "change")):
        with np.errstate(all="ignore"):
            seen = np.gradient(lower, turn.t, axis=0)[1:-1]
            off = np.nanmedian(np.abs(seen - upper[1:-1])) if np.isfinite(seen).any() else 0.0
            size = np.nanmax(np.abs(upper), initial=0.0)
        still = STILL * max(1.0, float(np.abs(turn.motion.v).max())) / float(np.diff(turn.t).min())
        if off > BY_DIFFERENCES * size + still:
            wrong.append(f"the {word} of {name!r} is off its differences by {off:g}")
    return wrong

"""Record what every gallery entry answers, to the last bit, and compare two records.

A change that only moves code must not move a number. Record before, record after, compare:

    python tools/reference_bits.py record before
    python tools/reference_bits.py record after
    python tools/reference_bits.py compare before after [--within 1e-9]

A record is one `.npz` a mechanism: its sweep (or its simulation, with the forces in its joints),
its motion map, the ways it can be put together at its start, its check and its pictures. Words are
compared as words, numbers as bits; `--within` allows that many of the largest number in an array,
for entries that a change gives another plan.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kempe import Effort, KempeError, MotionMap
from kempe.front import Mechanism, Trajectory
from kempe.gallery import COURSES, MECHANISMS

STEPS = 48  # samples of a sweep or a simulation
SPACING = 0.25  # of the samples of a component, in the space of its unknowns
BOXES = 20_000  # of a search: counted, not timed, so that every run ends at the same place
SECONDS = 600.0  # more than so many boxes take

Record = dict[str, NDArray[np.float64] | NDArray[np.str_]]


def main(arguments: list[str]) -> int:
    """Record or compare; 0 where nothing differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    tasks = parser.add_subparsers(dest="task", required=True)
    recording = tasks.add_parser("record", help="write the answers of every gallery entry")
    recording.add_argument("folder", type=Path)
    recording.add_argument("names", nargs="*")
    comparing = tasks.add_parser("compare", help="say what differs between two records")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--within", type=float, default=0.0)
    given = parser.parse_args(arguments)
    if given.task == "record":
        return record(given.folder, given.names or list(MECHANISMS))
    return compare(given.before, given.after, given.within)


def record(folder: Path, names: list[str]) -> int:
    """Write FOLDER/NAME.npz for each mechanism."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        answers = answers_of(name)
        np.savez_compressed(folder / f"{name}.npz", **answers)  # type: ignore[arg-type]
        print(f"{name}: {len(answers)} answers", flush=True)
    return 0


def compare(before: Path, after: Path, within: float) -> int:
    """Print every answer that is missing, new or different."""
    names = sorted({path.name for folder in (before, after) for path in folder.glob("*.npz")})
    differing = 0
    for name in names:
        missing = [str(folder) for folder in (before, after) if not (folder / name).exists()]
        said = [f"not in {folder}" for folder in missing]
        said = said or _differences(before / name, after / name, within)
        for sentence in said:
            print(f"{name.removesuffix('.npz')}: {sentence}")
        differing += bool(said)
    print(f"{len(names)} mechanisms compared, {differing} differ")
    return 1 if differing or not names else 0


def answers_of(name: str) -> Record:
    """Everything a mechanism of the gallery answers, by a name for each answer."""
    mechanism = MECHANISMS[name]()
    answers: Record = {}
    _ask(answers, "check", lambda: {"text": _words(str(mechanism.check()))})
    _ask(answers, "picture", lambda: {"svg": _words(mechanism.svg())})
    _ask(answers, "run", lambda: _run(name, mechanism))
    _ask(answers, "start", lambda: _start(mechanism))
    if mechanism.model.plane:
        _ask(answers, "motions", lambda: _motions(mechanism))
        _ask(answers, "assemblies", lambda: _assemblies(mechanism))
    return answers


def _ask(answers: Record, question: str, answer: Callable[[], Record]) -> None:
    """Put the answers to one question in; a refusal is an answer, too."""
    try:
        found = answer()
    except KempeError as refusal:
        found = {"refused": _words(f"{type(refusal).__name__}: {refusal}")}
    answers.update({f"{question}/{key}": value for key, value in found.items()})


def _run(name: str, mechanism: Mechanism) -> Record:
    if name in COURSES:
        return _columns(mechanism.simulate(until=COURSES[name].until, steps=STEPS))
    return _columns(mechanism.kinematics(until=1.0, steps=STEPS))


def _columns(trajectory: Trajectory) -> Record:
    columns: Record = dict(trajectory.columns())
    texts = {"outcome": str(trajectory.outcome), "notes": "\n".join(map(str, trajectory.notes))}
    return columns | {key: _words(text) for key, text in texts.items()}


def _start(mechanism: Mechanism) -> Record:
    found = mechanism.assemble()
    return {"poses": _words(repr(found.poses)), "notes": _words("\n".join(map(str, found.notes)))}


def _motions(mechanism: Mechanism) -> Record:
    found = mechanism.motions(effort=Effort(seconds=SECONDS, boxes=BOXES))
    answers: Record = {
        "outcome": _words(str(found.outcome)),
        "message": _words(found.message),
        "within": np.array([found.within], dtype=float),
        "unsearched": np.array([found.unsearched.boxes, found.unsearched.share], dtype=float),
    }
    for component in found.components if isinstance(found, MotionMap) else ():
        points = component.sample(SPACING)
        answers[f"{component.number}.points"] = np.asarray(points.x, dtype=float)
        answers[f"{component.number}.radius"] = np.asarray(points.radius, dtype=float)
        answers[f"{component.number}.ends"] = _words(", ".join(end.kind for end in component.ends))
    return answers


def _assemblies(mechanism: Mechanism) -> Record:
    found = mechanism.assemblies(at=0.0, effort=Effort(seconds=SECONDS, boxes=BOXES))
    states: Record = {
        f"{k}.x": np.asarray(state.x, dtype=float) for k, state in enumerate(found.states)
    }
    return states | {"outcome": _words(str(found.outcome)), "message": _words(found.message)}


def _words(text: str) -> NDArray[np.str_]:
    return np.array([text])


def _differences(before: Path, after: Path, within: float) -> list[str]:
    """A sentence for each answer of one mechanism that is not the same in both files."""
    with np.load(before) as old, np.load(after) as new:
        said = [f"{key} is gone" for key in sorted(set(old) - set(new))]
        said += [f"{key} is new" for key in sorted(set(new) - set(old))]
        pairs = [(key, old[key], new[key]) for key in sorted(set(old) & set(new))]
    return said + [f"{key} {how}" for key, a, b in pairs if (how := _difference(a, b, within))]


def _difference(a: NDArray[np.generic], b: NDArray[np.generic], within: float) -> str:
    """How two answers differ, or nothing."""
    if a.shape != b.shape:
        return f"has the shape {b.shape}, not {a.shape}"
    if a.dtype.kind == "U":
        return "" if np.array_equal(a, b) else f"says\n    {b[0]!r}\n  not\n    {a[0]!r}"
    if a.tobytes() == b.tobytes():
        return ""
    off = np.abs(a - b) / (np.nanmax(np.abs(a), initial=0.0) or 1.0)  # type: ignore[operator]
    if np.array_equal(np.isnan(a), np.isnan(b)) and np.nanmax(off, initial=0.0) <= within:
        return ""
    return f"is off by {np.nanmax(off, initial=0.0):.3g} of its largest number"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

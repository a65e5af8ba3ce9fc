"""Print the files that a question passes through, in the order in which they are entered.

`python tools/paths.py` asks four questions and writes down every file of src/kempe whose functions
run on the way: a turn of a four-bar and one of its columns, a simulation of a model file and its
energies, every motion and its proof once more, and one frame seen from another.

A file that calls on into others is marked with >: one must open it to follow the path. The rest
answer at once, and their names say what. Files of a room above the one that calls them are marked
with ^: there the path goes back. Words of the trade (joints, measures and the like), the vectors
and expressions that they calculate with, and what runs while a module is loaded are not counted.
"""

import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import final

import kempe
from kempe import Builder

SOURCE = Path(kempe.__file__).parent
#: what formulas are made of, and what every room leans on
GROUND_FLOOR = {
    *("algebra", "geometry", "constraints", "measures", "joints", "couplers", "drives", "forces"),
    *("units", "names", "errors", "outcome", "interruption", "forking", "extras", "archive"),
    *("endings", "disk", "gallery", "model", "__init__"),
}

MODEL = SOURCE.parent.parent / "examples" / "models" / "swinging_table.yaml"


def rooms() -> list[str]:
    """The rooms from top to bottom, as pyproject.toml orders them."""
    text = (SOURCE.parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    layers = tomllib.loads(text)["tool"]["importlinter"]["contracts"][0]["layers"]
    return [str(layer) for layer in layers]


ORDER = {
    room.strip("() "): height
    for height, layer in enumerate(reversed(rooms()))
    for room in layer.replace("|", ":").split(":")
}


def fourbar() -> Builder:
    """A crank-rocker, without a guess of where its bars are."""
    m = Builder("four-bar", plane=True)
    crank, coupler, rocker = m.bar("crank", 1.0), m.bar("coupler", 3.0), m.bar("rocker", 2.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(rocker.start, m.ground.at(3.5, 0))
    m.drive(crank.angle, rpm=60)
    return m


def a_turn() -> None:
    """`Builder` to `kinematics(until=1)` to `turn["rocker.angle"].values`."""
    turn = fourbar().build().kinematics(until=1.0)
    assert turn["rocker.angle"].values is not None


def a_simulation() -> None:
    """A model file to `simulate` to energies."""
    assert kempe.load(MODEL).simulate(until=0.1).energy is not None


def every_motion() -> None:
    """`motions()` to a `MotionMap` to the verifier."""
    found = fourbar().build().motions()
    assert "2 loops" in str(found)
    assert isinstance(found, kempe.MotionMap)
    assert found.components[0].length > 0
    assert kempe.verify(found) is not None


def a_frame() -> None:
    """One frame of a graph seen from another."""
    from kempe.frames import FrameGraph, Rigid, Uniform

    graph = FrameGraph("world")
    graph.add("base", "world", Rigid([1, 0, 0]))
    graph.add("tool", "base", Uniform(Rigid([0, 1, 0]), angular_velocity=[0, 0, 1]))
    assert graph.state("tool", "world", 0.5) is not None


PATHS = (a_turn, a_simulation, every_motion, a_frame)


@final
@dataclass
class Passage:
    """The files of a path in order; which of them call on; which are entered from a room below."""

    files: dict[str, int] = field(default_factory=dict)  # with the depth at which each is first met
    calling: set[str] = field(default_factory=set)
    back: set[str] = field(default_factory=set)


def passed(question: Callable[[], None]) -> Passage:
    """What runs while a question is answered."""
    found, stack, base = Passage(), [""], str(SOURCE)

    def watch(frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        if not name.startswith(base) or frame.f_code.co_name == "<module>":
            return
        file = Path(name).relative_to(SOURCE)
        room = file.parts[0].removesuffix(".py")
        if room in GROUND_FLOOR:
            return
        if event == "return":
            stack.pop()
        elif event == "call":
            last = stack[-1]
            stack.append(file.as_posix())
            found.files.setdefault(stack[-1], len(set(stack)) - 1)
            if last not in ("", stack[-1]):
                found.calling.add(last)
                if ORDER[room] > ORDER[last.split("/")[0]]:
                    found.back.add(f"{last} ^ {stack[-1]}")

    sys.setprofile(watch)
    try:
        question()
    finally:
        sys.setprofile(None)
    return found


def main() -> int:
    """Print the four paths."""
    for question in PATHS:
        question()  # once before, so that loading and compiling are not on the path
        path = passed(question)
        said = f"{len(path.files)} files, {len(path.calling)} of them call on into others"
        print(f"{question.__doc__} {said}")
        for file, depth in path.files.items():
            print(f"  {'> ' if file in path.calling else '  '}{'  ' * depth}{file}")
        for step in sorted(path.back):
            print(f"  back: {step}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

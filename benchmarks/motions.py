"""How fast all motions are found and certified, against the times of a first C++ solver.

`kempe bench motions` prints what `measure` reports. Times are CPU seconds of one thread, the least
of several repeats. The first solver's times were taken where the floor in C needed 0.082 us a step;
they are scaled by the floor measured here, in the same run. Of machines in space a goal is the time
that a search in throw-away code took, or a round number above it.

Figure 6, whose rows are products of splines, takes about 1.05 of what is allowed, from 1.63
before ranges of splines were prepared and charts tried only where they cover. Tried without gain:
slopes of second order (0.88 of the boxes, as much time), 64 slices of a box instead of 16, one
projection a round instead of two, and Newton's method in a quarter of the large boxes alone.
"""

import os
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, final

from yardsticks.fresh import ONE_THREAD
from yardsticks.report import Report

os.environ.update(ONE_THREAD)  # before NumPy is imported

from yardsticks import inside
from yardsticks.clock import keep_memory
from yardsticks.floor import floors
from yardsticks.machines_in_space import Case, cases

from kempe import gallery
from kempe.front.requests.motions import Question
from kempe.motion import (
    Effort,
    System,
    is_writable,
    planar_equations,
    reduced,
    spatial_equations,
)
from kempe.motion.search.solution import assemblies, motions
from kempe.results.maps.assemblies import Assemblies
from kempe.results.maps.motion_map import MotionMap

FLOOR_THEN = 0.082e-6  # s a step, where the first solver was timed
FLOOR_STEPS = 100_000
STEP = 0.01  # between samples
# case -> (CPU seconds of the first solver with sampling, components)
FIRST = {
    "piston (3)": (0.002, 2),
    "four-bar (4)": (0.003, 2),
    "six-bar (6)": (0.017, 4),
    "moving triangle (6)": (0.018, 4),
    "eight-bar chain (8)": (0.054, 8),
    "3-RPR platform (6, points)": (0.0017, 12),
}
LONG = 1.0  # s allowed: what takes so long is measured once
SHARED = 5  # dyads of the chain that two threads share
NEARLY_TWICE = 0.85  # of what two threads gain that share nothing
LARGEST_CHANGE = 2.0  # of boxes per component, from the shortest chain to the longest
Answer = MotionMap | Assemblies


@final
@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured."""

    repeats: int = 15
    dyads: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    slowest: float = 60.0  # s that a machine in space is allowed: others are left out


FULL = Sizes()


def measure(sizes: Sizes = FULL) -> dict[str, Any]:
    """Rows and goals as of every benchmark, and `maps`: what every case was made of."""
    report, maps = Report(), list[dict[str, Any]]()
    keep_memory()
    floor = _floor(sizes)
    report.row("four-bar step", "floor in C", floor, "step")
    for case, (then, wanted) in FIRST.items():
        write, ask = _case(case)
        seconds, whole, again, answer = _timed(write, ask, sizes.repeats)
        report.row(case, "search and samples", seconds, "map")
        report.row(case, "with the model's formulas", whole, "map")
        report.row(case, "asked again", again, "map")
        allowed = None if floor is None else 2.0 * then * floor / FLOOR_THEN
        report.at_most(
            f"{case}: times twice the first solver",
            1.0,
            None if allowed is None else seconds / allowed,
            "no C compiler to scale by",
        )
        report.at_least(f"{case}: components", wanted, float(len(answer)))
        maps.append(_facts(case, answer, seconds, floor))
    for machine in cases():
        if machine.seconds <= sizes.slowest:
            _in_space(report, maps, machine, sizes, floor)
    shares = [_chain(report, maps, dyads, floor) for dyads in sizes.dyads]
    report.at_most(
        "chains: most over least boxes per component", LARGEST_CHANGE, max(shares) / min(shares)
    )
    _threads(report, sizes)
    return {"rows": report.rows, "goals": report.goals, "maps": maps}


def _in_space(
    report: Report,
    maps: list[dict[str, Any]],
    machine: Case,
    sizes: Sizes,
    floor: float | None,
) -> None:
    """A machine in space: its rows, its time as a share of what is allowed, and its counts."""
    layout = machine.make().layout
    bodies = [body.name for body in layout.model.moving]
    at = None if machine.freedom else 0.0
    holdings = Question.of(layout, None, None, at).holdings
    find = motions if machine.freedom else assemblies

    def write() -> System:
        if is_writable(layout.model):
            return reduced(planar_equations(layout, holdings), machine.freedom)
        rows = spatial_equations(layout, holdings, freedom=machine.freedom)
        return reduced(rows, machine.freedom)

    def ask(system: System) -> Answer:
        return find(system, machine.name, bodies, Effort())

    repeats = sizes.repeats if machine.seconds < LONG else 1
    seconds, whole, again, answer = _timed(write, ask, repeats)
    report.row(machine.name, "search", seconds, "map")
    report.row(machine.name, "with the model's formulas", whole, "map")
    report.row(machine.name, "asked again", again, "map")
    allowed = None if floor is None else machine.seconds * floor / FLOOR_THEN
    report.at_most(
        f"{machine.name}: times {machine.seconds:g} s, scaled",
        1.0,
        None if allowed is None else seconds / allowed,
        "no C compiler to scale by",
    )
    report.at_least(f"{machine.name}: found", machine.least, float(len(answer)))
    report.at_most(f"{machine.name}: no more than there can be", machine.most, float(len(answer)))
    maps.append(_facts(machine.name, answer, seconds, floor))


def _floor(sizes: Sizes) -> float | None:
    with tempfile.TemporaryDirectory() as folder:
        hands = floors(Path(folder), inside.converged())
        steps = FLOOR_STEPS if sizes is FULL else 1000
        least = float("inf")
        for _ in range(sizes.repeats):
            for hand in hands:
                began = time.process_time()
                hand(steps)
                least = min(least, (time.process_time() - began) / steps)
    return least if hands else None


def _case(case: str) -> tuple[Callable[[], System], Callable[[System], Answer]]:
    """The system of a case, written anew, and the question that it answers."""
    mechanisms = {
        "piston (3)": lambda: gallery.slider_crank(crank=1.0, rod=2.0),
        "four-bar (4)": lambda: gallery.four_bar(crank=1.0, rocker=2.5, coupler=3.0, ground=2.8),
        "six-bar (6)": lambda: gallery.dyad_chain(dyads=2),
        "moving triangle (6)": gallery.moving_triangle,
        "eight-bar chain (8)": lambda: gallery.dyad_chain(dyads=3),
        "3-RPR platform (6, points)": gallery.planar_platform,
    }
    layout = mechanisms[case]().layout
    points = case.endswith("points)")
    bodies = [body.name for body in layout.model.moving]

    at = 0.0 if points else None

    def write() -> System:
        return reduced(planar_equations(layout, Question.of(layout, None, None, at).holdings), None)

    def ask(system: System) -> Answer:
        if points:
            return assemblies(system, case, bodies, Effort())
        found = motions(system, case, bodies, Effort())
        for component in found.components:
            component.points(STEP)
        return found

    return write, ask


def _timed(
    write: Callable[[], System], ask: Callable[[System], Answer], repeats: int
) -> tuple[float, float, float, Answer]:
    """CPU seconds of a search with samples, with writing the system, and asked again; the answer.

    Of a system that is written anew nothing is prepared; asked again, all of it is.
    """
    least = whole = again = float("inf")
    for _ in range(repeats):
        began = time.process_time()
        written = write()
        ready = time.process_time()
        answer = ask(written)
        ended = time.process_time()
        ask(written)
        last = time.process_time()
        least, whole = min(least, ended - ready), min(whole, ended - began)
        again = min(again, last - ended)
    return least, whole, again, answer


def _chain(report: Report, maps: list[dict[str, Any]], dyads: int, floor: float | None) -> float:
    layout = gallery.dyad_chain(dyads=dyads).layout
    bodies = [body.name for body in layout.model.moving]
    system = Question.of(layout, None, None, None).system(1)
    began = time.process_time()
    found = motions(system, f"chain of {dyads} dyads", bodies, Effort())
    seconds = time.process_time() - began
    case = f"chain ({2 * dyads + 2})"
    report.row(case, "search", seconds, "map")
    report.at_least(f"{case}: loops", 2.0**dyads, float(len(found)))
    maps.append(_facts(case, found, seconds, floor))
    return found.counts["boxes"] / len(found)


def _threads(report: Report, sizes: Sizes) -> None:
    """Wall time of a map by one thread, by two, and of two maps at once by one thread each.

    The last says what a second thread gains on this machine where nothing has to be shared: cores
    that share their arithmetic or their memory give less than twice.
    """
    layout = gallery.dyad_chain(dyads=min(SHARED, max(sizes.dyads))).layout
    bodies = [body.name for body in layout.model.moving]
    system = Question.of(layout, None, None, None).system(1)

    def search(threads: int = 1) -> None:
        motions(system, "chain", bodies, Effort(threads=threads))

    def two_at_once() -> None:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda _: search(), range(2)))

    ways: dict[str, Callable[[], None]] = {
        "one thread": search,
        "two threads": partial(search, 2),
        "two maps at once": two_at_once,
    }
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(sizes.repeats):
        for who, way in ways.items():
            began = time.perf_counter()
            way()
            least[who] = min(least[who], time.perf_counter() - began)
    for who, seconds in least.items():
        report.row(f"chain ({len(system.unknowns)}), wall time", who, seconds, "map")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    gained, possible = (
        least["one thread"] / least["two threads"],
        2.0 * least["one thread"] / least["two maps at once"],
    )
    report.at_least(
        f"two threads: {gained:.2f} times as fast as one, as a share of what two cores give here",
        NEARLY_TWICE,
        gained / possible if (cores or 1) > 1 else None,
        "one core",
    )


def _facts(case: str, answer: Answer, seconds: float, floor: float | None) -> dict[str, Any]:
    return {
        "case": case,
        "seconds": seconds,
        "floors": None if floor is None else seconds / floor,
        "unknowns": len(answer.unknowns),
        "outcome": str(answer.outcome),
        "components": len(answer),
        "boxes": answer.counts["boxes"],
        "charts": answer.counts["charts"],
        "boxes_per_component": answer.counts["boxes"] / max(1, len(answer)),
    }

"""How fast kinematics is: against a floor in C, against peers, over size, and from a cold start.

`kempe bench kinematics` prints what `measure` reports. All times are CPU seconds of one thread,
the least of several repeats, all taken in one run.
"""

import math
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, final

from yardsticks.fresh import ONE_THREAD, fresh_seconds, peer
from yardsticks.report import Report, ratio

os.environ.update(ONE_THREAD)  # before NumPy is imported

import numpy as np
from yardsticks import closed_form, inside, leg
from yardsticks.clock import keep_memory, least_seconds
from yardsticks.floor import floors

from kempe import gallery

LENGTHS = {
    "crank": closed_form.CRANK,
    "coupler": closed_form.COUPLER,
    "rocker": closed_form.ROCKER,
    "ground": closed_form.GROUND,
}  # of the four-bar
IMPORTS = "import kempe, kempe.front, kempe.gallery, llvmlite.binding, scipy.sparse.linalg"
PEERS = {"pylinkage": 2.0, "exudyn": 50.0}  # how many times slower than kempe they are to be
# A step of a spatial four-bar in OndselSolver, and the floor in C, on the machine it was timed on.
ONDSEL_SECONDS, FLOOR_THERE = 600e-6, 0.082e-6


@final
@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured."""

    steps: int = 100_000  # of the four-bar
    leg_steps: int = 10_000  # of Jansen's leg
    space_steps: int = 100_000  # of the four-bar in space, as of the one in the plane
    repeats: int = 30
    chains: tuple[int, int, int] = (10, 100, 1000)  # loops: few, many, very many
    chain_steps: int = 400
    variants: int = 1000  # of one four-bar
    starts: int = 5  # fresh processes
    drag: int = 25  # loops of the chain that is dragged: 51 bodies


FULL = Sizes()


def measure(sizes: Sizes = FULL) -> dict[str, Any]:
    """Rows (case, who, seconds, per, error) and goals (goal, wanted, got, met)."""
    report = Report()
    keep_memory()
    with tempfile.TemporaryDirectory() as name, cache_in(Path(name)):
        floor = measure_four_bar(report, sizes, Path(name))
        measure_four_bar_in_space(report, sizes, floor)
        measure_leg(report, sizes)
        measure_chains(report, sizes)
        measure_variants(report, sizes)
        measure_drag(report, sizes)
        measure_starts(report, sizes, Path(name))
    return {"rows": report.rows, "goals": report.goals}


@contextmanager
def cache_in(folder: Path) -> Iterator[None]:
    """Compiled programs are kept in the folder, and none from before is known."""
    before = os.environ.get("KEMPE_CACHE")
    os.environ["KEMPE_CACHE"] = str(folder / "cache")
    inside.forget_programs()
    try:
        yield
    finally:
        inside.forget_programs()
        if before is None:
            del os.environ["KEMPE_CACHE"]
        else:
            os.environ["KEMPE_CACHE"] = before


def measure_four_bar(report: Report, sizes: Sizes, folder: Path) -> float | None:
    """Position, velocity and acceleration of a four-bar over one turn, every check on.

    Returns the floor's seconds for a step, where it could be built.
    """
    steps = sizes.steps
    case = f"four-bar, {steps} steps"
    mechanism = gallery.four_bar(**LENGTHS)
    sweep = partial(mechanism.kinematics, until=1.0, steps=steps)
    motions = {"kempe": sweep().motion, "kempe, VM": sweep(executor="vm").motion}
    samples = {name: (m.q, m.v, m.a) for name, m in motions.items()}
    contestants: dict[str, Callable[[], Any]] = {
        "kempe": sweep,
        "kempe, VM": partial(sweep, executor="vm"),
    }
    hands = {f"floor in C, {f.level}": f for f in floors(folder, inside.converged())}
    for name, hand in hands.items():
        contestants[name] = partial(hand, steps)
        samples[name] = hand(steps)
    seconds = least_seconds(contestants, sizes.repeats)
    best = min(hands, key=seconds.__getitem__, default=None)
    t = motions["kempe"].t
    for name in ("kempe", "kempe, VM", *([best] if best else [])):
        error = closed_form.worst_error_of_bodies(t, *samples[name])
        report.row(case, name, seconds[name] / steps, "step", error)
    report.at_most(
        "four-bar: times the floor in C (stretch 1.5)",
        2.0,
        ratio(seconds["kempe"], seconds[best] if best else None),
        "no C compiler that can build it",
    )
    _measure_peers(report, case, sizes, seconds["kempe"] / steps)
    return seconds[best] / steps if best else None


def measure_four_bar_in_space(report: Report, sizes: Sizes, floor: float | None) -> None:
    """The same of hinges in space, three rows of them redundant and watched at every sample."""
    steps = sizes.space_steps
    case = f"four-bar of hinges in space, {steps} steps"
    mechanism = gallery.four_bar(**LENGTHS, plane=False)
    sweep = partial(mechanism.kinematics, until=1.0, steps=steps)
    end = sweep()["rocker.end"]
    flat = (x[:, :2] for x in (end.position, end.velocity, end.acceleration))
    seconds = least_seconds({"kempe": sweep}, sizes.repeats)["kempe"] / steps
    report.row(case, "kempe", seconds, "step", closed_form.worst_error(end.t, *flat))
    ondsel = None if floor is None else ONDSEL_SECONDS * floor / FLOOR_THERE
    if ondsel is not None:
        report.row(case, "OndselSolver, timed elsewhere, scaled by the floor", ondsel, "step")
    report.at_least(
        "four-bar in space: times faster than OndselSolver, scaled by the floor",
        500.0,
        ratio(ondsel, seconds),
        "no C compiler that can build the floor",
    )


def measure_leg(report: Report, sizes: Sizes) -> None:
    """Position, velocity and acceleration of Jansen's leg over one turn, every check on."""
    steps = sizes.leg_steps
    case = f"Jansen's leg, {steps} steps"
    sweep = partial(gallery.jansen(scale=1.0).kinematics, until=1.0, steps=steps)
    toe = sweep()["foot.P"]
    error = leg.worst_error(toe.t, toe.position, toe.velocity, toe.acceleration)
    seconds = least_seconds({"kempe": sweep}, sizes.repeats)["kempe"] / steps
    report.row(case, "kempe", seconds, "step", error)
    found, missing = peer("pylinkage_leg", steps, min(sizes.repeats, 7))
    if found is not None:
        report.row(case, found["who"], found["seconds"], "step", found["error"])
    report.at_least(
        "Jansen's leg: times faster than pylinkage",
        2.0,
        ratio(found["seconds"] if found else None, seconds),
        missing,
    )


def _measure_peers(report: Report, case: str, sizes: Sizes, mine: float) -> None:
    for name, wanted in PEERS.items():
        repeats = min(sizes.repeats, 7 if name == "pylinkage" else 2)
        found, missing = peer(name, sizes.steps, repeats)
        stretch = " (stretch 3)" if name == "pylinkage" else ""
        if found is not None:
            report.row(case, found["who"], found["seconds"], "step", found["error"])
        report.at_least(
            f"four-bar: times faster than {name}{stretch}",
            wanted,
            ratio(found["seconds"] if found else None, mine),
            missing,
        )


def measure_chains(report: Report, sizes: Sizes) -> None:
    """What a loop costs as their number grows, in both plans; preparation is left out."""
    few, many, very_many = sizes.chains
    cost = {
        (loops, plan): _chain(report, sizes, loops, plan)
        for loops, plan in (
            (few, "small"),
            (few, "large"),
            (many, "large"),
            (very_many, "large"),
        )
    }
    growth = cost[very_many, "large"] / cost[many, "large"]
    report.at_most(
        f"chain: cost of a loop among {very_many} and among {many}, larger by smaller",
        1.5,
        max(growth, 1.0 / growth),
    )
    report.at_most(
        f"chain: a loop among {many} in the large plan, times one among {few} in the small plan",
        4.0,
        cost[many, "large"] / cost[few, "small"],
    )


def _chain(report: Report, sizes: Sizes, loops: int, plan: str) -> float:
    """CPU seconds per loop and step."""
    mechanism = gallery.four_bar_chain(loops=loops)
    least, trajectory = inside.sweep_seconds(mechanism, sizes.chain_steps, plan)
    for _ in range(sizes.repeats // 2):
        seconds, trajectory = inside.sweep_seconds(mechanism, sizes.chain_steps, plan)
        least = min(least, seconds)
    last: Any = trajectory[f"upright{loops // 2 * 2}.angle"]
    swing = 2.0 * math.pi * trajectory.t
    rate = 2.0 * math.pi
    error = closed_form.worst(
        (
            last.values - last.values[0] - 0.3 * np.sin(swing),
            last.rate / rate - 0.3 * np.cos(swing),
            last.acceleration / rate**2 + 0.3 * np.sin(swing),
        )
    )
    per_loop = least / (loops * sizes.chain_steps)
    case = f"chain of {loops}, {sizes.chain_steps} steps"
    report.row(case, f"kempe, {plan} plan", per_loop, "loop and step", error)
    return per_loop


def measure_variants(report: Report, sizes: Sizes) -> None:
    """Many four-bars with different lengths share one program."""
    random = np.random.default_rng(1876)
    lengths = random.uniform([0.5, 3.1, 2.6, 3.6], [0.9, 3.9, 3.4, 4.4], (sizes.variants, 4))
    inside.forget_programs()
    made: dict[int, Any] = {}

    def every() -> None:
        for crank, coupler, rocker, ground in lengths.tolist():
            mechanism = gallery.four_bar(crank=crank, coupler=coupler, rocker=rocker, ground=ground)
            mechanism.kinematics(until=1.0, steps=360)
            made.update((id(program), program) for program in inside.programs())

    seconds = least_seconds({"kempe": every}, 1)["kempe"]
    case = f"{sizes.variants} four-bars of different lengths, 360 steps each"
    report.row(case, "kempe", seconds / sizes.variants, "mechanism")
    report.at_most(f"{sizes.variants} four-bars: programs compiled", 1, len(made))


def measure_drag(report: Report, sizes: Sizes) -> None:
    """A hand takes the end of a chain to and fro: what one event costs, and the slowest of them."""
    mechanism = gallery.four_bar_chain(loops=sizes.drag)
    bodies, last = 2 * sizes.drag + 1, f"upright{sizes.drag // 2 * 2}"
    drag = mechanism.drag()
    first = {name: _turn(pose) for name, pose in drag.poses.items()}
    seconds, error = [], 0.0
    for angle in 0.5 * math.pi + 0.3 * np.sin(0.05 * np.arange(120)):
        began = time.process_time()
        there = drag.to("upright0.end", (math.cos(angle), math.sin(angle)))
        seconds.append(time.process_time() - began)
        turned = _turn(there[last]) - first[last]
        error = max(error, abs(math.sin(turned - (angle - 0.5 * math.pi))))
    case = f"drag, {bodies} bodies, 120 events"
    report.row(case, "kempe", float(np.median(seconds)), "event", error)
    report.row(case, "kempe, slowest", max(seconds), "event")
    report.at_most(f"drag: seconds an event among {bodies} bodies", 0.02, float(np.median(seconds)))


def _turn(pose: Any) -> float:
    return math.atan2(pose.rotation.x.y, pose.rotation.x.x)


def measure_starts(report: Report, sizes: Sizes, folder: Path) -> None:
    """The first run of a process: nothing compiled before, or found in the cache on disk."""
    four_bar = "kempe.gallery.four_bar().kinematics(until=1.0, steps=360)"
    chain = "kempe.gallery.four_bar_chain(loops=100).kinematics(until=1.0, steps=360)"
    fresh = partial(fresh_seconds, bytecode=folder / "bytecode")
    warm, many = folder / "warm", range(sizes.starts)
    for statement in (four_bar, chain):
        fresh(IMPORTS, statement, cache=warm)  # Python keeps its bytecode, kempe its programs
    cold = min(fresh(IMPORTS, four_bar, cache=folder / f"cold{k}") for k in many)
    cached = min(fresh(IMPORTS, four_bar, cache=warm) for _ in many)
    chained = min(fresh(IMPORTS, chain, cache=folder / f"chain{k}") for k in many[:2])
    bare = min(fresh("", "import kempe", cache=warm) for _ in many)
    whole = min(fresh("", f"import kempe\n{four_bar}", cache=warm) for _ in many)
    report.row("four-bar, 360 steps, first in a process", "kempe, empty cache", cold, "run")
    report.row("four-bar, 360 steps, first in a process", "kempe, cached", cached, "run")
    report.row("four-bar, 360 steps, imports included", "kempe, cached", whole, "run")
    report.row("chain of 100, 360 steps, first in a process", "kempe, empty cache", chained, "run")
    report.row("import kempe", "kempe", bare, "process")
    report.at_most("first four-bar, empty cache: seconds beyond imports", 0.15, cold)
    report.at_most("first four-bar, cached: seconds beyond imports", 0.02, cached)
    report.at_most("first chain of 100, empty cache: seconds beyond imports", 1.5, chained)
    report.at_most("import kempe: seconds", 0.25, bare)

"""How fast batches are: many four-bars against a closed form in numba and against a peer's batch.

`kempe bench batch` prints what `measure` reports. Times are CPU seconds of one thread, the least of
several repeats, whole calls with everything that they allocate; only the gain by a second thread is
told by the clock on the wall. A placement is one variant at one sample.

The gain by a second thread once came out as 2.09 and once as 1.56: each was timed once, and the
first paid for memory that was never touched before. Both take turns now. Of a batch of positions a
fifth is not shared out (about 0.07 of 0.38 s for 1e5 variants: the numbers of all variants by sums,
and their copies in lanes), so that two threads make it 1.7 times as fast at best; with velocities
and accelerations the share is smaller. What is read is written past the caches: 8 to 14 % less for
a placement of 1e5 variants (12.7 and 13.6 ns beside 14.8 in turns, on a loaded machine).

Double pendula are 4 times as fast as in MuJoCo's rollout over a second and 3 times over ten (5 are
asked for). Of a millisecond for a pendulum about half is spent in the core, half of that on the
thousand samples, each of which is projected and evaluated for what the joints carry; the other
half makes and audits a motion in Python. Shared arms of the centres of mass and readings that are
looked up once took a tenth off.
"""

import os
import time
from dataclasses import dataclass
from functools import partial
from typing import Any, final

from yardsticks.fresh import ONE_THREAD, peer
from yardsticks.report import Report, ratio

os.environ.update(ONE_THREAD)  # before NumPy is imported

import numpy as np
from yardsticks import double_pendula
from yardsticks.clock import keep_memory, least_seconds
from yardsticks.four_bars import NAMES, lengths, worst

import kempe
from kempe import gallery
from kempe.geometry import GROUND


@final
@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured."""

    variants: int = 100_000  # of the four-bar
    moving: int = 20_000  # with velocities and accelerations, and by peers
    legs: int = 2_000  # of a six-bar, and in space
    steps: int = 360
    repeats: int = 5
    pendula: int = 10_000
    pendulum_steps: int = 1000
    peer_pendula: int = 1000  # each costs a peer as much as the next one


FULL = Sizes()
COMPARED = 100  # pendula whose tips are looked at
TOLERANCES = tuple(10.0 ** (-k / 2) for k in range(8, 23))


def measure(sizes: Sizes = FULL) -> dict[str, Any]:
    """Rows (case, who, seconds, per, error) and goals (goal, wanted, got, met)."""
    report = Report()
    keep_memory()
    measure_four_bars(report, sizes)
    measure_others(report, sizes)
    measure_pendula(report, sizes)
    return {"rows": report.rows, "goals": report.goals}


def measure_four_bars(report: Report, sizes: Sizes) -> None:
    """The coupler point of many four-bars: positions, then velocities and accelerations too."""
    mechanism = gallery.four_bar(start=0.0)
    given = lengths(sizes.variants)

    def batch(count: int, derivatives: int, threads: int = 1) -> Any:
        columns = dict(zip(NAMES, given[:count].T, strict=True))
        return mechanism.batch(
            columns,
            until=1.0,
            steps=sizes.steps,
            outputs=["coupler.P"],
            derivatives=derivatives,
            threads=threads,
        )

    some = min(sizes.moving, sizes.variants)
    found = batch(some, 0)
    assert found.is_done.all()
    error = worst(found["coupler.P"].values, given)
    samples = sizes.steps + 1
    numba, missing = peer("numba_four_bars", some, sizes.steps, sizes.repeats)
    for name, derivatives in (("positions", 0), ("motions", 2)):
        call = partial(batch, some, derivatives)
        own = least_seconds({"kempe": call}, sizes.repeats)["kempe"] / (some * samples)
        case = f"{some} four-bars x {sizes.steps} steps, {name}"
        report.row(case, "kempe", own, "placement", error)
        other = None if numba is None else numba[name]
        if numba is not None:
            report.row(case, numba["who"], numba[name], "placement", numba[f"{name}_error"])
        report.at_least(f"{name}: times as fast as numba by hand", 1.0, ratio(other, own), missing)
        if name == "positions":
            linkage, why = peer("pylinkage_batch", min(some, 1000), sizes.steps, 2)
            theirs = None if linkage is None else linkage["seconds"]
            if linkage is not None:
                report.row(case, linkage["who"], theirs, "placement", linkage["error"])
            goal = "positions: times as fast as pylinkage's simulate_batch"
            report.at_least(goal, 8.0, ratio(theirs, own), why)
    _measure_many(report, sizes, batch)


def _measure_many(report: Report, sizes: Sizes, batch: Any) -> None:
    calls = {"kempe": lambda: batch(sizes.variants, 2)}
    seconds = least_seconds(calls, sizes.repeats)["kempe"]  # memory is touched first in the first
    own = seconds / (sizes.variants * (sizes.steps + 1))
    case = f"{sizes.variants} four-bars x {sizes.steps} steps, motions"
    report.row(case, "kempe", own, "placement")
    report.at_most(f"{case}: ns a placement", 15.0, own * 1e9)
    walls = {1: float("inf"), 2: float("inf")}
    batch(sizes.variants, 0)  # whoever is first pays for memory that was never touched
    for _ in range(sizes.repeats):
        for threads in walls:
            began = time.perf_counter()
            batch(sizes.variants, 0, threads)
            walls[threads] = min(walls[threads], time.perf_counter() - began)
    report.at_least(
        "two threads: times as fast as one, by the wall clock", 1.8, walls[1] / walls[2]
    )


def measure_others(report: Report, sizes: Sizes) -> None:
    """A walking leg and a loop in space, beside one of them swept again and again."""
    rng = np.random.default_rng(5)
    for mechanism, columns, output in (walking_leg(), loop_in_space()):
        spread = {k: v * rng.uniform(0.99, 1.01, sizes.legs) for k, v in columns.items()}
        how = {"until": 1.0, "steps": sizes.steps}
        calls = {
            "kempe, batch": partial(mechanism.batch, spread, outputs=[output], threads=1, **how),
            "kempe, one by one": lambda m=mechanism, o=output, how=how: m.kinematics(**how)[o],
        }
        seconds = least_seconds(calls, sizes.repeats)
        per = {"kempe, batch": sizes.legs, "kempe, one by one": 1}
        case = f"{sizes.legs} of {mechanism.name} x {sizes.steps} steps, positions"
        placed = {who: s / per[who] / (sizes.steps + 1) for who, s in seconds.items()}
        for who, one in placed.items():
            report.row(case, who, one, "placement")
        gain = placed["kempe, one by one"] / placed["kempe, batch"]
        report.at_least(f"{mechanism.name}: times as fast as one by one", 2.0, gain)


def measure_pendula(report: Report, sizes: Sizes) -> None:
    """Many double pendula under gravity beside MuJoCo's rollout, at no larger an error.

    Both keep what they find at every one of so many steps: a simulated second of them, then ten.
    """
    mechanism, steps = gallery.double_pendulum(), sizes.pendulum_steps
    angles = double_pendula.starts(sizes.pendula, sizes.pendula)
    compared = min(COMPARED, sizes.peer_pendula)
    wanted = double_pendula.exact(angles[:, :compared], 1.0)
    rolled, missing = peer("mujoco_pendula", sizes.peer_pendula, steps, 2)

    def batch(count: int, span: float, tolerance: float) -> Any:
        top, middle = angles[:, :count]
        return mechanism.batch(
            {},
            until=span,
            steps=steps,
            outputs=["lower.P"],
            analysis="simulation",
            start={"top.angle": top, "middle.angle": middle},
            tolerance=tolerance,
            threads=1,
        )

    for span in (1, 10):
        theirs = None if rolled is None else rolled[str(span)]
        case = f"{sizes.pendula} double pendula, {span} s in {steps} steps"
        for tolerance in TOLERANCES:
            early = batch(compared, float(span), tolerance)["lower.P"].values[:, steps // span]
            error = double_pendula.off(early, wanted)
            if theirs is None or error <= theirs["error"]:
                break
        call = partial(batch, sizes.pendula, float(span), tolerance)
        own = least_seconds({"kempe": call}, 1)["kempe"] / sizes.pendula
        report.row(case, f"kempe, tolerance {tolerance:g}", own, "pendulum", error)
        if theirs is not None:
            report.row(case, rolled["who"], theirs["seconds"], "pendulum", theirs["error"])
        goal = f"{case}: times as fast as MuJoCo's rollout, at no larger an error"
        report.at_least(goal, 5.0, ratio(theirs["seconds"] if theirs else None, own), missing)


Case = tuple[Any, dict[str, float], str]


def walking_leg() -> Case:
    """Jansen's leg with two rods whose lengths vary."""
    base = gallery.jansen().model

    @kempe.parametric
    def leg(top_rod: float = 0.5, bottom_rod: float = 0.619) -> kempe.Mechanism:
        m = kempe.Builder("Jansen's leg", plane=True)
        ends = {"top_rod": top_rod, "bottom_rod": bottom_rod}
        parts = {GROUND: m.ground}
        for body in base.moving:
            points = {name: p[:2] for name, p in body.points.items()}
            if body.name in ends:
                points["end"] = (ends[body.name], 0.0)
            x, y, _ = body.guess.position
            angle = body.guess.rotation.angle
            parts[body.name] = m.body(body.name, points=points, at=(x, y), angle=angle)

        def place(marker: Any) -> Any:
            if marker.body in ends and marker.position[0]:
                return parts[marker.body].end
            return parts[marker.body].at(*marker.position[:2])

        for joint in base.joints:
            m.revolute(place(joint.I), place(joint.J), name=joint.name)
        m.drive(parts["crank"].angle, rpm=60)
        return m.build()

    return leg(), {"top_rod": 0.5, "bottom_rod": 0.619}, "foot.P"


def loop_in_space() -> Case:
    """A crank and a rocker on skew axes, and a rod between balls whose length varies."""
    base = gallery.rssr().model
    bearing, crank, rocker = (base.joint("rocker_bearing"), *(b.guess for b in base.moving))

    @kempe.parametric
    def loop(crank_length: float = 1.0, rod: float = 5.0) -> kempe.Mechanism:
        m = kempe.Builder("RSSR four-bar")
        first = m.body("crank", points={"end": (crank_length, 0.0, 0.0)}, at=crank.position)
        second = m.body(
            "rocker",
            points={"end": (3.0, 0.0, 0.0)},
            at=rocker.position,
            rotation=rocker.rotation,
        )
        m.revolute(m.ground.at(0, 0), first, name="crank_bearing")
        m.revolute(bearing.I, second, name="rocker_bearing")
        m.add(kempe.joints.Rod(first.end, second.end, length=rod), "rod")
        m.drive(first.angle, rpm=60)
        return m.build()

    return loop(), {"crank_length": 1.0, "rod": 5.0}, "rocker.end"

"""How fast dynamics is: CPU time to reach an error, against what peers take for it.

`kempe bench dynamics` prints what `measure` reports. All times are CPU seconds of one thread, of
the solve alone with the samples that are looked at, the least of several repeats, all taken in one
run. Peers are run where they are installed and have the case. For others, times from another
machine are scaled by what the floor in C takes here and took there, and the rows say so.

What holds D5 down is the number of steps. Backward differences of order 5 make 270 for an error
of 1e-3 and 690 for 9e-6, Rodas5P 269 and 664 with eight evaluations each; it made 589 and 1342
before its stages had the accelerations of the mechanism. Written by hand in its five numbers
(slider, arm, their rates, the shaft's speed) the governor takes Rodas5P about 165 steps, with 55
refused ones, for 1e-3 and 380 for 1e-5, SciPy's backward differences 430 for 1.6e-3 and 750 for
1.4e-5, SciPy's Radau of order 5 160 for 1.5e-4 and 230 for 1.4e-5. So coordinates cost at most
1.7 times the steps, and backward differences none. Ten times a peer would take a method of
higher order, order 9 perhaps, and matrices of as many rows as the machine has freedoms: here
they have 44. About half of a step of Rodas5P goes to tapes.

Tapes of more than 5000 operations (D4, D5, D6 N = 10) are compiled in a hurry. Compiled as a
whole they took 12 % off D4 and 13 % off D6 N = 10, and made a new structure wait a second more,
once: they are not. D6 N = 10 at 1e-6 takes 9 steps whose errors are 0.01 to 1.1 of what is
allowed: at order 8 the control of steps answers slowly, and an even share would save one or two
of them.

Tried besides. Products fused with their sums save 12 % of D4 and 8 % of D6 N = 10 where tapes are
compiled as a whole, and cost 20 to 25 % where they are compiled in a hurry. Operations in the order
of their longest chains take up to 20 % longer: what holds long tapes down is reading the code. D6
N = 10 takes 8 % less in tiles. A control of steps at order 8 that remembers the error before by a
smaller power than 0.04 takes more evaluations for an equal error; a safety of 0.8 in place of 0.9
takes some 5 % fewer, and steps a tenth shorter at an equal tolerance.

D7 takes 0.1 ms in all, of which 16 us are spent before and after the core runs.
"""

import os
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, final

from yardsticks.fresh import ONE_THREAD, peer
from yardsticks.report import Report, ratio

os.environ.update(ONE_THREAD)  # before NumPy is imported

import numpy as np
from yardsticks.clock import least_seconds
from yardsticks.floor import floors
from yardsticks.forces import CASES, Case, brake, chain

from kempe import Mechanism
from kempe.dynamics.integration import integrated
from kempe.dynamics.preparation.preparation import PreparedDynamics, prepare

FLOOR_THERE = 0.082e-6  # s a step of the four-bar in C, where the peers were timed
FLOOR_STEPS = 3600
TOLERANCES = tuple(10.0 ** (-k / 4) for k in range(8, 45))
EXACT = 1e-12
SOFTEST = 1e3  # times the soft brake: beyond it an explicit method takes for ever
FEW, MANY, SET_UP = 100, 10_000, 1000  # links
Setting = tuple[str, float]  # method, tolerance
PEERS = ("exudyn", "mujoco", "pinocchio", "drake")
SECONDS_TO_SET_UP = 0.5
BYTES_OF_A_BODY = 4096.0


@final
@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured."""

    rounds: int = 2
    repeats: int = 7
    floor_repeats: int = 30
    peer_repeats: int = 5
    link_repeats: int = 15  # in turn: long chains feel whoever else uses the memory
    cases: tuple[str, ...] = tuple(case.name for case in CASES)
    peers: tuple[str, ...] = PEERS
    links: tuple[int, ...] = (FEW, MANY)
    set_up: int = SET_UP
    stiffness: tuple[float, ...] = tuple(10.0**k for k in range(7))


FULL = Sizes()


@final
@dataclass(frozen=True, slots=True)
class Machine:
    """A case that is ready to run: by the core alone, or with its events."""

    case: Case
    mechanism: Mechanism
    prepared: PreparedDynamics
    times: Any  # s, when it is looked at

    def run(self, method: str, tolerance: float) -> Any:
        """The samples and how it ended; the whole simulation where events are looked at."""
        if self.case.seen is not None:
            return integrated(self.prepared, self.times, method, tolerance, None)
        trial = self.case.trial
        return self.mechanism.simulate(
            until=trial.until, steps=trial.looks, method=method, tolerance=tolerance
        )

    def looks(self, found: Any) -> Any:
        """What is looked at; None where the end was not reached."""
        if self.case.seen is None:
            return np.array([event.t for event in found.events])
        out, end = found
        if end.samples < len(self.times):
            return None
        bodies = self.prepared.equations.layout.layout.n_bodies
        return self.case.seen(out["q"].reshape(len(out["q"]), bodies, -1))


@final
@dataclass(frozen=True, slots=True)
class Exact:
    """A case that is ready to run, and what is seen in it when it is solved exactly."""

    machine: Machine
    looks: Any

    @property
    def case(self) -> Case:
        """What is run, and what is looked at in it."""
        return self.machine.case

    def error(self, method: str, tolerance: float) -> float:
        """The largest difference of what is looked at; infinite where the end was not reached."""
        looks = self.machine.looks(self.machine.run(method, tolerance))
        if looks is None or looks.shape != self.looks.shape:
            return float("inf")
        return float(np.abs(looks - self.looks).max())


def measure(sizes: Sizes = FULL) -> dict[str, Any]:
    """Rows (case, who, seconds, per, error) and goals (goal, wanted, got, met)."""
    report = Report()
    slower = _slower(report, sizes)
    cases = [_exact(case) for case in CASES if case.name in sizes.cases]
    settings = {
        (exact.case.name, bound): _settings(exact, bound)
        for exact in cases
        for bound in exact.case.peers
    }
    live: dict[str, dict[str, Any]] = {}
    seconds: dict[tuple[str, float, Setting], float] = {}
    for _ in range(sizes.rounds):  # in turn: a machine that is slow for a while slows all of them
        _run_peers(live, sizes, cases)
        for exact in cases:
            _run_kempe(seconds, sizes, exact, settings)
    for exact in cases:
        peers = _times_of_peers(report, exact.case, live, slower)
        _report_case(report, exact, peers, settings, seconds)
    _measure_stiffness(report, sizes)
    _measure_links(report, sizes)
    _measure_set_up(report, sizes)
    return {"rows": report.rows, "goals": report.goals}


def _slower(report: Report, sizes: Sizes) -> float | None:
    """How many times slower this machine is than the one where the peers were timed."""
    with tempfile.TemporaryDirectory() as folder:
        contestants = {f.level: partial(f, FLOOR_STEPS) for f in floors(Path(folder), 1e-13)}
        if not contestants:
            return None
        least = min(least_seconds(contestants, sizes.floor_repeats).values()) / FLOOR_STEPS
    report.row("four-bar", "floor in C", least, "step")
    return least / FLOOR_THERE


# -- peers -----------------------------------------------------------------------------------


def _run_peers(live: dict[str, dict[str, Any]], sizes: Sizes, cases: list[Exact]) -> None:
    """Adds what every installed peer measures, or keeps the least seconds of each of its runs."""
    looks = {exact.case.name: exact.looks.tolist() for exact in cases}
    given = {"exact": looks, "repeats": sizes.peer_repeats}
    for name in sizes.peers:
        measured, _ = peer(f"{name}_forces", given=given)
        if measured is None:
            continue
        if name in live:
            before = {(run["case"], run["how"]): run for run in live[name]["runs"]}
            for run in measured["runs"]:
                was = before.get((run["case"], run["how"]), {}).get("seconds")
                if was is not None and "seconds" in run:
                    run["seconds"] = min(was, run["seconds"])
        live[name] = measured


def _times_of_peers(
    report: Report, case: Case, live: dict[str, dict[str, Any]], slower: float | None
) -> dict[float, dict[str, float]]:
    """Seconds to reach each error, by who took them; rows for all of it."""
    found: dict[float, dict[str, float]] = {bound: {} for bound in case.peers}
    for measured in live.values():
        runs = [run for run in measured["runs"] if run["case"] == case.name]
        for run in runs:
            who = f"{measured['who']}, {run['how']}"
            report.row(case.name, who, run.get("seconds"), "run", run.get("error"))
        for bound, who in found.items():
            reached = [run["seconds"] for run in runs if run.get("error", np.inf) <= bound]
            if reached:
                who[measured["who"]] = min(reached)
    ran = {n for n, m in live.items() if any(run["case"] == case.name for run in m["runs"])}
    for bound, table in case.peers.items():
        for name, there in table.items():
            if name not in ran and slower is not None:
                who = f"{name}, not run here: scaled from another machine, to {bound:g}"
                found[bound][who] = there * slower
                report.row(case.name, who, there * slower, "run", bound)
    return found


# -- kempe -----------------------------------------------------------------------------------


def _exact(case: Case) -> Exact:
    mechanism = case.make()
    machine = Machine(case, mechanism, prepare(mechanism.layout, 0.0), case.trial.times)
    return Exact(machine, machine.looks(machine.run(case.exact_by, EXACT)))


def _run_kempe(
    seconds: dict[tuple[str, float, Setting], float],
    sizes: Sizes,
    exact: Exact,
    settings: dict[tuple[str, float], dict[Setting, float]],
) -> None:
    """Keeps the least seconds of every setting that reaches an error."""
    name = exact.case.name
    for bound in exact.case.peers:
        contestants = {
            setting: partial(exact.machine.run, *setting) for setting in settings[name, bound]
        }
        for setting, least in least_seconds(contestants, sizes.repeats).items():
            key = (name, bound, setting)
            seconds[key] = min(least, seconds.get(key, np.inf))


def _report_case(
    report: Report,
    exact: Exact,
    peers: dict[float, dict[str, float]],
    settings: dict[tuple[str, float], dict[Setting, float]],
    seconds: dict[tuple[str, float, Setting], float],
) -> None:
    case = exact.case
    for bound, who_took in peers.items():
        reached = settings[case.name, bound]
        who, fastest = min(who_took.items(), key=lambda x: x[1], default=("no peer", None))
        goal = f"{case.name} to {bound:g}: times faster than the fastest peer ({who})"
        if not reached:
            report.at_least(goal, case.wanted[bound], None, "the error was not reached")
            continue
        best = min(reached, key=lambda setting: seconds[case.name, bound, setting])
        method, tolerance = best
        how = f"kempe, {method}, tolerance {tolerance:.2g}, to {bound:g}"
        took = seconds[case.name, bound, best]
        report.row(case.name, how, took, "run", reached[best])
        got = ratio(fastest, took)
        report.at_least(goal, case.wanted[bound], got, "no peer, and no compiler for the floor")


def _settings(exact: Exact, bound: float) -> dict[Setting, float]:
    """The two loosest settings of every method that reach an error, and what they reach."""
    found: dict[Setting, float] = {}
    for method in exact.case.methods:
        reached = 0
        for tolerance in TOLERANCES:
            error = exact.error(method, tolerance)
            if error <= bound:
                found[method, tolerance] = error
                reached += 1
            if reached == 2:
                break
    return found


def _measure_stiffness(report: Report, sizes: Sizes) -> None:
    """What the usual method costs beside the best single one, from soft to stiff."""
    worst, times = 0.0, np.linspace(0.0, 3.0, 61)
    for scale in sizes.stiffness:
        prepared = prepare(brake(scale).layout, 0.0)
        names = ["auto", "rodas5p", *(["dop853"] if scale <= SOFTEST else [])]
        runs = {name: partial(integrated, prepared, times, name, 1e-8, None) for name in names}
        for run in runs.values():
            run()  # what is made once
        seconds = least_seconds(runs, sizes.repeats)
        for name, least in seconds.items():
            report.row(f"brake, k and c x {scale:g}", f"kempe, {name}", least, "run")
        worst = max(worst, seconds["auto"] / min(seconds[name] for name in names[1:]))
    if sizes.stiffness:
        goal = "the usual method over the better of both, k and c x 1 ... 1e6"
        report.at_most(goal, 2.0, worst)


def _measure_links(report: Report, sizes: Sizes) -> None:
    """Cost of an evaluation a body, over chains of few and of many links; and their memory."""
    runs = {
        n: partial(
            integrated, prepare(chain(n).layout, 0.0), np.array([0.0, 0.3]), "dop853", 1e-6, None
        )
        for n in sizes.links
    }
    seconds = least_seconds(runs, sizes.link_repeats)
    costs = []
    for n, run in runs.items():
        end = run()[1]
        costs.append(seconds[n] / end.counts["evaluations"] / n)
        report.row(f"chain of {n} links", "kempe", costs[-1], "body and evaluation")
    if len(costs) > 1:
        report.at_most("cost of a body, many links over few", 1.5, costs[-1] / costs[0])
        # all lists of the equations and of the integrator, dense output included; no samples
        goal = f"bytes of a body in a run of {n} links, lists of the program and the integrator"
        report.at_most(goal, BYTES_OF_A_BODY, end.bytes / n)


def _measure_set_up(report: Report, sizes: Sizes) -> None:
    """From a model to the first step, for a structure that has not been seen."""
    prepare(chain(sizes.set_up // 2).layout, 0.0)  # what is made once a process
    layout = chain(sizes.set_up).layout
    began = time.process_time()
    prepare(layout, 0.0)
    seconds = time.process_time() - began
    report.row(f"chain of {sizes.set_up} links", "kempe", seconds, "set-up")
    goal = f"seconds to set up a chain of {sizes.set_up} links"
    report.at_most(goal, SECONDS_TO_SET_UP, seconds)


if __name__ == "__main__":
    for part in measure().values():
        print(*part, sep="\n")

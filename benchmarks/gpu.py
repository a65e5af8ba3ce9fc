"""How fast batches are on a graphics card: placements of four-bars, simulated double pendula.

`kempe bench gpu` prints what `measure` reports; without a card nothing is measured, and the goals
stay open. A placement is one variant at one sample. Seconds of a kernel are told by the card's own
events; those of a whole call by the clock on the wall, from columns of parameters to results in
memory, summaries being made on the card. What the card gives is compared with the closed form, and
digit by digit with the same text run on the processor. Double pendula swing for ten seconds from
angles of any size, with the steps, errors and projections of the processor, beside one core of it.
"""

import datetime
import time
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from yardsticks.four_bars import NAMES, lengths, worst
from yardsticks.report import Report, ratio

import kempe
from kempe import gallery

WANTED_KERNEL = 2.5e10  # placements a second
WANTED_CALL = 1.0e9
TOLERANCE = 1e-12  # m, to the processor's digits
SWINGS = 10.0  # s that double pendula are simulated for
EARLY = 1.0  # s of them that are compared: what differs in the last digit grows later on


@final
@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured."""

    variants: int = 1_000_000
    compared: int = 2_000
    coarse: int = 360  # steps of a turn
    fine: int = 3_600
    repeats: int = 3
    pendula: int = 1_000_000
    alone: int = 200  # pendula on one core of the processor
    samples: int = 1_000


FULL = Sizes()


def measure(sizes: Sizes = FULL, device: str = "gpu") -> dict[str, Any]:
    """Rows (case, who, seconds, per, error), goals (goal, wanted, got, met) and the machine."""
    report = Report()
    name, missing = _card() if device == "gpu" else (device, "")
    found = {} if missing else _measured(report, sizes, device, name)
    for steps in (sizes.coarse, sizes.fine):
        kernel = found.get(("kernel", steps))
        goal = f"{sizes.variants} four-bars x {steps} steps: placements a second, kernel"
        report.at_least(goal, WANTED_KERNEL, ratio(1.0, kernel), missing)
    call = found.get(("call", sizes.fine))
    goal = "the same, whole calls with summaries made on the card"
    report.at_least(goal, WANTED_CALL, ratio(1.0, call), missing)
    goal = "how far the card's digits are from the processor's (m)"
    report.at_most(goal, TOLERANCE, found.get(("off", 0)), missing)
    swung = {} if missing else _swung(report, sizes, device, name)
    goal = f"{sizes.pendula} double pendula beside one core of the processor (times as fast)"
    report.at_least(goal, 1.0, ratio(swung.get("core"), swung.get("kernel")), missing)
    goal = f"how far the card's pendula are from the processor's after {EARLY:g} s (m)"
    report.at_most(goal, TOLERANCE, swung.get("off"), missing)
    made = {"card": name, "kempe": kempe.__version__, "date": f"{datetime.date.today()}"}
    return {"rows": report.rows, "goals": report.goals, "machine": made}


def _card() -> tuple[str, str]:
    """What the card is called, or why there is none."""
    from kempe.compile.cuda.card import the_card

    try:
        cupy = the_card()
    except kempe.KempeError as mistake:
        return "", str(mistake)
    return str(cupy.cuda.runtime.getDeviceProperties(0)["name"], "ascii"), ""


def _measured(report: Report, sizes: Sizes, device: str, name: str) -> dict[tuple[str, int], float]:
    """Seconds a placement by kind and steps; and how far the digits are off."""
    mechanism, found = gallery.four_bar(start=0.0), {}
    given = lengths(sizes.variants)

    def batch(count: int, steps: int, **how: Any) -> Any:
        columns = dict(zip(NAMES, given[:count].T, strict=True))
        how = {"device": device, "memory": "64 GB"} | how
        return mechanism.batch(columns, until=1.0, steps=steps, outputs=["coupler.P"], **how)

    few = min(sizes.compared, sizes.variants)
    own = batch(few, sizes.coarse, derivatives=2)
    here = batch(few, sizes.coarse, derivatives=2, device="emulated")
    found["off", 0] = max(
        float(np.abs(a - b).max())
        for a, b in zip(own["coupler.P"].orders, here["coupler.P"].orders, strict=True)
    )
    error = worst(own["coupler.P"].values, given)
    for steps in (sizes.coarse, sizes.fine):
        calls, kernels = [], []
        for _ in range(sizes.repeats):
            began = time.perf_counter()
            one = batch(sizes.variants, steps, keep="summary")
            calls.append(time.perf_counter() - began)
            kernels.append(one.device_seconds)
            assert one.is_done.all()
        placements = sizes.variants * (steps + 1)
        case = f"{sizes.variants} four-bars x {steps} steps, summaries"
        found["call", steps] = min(calls) / placements
        if min(kernels) > 0.0:
            found["kernel", steps] = min(kernels) / placements
            report.row(case, f"{name}, kernel", found["kernel", steps], "placement", error)
        report.row(case, f"{name}, whole call", found["call", steps], "placement", error)
    return found


def _swung(report: Report, sizes: Sizes, device: str, name: str) -> dict[str, float]:
    """Seconds a sample of a double pendulum by who, and how far the digits are off (m)."""
    mechanism, found = gallery.double_pendulum(), {}
    rng = np.random.default_rng(11)
    angles = rng.uniform(-2.5, 2.5, (2, sizes.pendula))

    def batch(count: int, until: float, steps: int, **how: Any) -> Any:
        start = {"top.angle": angles[0, :count], "middle.angle": angles[1, :count]}
        how = {"memory": "64 GB", "analysis": "simulation", "start": start} | how
        return mechanism.batch({}, until=until, steps=steps, outputs=["lower.P"], **how)

    few = min(sizes.alone, sizes.pendula)
    own, here = (batch(few, EARLY, 20, device=where) for where in (device, "cpu"))
    found["off"] = float(np.abs(own["lower.P"].values - here["lower.P"].values).max())
    case = f"double pendula x {sizes.samples} samples in {SWINGS:g} s, summaries"
    began = time.perf_counter()
    batch(few, SWINGS, sizes.samples, keep="summary", threads=1)
    found["core"] = (time.perf_counter() - began) / (few * sizes.samples)
    report.row(f"{few} {case}", "one core", found["core"], "sample", 0.0)
    began = time.perf_counter()
    many = batch(sizes.pendula, SWINGS, sizes.samples, keep="summary", device=device)
    call = (time.perf_counter() - began) / (sizes.pendula * sizes.samples)
    case = f"{sizes.pendula} {case}"
    if many.device_seconds > 0.0:
        found["kernel"] = many.device_seconds / (sizes.pendula * sizes.samples)
        report.row(case, f"{name}, kernel", found["kernel"], "sample", found["off"])
    report.row(case, f"{name}, whole call", call, "sample", found["off"])
    return found

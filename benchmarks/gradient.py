"""What a gradient costs beside the number itself, and how exact it is.

`kempe bench gradient` prints what `measure` reports: CPU seconds of one thread, the least of
several repeats, of whole calls at parameters never asked for before. The error of a gradient is the
largest difference from a step in the imaginary direction of a closed form, beside the largest
slope.
"""

import os
from dataclasses import dataclass
from itertools import count
from typing import Any, final

from yardsticks.fresh import ONE_THREAD
from yardsticks.report import Report

os.environ.update(ONE_THREAD)  # before NumPy is imported

import numpy as np
from yardsticks.clock import least_seconds

import kempe

MM, TINY, SPEED = 1e-3, 1e-200, 6.0
HOME = {
    "crank": 30.0,
    "coupler": 90.0,
    "rocker": 70.0,
    "px": 45.0,
    "py": 40.0,
    "ax": 0.0,
    "ay": 0.0,
    "bx": 100.0,
    "by": 0.0,
    "phase": 0.0,
}


@final
@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured."""

    steps: tuple[int, ...] = (17, 360)
    calls: int = 50
    repeats: int = 7


FULL = Sizes()


@kempe.parametric
def four_bar(
    crank: float = 30.0,
    coupler: float = 90.0,
    rocker: float = 70.0,
    px: float = 45.0,
    py: float = 40.0,
    ax: float = 0.0,
    ay: float = 0.0,
    bx: float = 100.0,
    by: float = 0.0,
    phase: float = 0.0,
) -> kempe.Mechanism:
    """A four-bar with ten parameters."""
    m = kempe.Builder("four-bar", plane=True, units="mm")
    first, last = m.bar("crank", crank), m.bar("rocker", rocker)
    middle = m.bar("coupler", coupler, points={"P": (px, py)})
    m.revolute(m.ground.at(ax, ay), first.start)
    m.revolute(first.end, middle.start)
    m.revolute(middle.end, last.end)
    m.revolute(last.start, m.ground.at(bx, by))
    m.drive(first.angle, start=phase, speed=SPEED)
    return m.build()


def closed_form(t: Any, side: float, x: Any) -> Any:
    """P (n, 2), in m, for parameters that may be complex."""
    a, b, c, px, py, ax, ay, bx, by = (MM * v for v in x[:9])
    turn = x[9] + SPEED * t
    ex, ey = ax + a * np.cos(turn), ay + a * np.sin(turn)
    dx, dy = bx - ex, by - ey
    square = dx * dx + dy * dy
    along = (square + b * b - c * c) / (2.0 * square)
    across = side * np.sqrt(b * b / square - along * along)
    ux, uy = (along * dx - across * dy) / b, (along * dy + across * dx) / b
    return np.stack([ex + px * ux - py * uy, ey + px * uy + py * ux], axis=-1)


def measure(sizes: Sizes = FULL) -> dict[str, Any]:
    """Rows (case, who, seconds, per, error) and goals (goal, wanted, got, met)."""
    report = Report()
    for steps in sizes.steps:
        measure_path(report, steps, sizes)
    return {"rows": report.rows, "goals": report.goals}


def measure_path(report: Report, steps: int, sizes: Sizes) -> None:
    """The error of a path by ten parameters, with and without its gradient."""
    home = four_bar()
    goal = four_bar(crank=33.0, py=30.0).kinematics(until=1.0, steps=steps)["coupler.P"].position
    error = kempe.gradients.PathError("coupler.P", goal)
    cost = home.objective(error, list(HOME), until=1.0, steps=steps)
    cost.value(cost.x0 + 1.0)  # far enough that what is near needs no look
    cost.value_and_gradient(cost.x0 + 0.5)
    number = count(1)

    def alone() -> None:
        for _ in range(sizes.calls):
            cost.value(cost.x0 + 1e-5 * next(number))

    def both() -> None:
        for _ in range(sizes.calls):
            cost.value_and_gradient(cost.x0 + 1e-5 * next(number))

    found = least_seconds({"value": alone, "gradient": both}, sizes.repeats)
    case = f"path error of {steps + 1} places by {len(HOME)} parameters"
    report.row(case, "kempe, the error", found["value"] / sizes.calls, "call")
    off = error_of_gradient(cost, goal)
    report.row(case, "kempe, with its gradient", found["gradient"] / sizes.calls, "call", off)
    gain = found["gradient"] / found["value"]
    report.at_most(f"{steps} steps: error and gradient, times the error alone", 3.0, gain)
    report.at_most(f"{steps} steps: the gradient, times the error alone", 2.0, gain - 1.0)
    report.at_most(f"{steps} steps: off the complex step, of the largest slope", 1e-10, off)


def error_of_gradient(cost: Any, goal: Any) -> float:
    """How far a gradient is off that of the closed form."""
    x = cost.x0 + np.linspace(-1.0, 1.0, len(HOME))
    value, slopes = cost.value_and_gradient(x)

    def closed(side: float, x: Any) -> Any:
        away = closed_form(cost.times, side, x) - goal
        return (away * away).sum() / len(goal)

    side = min((1.0, -1.0), key=lambda s: abs(closed(s, x) - value))
    true = []
    for k in range(len(x)):
        moved = x.astype(complex)
        moved[k] += 1j * TINY
        true.append(closed(side, moved).imag / TINY)
    return float(np.abs(slopes - true).max() / np.abs(true).max())

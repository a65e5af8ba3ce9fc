"""`kempe simulate`."""

from typing import TYPE_CHECKING

from kempe.cli.motion import Stepping, mechanism_of, run_of, simulated
from kempe.cli.options import AsJson, Model, Steps, Tolerance, Until
from kempe.cli.writing import Files

if TYPE_CHECKING:
    from kempe.front import Trajectory


def simulate(
    what: Model,
    *,
    until: Until = None,
    steps: Steps = None,
    stepping: Stepping,
    tolerance: Tolerance = None,
    files: Files,
    as_json: AsJson = False,
) -> int:
    """Move a mechanism by its forces, and say how it went.

    Example: kempe simulate double_pendulum.yaml --until 10 -o motion.csv -o motion.html
    """
    import numpy as np

    files.paths()
    mechanism = mechanism_of(what)
    asked = run_of(what, mechanism)
    files.refuse(mechanism, asked, is_simulated=True)
    trajectory = simulated(mechanism, asked, until, steps, tolerance, method=stepping.of(asked))
    facts = {
        "method": trajectory.motion.recipe.method,
        "methods": [[t, name] for t, name in trajectory.motion.recipe.methods],
        "energy_change": float(np.ptp(trajectory.energy.total)) if len(trajectory) else 0.0,
    }
    words = "" if as_json else _words(trajectory, files.unit)
    return files.answer(trajectory, asked, facts, words, as_json=as_json)


def _words(trajectory: "Trajectory", units: list[str] | None) -> str:
    """The summary of a run, and what it cost."""
    words, counts = trajectory.summary(units=tuple(units or ())), trajectory.motion.counts
    if not len(trajectory):
        return words
    damped = f", {counts['damped']} of them damped" if counts["damped"] else ""
    cost = f"{counts['steps']} steps, {counts['evaluations']} evaluations{damped}."
    return f"{words}\n{cost}{_changes(trajectory)}"


def _changes(trajectory: "Trajectory") -> str:
    """Which methods made the steps, where it was more than one."""
    methods = trajectory.motion.recipe.methods
    if len(methods) < 2:
        return ""
    shown = ", ".join(f"{name} from {t:.4g} s on" for t, name in methods[:5])
    more = f", and {len(methods) - 5} changes more" if len(methods) > 5 else ""
    return f"\nSteps were made by {shown}{more}."

"""`kempe run`."""

from dataclasses import asdict

from kempe.cli.motion import Sweep, motion_of
from kempe.cli.options import AsJson, Moved, Tolerance
from kempe.cli.writing import Files


def run(
    what: Moved,
    *,
    sweep: Sweep,
    tolerance: Tolerance = None,
    files: Files,
    as_json: AsJson = False,
) -> int:
    """Sweep a mechanism as its file or the options ask, and say in words what it did.

    Example: kempe run four_bar --until 1 -o motion.csv -o motion.html --trace coupler.P
    """
    files.paths()
    trajectory, asked = motion_of(what, **sweep.given(), tolerance=tolerance, refuse=files.refuse)
    facts = {
        "continuations": [asdict(way) for way in trajectory.outcome.continuations],
        "passes": [asdict(passed) for passed in trajectory.passes],
        "step_control": asdict(trajectory.motion.control),
    }
    words = "" if as_json else trajectory.summary(units=tuple(files.unit or ()))
    return files.answer(trajectory, asked, facts, words, as_json=as_json)

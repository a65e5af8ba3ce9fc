"""What a table says about the trajectory it holds, as plain data."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory


def facts(trajectory: "Trajectory") -> dict[str, Any]:
    """Mechanism, how the run ended, redundant joints and where the numbers come from."""
    outcome = trajectory.outcome
    return {
        "mechanism": trajectory.subject.name,
        "outcome": {
            "name": outcome.name,
            "message": outcome.message,
            "advice": outcome.advice,
            "facts": dict(outcome.facts),
            "continuations": [asdict(way) for way in outcome.continuations],
        },
        "passes": [asdict(passed) for passed in trajectory.passes],
        "redundant": list(trajectory.redundant),
        "provenance": asdict(trajectory.provenance),
    }

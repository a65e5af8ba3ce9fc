"""Snapshots: where a live solver stands."""

import math
from dataclasses import dataclass
from typing import final

from kempe.front.position import FloatArray, Position
from kempe.outcome import Outcome


@final
@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Snapshot(Position):
    """Where a live solver stands: snapshot["coupler.P"] or snapshot["rocker.angle"].

    `values` are the driven values at which the mechanism stands, by name; `outcome` says whether
    they are those that were asked for.
    """

    values: dict[str, float]

    @property
    def outcome(self) -> Outcome:
        """Whether the values asked for were reached, and why not."""
        return self.trajectory.outcome

    def __getitem__(self, name: str) -> float | FloatArray:
        """A point or a measure by its name; driven angles in space with the turns of the drive."""
        value = Position.__getitem__(self, name)
        if name in self.values and self.trajectory[name].unit == "rad":
            return float(value + math.tau * round(float(self.values[name] - value) / math.tau))
        return value

    def __repr__(self) -> str:
        at = ", ".join(f"{name} = {value:.6g}" for name, value in self.values.items())
        return f"Snapshot of {self.trajectory.subject.name!r} at {at}: {self.outcome.name}"

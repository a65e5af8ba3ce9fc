"""A live solver: set driven values, read where everything is."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.drives import Setting
from kempe.errors import DriveError, UnknownName, nearest_name
from kempe.front.parts import in_words
from kempe.front.position import Position
from kempe.front.trajectory import Trajectory, TurnedAngles
from kempe.interruption import keeps_what_is_done
from kempe.kinematics.closing.placement import Guesses
from kempe.kinematics.sweep.live import Live
from kempe.model import Model
from kempe.outcome import Outcome
from kempe.results import Motion
from kempe.units import in_si


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

    def __repr__(self) -> str:
        at = ", ".join(f"{name} = {value:.6g}" for name, value in self.values.items())
        return f"Snapshot of {self.trajectory.subject.name!r} at {at}: {self.outcome.name}"


@final
class Solver:
    """A mechanism whose drives have become values that are set from outside.

    Example:
        >>> import kempe
        >>> solver = kempe.gallery.four_bar(crank=1, coupler=3, rocker=3, ground=3).solver()
        >>> now = solver.update({"crank.angle": "90 deg"})
        >>> now.outcome.name, now["crank.end"].round(9).tolist()
        ('Done', [0.0, 1.0])
    """

    def __init__(
        self,
        model: Model,
        *,
        executor: str = "auto",
        plan: str = "auto",
        start: Guesses | None = None,
    ) -> None:
        if not model.drives:
            raise DriveError(
                f"{model.name!r} has no drive, so there is no value to set: add one, or name the"
                ' measures to set, for example mechanism.solver("crank.angle").'
            )
        self._live = Live(model, executor, plan, start)

    def __repr__(self) -> str:
        return f"Solver that sets {', '.join(self.values)}: .update(values), .state"

    @property
    def values(self) -> dict[str, float]:
        """The driven values at which the mechanism stands (m, rad), by name."""
        names = (drive.gauge.name for drive in self._live.drives)
        return dict(zip(names, self._live.values.tolist(), strict=True))

    @property
    def state(self) -> Snapshot:
        """Where everything is now."""
        live = self._live
        drives, values, layout = live.drives, self.values, live.layout

        def reading() -> Trajectory:
            laws = zip(drives, values.values(), strict=True)
            set_there = tuple(replace(drive, law=Setting(x, x)) for drive, x in laws)
            there = Layout(replace(layout.model, drives=set_there))
            return Trajectory(there, replace(motion, angles={}))

        still = np.zeros((1, layout.n_v))
        angles = TurnedAngles(reading, 0)
        motion = Motion(
            np.zeros(1), live.q[None].copy(), still, still.copy(), live.outcome, angles=angles
        )
        return Snapshot.of(Trajectory(layout, motion), values=values)

    @keeps_what_is_done
    def update(self, values: Mapping[str, float | str]) -> Snapshot:
        """Set driven `values` by name, some or all (SI, or text with a unit), and go there.

        The mechanism moves along the straight way between the old and the new values and never
        leaves its branch. Where it cannot reach them it stays as near as it came, and the outcome
        says why.
        """
        if not isinstance(values, Mapping):
            raise DriveError(
                'values are set by name, such as {"crank.angle": "90 deg"}, not by'
                f" {in_words(values)}."
            )
        wanted = self.values
        for name, value in values.items():
            if name not in wanted:
                raise UnknownName(
                    f"{name!r} is not driven, so it cannot be set.{nearest_name(name, wanted)}",
                    name=name,
                )
            unit = next(d.gauge.unit for d in self._live.drives if d.gauge.name == name)
            wanted[name] = in_si(value, unit)
        self._live.go_to(list(wanted.values()))
        return self.state

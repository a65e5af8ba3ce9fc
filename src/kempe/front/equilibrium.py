"""Equilibria: where a mechanism rests, by name, with the verdict on whether it stays there."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import BadNumber
from kempe.front.position import Position
from kempe.front.trajectory import Trajectory
from kempe.names import refuse_no_texts
from kempe.outcome import Outcome
from kempe.results.reports.equilibrium import FreeDirection, Hold, Rested, Verdict
from kempe.statics.path import Path as Followed
from kempe.units import factor

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kempe.front.mechanism import Mechanism

FloatArray = NDArray[np.float64]

MOST_NAMED = 8  # measures and joints in a report
SAYS = {
    "stable": "is stable: a small push brings it back",
    "unstable": "is unstable: the smallest push leads it away",
    "marginal": "is marginal: to second order something can be moved that nothing brings back",
}
STUCK = "is stable: friction holds it, a push that leaves it within its limits moves nothing"


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Equilibrium:
    """Where a mechanism rests: equilibrium["crank.angle"], equilibrium["hinge.force"].

    `stable` is True, False, or None where second order does not tell (marginal) or nothing was
    found; `outcome` says how the search ended. It can be the `start` of any analysis.
    """

    state: Position
    found: Rested

    @classmethod
    def of(cls, layout: Layout, found: Rested) -> "Equilibrium":
        """What was `found` for the mechanism of `layout`, to be read by name."""
        return cls(Trajectory(layout, found.motion).state(0), found)

    @property
    def trajectory(self) -> Trajectory:
        """Of this one sample, with everything that can be read off it."""
        return self.state.trajectory

    @property
    def outcome(self) -> Outcome:
        """How the search ended: Done, or why there is nothing to rest on."""
        return self.found.outcome

    @property
    def verdict(self) -> Verdict | None:
        """'stable', 'unstable' or 'marginal'; None where nothing was found."""
        return self.found.verdict

    @property
    def stable(self) -> bool | None:
        """Whether a small push brings it back; None where it is marginal, or nothing was found."""
        return {"stable": True, "unstable": False}.get(self.verdict or "")

    @property
    def directions(self) -> tuple[FreeDirection, ...]:
        """The ways in which it can be moved, the least stiff first."""
        return self.found.directions

    @property
    def stiffness(self) -> FloatArray:
        """Of all directions, lowest first: J for a displacement of one size of it, or one rad."""
        return np.array([way.stiffness for way in self.found.directions])

    @property
    def holds(self) -> tuple[Hold, ...]:
        """Frictions and stops that hold it: the effort of each, and how much of its limit."""
        return self.found.holds

    @property
    def notes(self) -> tuple[str, ...]:
        """What was changed on the way: places that the joints forbid, balances that do not last."""
        return self.trajectory.notes

    def __getitem__(self, name: str) -> float | FloatArray:
        """What a name means here: a number, or an array (k,) of a point or a force; SI."""
        return self.state[name]

    @property
    def report(self) -> str:
        """All of it in words."""
        model, name = self.trajectory.layout.model, self.trajectory.subject.name
        if not self.outcome.is_done:
            return f"{name}: {self.outcome}"
        is_stuck = not self.directions and any(hold.kind == "friction" for hold in self.holds)
        said = STUCK if is_stuck else SAYS[str(self.verdict)]
        lines = [f"{name}: this equilibrium {said}."]
        if self.found.flutters:
            lines.append("Forces that follow the motion feed an oscillation: it flutters.")
        elif not self.found.is_conservative:
            lines.append("Some forces follow the motion: no energy alone decides this.")
        lines += self._directions(model.length_unit, plane=model.plane)
        lines += [f"  {hold}" for hold in self.holds]
        lines += list(self._readings())
        lines += [f"Note: {note}." for note in self.notes]
        return "\n".join(lines)

    def _directions(self, unit: str, *, plane: bool) -> list[str]:
        if not self.directions:
            others = {"friction": "friction", "stop": "stops"}
            kinds = dict.fromkeys(others[hold.kind] for hold in self.holds)
            parts = ["joints", "drives", *kinds]
            return [f"Its {', '.join(parts[:-1])} and {parts[-1]} hold all of it."]
        lowest, lines = self.directions[0], []
        if self.verdict != "stable":
            moves = [
                f"{one.body} {one.words(factor('m', unit), unit, plane=plane)}"
                for one in lowest.motion.motions[:3]
            ]
            lines.append(f"The way it goes: {'; '.join(moves)}.")
        shown = ", ".join(f"{k:.4g}" for k in self.stiffness[:4])
        more = ", ..." if len(self.stiffness) > 4 else ""
        lines.append(
            f"Stiffness of its {len(self.directions)} way{'s' * (len(self.directions) != 1)} to"
            f" move: {shown}{more} J for one size of it, or one rad."
        )
        return lines

    def _readings(self) -> Iterator[str]:
        trajectory, told = self.trajectory, 0
        for joint in trajectory.subject.joints:
            words = []
            for word in ("angle", "displacement"):
                reading = f"{joint.name}.{word}"
                if reading in trajectory:
                    channel = trajectory[reading]
                    shown = "deg" if channel.unit == "rad" else channel.shown
                    value = float(channel.values[0]) * factor(channel.unit, shown)
                    words.append(f"{word} {value:.6g} {shown}")
            if f"{joint.name}.force" in trajectory:
                size = float(np.linalg.norm(trajectory[f"{joint.name}.force"].values[0]))
                words.append(f"force {size:.4g} N")
            if words and told < MOST_NAMED:
                told += 1
                yield f"  {joint.name}: {', '.join(words)}"
        for name in trajectory.names:
            if name.endswith(".effort"):
                channel = trajectory[name]
                yield f"  {name}: {float(channel.values[0]) + 0.0:.6g} {channel.unit}"

    def svg(self) -> str:
        """A picture of it."""
        return self.state.svg()

    def _repr_html_(self) -> str:
        return self.state._repr_html_()

    def __str__(self) -> str:
        return self.report

    def __repr__(self) -> str:
        said = self.verdict or self.outcome.name
        return f"Equilibrium of {self.trajectory.subject.name!r}: {said}"


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EquilibriumPath:
    """Equilibria one after the other, as a parameter or a drive changes: path["hinge.angle"].

    `values` are those of what changes, SI; where the path ends early, `outcome` says why.
    """

    what: str
    followed: Followed
    equilibria: tuple[Equilibrium, ...]

    @classmethod
    def of(cls, what: str, followed: Followed) -> "EquilibriumPath":
        """The equilibria `followed` over the parameter or measure `what`, to be read by name."""
        pairs = zip(followed.layouts, followed.found, strict=True)
        return cls(what, followed, tuple(Equilibrium.of(*pair) for pair in pairs))

    @property
    def values(self) -> FloatArray:
        """Of what changes, (n,)."""
        return self.followed.values

    @property
    def outcome(self) -> Outcome:
        """How it ended."""
        return self.followed.outcome

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Which of the equilibria are stable, (n,)."""
        return np.array([bool(one.stable) for one in self.equilibria], dtype=bool)

    @property
    def snaps(self) -> tuple[float, ...]:
        """Values at which it jumped to another equilibrium."""
        return self.followed.snaps

    def __len__(self) -> int:
        return len(self.equilibria)

    def __getitem__(self, name: str) -> FloatArray:
        """What a name means at every equilibrium, (n,) or (n, k), SI."""
        return np.array([one[name] for one in self.equilibria])

    @property
    def trajectory(self) -> Trajectory:
        """The equilibria as samples, a second apart in all: to draw and to animate.

        Forces read off it are those of the first parameters; read them off the path itself.
        """
        from dataclasses import replace

        if not self.equilibria:
            raise BadNumber(f"there is no equilibrium to draw: {self.outcome}")
        motions = [one.found.motion for one in self.equilibria]
        n = len(motions)
        rows: dict[str, Any] = {
            word: np.concatenate([getattr(m, word) for m in motions])
            for word in ("q", "v", "a", "kinetic", "potential", "dissipated", "driven", "violation")
        }
        rows["multipliers"] = np.vstack([m.multipliers for m in motions])
        t = np.linspace(0.0, 1.0, n) if n > 1 else np.zeros(1)
        return Trajectory(
            self.equilibria[0].trajectory.layout,
            replace(motions[0], t=t, outcome=self.outcome, **rows),
        )

    def columns(self, *names: str) -> dict[str, FloatArray]:
        """Columns (n,), SI: what changes, whether it is stable (1 or 0), and numbers by `names`."""
        refuse_no_texts(names)
        table = {self.what: self.values, "stable": self.stable.astype(np.float64)}
        for name in names:
            values = self[name]
            if values.ndim == 1:
                table[name] = values
            else:
                table |= {f"{name}.{'xyz'[k]}": values[:, k] for k in range(values.shape[1])}
        return table

    def plot(self, *names: str) -> "Figure":
        """A figure of the numbers `names` over what changes; what is not stable is dashed."""
        from kempe.export.linear_plots import path_figure

        return path_figure(self, names)

    def __repr__(self) -> str:
        stable = int(self.stable.sum())
        return (
            f"{len(self)} equilibria over {self.what}, {stable} of them stable: {self.outcome.name}"
        )


@final
@dataclass(frozen=True, slots=True, eq=False)
class Preload:
    """Values of parameters that hold a mechanism in a position, and the mechanism with them."""

    values: dict[str, float]
    mechanism: "Mechanism"
    equilibrium: Equilibrium

    @property
    def outcome(self) -> Outcome:
        """Whether they hold it."""
        return self.equilibrium.outcome

    def __str__(self) -> str:
        shown = ", ".join(f"{name} = {value:.9g}" for name, value in self.values.items())
        return f"{shown}\n{self.equilibrium.report}"

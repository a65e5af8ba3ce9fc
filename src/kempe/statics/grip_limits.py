"""What frictions exert at rest, row by row, and the most that each of them can."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.dynamics.events.efforts import norms
from kempe.dynamics.events.watched_gauges import WatchedGauges
from kempe.dynamics.preparation.joint_loads import joint_loads
from kempe.forces import DryFriction, JointFriction
from kempe.measures import Gauge
from kempe.statics.system import Balance, StaticSystem

FloatArray = NDArray[np.float64]
Friction = JointFriction | DryFriction

MOST_SHARINGS = 300  # of weights, where several joints hold one motion


@final
@dataclass(frozen=True, eq=False)
class Grip:
    """One row by which a friction holds its joint: the measure, and its value at rest."""

    friction: Friction
    place: int  # among the rows of its friction
    gauge: Gauge
    value: float | None = None  # None: as it was last read

    @property
    def arm(self) -> float:
        """What its effort acts at: 1 (N m), the radius (m) where a foot resists spin."""
        friction = self.friction
        return friction.arms[self.place] if isinstance(friction, JointFriction) else 1.0


@final
class Limits:
    """What frictions can hold at one place, by the multipliers of all rows."""

    def __init__(self, system: StaticSystem, here: Balance, grips: tuple[Grip, ...]) -> None:
        self.system, self.here, self.grips = system, here, grips
        self.frictions = tuple(dict.fromkeys(grip.friction for grip in grips))
        self.owners = np.array([self.frictions.index(g.friction) for g in grips], dtype=int)
        self.arms = np.array([grip.arm for grip in grips], dtype=np.float64)
        self.loads = joint_loads(system.equations)

    def sizes(self, efforts: FloatArray) -> FloatArray:
        """|f| of every friction, by the efforts of all rows."""
        return norms(efforts / self.arms, self.owners, len(self.frictions))

    def at(self, lam: FloatArray) -> list[float]:
        """The largest effort (N, N m) of every friction."""
        N: dict[str, float] = {}
        if self.loads is not None:
            found = self.loads.at(self.here.state.q[None, :], lam[None, :])[0]
            names = (friction.name for friction in self.loads.frictions)
            N = dict(zip(names, found.tolist(), strict=True))
        return [
            f.static_share * N[f.name] if isinstance(f, JointFriction) else _size(f)
            for f in self.frictions
        ]

    def shared(
        self, rubbed: NDArray[np.int_], others: Sequence[Grip]
    ) -> tuple[FloatArray, FloatArray]:
        """lam (rows,), and the efforts of `others`, so that the largest share is the least.

        `rubbed` are the rows of the first frictions. Own: Lawson's weights, with limits that follow
        the multipliers.
        """
        system, here = self.system, self.here
        lam, f = here.lam * system.row_weights, np.zeros(len(others))
        if not others:
            return lam, f
        gauges = WatchedGauges(system.layout, [one.gauge for one in others], ())
        at = here.state
        seen = gauges.measured(at.q, at.v, at.t, np.zeros(len(gauges.turned)))
        G = seen.gradients[[gauges.place(one.gauge) for one in others]]
        _, held = system.freedoms(here.J)
        answers = system.row_weights[:, None] * (held @ (system.units * G).T)  # dlam / df
        weights, best = np.ones(len(self.frictions)), (np.inf, lam, f)
        for _ in range(MOST_SHARINGS):
            limits = np.maximum(np.array(self.at(lam + answers @ f)), 1e-300)
            scale = (np.sqrt(weights) / limits)[self.owners] / self.arms
            A = np.vstack([-answers[rubbed], np.eye(len(others))]) * scale[:, None]
            b = np.concatenate([-lam[rubbed], np.zeros(len(others))]) * scale
            f = 0.5 * (f + np.linalg.lstsq(A, -b)[0])  # limits follow, and must not swing
            now = lam + answers @ f
            exerted = np.concatenate([-now[rubbed], f])
            used = self.sizes(exerted) / np.maximum(self.at(now), 1e-300)
            if used.max() < best[0]:
                best = (float(used.max()), now, f)
            weights = weights * (used + 1e-6 * used.max() + 1e-300)
            weights = weights / weights.sum()
        return best[1], best[2]


def along(friction: Friction) -> Gauge:
    """The measure along which a friction acts."""
    return friction.rubs if isinstance(friction, JointFriction) else friction.gauge


def _size(friction: DryFriction) -> float:
    return float(friction.sliding if friction.breakaway is None else friction.breakaway)

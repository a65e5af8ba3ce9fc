"""Legs of a run with events: where each begins, and its samples by the rows of the whole model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.dynamic_layout import (
    samples_at_origins,
    to_origins,
    velocities_at_origins,
)
from kempe.compile.layout.layout import Layout
from kempe.dynamics.ending import RunEnd
from kempe.dynamics.events.grips import grip_columns
from kempe.dynamics.events.modes import Mode, ModeModel, Modes, RowKey, Running, held_measures
from kempe.model import Model
from kempe.outcome import Outcome
from kempe.results import Event, Motion, Recipe
from kempe.results.state import State

FloatArray = NDArray[np.float64]
Rows = dict[str, FloatArray]  # samples, by what they are of
Leg = tuple[Rows, "core.IntegratorEnd", RunEnd]
Turns = Mapping[RowKey, float]


@final
@dataclass(frozen=True, slots=True, eq=False)
class LegStart:
    """Where a leg begins: the centres of mass, what is counted, and states of all forces."""

    t: float
    q: FloatArray
    v: FloatArray
    turns: Turns
    last: FloatArray  # angles that watches count
    states: FloatArray  # of all forces of the model, whether they act or not

    def running(self, modes: Modes, mode: Mode) -> Running:
        """A mode that starts here."""
        q = to_origins(modes.base, self.q[None, :])[0]
        at = State(self.t, q, self.v, states=self.states)
        return modes.running(mode, at, dict(self.turns))

    def event(
        self,
        model: Model,
        after: FloatArray,
        name: str,
        kind: str,
        direction: str,
        *,
        speed: float = 0.0,
        impulse: float = 0.0,
        lost: float = 0.0,
        words: str = "",
        unit: str = "m",
    ) -> Event:
        """What happens here, seen at the origins; velocities become `after`."""
        q = self.q[None, :]
        v, v_after = (velocities_at_origins(model, q, x[None, :])[0] for x in (self.v, after))
        where = to_origins(model, q)[0]
        return Event(
            self.t,
            name,
            kind,
            direction,
            tuple(where.tolist()),
            tuple(v.tolist()),
            tuple(v_after.tolist()),
            speed=speed,
            impulse=impulse,
            lost=lost,
            words=words,
            unit=unit,
            states=tuple(self.states.tolist()),
        )


@final
@dataclass(eq=False)
class JoinedLegs:
    """Samples of the legs so far, by the rows of the whole model."""

    layout: Layout
    states: FloatArray  # of all forces, where the present leg begins
    arrays: dict[str, list[FloatArray]] = field(default_factory=dict)
    works: FloatArray = field(default_factory=lambda: np.zeros(2))  # J: dissipated, driven
    counts: dict[str, int] = field(default_factory=dict)
    n: int = 0

    def __post_init__(self) -> None:
        model = self.layout.model
        self.held = held_measures(model)
        self.grips = grip_columns(model)
        self.places = {key: k for k, key in enumerate(ModeModel(model, Mode()).rows)}

    def add(self, rows: Rows, counts: Mapping[str, int]) -> None:
        """One more leg."""
        for name, array in rows.items():
            self.arrays.setdefault(name, []).append(array)
        self.n += len(rows["t"])
        for name, count in counts.items():
            self.counts[name] = self.counts.get(name, 0) + count

    def whole(self, name: str) -> FloatArray:
        """All samples of an array."""
        return np.concatenate(self.arrays[name])

    def spent(self, loss: float, driven: float) -> None:
        """Adds energies (J) that were dissipated and put in by drives between two legs."""
        self.works = self.works + np.array([loss, driven])

    def rows(self, running: Running, out: Rows, t: FloatArray, some: slice) -> Rows:
        """Samples of a leg with multipliers and efforts by the rows of the whole model."""
        lam = out["lam"][some]
        energy = np.array(out["energy"][some])
        energy[:, 2:4] += self.works
        multipliers = np.zeros((len(lam), len(self.places)))
        held = np.zeros((len(lam), len(self.held)))
        gripped = np.zeros((len(lam), sum(c.stop - c.start for c in self.grips.values())))
        rubbed = np.zeros((len(lam), len(self.grips)))
        loads = running.prepared.loads
        if loads is not None:
            rubbed = loads.rubbed(self.layout.model, out["q"][some], lam)
        for key, place in running.row_places().items():
            if key in self.places:
                multipliers[:, self.places[key]] = -lam[:, place]
            elif key[0] == "friction":
                gripped[:, self.grips[key[1]].start + key[2]] = -lam[:, place]
            elif key[0] != "rolling":  # nothing pushes riders that stay where they are
                held[:, self.held_place(key)] += -lam[:, place]
        states = np.tile(self.states, (len(lam), 1))
        states[:, running.of.states] = out["states"][some]
        return {
            "t": t[some].copy(),
            "q": out["q"][some],
            "v": out["v"][some],
            "a": out["a"][some],
            "multipliers": multipliers,
            "held": held,
            "rubbed": rubbed,
            "gripped": gripped,
            "energy": energy,
            "violation": out["violation"][some],
            "states": states,
        }

    def held_place(self, key: RowKey) -> int:
        """Which column of `held` a row of a stop or a latch is."""
        kind, name, number = key
        first = next(k for k, (event, _) in enumerate(self.held) if event == name)
        return first + (number if kind == "latch" else 0)


def motion_of(layout: Layout, rows: Rows, outcome: Outcome, method: str) -> Motion:
    """A motion of the bodies' origins, from samples of the centres of mass."""
    q, v, a = samples_at_origins(layout.model, rows["q"], rows["v"], rows["a"])
    kinetic, potential, dissipated, driven = rows["energy"][:, :4].T.copy()
    return Motion(
        t=rows["t"],
        q=q,
        v=v,
        a=a,
        outcome=outcome,
        recipe=Recipe(method=method),
        multipliers=rows["multipliers"],
        held=rows["held"],
        rubbed=rows["rubbed"],
        gripped=rows["gripped"],
        kinetic=kinetic,
        potential=potential,
        dissipated=dissipated,
        driven=driven,
        violation=rows["violation"][:, 0] * layout.size,
        states=rows["states"],
    )

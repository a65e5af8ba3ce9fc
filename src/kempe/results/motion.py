"""What a sweep leaves behind: samples of coordinates, velocities and accelerations."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import NDArray

from kempe.outcome import Outcome
from kempe.results.event import PUT_ON_OR_OFF, Event
from kempe.results.state import State

FloatArray = NDArray[np.float64]

NEAREST = "nearest"  # the method of a sweep in which freedoms that no drive holds move the least


@final
@dataclass(frozen=True, slots=True)
class Recipe:
    """How a motion was computed: what ran the program, in which plan, to which tolerances."""

    executor: str = ""  # "vm" or "llvm"; empty where nothing was solved
    plan: str = ""  # "small" or "large"
    tolerances: dict[str, float] = field(default_factory=dict)
    method: str = ""  # of a simulation: what integrated it; NEAREST of a sweep with free ones
    # of a simulation: from when on (s) steps were made by which method, the first from its start
    methods: tuple[tuple[float, str], ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Pass:
    """A dead point or a crossing of branches that was passed on request.

    Where the drive `turns back`, its law is run backwards from there on: at a time t the drives
    stand where the law had them at 2 `t` - t, counted from this pass.
    """

    ending: str  # "DeadPoint" or "Bifurcation": how the run would have ended
    t: float  # s
    drive: str  # the driven measure
    value: float  # its value there, m or rad
    taken: int  # number of the continuation
    turns_back: bool  # whether the drive does
    words: str

    def __str__(self) -> str:
        place = f"{self.drive} = {self.value:.9g} (t = {self.t:.9g} s)"
        return f"{self.ending} at {place}: {self.words}"


@final
@dataclass(frozen=True, slots=True)
class StepControl:
    """What the control of the steps did: how small they had to be, and why any were refused.

    The reasons: the step was too long (`too_far`), the corrector did not halve its residual
    (`not_contracting`) or went astray (`wandered`), there was no solution (`singular`), a loop
    would have changed its branch (`sign_changed`), redundant joints would not fit
    (`spare_violated`), or the corrector came nearer but not near enough (`too_many_iterations`).
    """

    smallest_step: float = 0.0  # s
    refusals: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        reasons = ", ".join(f"{count} {name}" for name, count in self.refusals.items())
        return f"smallest step {self.smallest_step:.3g} s, refused: {reasons or 'none'}"


class Repeatable(Protocol):
    """A run that can be made once more."""

    def __hash__(self) -> int:
        """It is told apart by itself: what was made again is remembered."""
        ...

    def __call__(self, n: int, /) -> "Motion":
        """The motion with n - 1 samples between any two."""
        ...

    def at(self, times: FloatArray, /) -> "Motion":
        """The motion at rising times (m,) in s, the first of which is its start."""
        ...


@final
@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Samples of one motion, row by row; `counts` says what they cost.

    Coordinates of a planar body are x, y, angle; of a spatial one r and a unit quaternion (scalar
    first). Velocities are those of the body's origin in world axes, angular ones in body axes.
    """

    t: FloatArray  # (n,) s
    q: FloatArray  # (n, n_q)
    v: FloatArray  # (n, n_v)
    a: FloatArray  # (n, n_v)
    outcome: Outcome
    counts: dict[str, int] = field(default_factory=dict)
    redundant: tuple[str, ...] = ()  # joints whose rows repeat what others say
    recipe: Recipe = field(default_factory=Recipe)
    control: StepControl = field(default_factory=StepControl)
    passes: tuple[Pass, ...] = ()  # dead points and crossings that were passed on request
    notes: tuple[str, ...] = ()  # what was changed of what was asked for
    # Readings (rad), by name, that have turned at the first sample, which poses do not show.
    angles: Mapping[str, float] = field(default_factory=dict)
    # The same motion at other times, to know what lies between the samples that there are.
    again: "Repeatable | None" = field(default=None, repr=False)
    # Of a drag, whose samples stand still: all its steps, along which turns are counted.
    steps: "Motion | None" = field(default=None, repr=False)
    # Of a simulation, else empty: multipliers of all rows, energies in J, and the largest of
    # |phi|, angles times the machine's size.
    multipliers: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))  # (n, rows)
    kinetic: FloatArray = field(default_factory=lambda: np.zeros(0))  # (n,)
    potential: FloatArray = field(default_factory=lambda: np.zeros(0))
    dissipated: FloatArray = field(default_factory=lambda: np.zeros(0))
    driven: FloatArray = field(default_factory=lambda: np.zeros(0))
    violation: FloatArray = field(default_factory=lambda: np.zeros(0))  # m: how far joints gape
    # Efforts (n, k) of the model's stops and latches along their measures, in the order of
    # `held_measures`, and everything that happened.
    held: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    # Of joints with friction, (n, k) in the order of the model's forces: the loads (N) of those
    # that slide, negative where backwards, and the efforts of friction on those that stick. A ball
    # has three, its torque on J in the axes of I, a foot its force along x and y, and its torque.
    rubbed: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    gripped: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    events: tuple[Event, ...] = ()
    # Latches, releases and switches that had acted before the first sample, the last one last.
    acted: tuple[str, ...] = ()
    # Of a simulation: the states (n, k) that forces have of their own, force after force.
    states: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    # When (s) which switch of a force law came to which side, as its program counts them.
    law_changes: tuple[tuple[float, int, float], ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        energies = (self.kinetic, self.potential, self.dissipated, self.driven)
        samples = (self.t, self.q, self.v, self.a, self.multipliers, self.held, self.violation)
        for array in (*samples, *energies, self.rubbed, self.gripped, self.states):
            array.setflags(write=False)

    def cut(self, samples: slice) -> "Motion":
        """The motion at some of its samples, and what was passed until the last of them."""
        arrays = {f.name: getattr(self, f.name) for f in fields(self)}
        rows: dict[str, Any] = {
            name: array[samples].copy()
            for name, array in arrays.items()
            if isinstance(array, np.ndarray) and len(array) == len(self.t)
        }
        last = rows["t"].max(initial=-np.inf)
        return replace(
            self,
            **rows,
            passes=tuple(p for p in self.passes if p.t <= last),
            events=tuple(e for e in self.events if e.t <= last),
        )

    def state(self, sample: int) -> State:
        """One sample; whole turns that poses do not show are those of the first one."""
        at = State(float(self.t[sample]), self.q[sample], self.v[sample], angles=self.angles)
        return replace(at, states=self.states[sample]) if len(self.states) else at

    @property
    def acted_by_now(self) -> tuple[str, ...]:
        """Latches, releases and switches that have acted until the end, the last one last.

        Of each the last time counts: what it has put on or off is undone only by others after it.
        """
        names = [*self.acted, *(e.name for e in self.events if e.kind in PUT_ON_OR_OFF)]
        return tuple(reversed(dict.fromkeys(reversed(names))))

    @property
    def is_simulated(self) -> bool:
        """Whether forces made the motion, and their reactions are known."""
        return len(self.kinetic) > 0 or self.recipe.method not in ("", NEAREST)

    @property
    def is_caused(self) -> bool:
        """Whether forces follow from it; none do where free parts moved as little as they can."""
        return self.recipe.method != NEAREST

    def __len__(self) -> int:
        return len(self.t)

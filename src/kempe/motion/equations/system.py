"""Unknowns in a box and the rows that must vanish there, as they are written down.

They come from bodies, joints, points, bars and curves alike;
`kempe.motion.reduction.reduction.reduced` turns them into the smaller `System` that is solved.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import final

from kempe.algebra import Expression, Graph
from kempe.errors import BadNumber, DuplicateName


@final
@dataclass(frozen=True, slots=True)
class SystemUnknown:
    """A number to be found between `low` and `high`; with a period it lives on a circle.

    `is_limit` says that the bounds cut the motion off (a stop, the end of a curve); otherwise they
    only enclose what the rows allow anyway, and the unknown may be eliminated.
    """

    name: str
    low: float = -math.inf
    high: float = math.inf
    period: float = 0.0
    is_limit: bool = False
    guess: float = math.nan  # where the model first puts it

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise BadNumber(
                f"{self.name!r} has no room: its bounds are {self.low:g} and {self.high:g}.",
                name=self.name,
            )
        if self.period and not math.isclose(self.period, self.high - self.low, rel_tol=1e-15):
            raise BadNumber(
                f"{self.name!r} lives on a circle of {self.period:g}, so its bounds must be that"
                f" far apart: they are {self.low:g} and {self.high:g}.",
                name=self.name,
            )


@final
@dataclass(slots=True, eq=False)
class SystemRow:
    """A formula of the unknowns, and the part of the mechanism that it comes from."""

    value: Expression
    source: str


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """An unknown that is a formula of others."""

    unknown: Expression
    value: Expression
    source: str


@final
@dataclass(slots=True, eq=False)
class FullSystem:
    """Unknowns and rows of one mechanism, all on one graph, as they are written down.

    `equations` vanish. `redundant` rows vanish as well, wherever the equations do: they only help
    the search. `sides` are positive in the assembly that is meant. `readings` are what one wants to
    know at a solution, by name.
    """

    graph: Graph = field(default_factory=Graph)
    unknowns: list[SystemUnknown] = field(default_factory=list)
    inputs: list[Expression] = field(default_factory=list)
    equations: list[SystemRow] = field(default_factory=list)
    redundant: list[SystemRow] = field(default_factory=list)
    sides: list[SystemRow] = field(default_factory=list)
    readings: dict[str, Expression] = field(default_factory=dict)
    definitions: list[Definition] = field(default_factory=list)
    form: str = ""  # what the unknowns of a mechanism in space are, in words
    halves: tuple[str, ...] = ()  # unknowns of which x and -x are one position, searched from 0 on
    notes: list[str] = field(default_factory=list)  # what a list of its solutions leaves out
    loose: tuple[str, ...] = ()  # bodies that are rods, shown turned in one way of several
    doubts: list[tuple[str, float]] = field(default_factory=list)  # sources of what was taken for
    # granted because rounded numbers say so, and how far these are off
    rounded: bool = False  # whether numbers were rounded on their way into the rows

    def unknown(
        self,
        name: str,
        low: float = -math.inf,
        high: float = math.inf,
        *,
        period: float = 0.0,
        is_limit: bool = False,
        guess: float = math.nan,
    ) -> Expression:
        """A new unknown, to be used in rows."""
        if name in self.graph.inputs:
            raise DuplicateName(f"two unknowns are called {name!r}.", name=name)
        self.unknowns.append(SystemUnknown(name, low, high, period, is_limit, guess))
        self.inputs.append(Expression(self.graph, self.graph.input(name)))
        return self.inputs[-1]

    def number(self, value: float) -> Expression:
        """A number of the model, exactly as given."""
        return Expression(self.graph, self.graph.constant(value))

    def equate(self, row: Expression, source: str) -> None:
        """Ask that the row vanish."""
        self.equations.append(SystemRow(row, source))

    def doubt(self, source: str, off: float) -> None:
        """Say that something holds as far as rounded numbers tell, which are `off` by so much."""
        self.doubts.append((source, off))

    def imply(self, row: Expression, source: str) -> None:
        """Say that the row vanishes wherever the equations do."""
        self.redundant.append(SystemRow(row, source))

    def keep_positive(self, value: Expression, source: str) -> None:
        """Ask that the value be positive."""
        self.sides.append(SystemRow(value, source))

    def define(self, unknown: Expression, value: Expression, source: str) -> None:
        """Say what an unknown is, in terms of others: it is put in wherever it stands."""
        self.definitions.append(Definition(unknown, value, source))

    def read(self, name: str, value: Expression) -> None:
        """Have the value read at every solution."""
        self.readings[name] = value


POINTS = "places of points"  # the form of a mechanism in space whose bodies do not turn
CIRCLE = "'s unit circle"  # of the row c^2 + s^2 = 1 of a body, which no user has written


def circle(body: str) -> str:
    """The source of the row that makes a cosine and a sine those of one angle of a body."""
    return f"{body}{CIRCLE}"


def spoken(sources: Iterable[str]) -> str:
    """Joints and measures in a row, each once; bodies only where no joint is left to name."""
    names = list(dict.fromkeys(sources))
    joints = [name for name in names if not name.endswith(CIRCLE)]
    return ", ".join(joints or [f"a joint of {name.removesuffix(CIRCLE)}" for name in names])


def contradiction(source: str) -> str:
    """A sentence about a row that no position fulfils."""
    if source.endswith(CIRCLE):
        return f"No place of {source.removesuffix(CIRCLE)!r} fits all joints and held values."
    return f"{source!r} contradicts the other joints and held values."

"""The inputs of a traced program: coordinates, velocities, time, turns, parameters, sides."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

from kempe.algebra import Expression, Graph
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.elements import Unwrap
from kempe.compile.layout.numbers import is_literal, marker_numbers, marker_pose
from kempe.geometry import Marker, Pose

TURN = 2.0 * math.pi


@final
@dataclass(slots=True)
class Inputs:
    """The traced inputs of a program, by kind."""

    graph: Graph
    q: list[Expression]
    v: list[Expression]
    delta: list[Expression]
    t: Expression
    last: list[Expression] = field(default_factory=list)  # turns at the last accepted step
    p: list[Expression] = field(default_factory=list)  # parameters
    sides: list[Expression] = field(default_factory=list)  # of the switches of force laws
    lifted: frozenset[int] = frozenset()  # of the numbers asked for, those that never fold
    asked: int = 0  # numbers of the model so far

    @classmethod
    def fresh(cls, n_q: int, n_v: int, lifted: frozenset[int] = frozenset()) -> "Inputs":
        """Inputs of a new graph; numbers of the model that are `lifted` are parameters, even 0."""
        graph = Graph()

        def named(name: str, count: int) -> list[Expression]:
            return [Expression(graph, graph.input(f"{name}{k}")) for k in range(count)]

        t = Expression(graph, graph.input("t"))
        q, v, delta = named("q", n_q), named("v", n_v), named("delta", n_v)
        return cls(graph, q, v, delta, t, lifted=lifted)

    @classmethod
    def of_bodies(cls, at: Coordinates) -> "Inputs":
        """Inputs of a new graph: coordinates and velocities of some bodies."""
        return cls.fresh(at.bodies_q.stop, at.bodies_v.stop)

    def parameter(self) -> Expression:
        """The next parameter."""
        self.p.append(Expression(self.graph, self.graph.input(f"p{len(self.p)}")))
        return self.p[-1]

    def number(self, value: float) -> Expression:
        """A number of the model: a constant where it is a literal, else the next parameter."""
        self.asked += 1
        if is_literal(value) and self.asked - 1 not in self.lifted:
            return Expression(self.graph, self.graph.constant(value))
        return self.parameter()

    def pose(self, marker: Marker) -> Pose:
        """X_BM of a marker, its numbers traced."""
        return marker_pose(marker, [self.number(x) for x in marker_numbers(marker)])

    def unwrapping(self, turned: dict[int, Expression]) -> Unwrap:
        """What counts the whole turns of readings from the last accepted step on, into `turned`."""

        def unwrap(angle: Any, reading: int) -> Expression:
            last = Expression(self.graph, self.graph.input(f"last{len(self.last)}"))
            self.last.append(last)
            whole = (last - angle) * (1.0 / TURN)
            turned[reading] = angle + TURN * whole.rint()
            return turned[reading]

        return unwrap

    def next_side(self) -> Expression:
        """The side of the next switch of a force law."""
        self.sides.append(Expression(self.graph, self.graph.input(f"side{len(self.sides)}")))
        return self.sides[-1]

    def in_order(self) -> list[Expression]:
        """All inputs in the order of a tape's first registers."""
        return [*self.q, *self.v, *self.delta, self.t, *self.last, *self.p]


def motion_along(
    seeds: dict[int, dict[int, Expression]],
    velocities: Sequence[Expression] | Mapping[int, Expression],
) -> dict[int, Expression]:
    """How every seeded node moves when the bodies move with these velocities."""
    moving = {}
    for node, columns in seeds.items():
        terms = [rate * velocities[column] for column, rate in columns.items()]
        moving[node] = sum(terms[1:], terms[0])
    return moving

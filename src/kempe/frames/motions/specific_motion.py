"""A frame whose pose is given by specific coordinates, such as Euler angles, and their rates."""

from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.native import native_tape
from kempe.errors import BadNumber, EdgeFailed, KempeError
from kempe.frames.motions.motion import AbstractMotion
from kempe.frames.states.arrays import FloatArray, Parts
from kempe.geometry.specific import (
    AbstractOrientator,
    BodyCoordinates,
    OrientationCoordinates,
    TranslationCoordinates,
)

Law = Callable[[Any], Sequence[Any]]


@final
class BySpecific(AbstractMotion):
    """A frame in specific coordinates s of its place and orientation, seen from its parent.

    R = A(s),  p = r(s),  w = G s',  v = H s',  alpha = G s'' + G' s',  a = H s'' + H' s'

    `coordinates` are `BodyCoordinates`, or those of an orientation alone: the origins then stay
    together. `s` are numbers at t = 0 that go on by `rates` and `second` (per s and s^2), or a
    formula of t that gives them, whose derivatives are exact. Places are in m, angles in rad.

    Source: [Pissanetzky] sec. 3.5 to 3.7.

    Examples:
        >>> from kempe.frames import BySpecific, FrameGraph
        >>> from kempe.geometry.specific import EulerParameters
        >>> top = FrameGraph("ground")
        >>> top.add("wheel", "ground", BySpecific(EulerParameters(), (1, 0, 0, 0), (0, 0, 0, 5)))
        >>> top.state("wheel", "ground").angular_velocity.tolist()
        [0.0, 0.0, 10.0]
    """

    def __init__(
        self,
        coordinates: AbstractOrientator | BodyCoordinates,
        s: ArrayLike | Law,
        rates: ArrayLike | None = None,
        second: ArrayLike | None = None,
    ) -> None:
        if not isinstance(coordinates, (AbstractOrientator, BodyCoordinates)):
            raise BadNumber(
                "specific coordinates are those of an orientation, such as EulerAngles('XYZ'), or"
                f" BodyCoordinates of a place too, not {coordinates!r}."
            )
        self.coordinates = coordinates
        names = coordinates.names
        if callable(s):
            if rates is not None or second is not None:
                raise BadNumber("coordinates by a formula have its derivatives: give no rates.")
            self._tape = record_formula(*_traced(s, names))
            return
        given = [
            _numbers(x, names, what) for x, what in ((s, "s"), (rates, "rates"), (second, "second"))
        ]
        graph = Graph()
        t = Expression(graph, graph.input("t"))
        law = [a + b * t + (0.5 * c) * t * t for a, b, c in zip(*given, strict=True)]
        self._tape = record_formula([t], _orders(graph, t, law))

    def parts(self, t: FloatArray) -> Parts:
        times = np.ascontiguousarray(np.reshape(t, (-1, 1)), dtype=np.float64)
        if not np.isfinite(times).all():
            raise BadNumber("times must be finite.")
        found = native_tape(self._tape).evaluate_lanes(times, self._tape.outputs)
        if not np.isfinite(found).all():
            bad = float(times[~np.isfinite(found).all(axis=1), 0][0])
            raise EdgeFailed(f"the coordinates have no finite value at t = {bad:g} s.", t=bad)
        s, rate, second = np.moveaxis(found.reshape(*np.shape(t), 3, -1), -2, 0)
        near = 0
        p, v, a = (np.zeros((*np.shape(t), 3)) for _ in range(3))
        orientator: AbstractOrientator
        if isinstance(self.coordinates, BodyCoordinates):
            near, orientator = 3, self.coordinates.orientator
            place = TranslationCoordinates(self.coordinates.translator)
            p = place.position(s[..., :3])
            v = place.velocity(s[..., :3], rate[..., :3])
            a = place.acceleration(s[..., :3], rate[..., :3], second[..., :3])
        else:
            orientator = self.coordinates
        turn = OrientationCoordinates(orientator)
        u, du, ddu = (x[..., near:] for x in (s, rate, second))
        w = turn.angular_velocity(u, du, axes="reference")
        alpha = turn.angular_acceleration(u, du, ddu, axes="reference")
        return p, turn.orientation(u), v, w, a, alpha


def _numbers(given: ArrayLike | None, names: Sequence[str], what: str) -> list[float]:
    if given is None:
        return [0.0] * len(names)
    numbers = np.asarray(given, dtype=np.float64)
    if numbers.shape != (len(names),) or not np.isfinite(numbers).all():
        raise BadNumber(
            f"`{what}` are {len(names)} finite numbers ({', '.join(names)}), not {given!r}."
        )
    return [float(x) for x in numbers]


def _traced(law: Law, names: Sequence[str]) -> tuple[list[Expression], list[Expression]]:
    graph = Graph()
    t = Expression(graph, graph.input("t"))
    try:
        given = law(t)
        zero = Expression(graph, graph.constant(0.0))
        s = [zero + x for x in given]
    except KempeError:
        raise
    except Exception as mistake:
        raise EdgeFailed(
            f"the formula raised {type(mistake).__name__}: {mistake}. Use the functions of kempe on"
            " t, such as kempe.sin, and return one value for each coordinate."
        ) from mistake
    if len(s) != len(names):
        raise EdgeFailed(
            f"the formula must give {len(names)} coordinates ({', '.join(names)}), it gave"
            f" {len(s)}."
        )
    return [t], _orders(graph, t, s)


def _orders(graph: Graph, t: Expression, s: Sequence[Any]) -> list[Expression]:
    """s, s' and s''."""
    zero = Expression(graph, graph.constant(0.0))
    values = [zero + x for x in s]
    one = {t.node: Expression(graph, graph.constant(1.0))}
    rates = tangent(values, one)
    return [*values, *rates, *tangent(rates, one)]

"""Functions a formula may use; on plain numbers and arrays they are NumPy's own.

`numpy.sin(x)` and friends work on traced values as well; these are here so that a formula reads
the same with either, and for what NumPy has no word for.
"""

from typing import TYPE_CHECKING, Any, Final, final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kempe.algebra.expression import Condition, Expression, lifted
from kempe.algebra.operations import CHOICES, Op
from kempe.algebra.spline import MOST_ORDER, Spline
from kempe.errors import BadNumber

if TYPE_CHECKING:
    from kempe.algebra.native import core

_ONE: Final = np.ones(1, dtype=np.int32)
_PROGRAMS: "WeakKeyDictionary[Spline, dict[int, core.Tape]]" = WeakKeyDictionary()  # by order


def sqrt(x: Any) -> Any:
    """Square root."""
    return np.sqrt(x)


def sin(x: Any) -> Any:
    """Sine of an angle in radians."""
    return np.sin(x)


def cos(x: Any) -> Any:
    """Cosine of an angle in radians."""
    return np.cos(x)


def tan(x: Any) -> Any:
    """Tangent of an angle in radians."""
    return np.tan(x)


def asin(x: Any) -> Any:
    """Arc sine, in [-pi/2, pi/2]."""
    return np.arcsin(x)


def acos(x: Any) -> Any:
    """Arc cosine, in [0, pi]."""
    return np.arccos(x)


def atan2(y: Any, x: Any) -> Any:
    """Angle of the vector (x, y), in (-pi, pi]."""
    return np.arctan2(y, x)


def exp(x: Any) -> Any:
    """Exponential."""
    return np.exp(x)


def log(x: Any) -> Any:
    """Natural logarithm."""
    return np.log(x)


def tanh(x: Any) -> Any:
    """Hyperbolic tangent."""
    return np.tanh(x)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two values."""
    return np.minimum(a, b)


def maximum(a: Any, b: Any) -> Any:
    """The larger of two values."""
    return np.maximum(a, b)


def where(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` where the condition holds, else `no`: the traced form of `if`."""
    if not isinstance(condition, Condition):
        return np.where(condition, yes, no)
    return condition.choose(lifted(condition.graph, yes), lifted(condition.graph, no))


def first_guess_where(condition: Any, yes: Any, no: Any) -> Any:
    """`where` for a first guess that corrections follow, which lead to one value either way.

    What it chooses does not move: a formula goes on smoothly over it, so that no run has to find
    the moment at which it chooses otherwise.
    """
    found = where(condition, yes, no)
    if isinstance(found, Expression) and found.graph.ops[found.node] in CHOICES:
        found.graph.untold.add(found.node)
    return found


def as_guess(x: Any) -> Any:
    """`x` as a guess that one more step of Newton's method follows: derivatives count it as fixed.

    t = t_0 - f(t_0, p) / f'(t_0, p) at a root t_0 has the slope -f_p / f' of the root by itself, so
    that derivatives of all the steps before need not be taken.
    """
    return Expression(x.graph, x.graph.held(x.node)) if isinstance(x, Expression) else x


def smooth_step(x: Any, start: Any, stop: Any) -> Any:
    """0 before `start`, 1 after `stop`, and between them a step with continuous curvature.

    s = u^3 (10 - 15 u + 6 u^2),  u = clamp((x - start) / (stop - start), 0, 1)

    Own: the lowest polynomial with s' = s'' = 0 at both ends.
    """
    u = minimum(maximum((x - start) / (stop - start), 0.0), 1.0)
    return u * u * u * (10.0 + u * (6.0 * u - 15.0))


@final
class Interpolation:
    """A smooth curve through a table: piecewise polynomial of x, exact derivatives.

    The pieces are given by `breaks` (k + 1,) and `coefficients` (k, order), highest power first, in
    the variable x - breaks[i]; the end pieces go on outside.
    """

    __slots__ = ("breaks", "coefficients")

    def __init__(self, breaks: ArrayLike, coefficients: ArrayLike) -> None:
        self.breaks: NDArray[np.float64] = np.array(breaks, dtype=np.float64)
        self.coefficients: NDArray[np.float64] = np.array(coefficients, dtype=np.float64)
        k = len(self.coefficients)
        if self.breaks.ndim != 1 or self.coefficients.ndim != 2 or len(self.breaks) != k + 1:
            raise BadNumber(
                f"a table needs one more break than pieces: it has {self.breaks.shape} breaks for"
                f" {self.coefficients.shape} coefficients."
            )
        if not (np.isfinite(self.breaks).all() and np.isfinite(self.coefficients).all()):
            raise BadNumber("a table has a value that is not finite.")
        if not (np.diff(self.breaks) > 0).all():
            row = int(np.argmax(np.diff(self.breaks) <= 0)) + 1
            raise BadNumber(
                f"the table's abscissae must rise: entry {row} ({self.breaks[row]:g}) is not above"
                f" entry {row - 1} ({self.breaks[row - 1]:g}).",
                row=row,
            )
        self.breaks.setflags(write=False)
        self.coefficients.setflags(write=False)

    @classmethod
    def through(cls, x: ArrayLike, y: ArrayLike, *, periodic: bool = False) -> "Interpolation":
        """The cubic spline through the points (not-a-knot ends, or periodic)."""
        from scipy.interpolate import CubicSpline

        places, values = np.asarray(x, float), np.asarray(y, float)
        if places.ndim != 1 or places.shape != values.shape or len(places) < 2:
            raise BadNumber(
                "a curve goes through two points or more, with one y for every x: these have shapes"
                f" {places.shape} and {values.shape}."
            )
        cls(places, np.stack([values[:-1]], axis=1))  # refuses what does not rise or is not finite
        if periodic and values[0] != values[-1]:
            raise BadNumber(
                f"a periodic curve ends where it began: y starts at {values[0]:g} and ends at"
                f" {values[-1]:g}."
            )
        spline = CubicSpline(places, values, bc_type="periodic" if periodic else "not-a-knot")
        return cls(spline.x, spline.c.T)

    def __call__(self, x: Any) -> Any:
        if isinstance(x, Expression):
            graph = x.graph
            known = [k for k, (breaks, _) in enumerate(graph.tables) if breaks is self.breaks]
            if not known:
                graph.tables.append((self.breaks, self.coefficients))
            return table_value(x, known[0] if known else len(graph.tables) - 1, 0)
        piece = np.clip(
            np.searchsorted(self.breaks, x, side="right") - 1, 0, len(self.coefficients) - 1
        )
        local = x - self.breaks[piece]
        value = np.zeros_like(np.asarray(local, dtype=np.float64))
        for column in self.coefficients.T:
            value = value * local + column[piece]
        return value


def table_value(x: Expression, table: int, order: int) -> Expression:
    """Derivative of that order of a table of x's graph, at x."""
    graph = x.graph
    if order >= graph.tables[table][1].shape[1]:
        return Expression(graph, graph.constant(0.0))
    return Expression(graph, graph.node(Op.TABLE, x.node, table, order))


def spline_value(spline: Spline, x: Any, order: int = 0) -> Any:
    """Derivative of that order of a spline at x: a number, an array or a traced value."""
    if not 0 <= order <= MOST_ORDER:
        raise BadNumber(
            f"a spline has derivatives of order 0 to {MOST_ORDER}, not of order {order}.",
            order=order,
        )
    if isinstance(x, Expression):
        graph = x.graph
        if spline.vanishes(order):
            return Expression(graph, graph.constant(0.0))
        known = [k for k, other in enumerate(graph.splines) if other is spline]
        if not known:
            graph.splines.append(spline)
        place = known[0] if known else len(graph.splines) - 1
        return Expression(graph, graph.node(Op.SPLINE, x.node, place, order))
    return _numeric_spline(spline, np.asarray(x, dtype=np.float64), order)


def _numeric_spline(spline: Spline, x: NDArray[np.float64], order: int) -> Any:
    """The derivative of a spline at plain numbers, by the program that traced values run."""
    programs = _PROGRAMS.setdefault(spline, {})
    if order not in programs:
        programs[order] = _spline_program(spline, order)
    values = programs[order].evaluate(x.reshape(-1, 1), _ONE)[:, 0]
    return float(values[0]) if x.ndim == 0 else values.reshape(x.shape)


def _spline_program(spline: Spline, order: int) -> "core.Tape":
    from kempe.algebra.native import core

    code = np.array([[Op.SPLINE, 1, 0, 0, order]], dtype=np.int32)
    parts = (spline.breaks, spline.numerators, spline.denominators, spline.is_periodic)
    return core.Tape(code, np.zeros(0), 1, 2, _ONE, [], [parts])

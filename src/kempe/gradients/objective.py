"""A number that a mechanism's parameters decide, with its gradient, for optimizers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import BadNumber, GradientError
from kempe.gradients.asking import Follow, gradient_of
from kempe.gradients.build_map import DIFFERENCED, BuildMap
from kempe.gradients.following import Followed, Following, followed_by
from kempe.gradients.functions import Function, Values, function_slopes
from kempe.gradients.path_error import PathError
from kempe.gradients.placing import Placed
from kempe.gradients.reading_slopes import Exact, Read, exact_parts, plain, reading_of
from kempe.readings.source import ComputedSource
from kempe.results import Motion

FloatArray = NDArray[np.float64]
Run = Callable[[Layout], Motion]
BUILT = "every evaluation builds the mechanism: {}."


@final
class Objective:
    """A number that the parameters `names` decide: its value and its gradient at any of them.

    Give `value_and_gradient` to an optimizer that takes both, as scipy.optimize.minimize with
    jac=True; of a `PathError`, `residuals` and `jacobian` to scipy.optimize.least_squares. `x0` are
    the mechanism's own parameters, in the units in which they were given. A function that gives an
    array instead of a number has `array` and `array_and_slopes`; `kempe.gradients.jax_function` and
    `torch_function` make functions of JAX and PyTorch of either.

    A variant that cannot be built, or does not come to the last sample, is a `GradientError` whose
    `facts["outcome"]` says which.
    """

    def __init__(
        self,
        of: Function | PathError,
        by: BuildMap,
        home: Layout,
        times: FloatArray,
        run: Run,
        *,
        follow: Follow | None = None,
        is_smooth: bool = True,
    ) -> None:
        if isinstance(of, PathError):
            of.refuse_other(len(times))
        elif not callable(of):
            raise BadNumber(f"an objective is a PathError or a function of readings, not {of!r}.")
        self.of, self.names, self.times = of, by.names, times
        self._by, self._run, self._start = by, run, follow
        self._following: Following | None = None
        self._parts: dict[str, Exact] = {}
        self._last: tuple[bytes, Followed] | None = None
        why = self._prepare(home, is_smooth=is_smooth)
        self.notes: tuple[str, ...] = (BUILT.format(why),) if why else ()

    @property
    def x0(self) -> FloatArray:
        """The mechanism's own parameters, (k,)."""
        return self._by.home.copy()

    def value(self, x: Any) -> float:
        """The number at parameters x (k,)."""
        return self._number(self.array(x))

    def array(self, x: Any) -> FloatArray:
        """What the function gives at parameters x (k,), also where it is an array of any shape."""
        x = self._checked(x)
        found = self._followed(x)
        if found is not None:
            read = Values(_Values(self, found, None), self.times, None, 0.0)
            return np.asarray(self.of(read), dtype=np.float64)
        return np.asarray(self.of(_Plain(self._built(x))), dtype=np.float64)

    def gradient(self, x: Any) -> FloatArray:
        """Its derivatives by all parameters at x, (k,)."""
        return self.value_and_gradient(x)[1]

    def value_and_gradient(self, x: Any) -> tuple[float, FloatArray]:
        """Both at parameters x (k,), at little more than the price of one."""
        value, slopes = self.array_and_slopes(x)
        return self._number(value), slopes

    def array_and_slopes(self, x: Any) -> tuple[FloatArray, FloatArray]:
        """What the function gives at x (k,), any shape, and its derivatives: that shape and k."""
        x = self._checked(x)
        found = self._followed(x)
        if found is None:
            source = self._built(x)
            by = self._by.at(x)
            slope = gradient_of(source, self.of, by, self._start)
            return np.asarray(slope.value), np.array(slope.values)
        following = self._following
        assert following is not None
        if isinstance(self.of, PathError):
            place = following.placing.places[self.of.point]
            off = found.read[0, place].T - self.of.points
            weights = np.zeros((1, found.read.shape[1], len(self.times)))
            weights[0, place] = 2.0 * (self.of.shares[:, None] * off).T
            by_x = following.placing.adjoint(found.motion, found.slopes, weights)
            return np.asarray((self.of.shares[:, None] * off * off).sum()), by_x
        placed = following.placing.forward(found.motion, found.slopes)
        values = _Values(self, found, placed)
        return function_slopes(self.of, values, self.times, self._by.scales)

    def residuals(self, x: Any) -> FloatArray:
        """Of a PathError: what is off, of every place that is asked for; squares sum to E."""
        error = self._path()
        x = self._checked(x)
        found = self._followed(x)
        if found is None or self._following is None:
            return error.residuals(plain(self._built(x)[error.point]))
        return error.residuals(found.read[0, self._following.placing.places[error.point]].T)

    def jacobian(self, x: Any) -> FloatArray:
        """Of a PathError: derivatives of its residuals, (residuals, k)."""
        error = self._path()
        x = self._checked(x)
        found = self._followed(x)
        if found is None or self._following is None:
            slopes = gradient_of(self._built(x), error.point, self._by.at(x), self._start).values
        else:
            placed = self._following.placing.forward(found.motion, found.slopes)
            place = self._following.placing.places[error.point]
            slopes = placed.read[0, place].transpose(1, 0, 2)
        shares = np.sqrt(error.shares)[:, None, None]
        return np.asarray((shares * slopes).reshape(-1, len(self.names)))

    def _path(self) -> PathError:
        if not isinstance(self.of, PathError):
            raise BadNumber("residuals are those of a PathError: this objective is a function.")
        return self.of

    def _prepare(self, home: Layout, *, is_smooth: bool) -> str:
        """Look for one program that serves all variants; why there is none, in words."""
        if self._start is not None:
            return "it is simulated"
        if not is_smooth:
            return "its file decides by parameters"
        names = self._read_names(home)
        self._parts = exact_parts(home.model, names, is_simulated=False)
        others = [name for name in names if name not in self._parts]
        if others:
            return f"{others[0]!r} is no point or measure"
        read = reading_of(self._parts, float(self.times[0]))
        self._following = followed_by(self._by, read, self.times, home)
        if self._following is None:
            slopes = self._by.slopes(self._by.home, read)
            bent = ", ".join(slopes.bent) or "the parameters"
            return DIFFERENCED.format(bent).partition(":")[0]
        return ""

    def _read_names(self, home: Layout) -> Sequence[str]:
        if isinstance(self.of, PathError):
            return (self.of.point,)
        listed = _Plain(ComputedSource(home, self._run(home)))
        self.of(listed)
        return listed.names

    def _checked(self, x: Any) -> FloatArray:
        values = np.array(x, dtype=np.float64)
        if values.shape != (len(self.names),) or not np.isfinite(values).all():
            raise BadNumber(
                f"parameters are {len(self.names)} finite numbers: {', '.join(self.names)}."
            )
        return values

    def _followed(self, x: FloatArray) -> Followed | None:
        """The motion at x by the one program; None where the mechanism is to be built."""
        if self._following is None:
            return None
        key = x.tobytes()
        if self._last is None or self._last[0] != key:
            numbers = self._following.numbers(x)
            if numbers is None:
                return None
            self._last = key, self._following.at(numbers)
        return self._last[1]

    def _built(self, x: FloatArray) -> ComputedSource:
        layout = self._by.layout(x)
        motion = self._run(layout)
        if not motion.outcome.is_done:
            raise GradientError(
                f"the variant ends after {len(motion)} of {len(self.times)} samples:"
                f" {motion.outcome.message}",
                outcome=motion.outcome.name,
            )
        return ComputedSource(layout, motion)

    def _number(self, value: Any) -> float:
        number = np.asarray(value, dtype=np.float64)
        if number.ndim:
            raise BadNumber("an objective is one number: sum up what the function returns.")
        return float(number)


@final
class _Plain:
    """Arrays of a motion by name; takes down which were read."""

    def __init__(self, source: ComputedSource) -> None:
        self.source, self.t = source, source.motion.t
        self.names: list[str] = []

    def __getitem__(self, name: str) -> FloatArray:
        if name not in self.names:
            self.names.append(name)
        return np.array(plain(self.source[name]))


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Values:
    """Arrays of a followed motion with their slopes, none where these were not asked for."""

    objective: Objective
    found: Followed
    placed: Placed | None

    def __getitem__(self, name: str) -> Read:
        part = self.objective._parts.get(name)
        if part is None:
            raise BadNumber(
                f"the function reads {name!r} here, which it did not where the mechanism itself"
                " stands: let it read the same names everywhere."
            )
        following = self.objective._following
        assert following is not None
        place = following.placing.places[part.channel]
        values = self.found.read[part.order, place].T
        slopes = np.zeros((*values.shape, 0))
        if self.placed is not None:
            slopes = self.placed.read[part.order, place].transpose(1, 0, 2)
        if part.axis is not None:
            return Read(values[:, part.axis], slopes[:, part.axis])
        if values.shape[1] == 1:
            return Read(values[:, 0], slopes[:, 0])
        return Read(values, slopes)

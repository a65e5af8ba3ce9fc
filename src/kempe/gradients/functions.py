"""Functions of arrays that were read, differentiated along their slopes."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import GradientError
from kempe.gradients.reading_slopes import Read
from kempe.gradients.smooth_slope import smooth_slope

FloatArray = NDArray[np.float64]
Arrays = Mapping[str, Any]
Function = Callable[[Any], Any]  # of arrays by name

TINY: Final = 1e-100  # a step in the imaginary direction, whose square is nothing
AGREE: Final = 1e-6  # beside the largest change: the real and the imaginary step say the same
KINK: Final = 1e-5


class Readable(Protocol):
    """What gives arrays with their slopes by name."""

    def __getitem__(self, name: str) -> Read: ...


@final
class Values:
    """Arrays by name, `values["coupler.P"]`, moved along their slopes by a step."""

    def __init__(
        self,
        of: Readable,
        t: FloatArray,
        k: int | None,
        step: complex,
        late: FloatArray | None = None,
    ) -> None:
        self._of, self._t, self._k, self._step, self._late = of, t, k, step, late

    @property
    def t(self) -> Any:
        """The times (n,) in s; those of events move with parameters."""
        if self._late is None or self._k is None:
            return self._t
        return self._t + self._step * self._late[:, self._k]

    def __getitem__(self, name: str) -> Any:
        """The array (n, ...) of a reading, SI."""
        read = self._of[name]
        if self._k is None:
            return read.values.copy()
        return read.values + self._step * read.slopes[..., self._k]


def function_slopes(
    function: Function,
    of: Readable,
    t: FloatArray,
    scales: FloatArray,
    late: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """What a function of arrays gives, (...), and its slopes, (..., parameters).

    A step in the imaginary direction gives them to the last digit where the function passes it on,
    which a step in the real direction tells: NumPy's `abs` does not. Else the real one is taken.
    `late` (n, parameters) is how times follow from parameters; omitted, they do not.

    Source: [SquireTrapp]; the check: Own.
    """
    value = _number(function(Values(of, t, None, 0.0)))
    if not np.isfinite(value).all():
        raise GradientError("the function of the motion is not finite.")
    columns = []
    for k, scale in enumerate(scales):

        def real(s: float, k: int = k) -> FloatArray:
            return _number(function(Values(of, t, k, s, late)))

        slope = smooth_slope(real, 2.0**-8 * float(scale))
        exact = _imaginary(function, of, t, k, late)
        size = max(float(np.abs(slope.values).max(initial=0.0)), float(np.abs(value).max()) / scale)
        if exact is not None and (np.abs(exact - slope.values) <= AGREE * size).all():
            columns.append(exact)
        elif slope.doubt <= KINK:
            columns.append(slope.values)
        else:
            raise GradientError(
                "the function of the motion bends where the mechanism stands, as a largest value"
                f" that two samples share does: it has no slope by parameter number {k + 1} there.",
                parameter=k,
            )
    return value, np.stack(columns, axis=-1) if columns else np.zeros((*value.shape, 0))


def _number(value: Any) -> FloatArray:
    try:
        return np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        kind = type(value).__name__
        raise GradientError(
            f"the function of the motion returned {kind}: it is to return a number or an array."
        ) from None


def _imaginary(
    function: Function, of: Readable, t: FloatArray, k: int, late: FloatArray | None
) -> FloatArray | None:
    """The slope by a step in the imaginary direction; None where the function refuses it."""
    with np.errstate(all="ignore"):
        try:
            found = np.asarray(function(Values(of, t, k, 1j * TINY, late)))
        except (TypeError, ValueError):
            return None
    if not np.iscomplexobj(found):
        return None
    slope = np.asarray(found.imag / TINY)
    return slope if np.isfinite(slope).all() else None

"""An objective as a function that JAX differentiates."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.extras import extra
from kempe.gradients.objective import Objective

FloatArray = NDArray[np.float64]


def jax_function(objective: Objective) -> Callable[[Any], Any]:
    """The objective as a function of a JAX array x (k,), with kempe's own derivatives.

    y = f(x), dy = (df/dx) dx

    It gives what the objective's function gives, a number or an array, in the precision of x:
    jax.config.update("jax_enable_x64", True) keeps all digits. `grad`, `jit`, `vmap`, `jacfwd` and
    `jacrev` work, second derivatives do not. kempe runs on the processor, called back by JAX.

    Own.

    Example:
        >>> import kempe, numpy
        >>> four_bar = kempe.gallery.four_bar()
        >>> curve = four_bar.objective(lambda r: r["coupler.P"], until=1.0, steps=24)
        >>> def tallest(x):
        ...     return kempe.gradients.jax_function(curve)(x)[:, 1].max()
    """
    jax = extra("jax", "jax", "A function of JAX")
    shape = objective.array(objective.x0).shape
    count = len(objective.names)

    def value(x: Any) -> FloatArray:
        return objective.array(x).astype(x.dtype)

    def both(x: Any) -> tuple[FloatArray, FloatArray]:
        found, slopes = objective.array_and_slopes(x)
        return found.astype(x.dtype), slopes.astype(x.dtype)

    def as_shape(x: Any, *more: int) -> Any:
        return jax.ShapeDtypeStruct((*shape, *more), x.dtype)

    def called(x: Any) -> Any:
        return jax.pure_callback(value, as_shape(x), x, vmap_method="sequential")

    def along(primals: Any, tangents: Any) -> Any:
        (x,), (dx,) = primals, tangents
        kinds = as_shape(x), as_shape(x, count)
        found, slopes = jax.pure_callback(both, kinds, x, vmap_method="sequential")
        return found, slopes @ dx

    function = jax.custom_jvp(called)
    function.defjvp(along)

    def of(x: Any) -> Any:
        numbers = jax.numpy.asarray(x)
        if not jax.numpy.issubdtype(numbers.dtype, jax.numpy.floating):
            numbers = numbers.astype(jax.numpy.result_type(float))
        return function(numbers)

    return of

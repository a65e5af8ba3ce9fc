"""Ctrl-C while kempe computes: what was found until then is kept, and the interrupt goes on.

A loop deep inside notices the interrupt, ends early and hands its result up, as at any other
ending. Whoever was called by the user then raises the interrupt again, with that result on it. So
the user's own loop ends as well, and nothing that was computed is lost.
"""

from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar, final

P = ParamSpec("P")
T = TypeVar("T")

_WAITING: ContextVar[list[BaseException] | None] = ContextVar("interrupts", default=None)


@final
class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a computation; `result` is what the call would have returned, as far as it got.

    Examples:
        >>> from kempe.interruption import Interrupted
        >>> try:
        ...     raise Interrupted("trajectory so far")
        ... except KeyboardInterrupt as stop:
        ...     print(stop.result)
        trajectory so far
    """

    def __init__(self, result: Any) -> None:
        super().__init__("stopped by request; what was found until then is kept in `result`")
        self.result = result

    def __reduce__(self) -> tuple[object, ...]:
        return Interrupted, (self.result,)


def put_off(stop: BaseException) -> None:
    """Keep an interrupt until the result is there; raise it now where nobody waits for one."""
    waiting = _WAITING.get()
    if waiting is None:
        raise stop
    waiting.append(stop)


def keeps_what_is_done(compute: Callable[P, T]) -> Callable[P, T]:
    """A computation that, interrupted, finishes its result and then raises with it as `result`.

    Ctrl-C becomes an Interrupted; what other handlers of signals raise, such as that of an alarm,
    is raised as it is.
    """

    @wraps(compute)
    def kept(*args: P.args, **given: P.kwargs) -> T:
        stops: list[BaseException] = []
        token = _WAITING.set(stops)
        try:
            result = compute(*args, **given)
        finally:
            _WAITING.reset(token)
        if not stops:
            return result
        if isinstance(stops[0], KeyboardInterrupt):
            raise Interrupted(result) from stops[0]
        stops[0].result = result  # type: ignore[attr-defined]
        raise stops[0]

    return kept

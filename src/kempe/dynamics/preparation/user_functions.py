"""Functions of a user's own that a compiled run asks: what they raise ends it, and is told."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False)
class AbstractAsker:
    """What asks a user's functions for the integrator; remembers what went wrong."""

    trouble: str = field(default="", init=False)  # what ended the run, in words
    interrupt: KeyboardInterrupt | None = field(default=None, init=False)

    def attempt(self, ask: Callable[..., Any], *seen: Any) -> Any:
        """What `ask` makes of what is `seen`; None, which stops the integrator, where it raises."""
        try:
            return ask(*seen)
        except KeyboardInterrupt as stop:
            self.interrupt = stop
        except Exception as trouble:  # whatever a user's function does
            self.trouble = f"{str(trouble).rstrip('.')}{_where_raised(trouble)}"
        return None


def _where_raised(trouble: Exception) -> str:
    """Where in the user's function it happened."""
    cause = trouble.__cause__
    if cause is None:
        return ""
    last = traceback.extract_tb(cause.__traceback__)[-1]
    return f" (line {last.lineno} of {last.filename})"

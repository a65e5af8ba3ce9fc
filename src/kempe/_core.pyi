"""The C++ core of kempe: array functions and a few opaque handles."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


def version() -> str:
    """The version of kempe that this core was built for."""

class Tape:
    """A tape, checked and ready to run on numbers, lanes or intervals."""

    def __init__(self, code: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)], constants: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], n_inputs: int, n_registers: int, section_stops: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)], tables: Sequence[tuple[Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)]]]) -> None:
        """ValueError where the arrays are no valid tape."""

    def evaluate(self, inputs: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], outputs: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        Run all sections for each row of inputs (N, n_inputs); the output registers (N, m).
        """

    def evaluate_lanes(self, inputs: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], outputs: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """The same numbers as evaluate, bit for bit, eight rows in step."""

    def evaluate_intervals(self, lower: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], upper: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], outputs: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))]]:
        """
        Enclosures of every value the outputs take on the boxes [lower, upper], (N, m) each; [inf, -inf] where the formula is defined nowhere on the box.
        """

    def table_address(self, k: int) -> int:
        """Where table k lies, for kempe_table; valid while the tape lives."""

def operation_names() -> list[str]:
    """The operations of a tape in the order of their codes."""

def function_addresses() -> dict:
    """Addresses of the functions that compiled tapes call."""

def interval_rounding() -> str:
    """How this build rounds the bounds of intervals: 'upward' or 'stepped'."""

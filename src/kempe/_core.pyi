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

def function_addresses() -> dict[str, int]:
    """Addresses of the functions that compiled tapes call."""

def interval_rounding() -> str:
    """How this build rounds the bounds of intervals: 'upward' or 'stepped'."""

class KinematicSystem:
    """The equations of one mechanism."""

    def evaluate(self, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], t: float, last: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
        """
        phi of all rows, the entries of the Jacobian, and the unwrapped turns at (q, t).
        """

    def retract(self, q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], d: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> object:
        """The coordinates after the displacement d."""

class TapeSystem(KinematicSystem):
    """A system that is one tape."""

    def __init__(self, tape: Tape, size: Sequence[int], registers: dict) -> None: ...

    def set_compiled(self, addresses: Sequence[int]) -> None:
        """Run these compiled sections instead of the VM."""

    def pivots(self) -> object:
        """The pivots of the tape's elimination at the last evaluation."""

class TileSystem(KinematicSystem):
    """A system of many alike elements, in tiles."""

    def __init__(self, size: Sequence[int], memory: dict, phases: list, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], solved_rows: int) -> None: ...

class Sweeper:
    """Sweeps a mechanism over samples of time."""

    def __init__(self, system: KinematicSystem) -> None: ...

    def run(self, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], last: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], times: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q_out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], v_out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], a_out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], rows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], spare: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], steps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], pivot_floors: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], fused: int) -> dict:
        """
        Fills the arrays sample by sample; says how far it came and why it ended.
        """

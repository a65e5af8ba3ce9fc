"""The C++ core of kempe: array functions and a few opaque handles."""

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


def version() -> str:
    """The version of kempe that this core was built for."""

class Tape:
    """A tape, checked and ready to run on numbers, lanes or intervals."""

    def __init__(self, code: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)], constants: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], n_inputs: int, n_registers: int, section_stops: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)], tables: Sequence[tuple[Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)]]], splines: Sequence[tuple[Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], bool]] = []) -> None:
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

    def evaluate_decorated(self, lower: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], upper: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], outputs: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))], Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]]:
        """
        The enclosures of evaluate_intervals, and what is known of each output over its whole box: 2 it is defined and continuous, 1 it is defined, 0 neither is known.
        """

    def table_address(self, k: int) -> int:
        """Where table k lies, for kempe_table; valid while the tape lives."""

    def spline_address(self, k: int) -> int:
        """Where spline k lies, for kempe_spline; valid while the tape lives."""

def operation_names() -> list[str]:
    """The operations of a tape in the order of their codes."""

def function_addresses() -> dict[str, int]:
    """Addresses of the functions that compiled tapes call."""

def interval_rounding() -> str:
    """How this build rounds the bounds of intervals: 'upward' or 'stepped'."""

def markowitz_order(size: int, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], unit: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, threshold: float = 0.1) -> tuple:
    """
    Pivots of a sparse matrix that cost little and are large in their row in every sample.

    values: (entries,) or (samples, entries); unit: flags of entries that are always +-1.
    Returns rows, cols of the pivots, rows and cols left over, and the smallest ratio of a
    pivot to the largest entry left in its row.
    """

def minimum_degree_order(size: int, from_nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to_nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """
    Nodes of an undirected graph in an order that fills in little when eliminated.
    """

def rank_revealing_rows(J: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], tolerance: float = 1e-10) -> tuple:
    """
    Independent rows, dependent rows, and what is left of each dependent row over its length.

    Rows count with length 1. The last two are the largest and smallest singular value of
    the independent rows, estimated: the first never too large, the second never too small.
    """

def null_space(A: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], tolerance: float = 1e-10) -> NDArray[numpy.float64]:
    """Orthonormal vectors, one per row, that A maps to zero."""

def dense_solve(A: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], tolerance: float = 1e-10) -> tuple:
    """
    The x with A x = b and the rank of A; where there is none or many, the shortest of those
    that come closest.
    """

def determinant_sign(A: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> int:
    """+1, -1, or 0 where A is singular to rounding."""

def transposed_solutions(size: int, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """
    x with A^T x = b for every row of values (samples, entries) and b (samples, n); NaN
    where the matrix is singular.
    """

def diagonal_blocks(size: int, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
    """
    The diagonal blocks of every row and of every column, numbered by their first rows.
    """

class SparseLU:
    """LU of a sparse matrix with a frozen order of pivots."""

    def __init__(self, size: int, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], threshold: float = 0.1, weak: float = 0.001, vanished: float = 1e-12) -> None:
        """
        Orders on one or several samples of values; entries at one place are summed.
        """

    @staticmethod
    def in_order(size: int, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], pivot_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], pivot_cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> SparseLU:
        """Takes the pivots in an order chosen elsewhere."""

    def factor(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool:
        """Factors in the frozen order; False where a pivot fails its check."""

    def refactor_with_new_order(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool:
        """Orders anew on these values and factors; False where that fails too."""

    def solve(self, b: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
        """x with A x = b, for b of shape (n,) or (count, n)."""

    def solve_transposed(self, b: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
        """x with A^T x = b, for b of shape (n,) or (count, n)."""

    @property
    def outcome(self) -> str:
        """empty, factored, weak_pivot, vanished_pivot or singular."""

    @property
    def determinant_sign(self) -> int:
        """+1 or -1, the same in every order; 0 without usable factors."""

    @property
    def smallest_pivot_ratio(self) -> float:
        """Smallest pivot over the largest entry of its row, given or left."""

    @property
    def weakest_pivot(self) -> tuple:
        """Row, column and ratio of that pivot."""

    @property
    def stopped_at(self) -> tuple:
        """
        Row and column where no pivot was left, or one vanished; (-1, -1) otherwise.
        """

    @property
    def pivot_order(self) -> tuple:
        """Rows and columns of the pivots, in the order they are taken."""

    @property
    def reorderings(self) -> int:
        """How often the order was renewed."""

    @property
    def multiplications(self) -> int:
        """Multiply-subtracts of one factorisation."""

def inverse_mass(mass: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> object:
    """
    M^-1 of a symmetric M, row by row; None where a pivot of it is rounding beside its own
    diagonal, so that some direction has no mass.
    """

class SchurLDLT:
    """Solves [M J^T; J 0] [a; lam] = [f; g] for bodies held by joints."""

    def __init__(self, body_sizes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], joint_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], touch_starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], touch_bodies: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], pivot: float = 1e-07, damping: float = 1e-08, refinements: int = 2, most_refinements: int = 8) -> None:
        """
        Joint i has joint_rows[i] rows and touches the bodies
        touch_bodies[touch_starts[i]:touch_starts[i + 1]].
        """

    def set_mass(self, blocks: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Mass blocks, body after body, each (size, size), flattened."""

    def factor(self, blocks: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool:
        """
        Jacobian blocks, joint after joint, body after body, each (rows, size), flattened.

        False where even the damped factors fail: J or M is not finite.
        """

    def solve(self, f: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], g: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)]) -> tuple:
        """a and lam, for one right-hand side or for several, one per row."""

    @property
    def damped(self) -> bool:
        """Whether a small pivot made the last factorisation a damped one."""

    @property
    def smallest_pivot_ratio(self) -> float:
        """Smallest pivot over its diagonal of S, before any damping."""

    @property
    def weakest(self) -> tuple:
        """Joint and its row that made damping necessary; (-1, -1) otherwise."""

    @property
    def remaining_misfit(self) -> float:
        """
        What the last damped solve left of J a = g, over its start; 0 where not damped.
        """

class KinematicSystem:
    """The equations of one mechanism."""

    def evaluate(self, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], t: float, last: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
        """
        phi of all rows, the entries of the Jacobian, and the unwrapped turns at (q, t).
        """

    def right_hand(self, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], t: float, v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
        """-phi_t and gamma(v) of all rows at (q, t)."""

    def clone(self) -> KinematicSystem:
        """The same equations with numbers of their own, for another thread."""

    def retract(self, q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], d: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
        """The coordinates after the displacement d."""

class TapeSystem(KinematicSystem):
    """A system that is one tape."""

    def __init__(self, tape: Tape, size: Sequence[int], registers: dict) -> None: ...

    def set_compiled(self, addresses: Sequence[int]) -> None:
        """Run these compiled sections instead of the VM."""

    def pivots(self) -> NDArray[numpy.float64]:
        """The pivots of the tape's elimination at the last evaluation."""

class TileSystem(KinematicSystem):
    """A system of many alike elements, in tiles."""

    def __init__(self, size: Sequence[int], memory: dict, phases: list, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], solved_rows: int) -> None: ...

def nearest_sweep(system: KinematicSystem, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], last: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], times: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q_out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], kept: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], steps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> dict:
    """
    Fills q_out with positions in which whatever is free has moved as little as it could;
    says how far it came and why it ended.
    """

class Sweeper:
    """Sweeps a mechanism over samples of time."""

    def __init__(self, system: KinematicSystem) -> None: ...

    def run(self, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], last: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], times: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q_out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], v_out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], a_out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], rows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], spare: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], steps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], pivot_floors: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], fused: int) -> dict:
        """
        Fills the arrays sample by sample; says how far it came and why it ended.
        """

def close_loops(system: KinematicSystem, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], last: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], t: float, rows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], row_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], column_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], followed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tolerance: float, most_iterations: int) -> dict:
    """
    Closes the loops of many variants of one mechanism, each from its own guess: row k of parameters, q and last. Turns that are followed are counted on from step to step. Gives q, turns, residual, slope and iterations of each.
    """

class DynamicSystem:
    """The equations of motion of one mechanism."""

    def clone(self) -> DynamicSystem:
        """The same equations with numbers of their own, for another thread."""

    def motion(self, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], t: float, last: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
        """
        Accelerations, multipliers, power dissipated and driven, smallest pivot ratio.
        """

    def equations(self, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], t: float, last: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
        """
        Entries of J, then -phi_t, gamma and f, of M a + J^T lam = f, J a = gamma.
        """

    def integrate(self, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], last: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], times: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], plane: bool, method: str, limits: dict, output: dict, progress: object | None = None) -> dict:
        """
        Fills the arrays sample by sample; says how far it came and why it ended.
        """

class TileDynamics(DynamicSystem):
    """A dynamic system of many alike elements, in tiles."""

    def __init__(self, size: Sequence[int], memory: dict, phases: list, saddle: dict, entries: dict, all_rows: dict) -> None: ...

class OutsideDynamics(DynamicSystem):
    """A dynamic system some of whose numbers a Python function gives."""

    def __init__(self, inner: DynamicSystem, places: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], function: Callable) -> None: ...

class TapeDynamics(DynamicSystem):
    """A dynamic system that is one tape."""

    def __init__(self, tape: Tape, size: Sequence[int], registers: dict, saddle: dict) -> None: ...

    def set_compiled(self, addresses: Sequence[int]) -> None:
        """Run these compiled sections instead of the VM."""

def unit_quaternions(q: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> int:
    """The first row that is no rotation, or -1."""

def quaternions_of_vectors(v: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> int:
    """The first row that is no rotation, or -1."""

def quaternions_of_axis_angles(a: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> int:
    """The first row that is no rotation, or -1."""

def quaternions_of_rodrigues(s: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> int:
    """The first row that is no rotation, or -1."""

def quaternions_of_six(x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> int:
    """The first row that is no rotation, or -1."""

def quaternions_of_matrices(m: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], tolerance: float, out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> int:
    """The first row that is no rotation, or -1."""

def quaternions_of_euler(axes: Sequence[int], extrinsic: bool, angles: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> int:
    """The first row that is no rotation, or -1."""

def matrices_of_quaternions(q: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def vectors_of_quaternions(q: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def axis_angles_of_quaternions(q: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def rodrigues_of_quaternions(q: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def six_of_quaternions(q: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def euler_of_quaternions(axes: Sequence[int], extrinsic: bool, q: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> int:
    """How many rows lie at the gimbal lock."""

def quaternion_products(p: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def turned_vectors(q: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], v: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def slerps(a: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], t: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

class BoxProblem:
    """F(x) = 0 in a box, prepared for any number of searches."""

    def __init__(self, tape: Tape, outputs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Sequence[int], low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], period: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], limited: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def unbounded(self) -> int | None:
        """An unknown that nothing bounds, if there is one."""

    def domain(self) -> tuple: ...

class BoxSearch:
    """All solutions of F(x) = 0 in a box: points, or curves."""

    def __init__(self, problem: BoxProblem, settings: dict) -> None: ...

    def run(self, seconds: float, boxes: int, bytes: int, threads: int, go_on: Callable) -> str: ...

    def counts(self) -> dict: ...

    def cuts(self) -> tuple: ...

    def points(self) -> tuple: ...

    def component(self, number: int) -> dict: ...

    def unresolved(self) -> tuple: ...

    def sheets(self) -> tuple: ...

    def settle(self) -> bool: ...

    def pending(self) -> tuple: ...

def box_groups(low: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], high: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], reach: float) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """A number for every box: the same for those that are near each other."""

def sample_charts(tape: Tape, outputs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], period: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], charts: dict, step: float) -> dict:
    """
    Points along a curve no further apart than a step, each with a bound of its error.
    """

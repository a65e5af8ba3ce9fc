"""The C++ core of kempe: array functions and a few opaque handles."""

from collections.abc import Callable, Sequence
import enum
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

class CoreFunction:
    """A function that compiled tapes call."""

    @property
    def name(self) -> str:
        """Its symbol."""

    @property
    def address(self) -> int:
        """Where it lies in memory."""

def functions() -> list[CoreFunction]:
    """The functions that compiled tapes call."""

def interval_rounding() -> str:
    """How this build rounds the bounds of intervals: 'upward' or 'stepped'."""

class PivotOrder:
    """Pivots of a matrix in the order they are taken."""

    @property
    def rows(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Their rows."""

    @property
    def cols(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Their columns."""

    @property
    def left_rows(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Rows without a pivot."""

    @property
    def left_cols(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Columns without a pivot."""

    @property
    def weakest_ratio(self) -> float:
        """The smallest ratio of a pivot to the largest entry left in its row."""

def markowitz_order(size: int, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], unit: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, threshold: float = 0.1) -> PivotOrder:
    """
    Pivots of a sparse matrix that cost little and are large in their row in every sample.

    values: (entries,) or (samples, entries); unit: flags of entries that are always +-1.
    """

def minimum_degree_order(size: int, from_nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to_nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """
    Nodes of an undirected graph in an order that fills in little when eliminated.
    """

class RowRank:
    """Which rows of a matrix are independent."""

    @property
    def independent(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Independent rows, as they were taken."""

    @property
    def dependent(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The other rows, ascending."""

    @property
    def rest(self) -> NDArray[numpy.float64]:
        """
        What the independent rows leave of each dependent one, over its length.
        """

    @property
    def largest_singular(self) -> float:
        """
        The largest singular value of the independent rows, never above the true one.
        """

    @property
    def smallest_singular(self) -> float:
        """
        The smallest singular value of the independent rows, never below the true one.
        """

def rank_revealing_rows(J: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], tolerance: float = 1e-10) -> RowRank:
    """Which rows of J are independent, every row counted with length 1."""

def null_space(A: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], tolerance: float = 1e-10) -> NDArray[numpy.float64]:
    """Orthonormal vectors, one per row, that A maps to zero."""

class DiagonalBlocks:
    """The diagonal blocks of a matrix, numbered by their first rows."""

    @property
    def of_row(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The block of every row."""

    @property
    def of_column(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The block of every column."""

class LuOutcome(enum.Enum):
    """How a factorisation went."""

    empty = 0
    """Nothing is factored yet."""

    factored = 1
    """Every pivot is sound."""

    weak_pivot = 2
    """Solvable with fewer digits."""

    vanished_pivot = 3
    """Not solvable in this order."""

    singular = 4
    """Not solvable in any order."""

class PivotPlace:
    """Where a pivot stands; -1 where there is none."""

    @property
    def row(self) -> int:
        """Its row."""

    @property
    def col(self) -> int:
        """Its column."""

    @property
    def ratio(self) -> float:
        """Over the largest entry of its row."""

def transposed_solutions(size: int, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """
    x with A^T x = b for every row of values (samples, entries) and b (samples, n); NaN
    where the matrix is singular.
    """

def diagonal_blocks(size: int, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> DiagonalBlocks:
    """The diagonal blocks that rows and columns belong to."""

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
    def outcome(self) -> LuOutcome:
        """How the last factorisation went."""

    @property
    def determinant_sign(self) -> int:
        """+1 or -1, the same in every order; 0 without usable factors."""

    @property
    def smallest_pivot_ratio(self) -> float:
        """Smallest pivot over the largest entry of its row, given or left."""

    @property
    def weakest_pivot(self) -> PivotPlace:
        """Where that pivot stands."""

    @property
    def stopped_at(self) -> PivotPlace:
        """Where no pivot was left, or one vanished."""

    @property
    def pivot_order(self) -> PivotOrder:
        """The pivots in the order they are taken."""

    @property
    def reorderings(self) -> int:
        """How often the order was renewed."""

    @property
    def multiplications(self) -> int:
        """Multiply-subtracts of one factorisation."""

class SaddleSolution:
    """What solves [M J^T; J 0] [a; lam] = [f; g]."""

    @property
    def a(self) -> NDArray[numpy.float64]:
        """The upper part, as f is shaped."""

    @property
    def lam(self) -> NDArray[numpy.float64]:
        """The multipliers, as g is shaped."""

class SaddlePlace:
    """A row of a joint; -1 where there is none."""

    @property
    def joint(self) -> int:
        """The joint."""

    @property
    def row(self) -> int:
        """Its row."""

def inverse_mass(mass: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64] | None:
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

    def solve(self, f: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], g: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)]) -> SaddleSolution:
        """The solution for one right-hand side or for several, one per row."""

    @property
    def damped(self) -> bool:
        """Whether a small pivot made the last factorisation a damped one."""

    @property
    def smallest_pivot_ratio(self) -> float:
        """Smallest pivot over its diagonal of S, before any damping."""

    @property
    def weakest(self) -> SaddlePlace:
        """The row that made damping necessary."""

    @property
    def remaining_misfit(self) -> float:
        """
        What the last damped solve left of J a = g, over its start; 0 where not damped.
        """

class RowsAt:
    """All rows of a mechanism at one place and time."""

    @property
    def phi(self) -> NDArray[numpy.float64]:
        """How far (rows,) they are from holding."""

    @property
    def entries(self) -> NDArray[numpy.float64]:
        """Non-zeros of the Jacobian."""

    @property
    def turns(self) -> NDArray[numpy.float64]:
        """The angles (n_turns,) that rows count, unwrapped."""

class RightHand:
    """What J v and J a are at one place and time."""

    @property
    def rhs(self) -> NDArray[numpy.float64]:
        """-phi_t (rows,), which J v is."""

    @property
    def gamma(self) -> NDArray[numpy.float64]:
        """gamma(v) (rows,), which J a is."""

class KinematicSystem:
    """The equations of one mechanism."""

    def evaluate(self, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], t: float, last: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> RowsAt:
        """The rows at (q, t)."""

    def right_hand(self, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], t: float, v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> RightHand:
        """The right-hand sides of all rows at (q, t), moving with v."""

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

class Refusal(enum.Enum):
    """Why a step of a sweep was refused."""

    none = 0
    """It was not."""

    too_far = 1
    """More than a quarter turn, or the machine's size."""

    not_contracting = 2
    """A correction did not halve its residual."""

    wandered = 3
    """The corrections left the predictor's neighbourhood."""

    singular = 4
    """There was no factorisation."""

    sign_changed = 5
    """A block of det J has changed its sign."""

    spare_violated = 6
    """A redundant row does not hold."""

class SweepCounts:
    """What a sweep cost."""

    @property
    def iterations(self) -> int:
        """Of Newton's method."""

    @property
    def halvings(self) -> int:
        """Steps refused and halved."""

    @property
    def substeps(self) -> int:
        """Accepted steps between samples."""

    @property
    def fallbacks(self) -> int:
        """Steps solved with a fresh order of pivots."""

    @property
    def smallest_step(self) -> float:
        """The smallest step (s) between samples; infinite where there was none."""

    @property
    def refusals(self) -> list[int]:
        """Steps refused, one number for every Refusal, in their order."""

class SweepEnd:
    """How far a sweep came, and why it ended."""

    @property
    def samples(self) -> int:
        """Rows written."""

    @property
    def refusal(self) -> Refusal:
        """Why it ended early."""

    @property
    def t(self) -> float:
        """The last accepted time (s)."""

    @property
    def interrupted(self) -> bool:
        """Whether a signal ended it."""

    @property
    def pivot_ratio(self) -> float:
        """The smallest pivot at t, over its row."""

    @property
    def speed(self) -> float:
        """The largest weighted velocity at t."""

    @property
    def counts(self) -> SweepCounts:
        """What it cost."""

    @property
    def q(self) -> NDArray[numpy.float64]:
        """The coordinates (n_q,) at t."""

    @property
    def turns(self) -> NDArray[numpy.float64]:
        """The angles (n_turns,) that rows count, at t."""

def nearest_sweep(system: KinematicSystem, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], turns: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], times: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q_out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], kept: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], steps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], put_off: Callable | None = None) -> SweepEnd:
    """
    Fills q_out with positions in which whatever is free has moved as little as it could.
    """

class Sweeper:
    """Sweeps a mechanism over samples of time."""

    def __init__(self, system: KinematicSystem) -> None: ...

    def run(self, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], turns: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], times: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q_out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], v_out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], a_out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], rows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], spare: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], steps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], pivot_floors: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], fused: int, put_off: Callable | None = None) -> SweepEnd:
        """Fills the arrays sample by sample, as far as it comes."""

class Closings:
    """How searches for closed loops ended, one a row."""

    @property
    def q(self) -> NDArray[numpy.float64]:
        """The coordinates (n, n_q)."""

    @property
    def turns(self) -> NDArray[numpy.float64]:
        """The angles (n, n_turns) that rows count."""

    @property
    def residual(self) -> NDArray[numpy.float64]:
        """The largest weighted row (n,); infinite where one is not finite."""

    @property
    def slope(self) -> NDArray[numpy.float64]:
        """|J^T f| / |f| (n,): 0 where no small displacement brings it nearer."""

    @property
    def iterations(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Steps taken (n,)."""

def close_loops(system: KinematicSystem, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], last: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], t: float, rows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], row_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], column_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], followed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tolerance: float, most_iterations: int) -> Closings:
    """
    Closes the loops of many variants of one mechanism, each from its own guess: row k of parameters, q and last. Turns that are followed are counted on from step to step.
    """

class Halt(enum.Enum):
    """Why a simulation ended early."""

    none = 0
    """It did not."""

    interrupted = 1
    """By request."""

    step_too_small = 2
    """No step is small enough."""

    diverged = 3
    """Numbers are not finite, however small the step."""

    singular = 4
    """It was damped for too long."""

    locked = 5
    """Rows contradict each other."""

    sliding = 6
    """Neither side of a switch of a force law holds."""

    too_many_steps = 7
    """It would take ever so many steps."""

    outside = 8
    """The function for numbers from outside gave none."""

class IntegratorCounts:
    """What a simulation cost."""

    @property
    def evaluations(self) -> int:
        """Of the accelerations."""

    @property
    def steps(self) -> int:
        """Accepted steps."""

    @property
    def rejected(self) -> int:
        """Steps that were too long."""

    @property
    def damped(self) -> int:
        """Evaluations that had to be damped."""

    @property
    def projections(self) -> int:
        """Corrections of positions."""

    @property
    def switched(self) -> int:
        """Times at which laws of forces have changed over."""

class IntegratorEnd:
    """How far a simulation came, and why it ended."""

    @property
    def samples(self) -> int:
        """Rows written."""

    @property
    def halt(self) -> Halt:
        """Why it ended early."""

    @property
    def t(self) -> float:
        """The time (s) reached."""

    @property
    def stiff(self) -> bool:
        """Whether stability held its steps down."""

    @property
    def steps_left(self) -> float:
        """To the end, at the present length."""

    @property
    def sliding_switch(self) -> int:
        """The switch of a force law that ended it, or -1."""

    @property
    def counts(self) -> IntegratorCounts:
        """What it cost."""

    @property
    def bytes(self) -> int:
        """Memory it took, beside that of the samples."""

class MotionAt:
    """The motion that forces make at one place and time."""

    @property
    def a(self) -> NDArray[numpy.float64]:
        """Accelerations (n_v,)."""

    @property
    def lam(self) -> NDArray[numpy.float64]:
        """Multipliers (rows,)."""

    @property
    def dissipated(self) -> float:
        """Power (W) that forces take away."""

    @property
    def driven(self) -> float:
        """Power (W) that drives put in."""

    @property
    def pivot_ratio(self) -> float:
        """The smallest; 0 where it is singular."""

class EquationsAt:
    """Terms of M a + J^T lam = f, J a = gamma at one place and time."""

    @property
    def entries(self) -> NDArray[numpy.float64]:
        """Non-zeros of J."""

    @property
    def rhs(self) -> NDArray[numpy.float64]:
        """-phi_t (rows,), which J v is."""

    @property
    def gamma(self) -> NDArray[numpy.float64]:
        """gamma (rows,)."""

    @property
    def load(self) -> NDArray[numpy.float64]:
        """f (n_v,)."""

class DynamicSystem:
    """The equations of motion of one mechanism."""

    def clone(self) -> DynamicSystem:
        """The same equations with numbers of their own, for another thread."""

    def motion(self, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], t: float, last: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> MotionAt:
        """The motion at (q, v, t) under the forces there."""

    def equations(self, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], t: float, last: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> EquationsAt:
        """The terms of the equations of motion at (q, v, t)."""

    def integrate(self, parameters: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], last: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], times: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], plane: bool, method: str, limits: dict, output: dict, progress: object | None = None, put_off: Callable | None = None) -> IntegratorEnd:
        """Fills the arrays sample by sample, as far as it comes."""

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

class CurveEndKind(enum.Enum):
    """Why a curve goes no further."""

    loop = 0
    """It closes."""

    limit = 1
    """It leaves the domain through the bound of an unknown."""

    stuck = 2
    """No chart could be proved any further."""

    joined = 3
    """It entered a chart of a curve that is already known."""

    unfinished = 4
    """It has as many charts as are allowed."""

class CurveEnd:
    """An end of a curve."""

    @property
    def kind(self) -> CurveEndKind:
        """Why it ends there."""

    @property
    def unknown(self) -> int:
        """The unknown whose bound was met, or -1."""

    @property
    def side(self) -> int:
        """-1 at its lower bound, 1 at its upper one."""

    @property
    def x(self) -> NDArray[numpy.float64]:
        """A point (n,) there."""

    @property
    def radius(self) -> float:
        """How far it is from a true one at most."""

class ChartedCurve:
    """A curve, or a point, with the charts that prove it."""

    @property
    def closed(self) -> bool:
        """Whether it is a loop."""

    @property
    def start_radius(self) -> float:
        """How far `start` is from a true point at most."""

    @property
    def ends(self) -> list[CurveEnd]:
        """Its two ends; a point has none."""

    @property
    def start(self) -> NDArray[numpy.float64]:
        """A point (n,) of it."""

    @property
    def p(self) -> NDArray[numpy.float64]:
        """Centres (charts, n)."""

    @property
    def A(self) -> NDArray[numpy.float64]:
        """Frames (charts, n n), column after column."""

    @property
    def C(self) -> NDArray[numpy.float64]:
        """Inverses (charts, m m) that the proofs use."""

    @property
    def h(self) -> NDArray[numpy.float64]:
        """Half-lengths (charts,)."""

    @property
    def w(self) -> NDArray[numpy.float64]:
        """Half-widths (charts,)."""

    @property
    def contraction(self) -> NDArray[numpy.float64]:
        """Factors (charts,) below 1."""

    @property
    def lean(self) -> NDArray[numpy.float64]:
        """How far (charts,) the curve may lean out of its chart."""

    @property
    def entered(self) -> NDArray[numpy.float64]:
        """Where (charts,) along its chart it comes in."""

    @property
    def left(self) -> NDArray[numpy.float64]:
        """Where (charts,) along its chart it goes out."""

    @property
    def links(self) -> NDArray[numpy.float64]:
        """Points (links, n) that neighbours share."""

    @property
    def link_radii(self) -> NDArray[numpy.float64]:
        """How far (links,) these are off at most."""

class Bounds:
    """Boxes, one a row."""

    @property
    def low(self) -> NDArray[numpy.float64]:
        """Lower bounds (count, n)."""

    @property
    def high(self) -> NDArray[numpy.float64]:
        """Upper bounds (count, n)."""

class CertifiedPoints:
    """A point of every component."""

    @property
    def x(self) -> NDArray[numpy.float64]:
        """The points (count, n)."""

    @property
    def radius(self) -> NDArray[numpy.float64]:
        """How far (count,) they are off at most."""

class CurveSamples:
    """Points along a curve."""

    @property
    def x(self) -> NDArray[numpy.float64]:
        """The points (count, n)."""

    @property
    def radius(self) -> NDArray[numpy.float64]:
        """How far (count,) they are off at most."""

    @property
    def length(self) -> NDArray[numpy.float64]:
        """Lengths (count,) along the curve up to them."""

class Cuts:
    """How a domain was cut up, level by level."""

    @property
    def unknown(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        Of every part the unknown that is cut, or minus the reason why it is a last part, less 1.
        """

    @property
    def at(self) -> NDArray[numpy.float64]:
        """Where, for those that are cut; halves of cut k are 2 k + 1, 2 k + 2."""

class SearchCounts:
    """What a search cost and found."""

    @property
    def boxes(self) -> int:
        """Boxes looked at."""

    @property
    def empty(self) -> int:
        """Boxes without a solution."""

    @property
    def covered(self) -> int:
        """Boxes whose solutions lie in charts."""

    @property
    def split(self) -> int:
        """Boxes cut in two."""

    @property
    def traces(self) -> int:
        """Curves followed."""

    @property
    def charts(self) -> int:
        """Charts proved."""

    @property
    def components(self) -> int:
        """Curves, or points, found."""

    @property
    def unresolved(self) -> int:
        """Boxes too small to go on with."""

class SearchStatus(enum.Enum):
    """How a search stands."""

    going = 0
    """There is more to look at."""

    complete = 1
    """Everything is looked at."""

    out_of_boxes = 2
    """It has looked at as many as it may."""

    out_of_memory = 3
    """It has filled the memory it may."""

class BoxProblem:
    """F(x) = 0 in a box, prepared for any number of searches."""

    def __init__(self, tape: Tape, outputs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Sequence[int], low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], period: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], limited: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def unbounded(self) -> int | None:
        """An unknown that nothing bounds, if there is one."""

    def domain(self) -> Bounds: ...

class BoxSearch:
    """All solutions of F(x) = 0 in a box: points, or curves."""

    def __init__(self, problem: BoxProblem, settings: dict) -> None: ...

    def run(self, seconds: float, boxes: int, bytes: int, threads: int, go_on: Callable) -> SearchStatus: ...

    def counts(self) -> SearchCounts: ...

    def cuts(self) -> Cuts: ...

    def points(self) -> CertifiedPoints: ...

    def component(self, number: int) -> ChartedCurve: ...

    def unresolved(self) -> Bounds: ...

    def sheets(self) -> Bounds: ...

    def settle(self) -> bool: ...

    def pending(self) -> Bounds: ...

def box_groups(low: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], high: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], reach: float) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """A number for every box: the same for those that are near each other."""

def sample_charts(tape: Tape, outputs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], period: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], charts: dict, step: float) -> CurveSamples:
    """
    Points along a curve no further apart than a step, each with a bound of its error.
    """

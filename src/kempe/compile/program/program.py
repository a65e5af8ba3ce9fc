"""Programs: the compiled form of a structure, shared by every model that has it.

Compiled code runs a program where it can be had, the VM everywhere. Programs of the small plan are
kept in the cache as a whole, tape and object file together, under the key of their structure: a
later process traces nothing and compiles nothing.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Tape
from kempe.algebra.native import core
from kempe.compile.llvm.object_cache import default_cache
from kempe.compile.trace.shape import AbstractDynamicShape, AbstractShape
from kempe.errors import MissingPart
from kempe.forking import free_in_children

if TYPE_CHECKING:
    from kempe.compile.small.kinematic_tape import KinematicTape
    from kempe.compile.trace.untraced import UntracedJoints

FloatArray = NDArray[np.float64]

EXECUTORS = ("auto", "vm", "llvm")
MOST_PROGRAMS = 128

Shape = TypeVar("Shape", bound=AbstractShape)
System = TypeVar("System", "core.KinematicSystem", "core.DynamicSystem")
P = TypeVar("P")


@dataclass(eq=False)
class AbstractProgram(Generic[Shape, System]):
    """A native system, shared by every model of its structure; every thread has its own copy."""

    shape: Shape
    prototype: System
    plan: str  # "small" or "large"
    executor: str = field(default="vm", init=False)
    compiled: Any = field(default=None, init=False)  # keeps compiled code alive
    _mine: threading.local = field(default_factory=threading.local, repr=False, init=False)

    @property
    def system(self) -> System:
        """This thread's own copy of the native system."""
        if not hasattr(self._mine, "system"):
            self._mine.system = self.prototype.clone()
        mine: System = self._mine.system
        return mine


@final
@dataclass(eq=False)
class Program(AbstractProgram[AbstractShape, "core.KinematicSystem"]):
    """A native system that evaluates and solves the equations of one structure.

    The small plan is one tape (`tape`), the large one tiles of elements.
    """

    fused_address: int = field(default=0, init=False)
    untraced: "UntracedJoints | None" = field(default=None, init=False)  # asked at every evaluation

    @property
    def tape(self) -> "KinematicTape":
        """The tape of the small plan."""
        assert self.plan == "small"
        return cast("KinematicTape", self.shape)

    def tape_inputs(
        self,
        q: FloatArray,
        t: FloatArray | float,
        parameters: FloatArray,
        v: FloatArray | None = None,
    ) -> FloatArray:
        """The inputs of its tape at samples (n, ...), with what joints say there: (n, inputs)."""
        rows = self.tape.inputs(q, t, parameters, v)
        if self.untraced is not None:
            self.untraced.fill(rows[:, rows.shape[1] - len(parameters) :], q, v)
        return rows

    def evaluate(
        self, parameters: FloatArray, q: FloatArray, t: float, last: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """phi of all rows, the Jacobian's entries, and the unwrapped turns, at (q, t)."""
        rows = self.system.evaluate(parameters, q, t, last)
        return rows.phi, rows.entries, rows.turns

    def right_hand(
        self, parameters: FloatArray, q: FloatArray, t: float, v: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """-phi_t and gamma(v) of all rows, at (q, t)."""
        right = self.system.right_hand(parameters, q, t, v)
        return right.rhs, right.gamma

    def retract(self, q: FloatArray, d: FloatArray) -> FloatArray:
        """The coordinates after the displacement d."""
        return self.system.retract(q, d)

    def dense_jacobian(self, entries: FloatArray) -> FloatArray:
        """The Jacobian of all rows as a full matrix."""
        J = np.zeros((len(self.shape.rows), self.shape.n_v))
        J[self.shape.jacobian_rows, self.shape.jacobian_columns] = entries
        return J


@final
@dataclass(frozen=True, eq=False)
class Derived:
    """The derivatives of equations of motion, and what keeps their compiled code alive."""

    native: "core.ResidualDerivatives"
    compiled: object


@final
@dataclass(eq=False)
class DynamicProgram(AbstractProgram[AbstractDynamicShape, "core.DynamicSystem"]):
    """The native equations of motion of one structure, and their derivatives when asked for."""

    derive: "Callable[[], Derived] | None" = field(default=None, init=False)
    _derived: "Derived | None" = field(default=None, init=False)
    _deriving: threading.RLock = field(default_factory=threading.RLock, repr=False, init=False)

    def __post_init__(self) -> None:
        free_in_children(self._deriving)

    @property
    def derivatives(self) -> "core.ResidualDerivatives":
        """This thread's own copy of the derivatives of the equations, made on first use."""
        if not hasattr(self._mine, "derivatives"):
            with self._deriving:
                if self._derived is None:
                    assert self.derive is not None
                    self._derived = self.derive()
            self._mine.derivatives = self._derived.native.clone()
        mine: core.ResidualDerivatives = self._mine.derivatives
        return mine

    def dense_jacobian(self, entries: FloatArray) -> FloatArray:
        """J of all rows as one matrix, from the entries that the system gives; some add up."""
        shape = self.shape
        J = np.zeros((len(shape.rows), shape.n_v))
        np.add.at(J, (shape.jacobian_rows, shape.jacobian_columns), entries)
        return J


def system_size(shape: AbstractShape) -> "core.SystemSize":
    """The sizes as the native systems take them."""
    return core.SystemSize(**_sizes(shape))


def dynamic_size(shape: AbstractDynamicShape, switches: int) -> "core.DynamicSize":
    """The sizes as the native equations of motion take them."""
    return core.DynamicSize(
        **_sizes(shape),
        rows=shape.n_rows,
        switches=switches,
        states=shape.states,
        flow_bodies=np.array([body for body, _ in shape.flows], dtype=np.int32),
        flow_states=np.array([state for _, state in shape.flows], dtype=np.int32),
    )


def _sizes(shape: AbstractShape | AbstractDynamicShape) -> dict[str, int]:
    """How many coordinates, velocities, spare rows, counted turns and parameters there are."""
    return {
        "q": shape.n_q,
        "v": shape.n_v,
        "spare": shape.n_spare,
        "turns": shape.n_turns,
        "parameters": shape.n_parameters,
    }


# -- by whom a program is run ----------------------------------------------------------------


def is_compiled(executor: str) -> bool:
    """Whether a program is to be compiled; MissingPart where that was asked for and cannot be."""
    if executor not in EXECUTORS:
        raise MissingPart(f"there is no executor {executor!r}: use one of {', '.join(EXECUTORS)}.")
    if executor == "vm":
        return False
    from kempe.compile.llvm.machine_code import llvm_available, llvm_reason

    if executor == "llvm" and not llvm_available():
        raise MissingPart(f"the executor llvm cannot be used here: {llvm_reason()}.")
    return llvm_available()


def tile_compiler(executor: str, keep: list[object]) -> Callable[[Tape], int] | None:
    """What compiles the tapes of the large plan; compiled code is put into `keep` to live on."""
    if not is_compiled(executor):
        return None
    from kempe.compile.llvm.native_tape import LlvmTape

    def compiled(tape: Tape) -> int:
        code = LlvmTape(tape, kept=tape.outputs.tolist(), cache=default_cache())
        keep.append(code)
        return code.lane_section_addresses()[0]

    return compiled


def executor_report() -> dict[str, object]:
    """What `kempe doctor` says about executors and the cache."""
    from kempe.compile.llvm.machine_code import llvm_available, llvm_reason

    cache = default_cache()
    trial = "0" * 64
    cache.store(trial, {"trial": b"kempe"})
    works = cache.load(trial) == {"trial": b"kempe"}
    if cache.folder is None:
        said = "off"
    else:
        said = f"{cache.folder} ({'works' if works else 'cannot be used'})"
    return {
        "executor": "llvm" if llvm_available() else f"vm ({llvm_reason()})",
        "cache": said,
    }


# -- where programs are remembered -----------------------------------------------------------


@final
class ProgramCache(Generic[P]):
    """A bounded, thread-safe memory of programs; the least recently used goes first."""

    def __init__(self, most: int = MOST_PROGRAMS) -> None:
        self._programs: OrderedDict[str, P] = OrderedDict()
        self._lock = threading.RLock()
        free_in_children(self._lock)
        self._most = most

    def find(self, key: str | None) -> P | None:
        """The program of that key, if it is remembered."""
        with self._lock:
            program = self._programs.get(key) if key is not None else None
            if program is not None and key is not None:
                self._programs.move_to_end(key)
            return program

    def keep(self, key: str | None, program: P) -> None:
        """Remember a program; without a key nothing is remembered."""
        if key is None:
            return
        with self._lock:
            self._programs[key] = program
            self._programs.move_to_end(key)
            while len(self._programs) > self._most:
                self._programs.popitem(last=False)

    def __len__(self) -> int:
        return len(self._programs)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._programs.clear()


PROGRAMS: ProgramCache[Program] = ProgramCache()
DYNAMIC_PROGRAMS: ProgramCache[DynamicProgram] = ProgramCache()

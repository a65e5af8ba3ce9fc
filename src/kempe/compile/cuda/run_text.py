"""The source of simulations: functions of the dynamic tape, sizes, and the loop of `run.inc`."""

from dataclasses import dataclass
from typing import Final, final

from kempe.compile.cuda.sweep_text import SUMMARY, braced, part
from kempe.compile.cuda.tape_text import SectionText, number
from kempe.compile.llvm.lane_sweep_text import TURN
from kempe.compile.llvm.sections import consecutive
from kempe.compile.small.dynamic_tape import DynamicTape
from kempe.compile.small.reading_tape import ORDERS, ReadingTape

NAME: Final = "kempe_run"
ENERGIES: Final = ("kinetic", "potential", "dissipated", "driven", "total")
# Of its diagonal: a pivot that is less makes the processor look closer, so the thread gives up.
PIVOT_FLOOR: Final = 1e-3
DRIFT: Final = 100.0  # times tolerance: energies that drift further are looked at by the processor


@final
@dataclass(frozen=True, slots=True, eq=False)
class RunTask:
    """What is simulated and read: planar bodies whose equations are one tape without switches."""

    dynamic: DynamicTape
    reading: ReadingTape | None  # of points and measures; None where only energies are read
    orders: int
    is_summary: bool

    @property
    def scalars(self) -> int:
        """How many numbers of a sample are read, energies too."""
        return len(self.wrapped) + len(ENERGIES)

    @property
    def wrapped(self) -> tuple[bool, ...]:
        """Which scalars of points and measures are angles."""
        return () if self.reading is None else self.reading.wrapped

    def rows(self, samples: int) -> int:
        """How many numbers of each scalar and order are kept."""
        return len(SUMMARY) if self.is_summary else samples


def run_text(task: RunTask) -> str:
    """The source of a task, in CUDA C++ that is C++ too."""
    d = task.dynamic
    found = d.registers
    results = {
        "residual": [("phi", found["phi"])],
        "factor": [("pivots", found["pivots"]), ("diagonals", found["diagonals"])],
        "correct": [("x", found["x"])],
        "velocity": [("velocity", found["velocity"])],
        "motion": [(name, found[name]) for name in ("a", "lam", "powers")],
        "energy": [("energies", found["energies"])],
    }
    motion = SectionText(d.tape, "motion", results)
    texts, functions = [motion], [motion.function(section) for section in results]
    if task.reading is not None:
        names = [(name, getattr(task.reading, name)) for name in ORDERS]
        readings = SectionText(task.reading.tape, "readings", {"read": names})
        texts.append(readings)
        functions.append(readings.function("read"))
    sizes = [f"#define {name} {value}" for name, value in _sizes(task).items()]
    kept = [text for one in texts for text in (one.structure(), one.data())]
    head = [part("functions.inc"), part("dop853.inc"), *sizes]
    return "\n".join([*head, *kept, *functions, part("run.inc")])


def _sizes(task: RunTask) -> dict[str, object]:
    """All that the loop has to know of a task."""
    d, r = task.dynamic, task.reading
    inputs = consecutive(
        {"IN_Q": d.n_q, "IN_V": d.n_v, "IN_T": 1, "IN_LAST": d.n_turns, "IN_G": d.n_rows}
        | {"IN_P": d.n_parameters}
    )
    seen: dict[str, range] = {}
    if r is not None:
        counts = {"READ_Q": r.n_q, "READ_V": r.n_v, "READ_A": r.n_v, "READ_P": r.n_parameters}
        seen = consecutive(counts)
    angles = [j for j, is_angle in enumerate(task.wrapped) if is_angle]
    return {
        "N_V": d.n_v,
        "N_ROWS": d.n_rows,
        "N_PARAMETERS": d.n_parameters,
        "N_INPUTS": d.tape.n_inputs,
        "N_PIVOTS": len(d.registers["pivots"]),
        "N_READ": 0 if r is None else r.n_parameters,
        "N_READ_INPUTS": 0 if r is None else r.tape.n_inputs,
        "N_SCALARS": len(task.wrapped),
        "N_ANGLES": len(angles),
        "ORDERS": task.orders,
        "IS_SUMMARY": int(task.is_summary),
        "ANGLES": braced([str(j) for j in angles]),
        "ROW_IS_LENGTH": braced([str(int(row.unit == "m")) for row in d.rows]),
        "PIVOT_FLOOR": number(PIVOT_FLOOR),
        "DRIFT": number(DRIFT),
        "TURN": number(TURN),
        **{name: where.start for name, where in (inputs | seen).items()},
    }

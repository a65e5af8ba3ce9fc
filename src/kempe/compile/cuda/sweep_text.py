"""The source of a sweep: the functions of its tapes, its sizes, and the loop of `sweep.inc`."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, final

from kempe.compile.cuda.tape_text import SectionText, number
from kempe.compile.llvm.fused_text import CONTRACTION, LEASH, MOST_CORRECTIONS
from kempe.compile.llvm.lane_sweep import LaneTask
from kempe.compile.llvm.lane_sweep_text import OF_ACCELERATIONS, OF_VELOCITIES, TURN
from kempe.compile.llvm.sections import SECTIONS, consecutive
from kempe.compile.small.reading_tape import ORDERS

NAME: Final = "kempe_sweep"
SUMMARY: Final = ("least", "largest", "sum", "last")  # rows of a summary


@final
@dataclass(frozen=True, slots=True, eq=False)
class DeviceTask:
    """What is swept and read, and whether only a summary of each reading is kept."""

    lanes: LaneTask
    is_summary: bool = False

    def rows(self, samples: int) -> int:
        """How many numbers of each scalar and order are kept."""
        return len(SUMMARY) if self.is_summary else samples


def sweep_text(task: DeviceTask) -> str:
    """The source of a task, in CUDA C++ that is C++ too."""
    k, r = task.lanes.kinematic, task.lanes.reading
    results = {
        "retract": [("retracted", k.retracted)],
        "residual": [("phi", k.phi), ("spare", k.spare), ("turns", k.turns)],
        "correct": [("dx", k.dx), ("pivots", k.correct_pivots)],
        "velocity": [("qd", k.qd), ("pivots", k.velocity_pivots)],
        "acceleration": [("qdd", k.qdd)],
    }
    motion = SectionText(k.tape, "motion", results)
    read = {"read": [(name, getattr(r, name)) for name in ORDERS]}
    readings = SectionText(r.tape, "readings", read)
    sizes = [f"#define {name} {value}" for name, value in _sizes(task).items()]
    functions = [*map(motion.function, SECTIONS), readings.function("read")]
    kept = [text for one in (motion, readings) for text in (one.structure(), one.data())]
    parts = [part("functions.inc"), *sizes, *kept, *functions, part("sweep.inc")]
    return "\n".join(parts)


@cache
def part(name: str) -> str:
    """A part of the source that is the same for all tasks."""
    return (files("kempe.compile.cuda") / name).read_text(encoding="utf-8")


def _sizes(task: DeviceTask) -> dict[str, object]:
    """All that the loop has to know of a task."""
    k, r, lanes = task.lanes.kinematic, task.lanes.reading, task.lanes
    inputs = consecutive(
        {"IN_Q": k.n_q, "IN_V": k.n_v, "IN_DELTA": k.n_v, "IN_T": 1, "IN_LAST": k.n_turns}
        | {"IN_P": k.n_parameters}
    )
    seen = consecutive(
        {"READ_Q": r.n_q, "READ_V": r.n_v, "READ_A": r.n_v, "READ_P": r.n_parameters}
    )
    angles = [j for j, is_angle in enumerate(r.wrapped) if is_angle]
    places = {name: where.start for name, where in (inputs | seen).items()}
    counts = {
        "N_Q": k.n_q,
        "N_V": k.n_v,
        "N_ROWS": k.n_rows,
        "N_SPARE": k.n_spare,
        "N_TURNS": k.n_turns,
        "N_PARAMETERS": k.n_parameters,
        "N_READ": r.n_parameters,
        "N_INPUTS": k.tape.n_inputs,
        "N_READ_INPUTS": r.tape.n_inputs,
        "N_SCALARS": len(r.wrapped),
        "N_ANGLES": len(angles),
        "N_CORRECT_PIVOTS": len(k.correct_pivots),
        "N_VELOCITY_PIVOTS": len(k.velocity_pivots),
        "N_BLOCKS": len(k.blocks),
        "ORDERS": lanes.orders,
        "MOST_CORRECTIONS": MOST_CORRECTIONS,
        "IS_FLAT": int(lanes.is_flat),
        "IS_SUMMARY": int(task.is_summary),
    }
    lists: dict[str, Sequence[int]] = {
        "ROW_IS_LENGTH": [unit == "m" for unit in lanes.row_units],
        "SPARE_IS_LENGTH": [unit == "m" for unit in lanes.spare_units],
        "STEP_IS_LENGTH": [unit != "rad" for unit in lanes.step_units],
        "STEP_IS_OWN": [unit == "own" for unit in lanes.step_units],
        "PIVOT_BLOCKS": k.pivot_blocks.tolist(),
        "ANGLES": angles,
    }
    numbers: dict[str, str] = {
        "CONTRACTION": number(CONTRACTION),
        "LEASH": number(LEASH[0]),
        "SLACK": number(LEASH[1]),
        "TURN": number(TURN),
        "OF_VELOCITIES": braced([number(x) for x in OF_VELOCITIES]),
        "OF_ACCELERATIONS": braced([number(x) for x in OF_ACCELERATIONS]),
    }
    told = {name: braced([str(int(x)) for x in items]) for name, items in lists.items()}
    return {**counts, **places, **told, **numbers}


def braced(items: Sequence[str]) -> str:
    """A list as C has it; one zero where there is nothing."""
    return f"{{{', '.join(items) or '0'}}}"

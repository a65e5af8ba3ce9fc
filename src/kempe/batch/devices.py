"""Where variants are swept: on this processor, or on a graphics card."""

from typing import Final, TypeAlias

from kempe.compile.cuda.card import CardSweep
from kempe.compile.cuda.emulated import EmulatedSweep
from kempe.compile.llvm.lane_sweep import LaneSweep, LaneTask

CPU, GPU, EMULATED = "cpu", "gpu", "emulated"
DEVICES: Final = (CPU, GPU, EMULATED)
Code: TypeAlias = LaneSweep | CardSweep | EmulatedSweep


def sweep_code(task: LaneTask, device: str, *, is_summary: bool) -> Code:
    """The compiled sweep of a task for a device."""
    if device == GPU:
        return CardSweep(task, is_summary=is_summary)
    if device == EMULATED:
        return EmulatedSweep(task, is_summary=is_summary)
    return LaneSweep(task)

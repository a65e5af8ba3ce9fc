"""Looking inside kempe: what its public calls do not tell."""

import importlib
import time
from types import SimpleNamespace
from typing import Any
from unittest import mock

import kempe


def sweep_seconds(
    mechanism: kempe.Mechanism, steps: int, plan: str
) -> tuple[float, kempe.Trajectory]:
    """CPU seconds of one turn's sweep alone, preparation left out, and what it found."""
    seconds: list[float] = []

    class TimedSweeper:
        def __init__(self, system: Any) -> None:
            self._sweeper = core.Sweeper(system)

        def run(self, *arguments: Any) -> Any:
            began = time.process_time()
            facts = self._sweeper.run(*arguments)
            seconds.append(time.process_time() - began)
            return facts

    room = importlib.import_module("kempe.kinematics.stepping.stretch")
    core = room.core
    with mock.patch.object(room, "core", SimpleNamespace(Sweeper=TimedSweeper)):
        trajectory = mechanism.kinematics(until=1.0, steps=steps, plan=plan)
    return sum(seconds), trajectory


def programs() -> list[Any]:
    """The programs this process remembers."""
    cache = importlib.import_module("kempe.compile.program.program").PROGRAMS
    return list(cache._programs.values())


def forget_programs() -> None:
    """Every structure has to be compiled again, or read from the cache on disk."""
    importlib.import_module("kempe.compile.program.program").PROGRAMS.clear()


def converged() -> float:
    """The weighted residual at which kempe's samples count as solved."""
    return float(importlib.import_module("kempe.kinematics.stepping.newton").CONVERGED)

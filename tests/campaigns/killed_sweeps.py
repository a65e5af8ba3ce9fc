"""Promise: a sweep that is killed at any moment and goes on finds what an undisturbed one finds, to
the last byte of its files; no finished chunk is lost, and none is computed again.

Oracle: the undisturbed sweep's files, and a log that the work itself writes.
"""

import os
import shutil
import signal
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

import kempe

CASES = 2
KILLS = 5  # of one sweep, at most


class Logged:
    """Work of a millisecond or so that notes which variant it was asked for."""

    def __init__(self, log: Path) -> None:
        self.log = log

    def __call__(self, mechanism, rng) -> dict[str, float]:
        """The crank, and a number of the variant's own generator."""
        crank = mechanism.parameters["crank"]
        handle = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(handle, f"{crank!r}\n".encode())
        os.close(handle)
        time.sleep(0.001)
        return {"twice": 2.0 * crank, "luck": rng.random()}


def attempt(rng: np.random.Generator) -> list[str]:
    """A sweep of some tens of variants, killed up to five times."""
    folder = Path(tempfile.mkdtemp(prefix="kempe-killed-"))
    try:
        return _tried(rng, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _tried(rng: np.random.Generator, folder: Path) -> list[str]:
    count, chunk = int(rng.integers(20, 60)), int(rng.integers(1, 9))
    four_bar = kempe.gallery.four_bar()
    work = Logged(folder / "log")
    asked = {"over": {"crank": "0.8..1.2"}, "count": count, "chunk": chunk, "analysis": work}
    asked |= {"executor": "serial", "seed": int(rng.integers(1000))}
    whole = kempe.sweep(four_bar, folder=folder / "whole", **asked)
    (folder / "log").unlink()
    wrong, found = [], folder / "killed"
    for _ in range(int(rng.integers(1, KILLS + 1))):
        done = _finished(found)
        cranks = whole["crank"].tolist()
        values = {x for k in done for x in cranks[k * chunk : (k + 1) * chunk]}
        before = _lines(work.log)
        _killed(
            lambda: kempe.sweep(four_bar, folder=found, resume=True, **asked),
            rng.exponential(0.0015 * count / KILLS),
        )
        again = values & set(_lines(work.log)[len(before) :])
        if again:
            wrong.append(f"{len(again)} variants of finished chunks were computed again")
        if not done <= _finished(found):
            wrong.append("a finished chunk is gone")
    last = kempe.sweep(four_bar, folder=found, resume=True, **asked)
    for path in sorted((folder / "whole" / "chunks").iterdir()):
        other = found / "chunks" / path.name
        if not other.exists() or other.read_bytes() != path.read_bytes():
            wrong.append(f"{path.name} is not that of the undisturbed sweep")
    left = sorted(p.name for p in found.rglob("*.part"))
    if left:
        wrong.append(f"files were left behind: {left}")
    if last["number"].tolist() != list(range(count)):
        wrong.append("a variant is missing or there twice")
    return wrong


def _finished(folder: Path) -> set[int]:
    return {int(path.stem) for path in (folder / "chunks").glob("*.parquet")}


def _lines(path: Path) -> list[float]:
    return [float(line) for line in path.read_text().splitlines()] if path.exists() else []


def _killed(work, after: float) -> None:
    """Do some work in a process of its own that is killed after so many seconds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads: it is meant
        child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)

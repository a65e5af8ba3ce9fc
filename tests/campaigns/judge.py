"""One case of a campaign, and everything that counts as a fault of it."""

import pkgutil
import signal
import traceback
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import numpy as np

PATIENCE = 60  # CPU s for one case; what takes longer hangs, as far as a user can tell
LOAD = 10  # times as long by the clock, where other work takes the processor
NO_CAMPAIGNS = {"__main__", "judge"}


class TooSlow(Exception):
    """A case that did not end in PATIENCE seconds of the processor."""


class Campaign(NamedTuple):
    """One promise, tried on random cases."""

    name: str
    attempt: Callable[[np.random.Generator], list[str]]
    cases: int  # how many of the first cases the tests run
    remembered: tuple[int, ...]  # cases that once were wrong


def every_campaign() -> dict[str, Campaign]:
    """Every campaign of this folder, by its name."""
    here = Path(__file__).parent
    names = [found.name for found in pkgutil.iter_modules([str(here)])]
    return {
        name: named_campaign(name)
        for name in names
        if name not in NO_CAMPAIGNS and not name.startswith(("test_", "_"))
    }


def named_campaign(name: str) -> Campaign:
    """The campaign in the file of this name."""
    module = import_module(f"tests.campaigns.{name}")
    return Campaign(
        name, module.attempt, getattr(module, "CASES", 30), getattr(module, "REMEMBERED", ())
    )


def judged(name: str, numbers: Iterable[int]) -> list[str]:
    """What is wrong with the cases of these numbers, each with the command that runs it again."""
    campaign = named_campaign(name)
    return [
        f"{name} --case {number}: {fault}"
        for number in numbers
        for fault in faults_of(campaign, number)
    ]


def faults_of(campaign: Campaign, number: int) -> list[str]:
    """What is wrong with one case: what the campaign says, an exception, a warning, no end."""
    rng = np.random.default_rng([zlib.crc32(campaign.name.encode()), number])
    try:
        with warnings.catch_warnings(), patience():
            warnings.simplefilter("error")
            return campaign.attempt(rng)
    except TooSlow:
        return [f"no end after {PATIENCE} s"]
    except Exception as error:  # whatever escapes is a fault of kempe, or of the campaign
        where = traceback.extract_tb(error.__traceback__)[-1]
        return [f"{type(error).__name__} at {Path(where.filename).name}:{where.lineno}: {error}"]


@contextmanager
def patience() -> Iterator[None]:
    """Ends what takes the processor longer than PATIENCE, where the system can tell."""
    if not hasattr(signal, "SIGPROF"):
        yield
        return

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlow

    clocks = (
        (signal.SIGPROF, signal.ITIMER_PROF, PATIENCE),
        (signal.SIGALRM, signal.ITIMER_REAL, LOAD * PATIENCE),
    )
    before = [signal.signal(rings, ring) for rings, _, _ in clocks]
    for _, timer, seconds in clocks:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for (rings, timer, _), handler in zip(clocks, before, strict=True):
            signal.setitimer(timer, 0.0)
            signal.signal(rings, handler)

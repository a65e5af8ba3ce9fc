"""What tests ask of variants in other processes: functions of a module that these can import."""

import os
import signal
from pathlib import Path

import numpy as np

import kempe


def sizes(mechanism, rng):
    """Two numbers and a text that follow from the crank and the variant's own generator."""
    crank = mechanism.parameters["crank"]
    if crank > 1.35:
        raise ZeroDivisionError("the crank is too long for me")
    return {"twice": 2.0 * crank, "luck": rng.random(), "word": "long" if crank > 1.0 else "short"}


def deadly(mechanism):
    """Nothing, where the crank is 1: the process is gone."""
    if mechanism.parameters["crank"] == 1.0:
        os.kill(os.getpid(), signal.SIGKILL)
    return mechanism.parameters["crank"]


class DeadlyOnce:
    """The same, but the first time only: a file tells that it has happened."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __call__(self, mechanism):
        """The crank."""
        if mechanism.parameters["crank"] == 1.0 and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return mechanism.parameters["crank"]


def same(one, other) -> None:
    """The tables of two sweeps are the same to the last bit."""
    assert one.names == other.names
    for name in one.names:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)


FOUR_BAR = kempe.gallery.four_bar()

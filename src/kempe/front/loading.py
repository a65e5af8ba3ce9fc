"""Mechanisms from files."""

from pathlib import Path

from kempe.front.mechanism import Mechanism


def load(path: str | Path) -> Mechanism:
    """The mechanism in a model file (.yaml, .yml or .json).

    A mistake in the file is a `FileError` with its line and column.
    """
    return Mechanism.load(path)

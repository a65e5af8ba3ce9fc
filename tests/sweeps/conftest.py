"""What tests of sweeps share."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = str(Path(__file__).resolve().parents[2])


@pytest.fixture(scope="session", autouse=True)
def _other_processes_find_the_tests() -> Iterator[None]:
    """A process that is spawned has the path of this one, and imports what is asked from there."""
    if ROOT in sys.path:
        yield
        return
    sys.path.append(ROOT)
    yield
    sys.path.remove(ROOT)

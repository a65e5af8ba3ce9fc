"""What a sweep finds is the same to the last bit on every run, for every entry of the gallery."""

from pathlib import Path

import pytest

import kempe
from kempe.compile.program.program import PROGRAMS
from kempe.gallery import COURSES, MECHANISMS

STEPS = 60
MOVING = [n for n, make in MECHANISMS.items() if make().model.drives and n not in COURSES]


def bits(motion: kempe.Trajectory) -> tuple[bytes, ...]:
    """Times, positions, velocities, accelerations, and how it ended."""
    swept = motion.motion
    arrays = (swept.t, swept.q, swept.v, swept.a)
    return (*(array.tobytes() for array in arrays), repr(motion.outcome).encode())


@pytest.mark.parametrize("name", MOVING)
def test_every_run_gives_the_same_bits(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEMPE_CACHE", str(tmp_path))
    PROGRAMS.clear()
    mechanism = MECHANISMS[name]()
    first = bits(mechanism.kinematics(until=1.0, steps=STEPS))
    mechanism.kinematics(until=0.3, steps=7)
    assert bits(mechanism.kinematics(until=1.0, steps=STEPS)) == first
    PROGRAMS.clear()  # as in another process, which finds programs on the disk
    assert bits(MECHANISMS[name]().kinematics(until=1.0, steps=STEPS)) == first

"""A chain of equal frames, the same for every contestant, with its end in closed form."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
TURN = 0.01  # rad about z, from each frame to the next
STEP = np.array([0.1, 0.0, 0.02])  # m


def link() -> tuple[FloatArray, FloatArray]:
    """Position and rotation of every frame seen from the one before it."""
    c, s = np.cos(TURN), np.sin(TURN)
    return STEP, np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def end_of_chain(frames: int) -> FloatArray:
    """Where the last frame is, seen from the first: a helix, summed as a geometric series."""
    n = frames - 1
    z = STEP[0] * (1.0 - np.exp(1j * TURN * n)) / (1.0 - np.exp(1j * TURN))
    return np.array([z.real, z.imag, n * STEP[2]])


def pairs(frames: int, queries: int) -> list[tuple[str, str]]:
    """Pairs of frames, no pair twice in a row, the same on every run."""
    random = np.random.default_rng(1876)
    return [(f"f{a}", f"f{b}") for a, b in random.integers(0, frames, (queries, 2)).tolist()]

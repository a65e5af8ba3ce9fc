"""A mechanism as it is, or as it comes back from a file."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import kempe as kp

SHARE = 0.3


def perhaps_reread(rng: np.random.Generator, mechanism: kp.Mechanism) -> kp.Mechanism:
    """One case in three is written to a file, and what is read from there is taken."""
    if rng.random() > SHARE:
        return mechanism
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"model.{rng.choice(['yaml', 'json'])}"
        mechanism.save(path)
        return kp.load(path)
